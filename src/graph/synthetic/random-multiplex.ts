/**
 * A random multiplex of given size: every relation has the same number of distinct edges. Their ends are drawn
 * independently, uniformly or by a power law of the degrees (Chung and Lu, 2002: node i has weight (i+1)^(−1/(γ−1)), so
 * that the number of nodes of degree d falls as d^−γ). A node has the same weight in all relations. The names of the
 * nodes are in random order.
 */

import { InputError } from "../../core/errors.js";
import { Rng } from "../../core/rng.js";
import { buildMultiplex } from "../build-multiplex.js";
import type { Multiplex } from "../multiplex.js";
import { numberedNames } from "./numbered-names.js";

export interface RandomOptions {
  /** At least 2. */
  readonly nodes: number;
  /** At least 1. */
  readonly relations: number;
  /** Number of edges of all relations together; if it does not divide evenly, the first relations have one more. */
  readonly edges: number;
  /** γ > 2 of the power law; if absent, ends are uniform. */
  readonly exponent?: number;
  readonly seed: number;
}

/** Draws the multiplex; equal options give equal graphs. */
export function generateRandom(options: RandomOptions): Multiplex {
  const { nodes, relations, edges, exponent, seed } = options;
  checkOptions(options);
  const names = new Uint32Array(nodes);
  new Rng(seed, "random/names").permutation(names);
  // P(endpoint ≤ i) ≈ (i/n)^(1−α), α = 1/(γ−1): the inverse turns a uniform number into an endpoint
  const power = exponent === undefined ? 1 : (exponent - 1) / (exponent - 2);
  const columns = {
    source: new Uint32Array(edges),
    target: new Uint32Array(edges),
    relation: new Uint32Array(edges),
  };
  let at = 0;
  for (let r = 0; r < relations; r++) {
    const count = Math.floor(edges / relations) + Number(r < edges % relations);
    const rng = new Rng(seed, "random/edges", r);
    const draw = () => Math.min(nodes - 1, Math.floor(nodes * rng.uniform() ** power));
    for (const pair of distinctPairs(count, nodes, draw)) {
      columns.source[at] = names[Math.floor(pair / nodes)];
      columns.target[at] = names[pair % nodes];
      columns.relation[at++] = r;
    }
  }
  return buildMultiplex({
    ...columns,
    ids: numberedNames("n", nodes, 0),
    relationNames: numberedNames("r", relations, 1),
  });
}

/** Distinct pairs as numbers low·nodes + high, drawn until there are enough; throws after MAX_ROUNDS rounds. */
function distinctPairs(count: number, nodes: number, draw: () => number): Float64Array {
  let kept = new Float64Array(0);
  for (let round = 0; kept.length < count; round++) {
    if (round === MAX_ROUNDS) {
      throw new InputError(
        `random: only ${kept.length} of ${count} distinct edges were found; the degrees are too uneven for so many. Lower the edges or raise the exponent.`,
      );
    }
    const pairs = new Float64Array(count);
    pairs.set(kept);
    for (let i = kept.length; i < count; i++) {
      let a = draw();
      let b = draw();
      while (a === b) {
        a = draw();
        b = draw();
      }
      pairs[i] = Math.min(a, b) * nodes + Math.max(a, b);
    }
    pairs.sort();
    let last = 0;
    for (let i = 1; i < count; i++) if (pairs[i] !== pairs[last]) pairs[++last] = pairs[i];
    kept = pairs.subarray(0, last + 1);
  }
  return kept;
}

/** Limit of rounds; each round replaces the repeated pairs of the round before. */
const MAX_ROUNDS = 100;

function checkOptions({ nodes, relations, edges, exponent }: RandomOptions): void {
  const pairs = (nodes * (nodes - 1)) / 2;
  if (!(exponent === undefined || exponent > 2)) {
    throw new InputError(`random: exponent is ${exponent}; expected a number above 2.`);
  }
  if (nodes < 2 || relations < 1 || edges < relations) {
    throw new InputError(
      `random: ${nodes} nodes, ${relations} relations, ${edges} edges; expected two nodes and an edge for every relation.`,
    );
  }
  if (edges / relations > pairs / 2) {
    throw new InputError(
      `random: ${Math.ceil(edges / relations)} edges a relation; expected at most half of the ${pairs} pairs of nodes.`,
    );
  }
}
