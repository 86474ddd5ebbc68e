// What happened, and what is expected, in sentences: the same that the terminal says.

import type { Data, Happening, Train } from "../net/protocol";
import { placement } from "../net/tiles";
import { listing, money, say } from "../words/say.svelte";

/** Events that follow from another one, or that only devices care for. */
const NOT_SAID = new Set(["hashed", "asked", "texted", "shown", "turn-began", "double-covered"]);
const OF_THE_GAME = new Set([
  "placed",
  "drew",
  "passed",
  "paid",
  "marker-laid",
  "marker-taken",
  "train-begun",
  "double-left-open",
  "one-tile-left",
  "reversed",
  "will-skip",
  "will-draw",
  "plays-again",
  "dead-double",
  "went-out",
  "stopped",
  "turn-ended-by-itself",
]);
const OF_MINE = new Set([
  "placed",
  "drew",
  "passed",
  "paid",
  "marker-laid",
  "marker-taken",
  "one-tile-left",
  "plays-again",
  "went-out",
  "stopped",
  "turn-ended-by-itself",
]);

export function nameOf(data: Data, seat: number): string {
  return data.seats[seat]?.name || say("player.unnamed", { number: seat + 1 });
}

export function trainName(data: Data, train: Train): string {
  if (train === "M") return say("train.mexican");
  return data.you.includes(train) && data.you.length === 1
    ? say("train.own")
    : say("train.of", { name: nameOf(data, train) });
}

/** What a train shows; the engine's number before it has begun. */
export function endOf(data: Data, train: Train): string {
  const last = data.round?.trains[train]?.at(-1);
  return (last && placement(last)?.exposed) ?? data.round?.engine.split("-")[0] ?? "";
}

/** One event in words; nothing for those that need none. */
export function sentence(data: Data, event: Happening, drew?: string): string {
  if (NOT_SAID.has(event.event)) return "";
  if (event.event === "round-ended") {
    const outs = event.hands.flatMap((hand, seat) => (hand?.length === 0 ? [nameOf(data, seat)] : []));
    return event.ending === "blocked" ? say("event.round-blocked") : say("event.round-out", { name: listing(outs) });
  }
  const values = {
    ...(event as unknown as Record<string, string>),
    ...(event.train === undefined ? {} : { train: trainName(data, event.train) }),
    ...(typeof event.cents !== "number" ? {} : { money: money(event.cents) }),
    ...(event.level === undefined ? {} : { level: `@level.${event.level}` }),
  };
  if (OF_THE_GAME.has(event.event)) {
    if (data.you.length === 1 && data.you.includes(event.seat) && OF_MINE.has(event.event)) {
      return say(`table.you.${event.event}`, { ...values, tile: event.tile ?? drew ?? "" });
    }
    const hidden = event.event === "drew" && event.tile === null;
    return say(`event.${hidden ? "drew-hidden" : event.event}`, { ...values, name: nameOf(data, event.seat) });
  }
  if (event.event === "match-over") {
    const winners = event.winners.map((seat) => nameOf(data, seat));
    return say("server.event.match-over", { winners: listing(winners), count: winners.length });
  }
  return say(`server.event.${event.event}`, values);
}

function doubles(data: Data): string {
  const open = data.open_doubles ?? [];
  return listing(open.map((train) => say("play.double-on", { end: endOf(data, train), train: trainName(data, train) })));
}

/** The one sentence that says what is expected of whom. */
export function expected(data: Data): string {
  if (data.closed) return say("server.event.closed");
  if (data.paused !== undefined) return say("web.expected.paused", { name: nameOf(data, data.paused) });
  switch (data.stage) {
    case "seats": {
      if (!data.seats.every((seat) => seat.taken)) return say("web.expected.people");
      const host = data.seats.findIndex((seat) => seat.host);
      if (data.you.includes(host)) return say("web.expected.start");
      return host < 0 ? say("web.expected.nobody") : say("web.expected.host", { name: nameOf(data, host) });
    }
    case "deal":
      return say("web.expected.deal");
    case "between": {
      const waiting = data.you.some((seat) => data.ready.includes(seat));
      return waiting || !data.you.length ? say("web.expected.others-next") : say("web.expected.next");
    }
    case "over":
      return won(data);
    case "play":
      return turn(data);
  }
}

function won(data: Data): string {
  const winners = (data.match?.winners ?? []).map((seat) => nameOf(data, seat));
  return say("server.event.match-over", { winners: listing(winners), count: winners.length });
}

function turn(data: Data): string {
  const seat = data.turn;
  if (seat === undefined) return "";
  const mine = data.mine?.[seat];
  if (!mine?.legal) {
    const name = nameOf(data, seat);
    if (data.open_doubles?.length) return say("web.expected.covers", { name, doubles: doubles(data) });
    return say("event.turn-began", { name });
  }
  const kinds = mine.legal.map((move) => (placement(move) ? "place" : move));
  const forced = kinds.includes("place") ? "" : `-${kinds[0] ?? "pass"}`;
  const phase = data.phase ?? "play";
  if (phase === "must-draw") return say("play.expected.must-draw");
  if (mine.drawn !== undefined) {
    return forced ? say("play.expected.drawn-pass", { tile: mine.drawn }) : say("play.expected.drawn-fits", { tile: mine.drawn });
  }
  if (phase !== "play") {
    const double = phase === "string" && !kinds.includes("stop");
    return say(`play.expected.${double ? "follow-up" : phase}${forced}`);
  }
  if (!data.open_doubles?.length) return say(`play.expected.turn${forced}`);
  return say(`play.expected.cover${forced}`, { doubles: doubles(data) });
}
