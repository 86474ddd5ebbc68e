import { expect, test } from "vitest";
import { Deals } from "../src/net/deals";
import type { Data, Happening } from "../src/net/protocol";
import { fromHex, sha256, sha256Text } from "../src/net/sha256";
import { inOrder, placement, tileOf } from "../src/net/tiles";
import { arranged } from "../src/table/arranged";
import { pips } from "../src/tiles/pips";
import { asked, catalogue, wanted } from "../words";

test("SHA-256 is that of the standard", () => {
  expect(sha256Text("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(sha256Text("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256Text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
  expect(sha256(new Uint8Array(1_000_000).fill(97))).toBe(
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
  );
  expect([...fromHex("00ff10")]).toEqual([0, 255, 16]);
});

test.each(Array.from({ length: 19 }, (_, count) => count))("%i pips lie apart, inside their half", (count) => {
  const laid = pips(count);
  expect(laid).toHaveLength(count);
  for (const [index, one] of laid.entries()) {
    expect(Math.min(one.x, one.y) - one.r).toBeGreaterThan(4);
    expect(Math.max(one.x, one.y) + one.r).toBeLessThan(96);
    for (const other of laid.slice(index + 1)) {
      expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(one.r + other.r);
    }
  }
});

test("the notation is read", () => {
  expect(placement("12-5@0")).toEqual({ text: "12-5@0", attached: "12", exposed: "5", tile: "5-12", train: 0 });
  expect(placement("W-A@M")).toMatchObject({ tile: "A-W", train: "M" });
  expect(placement("draw")).toBeNull();
  expect(tileOf("W", "3")).toBe("3-W");
  expect(inOrder(["W-W", "10-12", "2-2", "A-W", "2-11"])).toEqual(["2-2", "2-11", "10-12", "A-W", "W-W"]);
});

test("the hand is shown as the train will lie, and the extras behind it", () => {
  const lineUp = { train: ["5-12", "5-7", "7-7"], shows: ["5", "7", "7"], extras: [] };
  const shown = arranged(["5-7", "5-12", "0-3"], lineUp);
  expect(shown.train.map(({ a, b }) => `${a}-${b}`)).toEqual(["12-5", "5-7"]);
  expect(shown.extras.map(({ tile }) => tile)).toEqual(["0-3"]);
  expect(arranged(["A-W", "A-W"], { train: ["A-W"], shows: ["W"], extras: [] })).toMatchObject({
    train: [{ tile: "A-W" }],
    extras: [{ tile: "A-W" }],
  });
});

test("every sentence that the app asks for is there, in each language", () => {
  const english = wanted("en");
  expect(Object.keys(wanted("es"))).toEqual(Object.keys(english));
  for (const begin of asked().beginnings) {
    expect(Object.keys(english).some((key) => key.startsWith(begin)), begin).toBe(true);
  }
  const used = new Set(Object.keys(english));
  const idle = [...catalogue("en").keys()].filter((key) => key.startsWith("web.") && !used.has(key));
  expect(idle).toEqual([]);
});

// ---- Fair deals --------------------------------------------------------------------------------------------

function device(): { deals: Deals; kept: Map<string, string> } {
  const kept = new Map<string, string>();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => void kept.set(key, text) };
  return { deals: new Deals("ABCDEF", storage), kept };
}

function dealing(hashed: Record<string, string>, asks: boolean): Data {
  const deal = { round: 1, commitment: "", hashed, asked: asks, texted: [] };
  return { stage: "deal", you: [0], seats: [{ held: null }], deal } as unknown as Data;
}

function shown(secret: string, commitment: string): Happening {
  return { event: "shown", round: 1, secret, commitment } as Happening;
}

test("a device promises a text once, and shows the one that it promised", () => {
  const { deals, kept } = device();
  const [promised, ...more] = deals.wanted(dealing({}, false));
  expect(more).toEqual([]);
  expect(deals.wanted(dealing({}, false))).toEqual([]);
  const [text] = kept.values();
  expect(promised).toEqual({ promise: sha256Text(text ?? ""), seat: 0 });
  expect(deals.wanted(dealing({ 0: promised?.promise ?? "" }, true))).toEqual([{ text, seat: 0 }]);
});

test("a device whose text was not the one that was promised shows nothing", () => {
  const { deals } = device();
  deals.wanted(dealing({}, false));
  expect(deals.wanted(dealing({ 0: sha256Text("of another device") }, true))).toEqual([]);
});

test("a broken promise is seen", () => {
  const { deals, kept } = device();
  const secret = "00".repeat(31) + "01";
  const good = sha256(fromHex(secret));
  const [promised] = deals.wanted(dealing({}, false));
  deals.wanted(dealing({ 0: promised?.promise ?? "" }, true));
  const [text] = kept.values();
  const data = (texts: string[]): Data => ({ match: { deals: [{ commitment: good, texts }] } }) as unknown as Data;
  expect(deals.step(data([text ?? ""]), [shown(secret, good)])).toBeNull();
  expect(deals.step(data([text ?? ""]), [shown(secret, "ab".repeat(32))])).toBe("secret");
  expect(deals.step(data(["another text"]), [shown(secret, good)])).toBe("text");
});
