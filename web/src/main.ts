import { mount } from "svelte";
import App from "./App.svelte";
import "./base.css";
import { settings } from "./settings.svelte";
import "./tokens.css";
import { speak } from "./words/say.svelte";

await speak(settings.language);
const target = document.getElementById("app");
if (target) mount(App, { target });
