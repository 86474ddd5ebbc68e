// SHA-256 (FIPS 180-4). Browsers give theirs to encrypted pages only, and a home network's page comes as it is.

/** The first 32 bits of the fractional part of a root: of 2 for the start, of 3 for the rounds. */
function fraction(prime: number, root: 2 | 3): number {
  const value = root === 2 ? Math.sqrt(prime) : Math.cbrt(prime);
  return ((value - Math.floor(value)) * 2 ** 32) >>> 0;
}

const PRIMES: number[] = [];
for (let number = 2; PRIMES.length < 64; number++) {
  if (PRIMES.every((prime) => number % prime !== 0)) PRIMES.push(number);
}
const START = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2));
const ROUNDS = PRIMES.map((prime) => fraction(prime, 3));

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** SHA-256 in hex. */
export function sha256(bytes: Uint8Array): string {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  words.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const hash = Uint32Array.from(START);
  const w = new Uint32Array(64);
  const at = (list: ArrayLike<number>, index: number): number => list[index] ?? 0;
  for (let block = 0; block < blocks; block++) {
    for (let t = 0; t < 16; t++) w[t] = words.getUint32(block * 64 + t * 4);
    for (let t = 16; t < 64; t++) {
      const a = at(w, t - 15);
      const b = at(w, t - 2);
      const low = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
      const high = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
      w[t] = at(w, t - 16) + low + at(w, t - 7) + high;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let t = 0; t < 64; t++) {
      const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const first = (h + high + ((e & f) ^ (~e & g)) + at(ROUNDS, t) + at(w, t)) | 0;
      const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, index) => (hash[index] = at(hash, index) + value));
  }
  return [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");
}

export function sha256Text(text: string): string {
  return sha256(new TextEncoder().encode(text));
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
