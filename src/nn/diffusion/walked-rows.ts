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

/** Place of a node that the walk has not reached. */
const NOT_REACHED = -1;

/** Places of nodes that a walk may be at after some steps, with their probabilities. */
class Frontier {
  size = 0;
  readonly places: Uint32Array;
  readonly probabilities: Float64Array;

  constructor(numNodes: number) {
    this.places = new Uint32Array(numNodes);
    this.probabilities = new Float64Array(numNodes);
  }
}

/**
 * Computes one row at a time, in arrays that all rows share. Nodes get places in the order in which the walk reaches them; all
 * numbers of a row are stored by place, close together.
 */
export class WalkedRows {
  /** Nodes with a positive rank in the row, by place; the first one is the start of the walk. */
  readonly nodes: Uint32Array;
  /** Their ranks. */
  readonly ranks: Float64Array;
  readonly #walk: TransitionMatrix;
  #numReached = 0;
  /** The place of each node. */
  readonly #places: Int32Array;
  /** Probabilities after one step more, by place; zero between two steps. */
  readonly #next: Float64Array;
  #current: Frontier;
  #following: Frontier;
  /** Steps along edges that the nodes of each bucket take. */
  readonly #steps = new Float64Array(BUCKETS);

  constructor(walk: TransitionMatrix) {
    this.#walk = walk;
    this.nodes = new Uint32Array(walk.numRows);
    this.ranks = new Float64Array(walk.numRows);
    this.#places = new Int32Array(walk.numRows).fill(NOT_REACHED);
    this.#next = new Float64Array(walk.numRows);
    this.#current = new Frontier(walk.numRows);
    this.#following = new Frontier(walk.numRows);
  }

  /** Fills `nodes` and `ranks` with row i; returns the number of its nodes. */
  walkRow(i: number): number {
    const { nodes, ranks } = this;
    let stepsLeft = stepsOfRow(this.#walk.numRows);
    this.#current.size = 1;
    this.#current.places[0] = 0;
    this.#current.probabilities[0] = 1;
    nodes[0] = i;
    ranks[0] = RESTART;
    this.#places[i] = 0;
    this.#numReached = 1;
    for (let term = 1, weight = RESTART; term < MAX_TERMS && this.#current.size > 0; term++) {
      weight *= 1 - RESTART;
      // the first steps are complete; later ones share what is left
      stepsLeft -= this.#step(term <= 2 ? stepsLeft : stepsLeft / 2);
      const { places, probabilities, size } = this.#current;
      for (let t = 0; t < size; t++) ranks[places[t]] += weight * probabilities[t];
    }
    for (let place = 0; place < this.#numReached; place++) this.#places[nodes[place]] = NOT_REACHED;
    return this.#numReached;
  }

  /** One step of the walk from the current nodes, along at most `steps` edges; returns along how many. */
  #step(steps: number): number {
    const { nodes, ranks } = this;
    const { rowStart, columns, values } = this.#walk;
    const [from, to, places, next] = [this.#current, this.#following, this.#places, this.#next];
    const smallest = this.#smallest(steps);
    let [taken, size, numReached] = [0, 0, this.#numReached];
    for (let t = 0; t < from.size; t++) {
      const probability = from.probabilities[t];
      if (probability < smallest) continue;
      const node = nodes[from.places[t]];
      const [first, end] = [rowStart[node], rowStart[node + 1]];
      taken += end - first;
      for (let e = first; e < end; e++) {
        const j = columns[e];
        let place = places[j];
        if (place === NOT_REACHED) {
          place = numReached++;
          places[j] = place;
          nodes[place] = j;
          ranks[place] = 0;
        }
        if (next[place] === 0) to.places[size++] = place;
        next[place] += probability * values[e];
      }
    }
    for (let t = 0; t < size; t++) {
      to.probabilities[t] = next[to.places[t]];
      next[to.places[t]] = 0;
    }
    to.size = size;
    this.#numReached = numReached;
    [this.#current, this.#following] = [to, from];
    return taken;
  }

  /** The smallest probability that is followed, a power of two, so that all larger ones take at most `steps` steps. */
  #smallest(steps: number): number {
    const { rowStart } = this.#walk;
    const { places, probabilities, size } = this.#current;
    this.#steps.fill(0);
    for (let t = 0; t < size; t++) {
      const bucket = Math.min(BUCKETS - 1, Math.clz32(probabilities[t] * 2 ** 31));
      const node = this.nodes[places[t]];
      this.#steps[bucket] += rowStart[node + 1] - rowStart[node];
    }
    let sum = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      sum += this.#steps[bucket];
      if (sum > steps) return 2 ** (1 - bucket);
    }
    return MIN_PROBABILITY;
  }
}
