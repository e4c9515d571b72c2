/**
 * Finds at each replay which rows of a divided table this rank needs for its places, and renumbers its indices: own rows are numbered
 * from 0, rows of other ranks follow them, each once, by rank and then in the order of their first use. Each rank asks the owners
 * for its rows, so the work of a rank is proportional to the number of its own places.
 */

import { MISSING } from "../../ops/missing.js";
import type { Ranks } from "../../ranks.js";
import { adjacentParts, exchangeCounts, starts } from "../halo.js";
import type { RowRanges } from "../row-ranges.js";
import type { Places } from "./consumers.js";

/** Numbers of rows: a hash table with linear probing. */
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
  /** The requested rows in the order of their first use, and the same rows sorted by owner. */
  rows = new Uint32Array(0);
  sorted = new Uint32Array(0);
  /** Number of each requested row among own and received rows. */
  received = new Uint32Array(0);

  /** Empties the memory; it will hold at most `count` rows. */
  clear(count: number): void {
    this.numbers.clear(count);
    if (this.rows.length >= count) return;
    this.rows = new Uint32Array(count);
    this.sorted = new Uint32Array(count);
    this.received = new Uint32Array(count);
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
 * the own places into `renumbered`; other entries stay as they are. All ranks call it together.
 */
export function findRequests(
  places: Places,
  indices: readonly RequestedIndex[],
  ranges: RowRanges,
  ranks: Ranks,
  scratch: RequestScratch,
  sendIndex: Uint32Array,
  renumbered: readonly Uint32Array[],
  { sendCounts, receiveCounts }: RequestCounts,
): void {
  const numPlaces = places.end - places.begin;
  const most = indices.reduce((sum, { perPlace }) => sum + numPlaces * perPlace, 0);
  scratch.clear(Math.min(most, ranges.numNodes - ranges.count));
  let numRequested = 0;
  for (const index of indices) numRequested = collectRows(places, index, ranges, scratch, numRequested);
  sortByOwner(scratch, numRequested, ranges, receiveCounts);
  for (let i = 0; i < indices.length; i++) renumber(places, indices[i], ranges, scratch, renumbered[i]);

  exchangeCounts(receiveCounts, ranks).forEach((count, r) => {
    sendCounts[r] = count;
  });
  ranks.allToAll(adjacentParts(scratch.sorted, receiveCounts), adjacentParts(sendIndex, sendCounts));
  const sent = sendCounts.reduce((sum, count) => sum + count, 0);
  for (let k = 0; k < sent; k++) sendIndex[k] -= ranges.begin;
  sendIndex.fill(MISSING, sent);
}

/** Collects the rows of other ranks in the order of their first use; returns how many there are so far. */
function collectRows(
  { begin, end, order }: Places,
  index: RequestedIndex,
  { begin: ownBegin, end: ownEnd }: RowRanges,
  { numbers, rows: requested }: RequestScratch,
  numBefore: number,
): number {
  const { rows, perPlace } = index;
  let numRequested = numBefore;
  for (let e = begin; e < end; e++) {
    const first = entryOf(order === undefined ? e : order[e], index);
    for (let k = first; k < first + perPlace; k++) {
      const row = rows[k];
      if (row === MISSING || (row >= ownBegin && row < ownEnd)) continue;
      if (numbers.add(row, numRequested)) requested[numRequested++] = row;
    }
  }
  return numRequested;
}

/** Sorts the requested rows by owner, stably, counts them, and numbers them as they will be received. */
function sortByOwner(
  { rows, sorted, received }: RequestScratch,
  numRequested: number,
  ranges: RowRanges,
  receiveCounts: number[],
): void {
  receiveCounts.fill(0);
  for (let k = 0; k < numRequested; k++) receiveCounts[ranges.ownerOf(rows[k])]++;
  const next = starts(receiveCounts);
  for (let k = 0; k < numRequested; k++) {
    const at = next[ranges.ownerOf(rows[k])]++;
    sorted[at] = rows[k];
    received[k] = ranges.count + at;
  }
}

function renumber(
  { begin, end, order }: Places,
  index: RequestedIndex,
  { begin: ownBegin, end: ownEnd }: RowRanges,
  { numbers, received }: RequestScratch,
  target: Uint32Array,
): void {
  const { rows, perPlace } = index;
  for (let e = begin; e < end; e++) {
    const first = entryOf(order === undefined ? e : order[e], index);
    for (let k = first; k < first + perPlace; k++) {
      const row = rows[k];
      if (row === MISSING) target[k] = MISSING;
      else if (row >= ownBegin && row < ownEnd) target[k] = row - ownBegin;
      else target[k] = received[numbers.get(row)];
    }
  }
}
