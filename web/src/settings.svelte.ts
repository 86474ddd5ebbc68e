// What is remembered on this device: a name, and how the table is shown.

import { LANGUAGES, preferred, type Language } from "./words/say.svelte";

export type Size = "small" | "medium" | "large";

export interface Settings {
  name: string;
  language: Language;
  size: Size;
  numerals: boolean;
  auto: boolean; // draw and pass by themselves
  quick: boolean; // bots take no time to think
  lastBook: string;
}

const KEY = "stationmaster";

function remembered(): Settings {
  const first: Settings = {
    name: "",
    language: preferred(),
    size: "medium",
    numerals: false,
    auto: false,
    quick: false,
    lastBook: "tactic",
  };
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const found = { ...first, ...(kept as Partial<Settings>) };
    return LANGUAGES.includes(found.language) ? found : first;
  } catch {
    return first; // nothing can be kept here, or what is kept is not ours
  }
}

export const settings = $state(remembered());

export function remember(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // a private window: it holds as long as the page does
  }
}
