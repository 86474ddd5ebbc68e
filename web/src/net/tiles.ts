// The notation of tiles and moves, read and nothing more: what fits where is said by the server.

import type { Train } from "./protocol";

const ENDS = [...Array.from({ length: 19 }, (_, pips) => String(pips)), "A", "D", "R", "S", "T", "W"];
const RANK = new Map(ENDS.map((end, rank) => [end, rank]));

export interface Placement {
  text: string;
  attached: string;
  exposed: string;
  tile: string;
  train: Train;
}

export function ends(tile: string): [string, string] {
  const [low = "", high = ""] = tile.split("-");
  return [low, high];
}

export function isDouble(tile: string): boolean {
  const [low, high] = ends(tile);
  return low === high;
}

/** The tiles of a hand, as they are always told. */
export function inOrder(tiles: string[]): string[] {
  return [...tiles].sort((a, b) => order(a) - order(b));
}

function order(tile: string): number {
  const [low, high] = ends(tile);
  return rank(low) * 100 + rank(high);
}

function rank(end: string): number {
  return RANK.get(end) ?? 99;
}

/** A tile as it is always written, whichever end was named first. */
export function tileOf(a: string, b: string): string {
  return rank(a) <= rank(b) ? `${a}-${b}` : `${b}-${a}`;
}

/** A placement, `12-5@0`; null for the other moves. */
export function placement(text: string): Placement | null {
  const [tile = "", train] = text.split("@");
  if (train === undefined) return null;
  const [attached, exposed] = ends(tile);
  return { text, attached, exposed, tile: tileOf(attached, exposed), train: train === "M" ? "M" : Number(train) };
}
