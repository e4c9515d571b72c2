/**
 * Finds at each replay which rows of a divided table the ranks need for their places, and renumbers the indices of this rank: own
 * rows are numbered from 0, rows of other ranks follow them, each once, by rank and then in the order of their first use.
 */

import { MISSING } from "../../ops/missing.js";
import { starts } from "../halo.js";
import type { RowRanges } from "../row-ranges.js";
import type { Places } from "./consumers.js";

/** Numbers of rows: a hash table with linear probing that is cleared before each use. */
class RowNumbers {
  #keys = new Uint32Array(0);
  #numbers = new Uint32Array(0);
  #mask = 0;

  /** Empties the table; it will hold at most `count` rows. */
  clear(count: number): void {
    let size = 16;
    while (size < 2 * count) size *= 2;
    if (this.#keys.length < size) {
      this.#keys = new Uint32Array(size);
      this.#numbers = new Uint32Array(size);
    }
    this.#mask = size - 1;
    this.#keys.fill(MISSING, 0, size);
  }

  #slot(row: number): number {
    // the upper bits of the product with 2³² divided by the golden ratio (Knuth's multiplicative hash)
    let slot = Math.imul(row, 0x9e3779b1) >>> Math.clz32(this.#mask);
    while (this.#keys[slot] !== row && this.#keys[slot] !== MISSING) slot = (slot + 1) & this.#mask;
    return slot;
  }

  /** Gives the row this number, unless it has one; returns whether it was new. */
  add(row: number, number: number): boolean {
    const slot = this.#slot(row);
    if (this.#keys[slot] === row) return false;
    this.#keys[slot] = row;
    this.#numbers[slot] = number;
    return true;
  }

  /** The number of a row that was added. */
  get(row: number): number {
    return this.#numbers[this.#slot(row)];
  }
}

/** Memory of the search, used by one search after the other. */
export class RequestScratch {
  readonly numbers = new RowNumbers();
  #marks = new Uint32Array(0);
  #stamp = 0;

  /** Marks of `count` rows; a row is marked if its entry is `stamp`. */
  marks(count: number): { readonly marks: Uint32Array; readonly stamp: number } {
    if (this.#marks.length < count || this.#stamp === MISSING) {
      this.#marks = new Uint32Array(Math.max(count, this.#marks.length));
      this.#stamp = 0;
    }
    this.#stamp++;
    return { marks: this.#marks, stamp: this.#stamp };
  }
}

/** An index into the table. Either each place has `perPlace` entries, or `placesPer` places share an entry. */
export interface RequestedIndex {
  readonly rows: Uint32Array;
  readonly perPlace: number;
  readonly placesPer: number;
}

/** Rows that a rank sends to and receives from each other rank. */
export interface RequestCounts {
  readonly sendCounts: number[];
  readonly receiveCounts: number[];
}

/** First entry of place p; the number of its entries is `perPlace`. */
function entryOf(p: number, { perPlace, placesPer }: RequestedIndex): number {
  return placesPer === 1 ? p * perPlace : Math.floor(p / placesPer);
}

/**
 * Writes the own rows to send into `sendIndex`, by receiving rank; its rest is filled with MISSING. Writes the renumbered entries of
 * the own places into `renumbered`; other entries stay as they are.
 */
export function findRequests(
  places: Places,
  indices: readonly RequestedIndex[],
  ranges: RowRanges,
  scratch: RequestScratch,
  sendIndex: Uint32Array,
  renumbered: readonly Uint32Array[],
  { sendCounts, receiveCounts }: RequestCounts,
): void {
  let sent = 0;
  for (let r = 0; r < ranges.size; r++) {
    sendCounts[r] = 0;
    if (r === ranges.rank) continue;
    const before = sent;
    sent = findSent(places, r, indices, ranges, scratch, sendIndex, sent);
    sendCounts[r] = sent - before;
  }
  sendIndex.fill(MISSING, sent);
  findReceived(places, indices, ranges, scratch, receiveCounts);
  renumber(places, indices, ranges, scratch, renumbered, receiveCounts);
}

/** Appends the own rows that rank r reads, each once. */
function findSent(
  { bounds, order }: Places,
  r: number,
  indices: readonly RequestedIndex[],
  { begin, count }: RowRanges,
  scratch: RequestScratch,
  sendIndex: Uint32Array,
  from: number,
): number {
  const { marks, stamp } = scratch.marks(count);
  let at = from;
  for (let e = bounds[r]; e < bounds[r + 1]; e++) {
    const p = order === undefined ? e : order[e];
    for (let i = 0; i < indices.length; i++) {
      const { rows, perPlace } = indices[i];
      const first = entryOf(p, indices[i]);
      for (let k = first; k < first + perPlace; k++) {
        const row = rows[k] - begin;
        if (row < 0 || row >= count || marks[row] === stamp) continue;
        marks[row] = stamp;
        sendIndex[at++] = row;
      }
    }
  }
  return at;
}

/** Numbers the rows of other ranks that this rank reads, separately for each rank, and counts them. */
function findReceived(
  { bounds, order }: Places,
  indices: readonly RequestedIndex[],
  ranges: RowRanges,
  { numbers }: RequestScratch,
  receiveCounts: number[],
): void {
  const { begin, end: ownEnd, rank } = ranges;
  const numPlaces = bounds[rank + 1] - bounds[rank];
  const most = indices.reduce((sum, { perPlace }) => sum + numPlaces * perPlace, 0);
  numbers.clear(Math.min(most, ranges.numNodes - ranges.count));
  receiveCounts.fill(0);
  for (let e = bounds[rank]; e < bounds[rank + 1]; e++) {
    const p = order === undefined ? e : order[e];
    for (let i = 0; i < indices.length; i++) {
      const { rows, perPlace } = indices[i];
      const first = entryOf(p, indices[i]);
      for (let k = first; k < first + perPlace; k++) {
        const row = rows[k];
        if (row === MISSING || (row >= begin && row < ownEnd)) continue;
        const owner = ranges.ownerOf(row);
        if (numbers.add(row, receiveCounts[owner])) receiveCounts[owner]++;
      }
    }
  }
}

function renumber(
  { bounds, order }: Places,
  indices: readonly RequestedIndex[],
  ranges: RowRanges,
  { numbers }: RequestScratch,
  renumbered: readonly Uint32Array[],
  receiveCounts: readonly number[],
): void {
  const { begin, end: ownEnd, count, rank } = ranges;
  const firstOf = starts(receiveCounts);
  for (let e = bounds[rank]; e < bounds[rank + 1]; e++) {
    const p = order === undefined ? e : order[e];
    for (let i = 0; i < indices.length; i++) {
      const { rows, perPlace } = indices[i];
      const first = entryOf(p, indices[i]);
      const target = renumbered[i];
      for (let k = first; k < first + perPlace; k++) {
        const row = rows[k];
        if (row === MISSING) target[k] = MISSING;
        else if (row >= begin && row < ownEnd) target[k] = row - begin;
        else target[k] = count + firstOf[ranges.ownerOf(row)] + numbers.get(row);
      }
    }
  }
}
