// What a client knows of its table: the view that the server told it, and every step since, written into it.
// This is bookkeeping, as in stationmaster.client.view. No rule of the game is in here.
//
// Parts that change are made anew and never written into, so whoever holds the old view sees what has changed.

import type { Data, Happening, Match, Mine, Round, Step, Talk, Welcome } from "./protocol";
import { inOrder } from "./tiles";

const NOW = ["stage", "turn", "phase", "open_doubles", "direction", "until", "paused"] as const;
const LAST = 24; // moves that the view keeps
const TALK = 50; // things said that it keeps

export class View {
  data: Data;
  version: number;
  at: number;

  constructor(frame: Welcome) {
    this.data = frame.welcome;
    this.version = frame.version;
    this.at = frame.at;
  }

  /** Write down what happened. */
  step(step: Step): void {
    this.version = step.version;
    this.at = step.at;
    if (step.welcome) {
      this.data = step.welcome; // so much is otherwise that all is told anew
      return;
    }
    const data: Data = { ...this.data };
    for (const key of NOW) Reflect.deleteProperty(data, key);
    Object.assign(data, Object.fromEntries(NOW.filter((key) => key in step).map((key) => [key, step[key]])));
    if (data.mine) data.mine = mapped(data.mine, ({ hand }) => (hand ? { hand } : {}));
    for (const event of step.events) WRITE[event.event]?.(data, event);
    if (step.seats) {
      data.seats = step.seats;
      data.you = step.you ?? data.you;
    }
    if (data.match) own(data, step.mine ?? {});
    this.data = data;
  }

  present(frame: { present: number[] }): void {
    this.data = { ...this.data, present: frame.present };
  }

  talk(frame: Talk): void {
    const last = this.data.talk.at(-1);
    if (!last || frame.talk > last.talk) this.data = { ...this.data, talk: [...this.data.talk, frame].slice(-TALK) };
  }

  /** All that was missed is told. */
  resumed(frame: { you: number[]; talk: Talk[] }): void {
    const data: Data = { ...this.data, you: frame.you, talk: frame.talk };
    if (data.match) own(data, {});
    this.data = data;
  }
}

function mapped<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** What only your seats may know. */
function own(data: Data, told: NonNullable<Step["mine"]>): void {
  const mine: Record<string, Mine> = {};
  for (const seat of data.you.map(String)) {
    const news = told[seat] ?? {};
    const known: Mine = { ...data.mine?.[seat] };
    if (news.drew !== undefined && known.hand) known.hand = inOrder([...known.hand, news.drew]);
    if (news.hand) known.hand = news.hand;
    if (news.legal) known.legal = news.legal;
    if (news.drawn !== undefined) known.drawn = news.drawn;
    mine[seat] = known;
  }
  data.mine = mine;
}

// ---- Events ------------------------------------------------------------------------------------------------

type Write = (data: Data, event: Happening) => void;

function round(data: Data, change: (round: Round) => Partial<Round>): void {
  if (data.round) data.round = { ...data.round, ...change(data.round) };
}

function match(data: Data, change: (match: Match) => Partial<Match>): void {
  if (data.match) data.match = { ...data.match, ...change(data.match) };
}

function replaced<T>(list: T[], index: number, change: (value: T) => T): T[] {
  return list.map((value, number) => (number === index ? change(value) : value));
}

function without<T>(list: T[], value: T): T[] {
  const index = list.indexOf(value);
  return index < 0 ? list : list.filter((_, number) => number !== index);
}

function added(list: number[], seat: number): number[] {
  return [...new Set([...list, seat])].sort((a, b) => a - b);
}

function noTakeback(data: Data): void {
  data.takeback = null;
  data.takeback_agreed = [];
}

function moved(data: Data, seat: number, move: string): void {
  round(data, (now) => ({ moves: now.moves + 1, last: [...now.last, [seat, move] as [number, string]].slice(-LAST) }));
  noTakeback(data);
}

/** The hand of a seat is written down as an own one, as an open one, both, or nowhere. */
function hand(data: Data, seat: number, change: (hand: string[]) => string[]): void {
  const mine = data.mine?.[seat];
  if (mine?.hand) data.mine = { ...data.mine, [seat]: { ...mine, hand: change(mine.hand) } };
  round(data, (now) => ({ hands: replaced(now.hands, seat, (open) => open && change(open)) }));
}

function givenUp(data: Data, { seat }: Happening): void {
  data.ready = data.ready.filter((one) => one !== seat);
  if (data.takeback === seat) noTakeback(data);
  data.takeback_agreed = data.takeback_agreed.filter((one) => one !== seat);
}

function dealt(data: Data, event: Happening): void {
  const seats = data.seats.length;
  const none = Array.from({ length: seats }, () => 0);
  const before: Match = data.match ?? {
    number: 0,
    rounds: data.rulebook.rounds,
    totals: none,
    money: none,
    pot: 0,
    over: false,
    winners: null,
    leading: [],
    results: [],
    deals: [],
  };
  const deal = { commitment: data.deal?.commitment ?? "", texts: event.texts };
  delete data.deal;
  data.match = { ...before, number: event.round, pot: event.pot, deals: [...before.deals, deal] };
  const trains: Record<string, string[]> = { M: [] };
  for (let seat = 0; seat < seats; seat++) trains[seat] = [];
  data.round = {
    engine: event.engine,
    starter: event.starter,
    trains,
    markers: [],
    hand_sizes: event.hand_sizes,
    hands: event.hands,
    bone_pile_count: event.bone_pile_count,
    moves: 0,
    last: [],
  };
}

const WRITE: Record<string, Write> = {
  locked: (data) => void (data.locked = true),
  unlocked: (data) => void (data.locked = false),
  "hints-on": (data) => void (data.hints = true),
  "hints-off": (data) => void (data.hints = false),
  closed: (data) => void (data.closed = true),
  rematch: (data, event) => void (data.rematch = { table: event.table, code: event.code }),
  left: givenUp,
  removed: givenUp,
  promised: (data, event) => {
    data.deal = { round: event.round, commitment: event.commitment, hashed: {}, asked: false, texted: [] };
    data.ready = [];
  },
  hashed: (data, event) => {
    if (data.deal) data.deal = { ...data.deal, hashed: { ...data.deal.hashed, [event.seat]: event.hash } };
  },
  asked: (data) => {
    if (data.deal) data.deal = { ...data.deal, asked: true };
  },
  texted: (data, event) => {
    if (data.deal) data.deal = { ...data.deal, texted: added(data.deal.texted, event.seat) };
  },
  dealt,
  placed: (data, event) => {
    const { seat, tile, move, train } = event;
    moved(data, seat, move);
    round(data, (now) => ({
      trains: { ...now.trains, [train]: [...(now.trains[train] ?? []), move] },
      hand_sizes: replaced(now.hand_sizes, seat, (size) => size - 1),
    }));
    hand(data, seat, (held) => without(held, tile ?? ""));
  },
  drew: (data, event) => {
    const { seat, tile } = event;
    moved(data, seat, "draw");
    round(data, (now) => ({
      hand_sizes: replaced(now.hand_sizes, seat, (size) => size + 1),
      bone_pile_count: now.bone_pile_count - 1,
    }));
    if (tile !== null) hand(data, seat, (held) => inOrder([...held, tile]));
  },
  passed: (data, event) => moved(data, event.seat, "pass"),
  stopped: (data, event) => moved(data, event.seat, "stop"),
  paid: (data, event) => match(data, (now) => ({ pot: now.pot + (typeof event.cents === "number" ? event.cents : 0) })),
  "marker-laid": (data, event) => round(data, (now) => ({ markers: added(now.markers, event.seat) })),
  "marker-taken": (data, event) => round(data, (now) => ({ markers: now.markers.filter((seat) => seat !== event.seat) })),
  "round-ended": (data, event) => {
    round(data, () => ({ hands: event.hands }));
    const result = { ending: event.ending, points: event.points, cents: Array.isArray(event.cents) ? event.cents : [] };
    match(data, (now) => ({ results: [...now.results, result] }));
  },
  shown: (data, event) =>
    match(data, (now) => ({
      totals: event.totals,
      money: event.money,
      pot: event.pot,
      leading: event.leading,
      deals: replaced(now.deals, now.deals.length - 1, (deal) => ({ ...deal, secret: event.secret })),
    })),
  "match-over": (data, event) => match(data, () => ({ over: true, winners: event.winners })),
  ready: (data, event) => void (data.ready = added(data.ready, event.seat)),
  "takeback-asked": (data, event) => {
    data.takeback = event.seat;
    data.takeback_agreed = [event.seat];
  },
  "takeback-agreed": (data, event) => void (data.takeback_agreed = added(data.takeback_agreed, event.seat)),
  "takeback-refused": noTakeback,
};
