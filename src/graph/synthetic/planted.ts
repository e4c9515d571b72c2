/**
 * A multiplex with features and planted groups. Words and edges depend on the groups to a degree that can be set.
 *
 * Group g of k has g/(1 + … + k) of the nodes. A node has some words: each is a word of its group with probability
 * `wordShare`, and otherwise any word. In relation r (from 0) a share of `edgeShare`/4^r of the edges joins nodes of one group;
 * the others join any two nodes. Each relation has four times the edges of the relation before it: as in much real data,
 * a few edges are informative and many are not. Instead of words a node may have quantities, each with its own unit and
 * offset, normally distributed around a mean of the node's group. Some nodes have more edges than others, in all
 * relations: an endpoint is node ⌊n·u^1.5⌋ of a random order, where u is uniform.
 */

import { InputError } from "../../core/errors.js";
import { Rng } from "../../core/rng.js";
import { buildMultiplex } from "../build-multiplex.js";
import type { FeatureMatrix, Multiplex } from "../multiplex.js";
import { numberedNames } from "./numbered-names.js";
import { PairList } from "./pair-list.js";

export interface PlantedOptions {
  readonly nodes: number;
  /** At least 1 and at most half of the nodes. */
  readonly groups: number;
  /** At least 1. */
  readonly relations: number;
  /** Mean degree in the first relation; slightly less in the result, because repeated edges merge. */
  readonly degree: number;
  /** Share of the edges of the first relation that are drawn within a group; 0 to 1. */
  readonly edgeShare: number;
  /** Share of the words of a node that are drawn from the words of its group; 0 to 1. */
  readonly wordShare: number;
  /** Number of quantities per node, instead of words; 0 (the default) means words. */
  readonly quantities?: number;
  readonly seed: number;
}

export interface PlantedGraph {
  /** With features. */
  readonly graph: Multiplex;
  /** `g1` … `gk` for each node. */
  readonly labels: readonly string[];
}

const NUM_WORDS = 1000;
const WORDS_PER_NODE = 25;
/** Exponent that makes the degrees uneven. */
const UNEVENNESS = 1.5;
/** Limit of the number of quantities of all nodes together. */
const MAX_VALUES = 1e8;
/** Standard deviation of the means of the groups; within a group it is 1. */
const GROUP_DEVIATION = 0.5;
/** Edges of a relation divided by those of the relation before it. */
const EDGE_GROWTH = 4;

/** Draws graph, features and groups; equal options give equal results. */
export function generatePlanted(options: PlantedOptions): PlantedGraph {
  check(options);
  const { nodes, groups, relations, edgeShare, seed } = options;
  const groupOf = drawGroups(nodes, groups, new Rng(seed, "groups/members"));
  const order = new Uint32Array(nodes);
  new Rng(seed, "groups/order").permutation(order);
  const members = Array.from({ length: groups }, (_, g) => order.filter((node) => groupOf[node] === g));
  const edges = new PairList();
  for (let r = 0; r < relations; r++) {
    const rng = new Rng(seed, "groups/edges", r);
    const pick = (from: Uint32Array) => from[Math.floor(from.length * rng.uniform() ** UNEVENNESS)];
    for (let left = drawnIn(r, options); left > 0; left--) {
      const source = pick(order);
      const within = rng.uniform() < edgeShare / EDGE_GROWTH ** r;
      const target = pick(within ? members[groupOf[source]] : order);
      if (source !== target) edges.push(source, target, r);
    }
  }
  const graph = buildMultiplex({
    ...edges.columns(),
    ids: numberedNames("n", nodes, 0),
    relationNames: numberedNames("r", relations, 1),
  });
  return {
    graph: {
      ...graph,
      features: options.quantities ? drawQuantities(groupOf, options.quantities, options) : drawWords(groupOf, options),
    },
    labels: Array.from(groupOf, (g) => `g${g + 1}`),
  };
}

/** The group of each node; each group has at least two nodes. */
function drawGroups(nodes: number, groups: number, rng: Rng): Uint32Array {
  const all = (groups * (groups + 1)) / 2;
  const order = new Uint32Array(nodes);
  rng.permutation(order);
  const groupOf = new Uint32Array(nodes);
  order.forEach((node, at) => {
    if (at < 2 * groups) groupOf[node] = at >> 1;
    else for (let below = rng.below(all) + 1, g = 0; below > 0; below -= ++g) groupOf[node] = g;
  });
  return groupOf;
}

/** Word w belongs to group w mod k. Within a group, words with larger numbers are less frequent. */
function drawWords(groupOf: Uint32Array, { groups, wordShare, seed }: PlantedOptions): FeatureMatrix {
  const rng = new Rng(seed, "groups/words");
  const rowStart = new Uint32Array(groupOf.length + 1);
  const columns: number[] = [];
  const wordsPerGroup = Math.floor(NUM_WORDS / groups);
  groupOf.forEach((group, i) => {
    const words = new Set<number>();
    for (let draw = 0; draw < WORDS_PER_NODE; draw++) {
      const topical = rng.uniform() < wordShare;
      const rank = rng.uniform() ** 2;
      words.add(topical ? Math.floor(wordsPerGroup * rank) * groups + group : Math.floor(NUM_WORDS * rank));
    }
    for (const word of [...words].sort((a, b) => a - b)) columns.push(word);
    rowStart[i + 1] = columns.length;
  });
  return {
    names: numberedNames("w", NUM_WORDS, 0),
    numColumns: NUM_WORDS,
    rowStart,
    columns: Uint32Array.from(columns),
  };
}

/** Quantity q has the unit 10^(q mod 4) and the offset 10·q units. */
function drawQuantities(
  groupOf: Uint32Array,
  count: number,
  { groups, seed }: Pick<PlantedOptions, "groups" | "seed">,
): FeatureMatrix {
  const rng = new Rng(seed, "groups/quantities");
  const means = Float64Array.from({ length: groups * count }, () => GROUP_DEVIATION * rng.normal());
  const values = new Float32Array(groupOf.length * count);
  values.forEach((_, at) => {
    const q = at % count;
    const mean = means[groupOf[Math.floor(at / count)] * count + q];
    values[at] = 10 ** (q % 4) * (10 * q + mean + rng.normal());
  });
  return {
    names: numberedNames("x", count, 0),
    numColumns: count,
    rowStart: Uint32Array.from({ length: groupOf.length + 1 }, (_, i) => i * count),
    columns: Uint32Array.from(values, (_, at) => at % count),
    values,
  };
}

/** Edges drawn in one relation, repeats included. */
function drawnIn(relation: number, { nodes, degree }: Pick<PlantedOptions, "nodes" | "degree">): number {
  return Math.round((nodes * degree * EDGE_GROWTH ** relation) / 2);
}

/** Edges drawn in all relations, repeats included. */
export function drawnEdges({
  nodes,
  relations,
  degree,
}: Pick<PlantedOptions, "nodes" | "relations" | "degree">): number {
  let edges = 0;
  for (let r = 0; r < relations; r++) edges += drawnIn(r, { nodes, degree });
  return edges;
}

/** Largest mean degree of the first relation: nodes of the last relation are then joined to at most a quarter of all nodes. */
export function maxDegree({ nodes, relations }: Pick<PlantedOptions, "nodes" | "relations">): number {
  return nodes / 4 / EDGE_GROWTH ** (relations - 1);
}

function check({ nodes, groups, relations, degree, edgeShare, wordShare, quantities = 0 }: PlantedOptions): void {
  const fault = (what: string): never => {
    throw new InputError(`groups: ${what}.`);
  };
  if (groups < 1 || groups > Math.min(nodes / 2, NUM_WORDS)) {
    fault(`${groups} groups of ${nodes} nodes; expected 1 to ${NUM_WORDS}, and two nodes for each`);
  }
  if (relations < 1 || !(degree > 0)) fault(`${relations} relations of degree ${degree}; expected one and more than 0`);
  if (degree > maxDegree({ nodes, relations })) {
    fault(
      `a mean degree of ${degree} makes ${degree * EDGE_GROWTH ** (relations - 1)} in relation ${relations}; expected at most a quarter of the ${nodes} nodes. Lower the degree or the relations`,
    );
  }
  if (nodes * quantities > MAX_VALUES) {
    fault(`${quantities} quantities of ${nodes} nodes; expected at most ${MAX_VALUES} numbers`);
  }
  for (const share of [edgeShare, wordShare]) {
    if (!(share >= 0 && share <= 1)) fault(`a share of ${share}; expected a number from 0 to 1`);
  }
}
