// Every sentence that people read, by key, as stationmaster.words has it: named places, `one` and `other` by the count.

export type Language = "en" | "es";
export type Values = Record<string, string | number>;
type Text = string | { one: string; other: string };
type Texts = Record<string, Text>;

export const LANGUAGES: readonly Language[] = ["en", "es"];

const load: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import("virtual:words/en"),
  es: () => import("virtual:words/es"),
};

let texts = $state.raw<Texts>({});
let current = $state<Language>("en");

/** Read in this language from now on. */
export async function speak(language: Language): Promise<void> {
  texts = (await load[language]()).default;
  current = language;
  document.documentElement.lang = language;
}

export function language(): Language {
  return current;
}

/** The language that the browser asks for, if there is a catalogue of it. */
export function preferred(): Language {
  for (const tag of navigator.languages) {
    const found = LANGUAGES.find((one) => tag.toLowerCase().startsWith(one));
    if (found) return found;
  }
  return "en";
}

/** The sentence with this key, its places filled in. A value "@key" is looked up first. */
export function say(key: string, values: Values = {}): string {
  const text = texts[key];
  if (text === undefined) return key;
  const form = typeof text === "string" ? text : values["count"] === 1 ? text.one : text.other;
  return form.replace(/\{([a-z_]+)\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) return place;
    if (typeof value === "string" && value.startsWith("@") && texts[value.slice(1)] !== undefined) {
      return say(value.slice(1), values);
    }
    return String(value);
  });
}

// Spanish: "Ana e Inés", "7 u 8" (siete u ocho), "10 u 11" (diez u once).
const BEFORE: Record<string, [RegExp, string]> = {
  "es and": [/^h?[ií](?![aeo])/i, "e"],
  "es or": [/^(h?[oó]|8|11\b)/i, "u"],
};

/** Several things in a row as people say them: "1, 2 and 3". */
export function listing(parts: string[], last: "and" | "or" = "and"): string {
  const end = parts.at(-1);
  if (end === undefined || parts.length < 2) return parts.join("");
  const special = BEFORE[`${current} ${last}`];
  const word = special?.[0].test(end) ? special[1] : say(`list.${last}`);
  return `${parts.slice(0, -1).join(", ")} ${word} ${end}`;
}

/** Cents the way the reader writes them. */
export function money(cents: number): string {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.floor(Math.abs(cents) / 100);
  const part = String(Math.abs(cents) % 100).padStart(2, "0");
  return current === "es" ? `${sign}${whole},${part} $` : `${sign}$${whole}.${part}`;
}
