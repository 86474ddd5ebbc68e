// The hand as it lies in the tray.

import type { LineUp } from "../net/protocol";
import { ends } from "../net/tiles";

export interface Lined {
  tile: string;
  a: string;
  b: string;
}

/** The hand as it is shown: the planned train in its order, each tile the way it will lie; then the extras. */
export function arranged(hand: string[], lineUp: LineUp | null): { train: Lined[]; extras: Lined[] } {
  const left = [...hand];
  const train: Lined[] = [];
  for (const [index, tile] of (lineUp?.train ?? []).entries()) {
    const place = left.indexOf(tile);
    if (place < 0) continue;
    left.splice(place, 1);
    const [low, high] = ends(tile);
    const shown = lineUp?.shows[index] ?? high;
    train.push({ tile, a: shown === high ? low : high, b: shown });
  }
  return { train, extras: left.map((tile) => ({ tile, a: ends(tile)[0], b: ends(tile)[1] })) };
}
