/** Ranges of nodes, one for each rank. */

import { InternalError } from "../../core/errors.js";

/** Rank r has the nodes first[r] … first[r + 1] − 1; every bound is a multiple of `unit`, or the number of nodes. */
export class RowRanges {
  readonly first: readonly number[];
  readonly unit: number;
  readonly rank: number;
  /** The rank of each unit of nodes. */
  readonly #owner: Int32Array;

  constructor(first: readonly number[], unit: number, rank: number) {
    this.first = first;
    this.unit = unit;
    this.rank = rank;
    this.#owner = new Int32Array(Math.ceil(this.numNodes / unit));
    for (let r = 0; r + 1 < first.length; r++) {
      if (first[r] % unit !== 0 && first[r] !== this.numNodes)
        throw new InternalError(`rows of rank ${r} begin at ${first[r]}; expected a multiple of ${unit}`);
      this.#owner.fill(r, Math.ceil(first[r] / unit), Math.ceil(first[r + 1] / unit));
    }
  }

  get numNodes(): number {
    return this.first[this.first.length - 1];
  }

  get size(): number {
    return this.first.length - 1;
  }

  /** First node of this rank. */
  get begin(): number {
    return this.first[this.rank];
  }

  /** One past the last node of this rank. */
  get end(): number {
    return this.first[this.rank + 1];
  }

  /** Number of nodes of this rank. */
  get count(): number {
    return this.end - this.begin;
  }

  /** Ranges of rows, `rowsPerNode` for each node. */
  times(rowsPerNode: number): RowRanges {
    if (rowsPerNode === 1) return this;
    return new RowRanges(
      this.first.map((node) => node * rowsPerNode),
      this.unit * rowsPerNode,
      this.rank,
    );
  }

  ownerOf(node: number): number {
    return this.#owner[Math.floor(node / this.unit)];
  }
}

/**
 * Ranges with about equal sums of `cost`, which has one number per node. A range may be empty if there are fewer units than
 * ranks.
 */
export function balancedRanges(cost: ArrayLike<number>, unit: number, size: number, rank: number): RowRanges {
  const sums = unitSums(cost, unit);
  const total = sums[sums.length - 1];
  const first = [0];
  let u = 0;
  for (let r = 1; r < size; r++) {
    const target = (total * r) / size;
    // the bound whose sum is nearest to the target; never before the bound of the rank before
    while (u + 1 < sums.length && Math.abs(sums[u + 1] - target) <= Math.abs(sums[u] - target)) u++;
    first.push(Math.min(u * unit, cost.length));
  }
  return new RowRanges([...first, cost.length], unit, rank);
}

/** Sums of the cost of all nodes before each unit. */
function unitSums(cost: ArrayLike<number>, unit: number): number[] {
  const sums = [0];
  for (let begin = 0; begin < cost.length; begin += unit) {
    let sum = sums[sums.length - 1];
    for (let i = begin; i < Math.min(begin + unit, cost.length); i++) sum += cost[i];
    sums.push(sum);
  }
  return sums;
}
