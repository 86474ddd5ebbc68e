// What goes over HTTP. A refusal is thrown, with the server's sentence in it.

import { language } from "../words/say.svelte";
import type { Refusal } from "./protocol";

export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.sentence);
  }
}

export interface Made {
  table: string;
  code: string;
  link: string;
}

export interface Printed {
  id: string;
  name: string;
  players: number[];
  rounds: number;
  tiles: number;
}

export interface TableInfo {
  code: string;
  rulebook_name: string;
  over: boolean;
  started: boolean;
  round: number;
  rounds: number;
  seats: { name: string; taken: boolean }[];
}

export interface InFull {
  id: string;
  name: string;
  sections: { heading: string; sentences: string[] }[];
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const join = path.includes("?") ? "&" : "?";
  const answer = await fetch(`${path}${join}language=${language()}`, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const said: unknown = await answer.json();
  if (!answer.ok) throw new Refused(said as Refusal);
  return said as T;
}

const part = encodeURIComponent;

export const api = {
  rulebooks: () => ask<{ rulebooks: Printed[] }>("GET", "/api/rulebooks").then((found) => found.rulebooks),
  rules: (id: string) => ask<InFull>("GET", `/api/rulebooks/${part(id)}`),
  lay: (table: Record<string, unknown>) => ask<Made>("POST", "/api/tables", table),
  look: (code: string) => ask<TableInfo>("GET", `/api/tables/${part(code)}`),
  join: (code: string, name: string) => ask<unknown>("POST", `/api/tables/${part(code)}/join`, { name }),
  rematch: (table: string) => ask<Made>("POST", `/api/tables/${part(table)}/rematch`),
  known: () => ask<{ known: boolean }>("GET", "/api/me").then((found) => found.known),
  mine: () => ask<{ tables: TableInfo[] }>("GET", "/api/me/tables").then((found) => found.tables),
};
