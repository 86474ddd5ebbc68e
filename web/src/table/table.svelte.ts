// The table as it stands, what was just said, and what the player is about to do. Every picture derives from it.

import { Deals } from "../net/deals";
import { Line, type Listener, type Reply } from "../net/line";
import type { Data, Hint, LineUp, Refusal, Step, Train } from "../net/protocol";
import { ends, placement, type Placement } from "../net/tiles";
import type { View } from "../net/view";
import { settings } from "../settings.svelte";
import { language, say } from "../words/say.svelte";
import { endOf, expected, sentence } from "./tell";

const SAID = 40; // sentences that are kept

export interface No {
  sentence: string;
  clause: string;
}

export class Table implements Listener {
  data = $state.raw<Data | null>(null);
  version = $state(0);
  state = $state<"connecting" | "here" | "lost">("connecting");
  over = $state.raw<Refusal | null>(null); // why there is no such table for us
  said = $state.raw<{ number: number; text: string }[]>([]);
  fresh = $state.raw<{ train: Train; count: number } | null>(null); // the tile that was laid last
  chosen = $state<string | null>(null); // a tile of the hand
  choosing = $state.raw<Placement[]>([]); // where either end would do
  sending = $state<string | null>(null); // a move that the server has not answered yet
  no = $state.raw<No | null>(null);
  shaking = $state<string | null>(null);
  hint = $state.raw<Hint | null>(null);
  dealTrouble = $state<"secret" | "text" | null>(null);
  lineUp = $state.raw<LineUp | null>(null);

  /** The seat of ours that is looked from: the one to move, or else the first. */
  seat = $derived.by(() => {
    const data = this.data;
    if (!data) return undefined;
    return data.turn !== undefined && data.you.includes(data.turn) ? data.turn : data.you[0];
  });
  mine = $derived(this.seat === undefined ? undefined : this.data?.mine?.[this.seat]);
  hand = $derived(this.mine?.hand ?? []);
  legal = $derived(this.mine?.legal ?? []);
  placements = $derived(this.legal.map(placement).filter((one) => one !== null));
  others = $derived(this.legal.filter((move) => !placement(move))); // draw, pass, stop
  playable = $derived(this.placements.map((one) => one.tile));
  lit = $derived(this.placements.filter((one) => one.tile === this.chosen).map((one) => one.train));
  expected = $derived(this.data ? expected(this.data) : "");
  isHost = $derived(this.data?.seats.some((seat, number) => seat.host && this.data?.you.includes(number)) ?? false);

  private line: Line;
  private deals: Deals;
  private count = 0;
  private linedUp = "";
  private auto: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly code: string,
    private start: () => boolean,
  ) {
    this.deals = new Deals(code, sessionStorage);
    this.line = new Line(code, language, this);
  }

  close(): void {
    clearTimeout(this.auto);
    this.line.close();
  }

  anew(): void {
    this.line.anew();
  }

  // ---- What is told ---------------------------------------------------------------------------------------

  changed(view: View, step: Step | null): void {
    const before = this.data;
    this.data = view.data;
    this.version = view.version;
    if (step) {
      this.tell(view.data, step);
      const wrong = this.deals.step(view.data, step.events);
      if (wrong) this.dealTrouble = wrong;
    }
    if (this.chosen !== null && !this.hand.includes(this.chosen)) this.chosen = null;
    if (before?.round?.moves !== view.data.round?.moves) {
      this.choosing = [];
      this.hint = null;
      if (step?.events.some((event) => event.event === "placed" && event.seat !== this.seat)) this.no = null;
    }
    for (const wanted of this.deals.wanted(view.data)) void this.line.command({ ...wanted });
    if (view.data.stage === "seats" && view.data.seats.every((seat) => seat.taken) && this.isHost && this.start()) {
      void this.command({ start: true });
    }
    void this.lineUpAnew();
    this.byItself();
  }

  connection(state: "connecting" | "here" | "lost"): void {
    this.state = state;
  }

  ended(refusal: Refusal): void {
    this.over = refusal;
  }

  private tell(data: Data, step: Step): void {
    const sentences = step.events.map((event) => sentence(data, event, step.mine?.[event.seat]?.drew)).filter(Boolean);
    const fresh = sentences.map((text) => ({ number: ++this.count, text }));
    this.said = [...this.said, ...fresh].slice(-SAID);
    const placed = step.events.find((event) => event.event === "placed");
    if (placed) this.fresh = { train: placed.train, count: data.round?.trains[placed.train]?.length ?? 0 };
    if (step.events.some((event) => event.event === "dealt")) this.fresh = null;
  }

  /** The longest train of the hand, whenever the hand or its train's end is another one. */
  private async lineUpAnew(): Promise<void> {
    const data = this.data;
    if (this.seat === undefined || !data || data.stage !== "play" || this.state !== "here" || !this.hand.length) return;
    const now = `${data.match?.number} ${endOf(data, this.seat)} ${this.hand.join()}`;
    if (now === this.linedUp) return;
    this.linedUp = now;
    const reply = await this.line.command({ ask: "line-up", seat: this.seat });
    if (now === this.linedUp && "answer" in reply) this.lineUp = reply.answer["line-up"] ?? null;
  }

  // ---- What is done ---------------------------------------------------------------------------------------

  /** Send a command; why not, if it is refused. */
  async command(verb: Record<string, unknown>): Promise<Reply> {
    const reply = await this.line.command(verb);
    if ("refusal" in reply) this.refuse(reply.refusal);
    return reply;
  }

  async play(move: string): Promise<void> {
    if (this.sending !== null) return;
    this.choosing = [];
    this.no = null;
    this.sending = move;
    try {
      await this.command({ play: move, seat: this.seat });
    } finally {
      this.sending = null;
      this.chosen = null;
    }
  }

  /** A tile of the hand is tapped: the trains that take it light up; a second tap lays it where only one does. */
  choose(tile: string): void {
    if (this.sending !== null) return;
    this.no = null;
    if (this.chosen === tile) {
      const only = this.placements.filter((one) => one.tile === tile);
      const [first] = only;
      if (first && only.length === 1) void this.play(first.text);
      else this.chosen = null;
      return;
    }
    if (this.legal.length && !this.playable.includes(tile)) {
      this.chosen = null;
      void this.why(tile, this.seat ?? "M");
      return;
    }
    this.chosen = tile;
  }

  /** A train is tapped while a tile is chosen. */
  lay(train: Train): void {
    const tile = this.chosen;
    if (tile === null) return;
    const fitting = this.placements.filter((one) => one.tile === tile && one.train === train);
    const [first] = fitting;
    if (!first) void this.why(tile, train);
    else if (fitting.length === 1) void this.play(first.text);
    else this.choosing = fitting;
  }

  /** Ask the server why a tile cannot be laid there. */
  private async why(tile: string, train: Train): Promise<void> {
    const data = this.data;
    if (!data) return;
    this.shake(tile);
    const [low, high] = ends(tile);
    const move = endOf(data, train) === high ? `${high}-${low}@${train}` : `${low}-${high}@${train}`;
    const reply = await this.line.command({ why: move, seat: this.seat });
    if ("refusal" in reply) this.refuse(reply.refusal);
  }

  private shake(tile: string): void {
    this.shaking = tile;
    setTimeout(() => (this.shaking = null), 400);
  }

  async askHint(): Promise<void> {
    const reply = await this.command({ ask: "hint", seat: this.seat });
    if (!("answer" in reply) || !reply.answer.hint) return;
    this.hint = reply.answer.hint;
    const move = placement(reply.answer.hint.move);
    if (move) this.chosen = move.tile;
  }

  private refuse(refusal: Refusal): void {
    const clause = refusal.reason?.clause_text;
    this.no = { sentence: refusal.sentence, clause: clause ? say("web.no.clause", { text: clause }) : "" };
  }

  /** Draw or pass, where nothing else can be done and the player wants it so. */
  private byItself(): void {
    clearTimeout(this.auto);
    const [only] = this.legal;
    if (!settings.auto || this.legal.length !== 1 || only === undefined || placement(only)) return;
    this.auto = setTimeout(() => void this.play(only), 700);
  }
}
