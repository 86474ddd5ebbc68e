// The sentences of the app come from the catalogues of the whole program, src/stationmaster/words/*.toml. Of each
// language the browser gets the keys that the app asks for, and nothing else; a key that is not there fails the build.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import type { Plugin } from "vite";

type Text = string | { one: string; other: string };
type Nested = { [name: string]: Nested | string };

const here = fileURLToPath(new URL(".", import.meta.url));
const source = join(here, "src");
const name = /^virtual:words\/(en|es)$/;

/** All texts of a language, by their whole key. */
export function catalogue(language: string): Map<string, Text> {
  const texts = new Map<string, Text>();
  const collect = (prefix: string, table: Nested): void => {
    for (const [key, entry] of Object.entries(table)) {
      if (typeof entry === "string") texts.set(prefix + key, entry);
      else if (Object.keys(entry).sort().join() === "one,other") texts.set(prefix + key, entry as Text);
      else collect(`${prefix}${key}.`, entry);
    }
  };
  const file = join(here, "../src/stationmaster/words", `${language}.toml`);
  collect("", parse(readFileSync(file, "utf8")) as Nested);
  return texts;
}

/** What the app asks for: whole keys, and beginnings of keys whose end is known only in the browser. */
export function asked(): { keys: Set<string>; beginnings: Set<string> } {
  const keys = new Set<string>();
  const beginnings = new Set<string>();
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!/\.(ts|svelte)$/.test(file)) continue;
    const text = readFileSync(join(source, file), "utf8");
    for (const [, key = "", more] of text.matchAll(/\bsay\(\s*["'`]([\w.-]+)(\$\{)?/g)) {
      (more === undefined ? keys : beginnings).add(key);
    }
    for (const [, key = ""] of text.matchAll(/["'`]@([a-z]+(?:\.[\w-]+)+)/g)) keys.add(key);
    for (const [, key = ""] of text.matchAll(/["'`]@((?:[a-z]+\.)+)\$\{/g)) beginnings.add(key);
  }
  return { keys, beginnings };
}

/** The texts of a language that the app asks for, in the order of their keys. */
export function wanted(language: string): Record<string, Text> {
  const texts = catalogue(language);
  const { keys, beginnings } = asked();
  const missing = [...keys].filter((key) => !texts.has(key));
  if (missing.length) throw new Error(`There are no words in ${language}.toml for ${missing.sort().join(", ")}`);
  const begins = [...beginnings];
  const found = [...texts].filter(([key]) => keys.has(key) || begins.some((begin) => key.startsWith(begin)));
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function words(): Plugin {
  return {
    name: "words",
    resolveId: (id) => (name.test(id) ? `\0${id}` : null),
    load(id) {
      const language = name.exec(id.replace("\0", ""))?.[1];
      return language === undefined ? null : `export default ${JSON.stringify(wanted(language))};`;
    },
  };
}
