// The shapes of the server's frames, as docs/protocol.md tells them. What is not here is left as it is.

export type Train = number | "M";
export type Stage = "seats" | "deal" | "play" | "between" | "over";

export interface Seat {
  name: string;
  taken: boolean;
  level: string | null;
  held: string | null;
  muted: boolean;
  host: boolean;
}

export interface Result {
  ending: string;
  points: number[];
  cents: number[];
}

export interface Deal {
  commitment: string;
  texts: string[];
  secret?: string;
}

export interface Match {
  number: number;
  rounds: number;
  totals: number[];
  money: number[];
  pot: number;
  over: boolean;
  winners: number[] | null;
  leading: number[];
  results: Result[];
  deals: Deal[];
}

export interface Round {
  engine: string;
  starter: number;
  trains: Record<string, string[]>;
  markers: number[];
  hand_sizes: number[];
  hands: (string[] | null)[];
  bone_pile_count: number;
  moves: number;
  last: [number, string][];
}

export interface Mine {
  hand?: string[];
  legal?: string[];
  drawn?: string;
}

export interface Dealing {
  round: number;
  commitment: string;
  hashed: Record<string, string>;
  asked: boolean;
  texted: number[];
}

export interface Now {
  stage: Stage;
  turn?: number;
  phase?: string;
  open_doubles?: Train[];
  direction?: number;
  until?: number;
  paused?: number;
}

export interface Talk {
  talk: number;
  at: number;
  seat: number;
  name: string;
  say?: string;
  react?: string;
}

/** The whole view of somebody at a table. */
export interface Data extends Now {
  table: string;
  code: string;
  rulebook: { id: string; name: string; based_on?: string | null; rounds: number } & Record<string, unknown>;
  you: number[];
  seats: Seat[];
  present: number[];
  public: boolean;
  clock: number | null;
  hints: boolean;
  watchers: boolean;
  locked: boolean;
  closed: boolean;
  after: string | null;
  rematch: { table: string; code: string } | null;
  group: string | null;
  ready: number[];
  takeback: number | null;
  takeback_agreed: number[];
  deal?: Dealing;
  match?: Match;
  round?: Round;
  mine?: Record<string, Mine>;
  talk: Talk[];
}

/** Something that happened; which fields it has depends on `event`. */
export interface Happening {
  event: string;
  seat: number;
  name: string;
  old: string;
  move: string;
  tile: string | null;
  train: Train;
  end: string;
  cents: number | number[]; // of a payment; of a round, by seat
  round: number;
  commitment: string;
  hash: string;
  secret: string;
  engine: string;
  starter: number;
  hand_sizes: number[];
  hands: (string[] | null)[];
  bone_pile_count: number;
  pot: number;
  texts: string[];
  ending: string;
  points: number[];
  totals: number[];
  money: number[];
  leading: number[];
  winners: number[];
  level: string;
  count: number;
  table: string;
  code: string;
}

export interface Step extends Now {
  version: number;
  at: number;
  events: Happening[];
  mine?: Record<string, { hand?: string[]; drew?: string; legal?: string[]; drawn?: string }>;
  seats?: Seat[];
  you?: number[];
  welcome?: Data;
  id?: string;
}

export interface Welcome {
  welcome: Data;
  version: number;
  at: number;
}

export interface Refusal {
  error: string;
  sentence: string;
  id?: string;
  reason?: { code: string; clause: string; clause_text: string };
}

export interface LineUp {
  train: string[];
  shows: string[];
  extras: { tile: string; moves: string[] }[];
}

export interface Hint {
  move: string;
  why: string;
}

export interface Answer {
  answer: string;
  hint?: Hint;
  "line-up"?: LineUp;
  legal?: boolean;
}

export interface Goodbye {
  goodbye: string;
  come_back: number;
}
