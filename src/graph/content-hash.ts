/**
 * A fingerprint of a multiplex: MurmurHash3 x86 128 (Appleby, public domain) over direction, ids, relation names,
 * structure, weights and features. It protects against accidental mix-ups, not against attackers. It needs no crypto
 * module, so it runs wherever the library runs.
 */

import type { CsrMatrix, CsrPattern } from "../numeric/csr.js";
import { type Multiplex, requireMultiplex } from "./multiplex.js";

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/** MurmurHash3 x86 128 over a sequence of 32-bit words. */
export class WordHash {
  #h1: number;
  #h2: number;
  #h3: number;
  #h4: number;
  readonly #pending = new Uint32Array(4);
  #numPending = 0;
  #numWords = 0;

  constructor(seed = 0) {
    this.#h1 = this.#h2 = this.#h3 = this.#h4 = seed | 0;
  }

  /** Adds one word. */
  word(value: number): void {
    this.#pending[this.#numPending++] = value;
    this.#numWords++;
    if (this.#numPending === 4) {
      this.#numPending = 0;
      this.#blocks(this.#pending, 0, 4);
    }
  }

  /** Adds the words of an array. */
  words(values: Uint32Array): void {
    let i = 0;
    while (i < values.length && this.#numPending !== 0) this.word(values[i++]);
    const end = values.length - ((values.length - i) % 4);
    this.#blocks(values, i, end);
    this.#numWords += end - i;
    for (i = end; i < values.length; i++) this.word(values[i]);
  }

  /** Adds the length and the UTF-16 code units of a text. */
  text(value: string): void {
    this.word(value.length);
    let i = 0;
    for (; i + 1 < value.length; i += 2) this.word(value.charCodeAt(i) | (value.charCodeAt(i + 1) << 16));
    if (i < value.length) this.word(value.charCodeAt(i));
  }

  /** 32 hexadecimal digits. The hash accepts no more words afterwards. */
  digest(): string {
    const [k1, k2, k3] = this.#pending;
    let h1 = this.#h1;
    let h2 = this.#h2;
    let h3 = this.#h3;
    let h4 = this.#h4;
    if (this.#numPending > 2) h3 ^= Math.imul(rotate(Math.imul(k3, C3), 17), C4);
    if (this.#numPending > 1) h2 ^= Math.imul(rotate(Math.imul(k2, C2), 16), C3);
    if (this.#numPending > 0) h1 ^= Math.imul(rotate(Math.imul(k1, C1), 15), C2);
    const length = Math.imul(this.#numWords, 4);
    h1 ^= length;
    h2 ^= length;
    h3 ^= length;
    h4 ^= length;
    h1 = (h1 + h2 + h3 + h4) | 0;
    h2 = (h2 + h1) | 0;
    h3 = (h3 + h1) | 0;
    h4 = (h4 + h1) | 0;
    h1 = avalanche(h1);
    h2 = avalanche(h2);
    h3 = avalanche(h3);
    h4 = avalanche(h4);
    h1 = (h1 + h2 + h3 + h4) | 0;
    h2 = (h2 + h1) | 0;
    h3 = (h3 + h1) | 0;
    h4 = (h4 + h1) | 0;
    return [h1, h2, h3, h4].map((h) => (h >>> 0).toString(16).padStart(8, "0")).join("");
  }

  #blocks(words: Uint32Array, start: number, end: number): void {
    let h1 = this.#h1;
    let h2 = this.#h2;
    let h3 = this.#h3;
    let h4 = this.#h4;
    for (let i = start; i < end; i += 4) {
      h1 ^= Math.imul(rotate(Math.imul(words[i], C1), 15), C2);
      h1 = (Math.imul(rotate(h1, 19) + h2, 5) + 0x561ccd1b) | 0;
      h2 ^= Math.imul(rotate(Math.imul(words[i + 1], C2), 16), C3);
      h2 = (Math.imul(rotate(h2, 17) + h3, 5) + 0x0bcaa747) | 0;
      h3 ^= Math.imul(rotate(Math.imul(words[i + 2], C3), 17), C4);
      h3 = (Math.imul(rotate(h3, 15) + h4, 5) + 0x96cd1c35) | 0;
      h4 ^= Math.imul(rotate(Math.imul(words[i + 3], C4), 18), C1);
      h4 = (Math.imul(rotate(h4, 13) + h1, 5) + 0x32ac3b17) | 0;
    }
    this.#h1 = h1;
    this.#h2 = h2;
    this.#h3 = h3;
    this.#h4 = h4;
  }
}

/** 32 hexadecimal digits that depend on ids, relation names, edges, weights, features, and on whether edges are directed. */
export function contentHash(graph: Multiplex): string {
  requireMultiplex(graph, "contentHash");
  const hash = new WordHash();
  hash.text("multiplex 1");
  hash.word(graph.directed ? 1 : 0);
  hash.word(graph.numNodes);
  for (const id of graph.ids) hash.text(id);
  hash.word(graph.relations.length);
  for (const relation of graph.relations) {
    hash.text(relation.name);
    addMatrix(hash, relation);
  }
  if (graph.features !== undefined) {
    hash.word(graph.features.numColumns);
    for (const name of graph.features.names) hash.text(name);
    addMatrix(hash, graph.features);
  }
  return hash.digest();
}

/** 32 hexadecimal digits that depend on which nodes have known classes, and on these classes. */
export function classesHash({ numClasses, rowStart, columns }: CsrPattern & { readonly numClasses: number }): string {
  const hash = new WordHash();
  hash.text("classes 1");
  hash.word(numClasses);
  addMatrix(hash, { rowStart, columns });
  return hash.digest();
}

function addMatrix(hash: WordHash, { rowStart, columns, values }: CsrMatrix): void {
  hash.word(columns.length);
  hash.words(rowStart);
  hash.words(columns);
  hash.word(values === undefined ? 0 : 1);
  if (values !== undefined) hash.words(new Uint32Array(values.buffer, values.byteOffset, values.length));
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function avalanche(hash: number): number {
  let h = hash;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
