/**
 * Rows of the PageRank matrix: the walk from one node, step by step, as a sparse vector of probabilities. Small probabilities are
 * dropped where following them would take too many steps along edges. Complete products on the engine had the same
 * classification scores on six graphs and took up to five times as long (docs/notebook/default-model.md).
 */

import type { TransitionMatrix } from "./transition-matrix.js";

/** α: the probability that the walk stops at a node. */
export const RESTART = 0.15;
/**
 * Terms of the sum; the rest has 0.85^12 = 14 % of the probability. More are no better: the walk then forgets where it began.
 */
export const MAX_TERMS = 12;
/** Steps along edges for all rows together, if that leaves each row enough: some seconds. */
const MAX_STEPS = 2e8;
/** Steps that every row may take: in large sparse graphs enough for the neighbours of the neighbours. */
const MIN_STEPS_OF_ROW = 4096;
/** Probabilities below this are dropped. */
const MIN_PROBABILITY = 1e-5;
/** Factor by which the smallest probability rises until the steps suffice. */
const RAISE = 2;

/** Maximum number of steps along edges in each row. */
export function stepsOfRow(numNodes: number): number {
  return Math.max(MIN_STEPS_OF_ROW, Math.floor(MAX_STEPS / numNodes));
}

/** Computes one row at a time, in arrays that all rows share. */
export class WalkedRows {
  readonly #walk: TransitionMatrix;
  readonly #ranks: Float64Array;
  /** Nodes with a positive rank. */
  readonly #reached: Uint32Array;
  /** Probabilities after one step more; zero between two steps. */
  readonly #next: Float64Array;

  constructor(walk: TransitionMatrix) {
    this.#walk = walk;
    this.#ranks = new Float64Array(walk.numRows);
    this.#reached = new Uint32Array(walk.numRows);
    this.#next = new Float64Array(walk.numRows);
  }

  /** Calls `visit` for every positive PageRank of row i. */
  visitRow(i: number, visit: (column: number, rank: number) => void): void {
    const numReached = this.#follow(i);
    for (let t = 0; t < numReached; t++) {
      const j = this.#reached[t];
      visit(j, this.#ranks[j]);
      this.#ranks[j] = 0;
    }
  }

  /** Fills the ranks of row i; returns how many nodes have one. */
  #follow(i: number): number {
    const { rowStart, columns, values, numRows } = this.#walk;
    const [ranks, reached, next] = [this.#ranks, this.#reached, this.#next];
    let stepsLeft = stepsOfRow(numRows);
    let nodes = [i];
    let probabilities = [1];
    ranks[i] = RESTART;
    reached[0] = i;
    let numReached = 1;
    for (let term = 1, weight = RESTART; term < MAX_TERMS && nodes.length > 0; term++) {
      weight *= 1 - RESTART;
      // the first steps are complete; later ones share what is left
      const steps = term <= 2 ? stepsLeft : stepsLeft / 2;
      const smallest = this.#smallest(nodes, probabilities, steps);
      const following: number[] = [];
      for (let t = 0; t < nodes.length; t++) {
        if (probabilities[t] < smallest) continue;
        const end = rowStart[nodes[t] + 1];
        stepsLeft -= end - rowStart[nodes[t]];
        for (let e = rowStart[nodes[t]]; e < end; e++) {
          if (next[columns[e]] === 0) following.push(columns[e]);
          next[columns[e]] += probabilities[t] * values[e];
        }
      }
      nodes = following;
      probabilities = following.map((j) => next[j]);
      for (let t = 0; t < nodes.length; t++) {
        const j = nodes[t];
        if (ranks[j] === 0) reached[numReached++] = j;
        ranks[j] += weight * probabilities[t];
        next[j] = 0;
      }
    }
    return numReached;
  }

  /** The smallest probability that is followed, so that all larger ones take at most `steps` steps. */
  #smallest(nodes: readonly number[], probabilities: readonly number[], steps: number): number {
    const { rowStart } = this.#walk;
    for (let smallest = MIN_PROBABILITY; smallest < 1; smallest *= RAISE) {
      let sum = 0;
      for (let t = 0; t < nodes.length && sum <= steps; t++) {
        if (probabilities[t] >= smallest) sum += rowStart[nodes[t] + 1] - rowStart[nodes[t]];
      }
      if (sum <= steps) return smallest;
    }
    return Number.POSITIVE_INFINITY;
  }
}
