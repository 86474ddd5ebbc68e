// The connection to a table: it comes back by itself, goes on where it was, and asks again what was not answered.

import type { Answer, Goodbye, Refusal, Step, Talk, Welcome } from "./protocol";
import { randomHex } from "./sha256";
import { View } from "./view";

const FIRST_WAIT = 250; // milliseconds until the next try to connect
const LONGEST_WAIT = 15_000;
const NOT_AGAIN = [1002, 1003, 1007, 1008, 1009, 4403, 4404]; // closes after which another try would end alike

export type Reply = { step: Step } | { answer: Answer } | { refusal: Refusal } | { done: true };
type Frame = Partial<Step & Welcome & Refusal & Answer & Goodbye & Talk> & {
  resumed?: number;
  present?: number[];
  ok?: string;
  you?: number[];
};

/** Who hears what a line tells. */
export interface Listener {
  changed(view: View, step: Step | null): void;
  connection(state: "connecting" | "here" | "lost"): void;
  ended(refusal: Refusal): void;
}

export class Line {
  view: View | null = null;
  private socket: WebSocket | null = null;
  private unanswered = new Map<string, { text: string; answered: (reply: Reply) => void }>();
  private ids = randomHex(6);
  private count = 0;
  private tries = 0;
  private wait = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private atTable = false;
  private closed = false;
  private last: Refusal | null = null; // what this connection was told instead of a welcome

  constructor(
    private table: string,
    private language: () => string,
    private listener: Listener,
  ) {
    this.connect();
    addEventListener("online", this.now);
    document.addEventListener("visibilitychange", this.now);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.now);
    document.removeEventListener("visibilitychange", this.now);
    this.socket?.close();
  }

  /** Forget what is known, and be told all anew: as somebody who has just sat down, or in another language. */
  anew(): void {
    this.view = null;
    this.tries = 0;
    this.socket?.close();
  }

  /** Send a command. One that is not answered because the connection is lost is sent again, with the same id. */
  command(verb: Record<string, unknown>, version = this.view?.version ?? 0): Promise<Reply> {
    const id = `${this.ids}-${++this.count}`;
    const text = JSON.stringify({ ...verb, version, id });
    return new Promise((answered) => {
      this.unanswered.set(id, { text, answered });
      if (this.atTable) this.socket?.send(text);
    });
  }

  private connect(): void {
    const secure = location.protocol === "https:" ? "wss" : "ws";
    const after = this.view ? `&after=${this.view.version}` : "";
    const path = `/ws/${encodeURIComponent(this.table)}?language=${this.language()}${after}`;
    const socket = new WebSocket(`${secure}://${location.host}${path}`);
    this.socket = socket;
    this.last = null;
    if (!this.view) this.listener.connection("connecting");
    socket.onmessage = (message: MessageEvent<string>) => {
      if (socket === this.socket) this.take(JSON.parse(message.data) as Frame);
    };
    socket.onclose = (close) => void this.lost(socket, close.code);
  }

  private async lost(socket: WebSocket, code: number): Promise<void> {
    if (socket !== this.socket || this.closed) return;
    this.tries = this.atTable ? 0 : this.tries + 1;
    const first = !this.atTable && !this.view;
    this.atTable = false;
    this.listener.connection("lost");
    // A server that refuses the WebSocket itself says why only when asked again.
    const refusal = NOT_AGAIN.includes(code) ? this.last : first ? await this.why() : null;
    if (this.closed) return;
    if (refusal) {
      this.closed = true;
      this.listener.ended(refusal);
      return;
    }
    const wait = this.wait || Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(this.tries, 10));
    this.wait = 0;
    this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2)); // or all would come at once
  }

  private async why(): Promise<Refusal | null> {
    try {
      const answer = await fetch(`/api/tables/${encodeURIComponent(this.table)}?language=${this.language()}`);
      const again = answer.ok || answer.status >= 500 || [408, 425, 429].includes(answer.status);
      return again ? null : ((await answer.json()) as Refusal);
    } catch {
      return null;
    }
  }

  /** The device is there again: there is nothing to wait for. */
  private now = (): void => {
    if (document.hidden || this.closed || this.socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.connect();
  };

  private take(frame: Frame): void {
    if (frame.events) this.step(frame as Step);
    else if (frame.welcome) {
      this.view = new View(frame as Welcome);
      this.here();
    } else if (frame.resumed !== undefined) {
      this.view?.resumed({ you: frame.you ?? [], talk: (frame.talk as unknown as Talk[] | undefined) ?? [] });
      this.here();
    } else if (frame.talk !== undefined) {
      this.view?.talk(frame as Talk);
      this.tell(null);
    } else if (frame.present) {
      this.view?.present({ present: frame.present });
      this.tell(null);
    } else if (frame.ok !== undefined) this.answered(frame.ok, { done: true });
    else if (frame.answer !== undefined) this.answered(frame.answer, { answer: frame as Answer });
    else if (frame.error !== undefined) {
      if (frame.id !== undefined) this.answered(frame.id, { refusal: frame as Refusal });
      else this.last = frame as Refusal;
    } else if (frame.goodbye !== undefined) {
      this.wait = (frame.come_back ?? 1) * 1000;
      this.socket?.close();
    }
  }

  private step(step: Step): void {
    if (!this.view || step.version <= this.view.version) return;
    if (step.version > this.view.version + 1) {
      this.socket?.close(); // something got lost on the way: come back, and be told
      return;
    }
    this.view.step(step);
    this.tell(step);
    if (step.id !== undefined) this.answered(step.id, { step });
  }

  /** The view is whole; what has not been answered is asked again. */
  private here(): void {
    const first = !this.atTable;
    this.atTable = true;
    this.listener.connection("here");
    this.tell(null);
    if (first) for (const { text } of this.unanswered.values()) this.socket?.send(text);
  }

  private tell(step: Step | null): void {
    if (this.view) this.listener.changed(this.view, step);
  }

  private answered(id: string, reply: Reply): void {
    const waiting = this.unanswered.get(id);
    this.unanswered.delete(id);
    waiting?.answered(reply);
  }
}
