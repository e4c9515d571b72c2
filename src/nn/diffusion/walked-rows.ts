/**
 * Rows of the PageRank matrix: the walk from one node, step by step, as a sparse vector of probabilities. Small probabilities are
 * dropped where following them would take too many steps along edges. Complete products on the engine classify as well on three
 * graphs of four, better on the dense dmgi_acm, and take up to five times as long (docs/notebook/default-model.md).
 */

import type { TransitionMatrix } from "./transition-matrix.js";

/** α: the probability that the walk stops at a node. */
export const RESTART = 0.15;
/**
 * Terms of the sum; the rest has 0.85^12 = 14 % of the probability. The whole sum classified worse (docs/notebook/default-model.md).
 */
export const MAX_TERMS = 12;
/** Steps along edges for all rows together, if that leaves each row enough: about a second. Up to four times as many classified no better (notebook). */
const MAX_STEPS = 5e7;
/**
 * Steps that every row may take: in large sparse graphs enough for the neighbours of the neighbours. With 512 steps planted groups
 * were found less well (docs/notebook/default-model.md).
 */
const MIN_STEPS_OF_ROW = 2048;
/** Probabilities below this are dropped. */
const MIN_PROBABILITY = 1e-5;
/** Maximum number of steps along edges in each row. */
export function stepsOfRow(numNodes: number): number {
  return Math.max(MIN_STEPS_OF_ROW, Math.floor(MAX_STEPS / numNodes));
}

/** Probabilities are sorted into buckets by their binary exponent; the last bucket has all that are smaller. */
const BUCKETS = 24;

/** Nodes that a walk may be at after some steps, with their probabilities. */
class Frontier {
  size = 0;
  readonly nodes: Uint32Array;
  readonly probabilities: Float64Array;

  constructor(maxNodes: number) {
    this.nodes = new Uint32Array(maxNodes + 1); // a step writes one node more than it keeps
    this.probabilities = new Float64Array(maxNodes);
  }
}

/** Computes one row at a time, in arrays that all rows share. */
export class WalkedRows {
  /** Nodes with a positive rank in the row, in the order in which the walk reaches them; the first one is its start. */
  readonly nodes: Uint32Array;
  /** Their ranks. */
  readonly ranks: Float64Array;
  readonly #walk: TransitionMatrix;
  #numReached = 0;
  /** The rank of each node of the graph; zero between two rows. */
  readonly #rankOf: Float64Array;
  /** The probability of each node of the graph after one step more; zero between two steps. */
  readonly #next: Float64Array;
  #current: Frontier;
  #following: Frontier;
  /** Steps along edges that the current nodes of each bucket take. */
  readonly #steps = new Float64Array(BUCKETS);

  constructor(walk: TransitionMatrix) {
    // every step along an edge reaches at most one new node
    const maxNodes = Math.min(walk.numRows, stepsOfRow(walk.numRows) + 1);
    this.#walk = walk;
    this.nodes = new Uint32Array(maxNodes);
    this.ranks = new Float64Array(maxNodes);
    this.#rankOf = new Float64Array(walk.numRows);
    this.#next = new Float64Array(walk.numRows);
    this.#current = new Frontier(maxNodes);
    this.#following = new Frontier(maxNodes);
  }

  /** Fills `nodes` and `ranks` with row i; returns the number of its nodes. */
  walkRow(i: number): number {
    const { nodes, ranks } = this;
    const rankOf = this.#rankOf;
    let stepsLeft = stepsOfRow(this.#walk.numRows);
    this.#numReached = 0;
    this.#next[i] = 1;
    this.#following.nodes[0] = i;
    this.#arrive(1, RESTART);
    for (let term = 1, weight = RESTART; term < MAX_TERMS && this.#current.size > 0; term++) {
      weight *= 1 - RESTART;
      // the first steps are complete; later ones share what is left
      const [taken, size] = this.#step(this.#smallest(term <= 2 ? stepsLeft : stepsLeft / 2));
      stepsLeft -= taken;
      this.#arrive(size, weight);
    }
    const size = this.#numReached;
    for (let t = 0; t < size; t++) {
      ranks[t] = rankOf[nodes[t]];
      rankOf[nodes[t]] = 0;
    }
    return size;
  }

  /**
   * One step of the walk from the current nodes with at least the probability `smallest`; returns the number of edges that it takes and
   * the number of nodes at their ends.
   */
  #step(smallest: number): readonly [taken: number, size: number] {
    const { rowStart, columns, values } = this.#walk;
    const { nodes, probabilities, size: numCurrent } = this.#current;
    const [ends, next] = [this.#following.nodes, this.#next];
    let [taken, size] = [0, 0];
    for (let t = 0; t < numCurrent; t++) {
      const probability = probabilities[t];
      if (probability < smallest) continue;
      const node = nodes[t];
      const [first, end] = [rowStart[node], rowStart[node + 1]];
      taken += end - first;
      // without branches, which would often be mispredicted: every end is written, but only a new one is kept
      let e = first;
      for (; e + 1 < end; e += 2) {
        const i = columns[e];
        const before = next[i];
        ends[size] = i;
        size = (size + Number(before === 0)) | 0;
        next[i] = before + probability * values[e];
        const j = columns[e + 1];
        const sum = next[j];
        ends[size] = j;
        size = (size + Number(sum === 0)) | 0;
        next[j] = sum + probability * values[e + 1];
      }
      if (e < end) {
        const j = columns[e];
        const sum = next[j];
        ends[size] = j;
        size = (size + Number(sum === 0)) | 0;
        next[j] = sum + probability * values[e];
      }
    }
    return [taken, size];
  }

  /** Makes the first `size` nodes of the following frontier the current ones, and adds their probabilities to the ranks. */
  #arrive(size: number, weight: number): void {
    const { rowStart } = this.#walk;
    const { nodes: ends, probabilities } = this.#following;
    const [reached, rankOf, next, steps] = [this.nodes, this.#rankOf, this.#next, this.#steps];
    let numReached = this.#numReached;
    steps.fill(0);
    for (let t = 0; t < size; t++) {
      const node = ends[t];
      const probability = next[node];
      next[node] = 0;
      probabilities[t] = probability;
      if (!(probability > 0)) continue; // the product of two probabilities may underflow
      const rank = rankOf[node];
      if (rank === 0) reached[numReached++] = node;
      rankOf[node] = rank + weight * probability;
      steps[Math.min(BUCKETS - 1, Math.clz32(probability * 2 ** 31))] += rowStart[node + 1] - rowStart[node];
    }
    this.#numReached = numReached;
    this.#following.size = size;
    [this.#current, this.#following] = [this.#following, this.#current];
  }

  /** The smallest probability that is followed, a power of two, so that all larger ones take at most `steps` steps. */
  #smallest(steps: number): number {
    let sum = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      sum += this.#steps[bucket];
      if (sum > steps) return 2 ** (1 - bucket);
    }
    return MIN_PROBABILITY;
  }
}
