/** Which places of a batch this rank works on. Places are entries of an index, or groups of entries; all ranks know the whole index. */

import type { Tensor } from "../../program.js";
import type { RowRanges } from "../row-ranges.js";

/** This rank works on the places begin … end − 1 of `order`, or on the places with these numbers if there is no order. */
export interface Places {
  readonly begin: number;
  readonly end: number;
  readonly order?: Uint32Array;
}

/** A division of places among ranks, some of which are computed at each replay. */
export interface Consumers {
  /** Distinguishes divisions; the same key gives the same places. */
  readonly key: string;
  /** Number of places of all ranks. */
  readonly count: number;
  /** Largest number of places that each rank works on. */
  readonly maxPlaces: readonly number[];
  /** Tensors that `places` reads. */
  readonly inputs: readonly Tensor[];
  /** The places of this rank. */
  places(inputs: readonly Uint32Array[]): Places;
}

/** Bounds of `count` things that are divided evenly. */
export function evenBounds(count: number, size: number): number[] {
  return Array.from({ length: size + 1 }, (_, r) => Math.floor((count * r) / size));
}

/** Rank r works on the places first[r] … first[r + 1] − 1. */
export function shares(first: readonly number[], rank: number): Consumers {
  const own = { begin: first[rank], end: first[rank + 1] };
  return {
    key: `shares ${first.join(" ")}`,
    count: first[first.length - 1],
    maxPlaces: first.slice(1).map((end, r) => end - first[r]),
    inputs: [],
    places: () => own,
  };
}

/** Each rank works on the places in its own groups, as `groupIndex` makes them. */
export function membersOf(start: Tensor, order: Tensor, size: number): Consumers {
  const count = order.rows * order.cols;
  return {
    key: `members ${order.id}`,
    count,
    maxPlaces: new Array<number>(size).fill(count),
    inputs: [start, order],
    places: ([starts, places]) => ({ begin: 0, end: starts[starts.length - 1], order: places }),
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
