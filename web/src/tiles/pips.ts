// How pips lie on half a tile that stands upright: on a square of 100, three columns wide.

const X = [23, 50, 77] as const;
const NINE: Record<number, readonly [number, number][]> = {
  1: [[1, 1]],
  2: [[2, 0], [0, 2]],
  3: [[2, 0], [1, 1], [0, 2]],
  4: [[0, 0], [2, 0], [0, 2], [2, 2]],
  5: [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2]],
  6: [[0, 0], [2, 0], [0, 1], [2, 1], [0, 2], [2, 2]],
  7: [[0, 0], [2, 0], [0, 1], [1, 1], [2, 1], [0, 2], [2, 2]],
  8: [[0, 0], [1, 0], [2, 0], [0, 1], [2, 1], [0, 2], [1, 2], [2, 2]],
  9: [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1], [0, 2], [1, 2], [2, 2]],
};

export interface Pip {
  x: number;
  y: number;
  r: number;
}

export function pips(count: number): Pip[] {
  if (count === 0) return [];
  const few = NINE[count];
  if (few) return few.map(([x, y]) => ({ x: X[x] ?? 50, y: X[y] ?? 50, r: 10.5 }));
  const rows = Math.ceil(count / 3); // 4 up to 12, 5 up to 15, 6 up to 18
  const middle = count - 2 * rows;
  const step = 76 / rows;
  const column = (x: number, many: number): Pip[] =>
    Array.from({ length: many }, (_, row) => ({ x, y: 50 + (row - (many - 1) / 2) * step, r: step * 0.42 }));
  return [...column(X[0], rows), ...column(X[1], middle), ...column(X[2], rows)];
}
