/**
 * Holds edges out of a multiplex: the remaining edges are the training graph, over the same nodes; the held-out edges are
 * to be predicted.
 *
 * By default round(share · edges) edges of each relation are drawn and removed from that relation only: the same pair may
 * stay an edge of another relation. In a directed graph an edge and its reverse are removed together, because most link
 * predictors read edges in both directions.
 *
 * With `strict`, pairs of nodes are drawn instead. A drawn pair is removed from all relations and in both directions, and is
 * held out in each relation that had it. Every pair belongs to the smallest relation that has it. The relations draw in
 * ascending order of size, each from its own pairs, until their number is reached. So all pairs are drawn with the same
 * probability, and a relation reaches its number unless earlier draws already hold out too many of its edges or it has
 * too few pairs of its own.
 *
 * Time and memory are linear in nodes × relations + edges.
 */

import { InputError } from "../core/errors.js";
import { number, requireOption } from "../core/options.js";
import { Rng } from "../core/rng.js";
import { type KeysOf, requireKeys } from "../core/validation.js";
import { largestOf } from "../numeric/extremes.js";
import { type EdgeEnds, listEdges, removeEdges } from "./edge-ends.js";
import type { Multiplex } from "./multiplex.js";

/** Pairs of nodes of one relation; in an undirected graph source < target. */
export interface RelationPairs extends EdgeEnds {
  /** Index of the relation. */
  readonly relation: number;
}

/** How many edges are held out, and which. */
export interface HoldOutOptions {
  /** Share of the edges of every relation; above 0, below 1. Default 0.1. */
  readonly share?: number;
  /** Default 1. */
  readonly seed?: number;
  /** Remove a held-out pair from every relation and in both directions. Default false. */
  readonly strict?: boolean;
}

/** The training graph and the held-out edges. */
export interface HoldOut {
  /** The same nodes, ids and relations, without the held-out edges. */
  readonly training: Multiplex;
  /** One entry per relation, empty for those not split. */
  readonly heldOut: readonly RelationPairs[];
  /** Indices of the relations without held-out edges: they are so small that the share rounds to zero, or have one edge. */
  readonly notSplit: readonly number[];
}

/** Share of the edges that is held out; for commands. */
export const SHARE_OPTION = number(0.1, {
  above: 0,
  below: 1,
  value: "SHARE",
  doc: "share of the edges of every relation that is held out",
});

const OPTIONS: KeysOf<HoldOutOptions> = { share: true, seed: true, strict: true };

/** Splits the edges of a multiplex into a training graph and held-out pairs. */
export function holdOutEdges(graph: Multiplex, options: HoldOutOptions = {}): HoldOut {
  requireKeys(options, OPTIONS, "holdout");
  const { share = SHARE_OPTION.default, seed = 1, strict = false } = options;
  requireOption(SHARE_OPTION, share, "holdout: share");
  const edges = graph.relations.map((relation) => listEdges(relation, graph.directed));
  const wanted = edges.map(({ source }) => Math.min(Math.round(share * source.length), source.length - 1));
  const rng = new Rng(seed, "holdout");
  const drawn = strict
    ? drawPairs(graph.numNodes, edges, wanted, rng)
    : edges.map((ends, r) =>
        graph.directed ? drawPairs(graph.numNodes, [ends], [wanted[r]], rng)[0] : draw(ends, wanted[r], rng),
      );

  const heldOut = drawn.map((flags, relation) => ({ relation, ...select(edges[relation], flags) }));
  if (heldOut.every(({ source }) => source.length === 0)) {
    const largest = largestOf(
      edges.map(({ source }) => source.length),
      0,
    );
    throw new InputError(
      `holdout: a share of ${share} holds out no edge; the largest relation has ${largest}. Give a larger share or more edges.`,
    );
  }
  const relations = graph.relations.map((relation, r) => removeEdges(relation, drawn[r], graph.directed));
  const rows = relations.reduce((sum, { numEdges }) => sum + numEdges, 0);
  if (rows === 0) {
    throw new InputError(`holdout: a share of ${share} leaves no edge to train on. Give a smaller share.`);
  }
  const { numNodes, ids, directed, features, kinds } = graph;
  const report = { rows, selfLoops: 0, parallelEdges: 0, zeroWeights: 0 };
  return {
    training: {
      numNodes,
      ids,
      relations,
      directed,
      report,
      ...(features === undefined ? {} : { features }),
      ...(kinds === undefined ? {} : { kinds }),
    },
    heldOut,
    notSplit: heldOut.flatMap(({ relation, source }) => (source.length === 0 ? [relation] : [])),
  };
}

/** Flags `count` edges, all equally likely. */
function draw({ source }: EdgeEnds, count: number, rng: Rng): Uint8Array {
  const flags = new Uint8Array(source.length);
  const order = Uint32Array.from(flags, (_, i) => i);
  for (let i = 0; i < count; i++) {
    drawNext(order, i, rng);
    flags[order[i]] = 1;
  }
  return flags;
}

/** Moves one of the elements from `at` on, drawn uniformly, to `at`. */
function drawNext(items: Uint32Array, at: number, rng: Rng): void {
  const j = at + rng.below(items.length - at);
  const swap = items[at];
  items[at] = items[j];
  items[j] = swap;
}

/** Flags all edges of the drawn pairs. */
function drawPairs(numNodes: number, edges: readonly EdgeEnds[], wanted: readonly number[], rng: Rng): Uint8Array[] {
  const bySize = edges.map((_, r) => r).sort((a, b) => edges[a].source.length - edges[b].source.length || a - b);
  const { pairOf, numPairs } = numberPairs(numNodes, edges, bySize);
  const held = new Uint8Array(numPairs);
  const owner = new Int32Array(numPairs).fill(-1);
  const numEdges = new Uint8Array(numPairs); // in the relation that owns the pair: two if it has both directions
  for (const r of bySize) {
    const ownedPairs: number[] = [];
    let have = 0;
    for (const pair of pairOf[r]) {
      if (held[pair] === 1) have++;
      if (owner[pair] < 0) {
        ownedPairs.push(pair);
        owner[pair] = r;
      }
      if (owner[pair] === r) numEdges[pair]++;
    }
    const pairs = Uint32Array.from(ownedPairs);
    for (let i = 0; i < pairs.length && have < wanted[r]; i++) {
      drawNext(pairs, i, rng);
      if (have + numEdges[pairs[i]] >= pairOf[r].length) continue; // one edge stays to train on
      held[pairs[i]] = 1;
      have += numEdges[pairs[i]];
    }
  }
  // if the draws of other relations hold out all edges of a relation, one pair returns to all relations
  for (const pairs of pairOf) if (pairs.length > 0 && pairs.every((pair) => held[pair] === 1)) held[pairs[0]] = 0;
  return pairOf.map((pairs) => Uint8Array.from(pairs, (pair) => held[pair]));
}

/** Numbers the unordered pairs of all relations; returns the number of the pair of each edge. */
function numberPairs(numNodes: number, edges: readonly EdgeEnds[], relations: readonly number[]) {
  const start = new Uint32Array(numNodes + 1);
  for (const { source, target } of edges) {
    for (let i = 0; i < source.length; i++) start[Math.min(source[i], target[i]) + 1]++;
  }
  for (let n = 0; n < numNodes; n++) start[n + 1] += start[n];
  const cursor = start.slice();
  const total = start[numNodes];
  const relationOf = new Uint32Array(total);
  const edgeOf = new Uint32Array(total);
  for (const r of relations) {
    const { source, target } = edges[r];
    for (let i = 0; i < source.length; i++) {
      const to = cursor[Math.min(source[i], target[i])]++;
      relationOf[to] = r;
      edgeOf[to] = i;
    }
  }
  const pairOf = edges.map(({ source }) => new Uint32Array(source.length));
  const lastLow = new Int32Array(numNodes).fill(-1);
  const lastPair = new Uint32Array(numNodes);
  let numPairs = 0;
  for (let low = 0; low < numNodes; low++) {
    for (let at = start[low]; at < start[low + 1]; at++) {
      const { source, target } = edges[relationOf[at]];
      const edge = edgeOf[at];
      const high = Math.max(source[edge], target[edge]);
      if (lastLow[high] !== low) {
        lastLow[high] = low;
        lastPair[high] = numPairs++;
      }
      pairOf[relationOf[at]][edge] = lastPair[high];
    }
  }
  return { pairOf, numPairs };
}

function select({ source, target }: EdgeEnds, flags: Uint8Array): EdgeEnds {
  let count = 0;
  for (const flag of flags) count += flag;
  const selected = { source: new Uint32Array(count), target: new Uint32Array(count) };
  let to = 0;
  for (let i = 0; i < flags.length; i++) {
    if (flags[i] === 0) continue;
    selected.source[to] = source[i];
    selected.target[to++] = target[i];
  }
  return selected;
}
