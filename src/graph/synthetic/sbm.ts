/**
 * The synthetic multiplex of the HMGE paper (Abdous, Mrabah, Bouguessa, TKDE 2024): every relation is a stochastic block
 * model over its own balanced random partition of the nodes into two communities; a node's label is the majority of its
 * community bits. With an even number of relations a tie takes the bit of the first relation (the paper uses odd
 * numbers only).
 *
 * Sampled in time proportional to the edges drawn, by geometric skips over the pairs (Batagelj, Brandes, Phys. Rev. E
 * 71, 2005).
 *
 * Relations of noise may be added: random graphs of the same density, independent of the labels. Edges may have log-normal
 * weights that are larger within a community; with pIn = pOut only the weights depend on the communities.
 */

import { InputError } from "../../core/errors.js";
import { Rng } from "../../core/rng.js";
import { buildMultiplex } from "../build-multiplex.js";
import type { Multiplex } from "../multiplex.js";
import { numberedNames } from "./numbered-names.js";
import { PairList } from "./pair-list.js";

/** Sizes and probabilities of a synthetic multiplex. */
export interface SbmOptions {
  /** At least 2. */
  readonly nodes: number;
  /** At least 1. */
  readonly relations: number;
  /** Probability of an edge within a community, 0 to 1. */
  readonly pIn: number;
  /** Probability of an edge between the communities, 0 to 1. */
  readonly pOut: number;
  /** Number of additional relations with random edges; default 0. */
  readonly noise?: number;
  /** Median weight of edges within a community, where that of other edges is 1. If absent, edges have no weights. */
  readonly weightRatio?: number;
  readonly seed: number;
}

/** A synthetic multiplex with its planted communities. */
export interface SbmGraph {
  readonly graph: Multiplex;
  /** `c0` or `c1` for each node. */
  readonly labels: readonly string[];
  /** For each relation the community bit of each node. */
  readonly communities: readonly Uint8Array[];
}

/** Draws the paper's synthetic multiplex; equal options give equal graphs. */
export function generateSbm(options: SbmOptions): SbmGraph {
  const { nodes, relations, pIn, pOut, noise = 0, weightRatio, seed } = options;
  requireInteger("nodes", nodes, 2);
  requireInteger("relations", relations, 1);
  requireInteger("noise", noise, 0);
  requireInteger("seed", seed, 0);
  requireProbability("pIn", pIn);
  requireProbability("pOut", pOut);
  if (weightRatio !== undefined && !(weightRatio > 0 && Number.isFinite(weightRatio))) {
    throw new InputError(`sbm: weightRatio is ${weightRatio}; expected a number above 0.`);
  }

  const edges = new PairList();
  const communities: Uint8Array[] = [];
  for (let r = 0; r < relations; r++) {
    const order = new Uint32Array(nodes);
    new Rng(seed, "sbm/communities", r).permutation(order);
    const half = nodes >>> 1;
    const members = [order.subarray(0, half).sort(), order.subarray(half).sort()];
    const bits = new Uint8Array(nodes);
    for (const node of members[1]) bits[node] = 1;
    communities.push(bits);
    const rng = new Rng(seed, "sbm/edges", r);
    for (const group of members) sampleWithin(group, pIn, rng, (a, b) => edges.push(a, b, r));
    sampleAcross(members[0], members[1], pOut, rng, (a, b) => edges.push(a, b, r));
  }
  const everybody = Uint32Array.from({ length: nodes }, (_, i) => i);
  for (let r = relations; r < relations + noise; r++) {
    const rng = new Rng(seed, "sbm/noise", r);
    sampleWithin(everybody, (pIn + pOut) / 2, rng, (a, b) => edges.push(a, b, r));
  }
  const columns = edges.columns();
  const graph = buildMultiplex({
    ...columns,
    ...(weightRatio === undefined ? {} : { weight: drawWeights(columns, communities, weightRatio, seed) }),
    ids: numberedNames("n", nodes, 0),
    relationNames: [...numberedNames("r", relations, 1), ...numberedNames("random", noise, 1)],
  });
  return { graph, labels: majorityLabels(communities, nodes), communities };
}

/** Standard deviation of ln(weight). */
const WEIGHT_DEVIATION = 0.5;

function drawWeights(
  { source, target, relation }: ReturnType<PairList["columns"]>,
  communities: readonly Uint8Array[],
  ratio: number,
  seed: number,
): Float64Array {
  const rng = new Rng(seed, "sbm/weights");
  return Float64Array.from(source, (a, e) => {
    const bits = communities.at(relation[e]); // undefined for noise
    const within = bits !== undefined && bits[a] === bits[target[e]];
    return Math.exp(WEIGHT_DEVIATION * rng.normal()) * (within ? ratio : 1);
  });
}

/** Calls `visit` for each pair i < j of the group, kept with probability p. */
function sampleWithin(group: Uint32Array, p: number, rng: Rng, visit: (a: number, b: number) => void): void {
  const total = (group.length * (group.length - 1)) / 2;
  let high = 1; // the pairs (0, high) … (high − 1, high) have the numbers from firstOfHigh on
  let firstOfHigh = 0;
  for (const pair of keptNumbers(total, p, rng)) {
    while (pair >= firstOfHigh + high) {
      firstOfHigh += high;
      high++;
    }
    visit(group[pair - firstOfHigh], group[high]);
  }
}

function sampleAcross(
  left: Uint32Array,
  right: Uint32Array,
  p: number,
  rng: Rng,
  visit: (a: number, b: number) => void,
): void {
  for (const pair of keptNumbers(left.length * right.length, p, rng)) {
    visit(left[Math.floor(pair / right.length)], right[pair % right.length]);
  }
}

/** Ascending numbers below `total`, each kept with probability p. */
function* keptNumbers(total: number, p: number, rng: Rng): Generator<number> {
  if (p === 0) return;
  const logMiss = Math.log1p(-p); // −∞ at p = 1: every skip is 0
  let next = -1;
  while (true) {
    next += 1 + Math.floor(Math.log(1 - rng.uniform()) / logMiss);
    if (next >= total) return;
    yield next;
  }
}

function majorityLabels(communities: readonly Uint8Array[], nodes: number): string[] {
  return Array.from({ length: nodes }, (_, node) => {
    let ones = 0;
    for (const bits of communities) ones += bits[node];
    const lead = 2 * ones - communities.length;
    return (lead === 0 ? communities[0][node] === 1 : lead > 0) ? "c1" : "c0";
  });
}

function requireInteger(name: string, value: number, minimum: number): void {
  if (!Number.isSafeInteger(value) || value < minimum) {
    throw new InputError(`sbm: ${name} is ${value}; expected a whole number of at least ${minimum}.`);
  }
}

function requireProbability(name: string, value: number): void {
  if (!(value >= 0 && value <= 1)) throw new InputError(`sbm: ${name} is ${value}; expected a number from 0 to 1.`);
}
