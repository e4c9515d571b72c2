/**
 * Which rank works on which places of a batch. All ranks know the indices of the whole batch, so each rank knows which rows the
 * others need, and no rank asks another one.
 */

import type { Tensor } from "../../program.js";
import type { RowRanges } from "../row-ranges.js";

/** Rank r works on the places bounds[r] … bounds[r + 1] − 1 of `order`, or on the places with these numbers if there is no order. */
export interface Places {
  readonly bounds: ArrayLike<number>;
  readonly order?: Uint32Array;
}

/** A division of places among ranks that is computed at each replay. */
export interface Consumers {
  /** Distinguishes divisions; the same key gives the same places. */
  readonly key: string;
  /** Number of places. */
  readonly count: number;
  /** Largest number of places that each rank works on. */
  readonly maxPlaces: readonly number[];
  /** Tensors that `places` reads. */
  readonly inputs: readonly Tensor[];
  places(inputs: readonly Uint32Array[]): Places;
}

/** Bounds of `count` things that are divided evenly. */
export function evenBounds(count: number, size: number): number[] {
  return Array.from({ length: size + 1 }, (_, r) => Math.floor((count * r) / size));
}

/** Rank r works on the places first[r] … first[r + 1] − 1. */
export function shares(first: readonly number[]): Consumers {
  return {
    key: `shares ${first.join(" ")}`,
    count: first[first.length - 1],
    maxPlaces: first.slice(1).map((end, r) => end - first[r]),
    inputs: [],
    places: () => ({ bounds: first }),
  };
}

/** Each rank works on the places of an index that name its own rows. */
export function ownersOf(index: Tensor, ranges: RowRanges): Consumers {
  const count = index.rows * index.cols;
  const order = new Uint32Array(count);
  const bounds = new Uint32Array(ranges.size + 1);
  return {
    key: `owners ${index.id} ${ranges.numNodes}`,
    count,
    maxPlaces: new Array<number>(ranges.size).fill(count),
    inputs: [index],
    places([rows]) {
      sortByOwner(rows, ranges, order, bounds);
      return { bounds, order };
    },
  };
}

/**
 * Sorts the places of an index by the rank that owns their row, stably. Places without a row are left out; bounds[r] is the first
 * place of rank r.
 */
export function sortByOwner(rows: Uint32Array, ranges: RowRanges, order: Uint32Array, bounds: Uint32Array): void {
  const { size, numNodes } = ranges;
  bounds.fill(0);
  for (let p = 0; p < rows.length; p++) if (rows[p] < numNodes) bounds[ranges.ownerOf(rows[p])]++;
  let total = 0;
  for (let r = 0; r <= size; r++) {
    const count = bounds[r];
    bounds[r] = total;
    total += count;
  }
  for (let p = 0; p < rows.length; p++) if (rows[p] < numNodes) order[bounds[ranges.ownerOf(rows[p])]++] = p;
  // every bound has moved to the next one
  bounds.copyWithin(1, 0, size);
  bounds[0] = 0;
}
