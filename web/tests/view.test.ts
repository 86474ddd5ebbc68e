// What the view makes of the steps is what a fresh welcome tells. The frames come from a real server: tests/web
// plays, writes them down, and runs this.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Step, Talk, Welcome } from "../src/net/protocol";
import { View } from "../src/net/view";

const file = process.env["FRAMES"];

/** All that is reachable from here can no longer be written into. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

test.skipIf(file === undefined)("a view is what a welcome tells", () => {
  let view: View | null = null;
  let looked = 0;
  for (const line of readFileSync(file ?? "", "utf8").split("\n")) {
    const frame = JSON.parse(line) as Record<string, unknown>;
    if ("table" in frame) view = null;
    else if ("fresh" in frame) {
      const fresh = frame["fresh"] as Welcome;
      expect(view?.data).toEqual(fresh.welcome);
      expect([view?.version, view?.at]).toEqual([fresh.version, fresh.at]);
      looked++;
    } else if ("events" in frame) view?.step(frame as unknown as Step);
    else if ("welcome" in frame) view = new View(frame as unknown as Welcome);
    else if ("resumed" in frame) view?.resumed(frame as unknown as { you: number[]; talk: Talk[] });
    else if ("talk" in frame) view?.talk(frame as unknown as Talk);
    else if ("present" in frame) view?.present(frame as unknown as { present: number[] });
    if (view) frozen(view.data);
  }
  expect(looked).toBeGreaterThan(500);
});
