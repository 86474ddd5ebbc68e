// This device's part in the fair deals: a text of its own in each, and a look afterwards whether it was kept to.

import type { Data, Happening } from "./protocol";
import { fromHex, randomHex, sha256, sha256Text } from "./sha256";

/** Where texts are kept, so that a reload between promise and text loses nothing. */
export interface Kept {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export type Wanted = { promise?: string; text?: string; seat: number };

export class Deals {
  private given = new Set<string>();
  private hashes = new Map<string, string>(); // by round and seat, as the table told them

  constructor(
    private table: string,
    private kept: Kept,
  ) {}

  /** The commands that the deal waits for. */
  wanted(data: Data): Wanted[] {
    const deal = data.deal;
    if (data.stage !== "deal" || !deal) return [];
    const wanted: Wanted[] = [];
    for (const seat of data.you) {
      const known = deal.hashed[seat];
      if (known === undefined && !deal.asked && data.seats[seat]?.held === null) {
        const text = this.text(deal.round, seat) ?? randomHex(16);
        this.kept.setItem(this.key(deal.round, seat), text);
        if (this.once("promise", deal.round, seat)) wanted.push({ promise: sha256Text(text), seat });
      } else if (deal.asked && !deal.texted.includes(seat)) {
        const text = this.text(deal.round, seat);
        if (text !== null && sha256Text(text) === known && this.once("text", deal.round, seat)) {
          wanted.push({ text, seat });
        }
      }
    }
    return wanted;
  }

  /** Note what happens; what is wrong with the deal of a round that has ended, as a key of the words. */
  step(data: Data, events: Happening[]): "secret" | "text" | null {
    for (const event of events) {
      if (event.event === "hashed") this.hashes.set(`${data.deal?.round}-${event.seat}`, event.hash);
      if (event.event !== "shown") continue;
      if (sha256(fromHex(event.secret)) !== event.commitment) return "secret";
      const texts = data.match?.deals.at(-1)?.texts ?? [];
      for (const [seat, text] of texts.entries()) {
        const hash = this.hashes.get(`${event.round}-${seat}`);
        if (text && hash !== undefined && sha256Text(text) !== hash) return "text";
        const own = this.text(event.round, seat);
        if (this.given.has(`text-${event.round}-${seat}`) && own !== null && text && text !== own) return "text";
      }
    }
    return null;
  }

  private key(round: number, seat: number): string {
    return `deal-${this.table}-${round}-${seat}`;
  }

  private text(round: number, seat: number): string | null {
    return this.kept.getItem(this.key(round, seat));
  }

  private once(verb: string, round: number, seat: number): boolean {
    const key = `${verb}-${round}-${seat}`;
    const first = !this.given.has(key);
    this.given.add(key);
    return first;
  }
}
