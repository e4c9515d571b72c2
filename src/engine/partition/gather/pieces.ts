/**
 * Divides sums over groups of places among ranks if the groups belong to no rank, such as those of relations. The kernel cuts the
 * sum of a group into pieces; each rank sums some of the pieces, and the pieces are added in the kernel's order.
 */

import type { ProgramBuilder, Tensor } from "../../program.js";
import type { Ranks } from "../../ranks.js";
import { hostOp } from "../local-ops.js";
import { type Consumers, evenBounds } from "./consumers.js";

/** The same numbers as in the kernels (../../wasm/assembly/grouped.ts). */
const WORK = 512;
const MIN_PIECE = 32;

/** Entries of a piece, if an entry has `perEntry` summands. */
export function pieceLength(perEntry: number): number {
  return Math.max(MIN_PIECE, Math.floor(WORK / Math.max(1, perEntry)));
}

/** The pieces of this rank as groups of their own. */
export interface OwnPieces {
  readonly consumers: Consumers;
  /** Groups of the own pieces, as `groupIndex` makes them. */
  readonly start: Tensor;
  readonly order: Tensor;
  /** Largest number of pieces of a rank: rows of its sums. */
  readonly maxPieces: number;
  /** Adds the sums of the pieces of all ranks: [size·maxPieces, dim], those of rank r from row r·maxPieces on. */
  combine(sums: Tensor): Tensor;
}

/** Divides the pieces of all groups evenly; `start` and `order` are whole. */
export function ownPieces(
  builder: ProgramBuilder,
  ranks: Ranks,
  start: Tensor,
  order: Tensor,
  perEntry: number,
): OwnPieces {
  const { size, rank } = ranks;
  const length = pieceLength(perEntry);
  const numRows = start.rows - 1;
  const maxAll = Math.min(numRows, order.rows) + Math.floor(order.rows / length);
  const maxPieces = Math.ceil(maxAll / size);
  /** First piece of each rank, and the entry of `order` with which it begins. */
  let pieces: readonly number[] = evenBounds(0, size);
  const bounds = new Uint32Array(size + 1);
  const plan = hostOp(
    "planPieces",
    [
      { rows: maxPieces + 1, cols: 1, dtype: "index" },
      { rows: order.rows, cols: 1, dtype: "index" },
    ],
    ([groups, places], [ownStart, ownOrder]) => {
      pieces = evenBounds(numPieces(groups, length), size);
      let piece = 0;
      let next = 0;
      let own = 0;
      for (let row = 0; row < numRows; row++) {
        for (let e = groups[row]; e < groups[row + 1]; e += length, piece++) {
          while (next <= size && pieces[next] === piece) bounds[next++] = e;
          if (piece >= pieces[rank] && piece < pieces[rank + 1]) ownStart[own++] = e - bounds[rank];
        }
      }
      bounds.fill(groups[numRows], next);
      ownStart.fill(bounds[rank + 1] - bounds[rank], own);
      ownOrder.set(places.subarray(bounds[rank], bounds[rank + 1]));
    },
  );
  const [ownStart, ownOrder] = builder.apply(plan, [start, order], null);
  return {
    consumers: {
      key: `pieces ${start.id} ${length}`,
      count: order.rows,
      // the last piece of a group can be shorter, so the other ranks can have all full ones
      maxPlaces: new Array<number>(size).fill(Math.min(order.rows, maxPieces * length)),
      // `start` makes the plan run first
      inputs: [order, ownStart],
      places: ([places]) => ({ begin: bounds[rank], end: bounds[rank + 1], order: places }),
    },
    start: ownStart,
    order: ownOrder,
    maxPieces,
    combine(sums) {
      const { cols } = sums;
      const combine = hostOp("addPieces", [{ rows: numRows, cols }], ([parts, groups], [result]) => {
        const counts = evenCounts(pieces, cols * 4);
        const first = counts.map((_, r) => r * maxPieces * cols * 4);
        ranks.allGather(new Uint8Array(parts.buffer, parts.byteOffset, parts.byteLength), counts, first);
        addPieces(floats(parts), groups, length, pieces, maxPieces, floats(result), cols);
      });
      return builder.apply(combine, [sums, start], null)[0];
    },
  };
}

function numPieces(groups: Uint32Array, length: number): number {
  let count = 0;
  for (let row = 0; row + 1 < groups.length; row++) count += Math.ceil((groups[row + 1] - groups[row]) / length);
  return count;
}

function evenCounts(pieces: readonly number[], bytes: number): number[] {
  return pieces.slice(1).map((end, r) => (end - pieces[r]) * bytes);
}

function floats(words: Uint32Array): Float32Array {
  return new Float32Array(words.buffer, words.byteOffset, words.length);
}

/** Each row is the sum of its pieces, in order; zeros without pieces. */
function addPieces(
  parts: Float32Array,
  groups: Uint32Array,
  length: number,
  pieces: readonly number[],
  maxPieces: number,
  result: Float32Array,
  cols: number,
): void {
  let piece = 0;
  let r = 0;
  for (let row = 0; row + 1 < groups.length; row++) {
    const to = row * cols;
    const begin = groups[row];
    const end = groups[row + 1];
    if (begin === end) result.fill(0, to, to + cols);
    for (let e = begin; e < end; e += length, piece++) {
      while (piece >= pieces[r + 1]) r++;
      const from = (r * maxPieces + piece - pieces[r]) * cols;
      if (e === begin) for (let k = 0; k < cols; k++) result[to + k] = parts[from + k];
      else for (let k = 0; k < cols; k++) result[to + k] += parts[from + k];
    }
  }
}
