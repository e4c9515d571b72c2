/**
 * Pairs that are no edges, to set against pairs that are.
 *
 * `uniform`: all pairs of different nodes that are no edge of the relation are equally likely. Edges favour nodes of many
 * edges, such pairs do not, so degrees alone tell the two apart to some extent.
 * `degree`: the ends of the positives are paired anew, so that every node stands in as many negatives as positives and
 * degrees tell nothing. Pairs that are edges are mended by exchanging ends with other pairs; where no exchange helps (a
 * star has none) a uniform pair is taken, and counted.
 *
 * No pair comes twice. An undirected pair has source < target.
 */

import { InputError } from "../core/errors.js";
import type { Rng } from "../core/rng.js";
import { type EdgeEnds, hasEdge } from "../graph/edge-ends.js";
import type { Relation } from "../graph/multiplex.js";

export const NEGATIVE_KINDS = ["uniform", "degree"] as const;
export type NegativeKind = (typeof NEGATIVE_KINDS)[number];

export interface Negatives extends EdgeEnds {
  /** Pairs of kind `degree` that had to be drawn uniformly. */
  readonly unmatched: number;
}

export interface NegativeRequest {
  /** The relation with all its edges, held out or not. */
  readonly relation: Relation;
  readonly directed: boolean;
  /** What the negatives are set against: as many are drawn, and none of them is drawn. */
  readonly positives: EdgeEnds;
  /** Further pairs that are not to be drawn. */
  readonly avoid?: EdgeEnds;
  readonly kind: NegativeKind;
  readonly rng: Rng;
}

/** Exchanges tried for one pair before it is drawn uniformly. */
const MOST_EXCHANGES = 200;
/** Below this share of free pairs, all of them are listed; above, a try succeeds soon enough. */
const SPARSE_FREE_SHARE = 0.05;

/** As many pairs as there are positives, none of them an edge of the relation. */
export function drawNegatives({ relation, directed, positives, avoid, kind, rng }: NegativeRequest): Negatives {
  const numNodes = relation.rowStart.length - 1;
  const count = positives.source.length;
  const key = (a: number, b: number) => (directed || a < b ? a * numNodes + b : b * numNodes + a);
  const used = new Set<number>();
  for (const { source, target } of avoid === undefined ? [positives] : [positives, avoid]) {
    for (let i = 0; i < source.length; i++) {
      if (!hasEdge(relation, source[i], target[i])) used.add(key(source[i], target[i]));
    }
  }
  const total = (numNodes * (numNodes - 1)) / (directed ? 1 : 2);
  const free = total - relation.numEdges - used.size;
  if (free < count) {
    throw new InputError(
      `relation "${relation.name}": ${free} pairs are no edges; expected ${count}, as many as are held out. Hold out a smaller share.`,
    );
  }
  const isFree = (a: number, b: number) => a !== b && !hasEdge(relation, a, b) && !used.has(key(a, b));
  const source = new Uint32Array(count);
  const target = new Uint32Array(count);
  const missing: number[] = [];
  if (kind === "degree") missing.push(...rewire(positives, directed, rng, { isFree, key, used }, source, target));
  else for (let i = 0; i < count; i++) missing.push(i);

  const rest = (free - count) / total < SPARSE_FREE_SHARE ? listFree(numNodes, directed, isFree) : undefined;
  for (const [taken, i] of missing.entries()) {
    let a: number;
    let b: number;
    if (rest !== undefined) {
      const j = taken + rng.below(rest.length - taken);
      [a, b] = rest[j];
      rest[j] = rest[taken];
    } else {
      do {
        a = rng.below(numNodes);
        b = rng.below(numNodes);
      } while (!isFree(a, b));
      used.add(key(a, b));
    }
    source[i] = directed || a < b ? a : b;
    target[i] = directed || a < b ? b : a;
  }
  return { source, target, unmatched: kind === "degree" ? missing.length : 0 };
}

function listFree(numNodes: number, directed: boolean, isFree: (a: number, b: number) => boolean): [number, number][] {
  const pairs: [number, number][] = [];
  for (let a = 0; a < numNodes; a++) {
    for (let b = directed ? 0 : a + 1; b < numNodes; b++) if (isFree(a, b)) pairs.push([a, b]);
  }
  return pairs;
}

interface Taken {
  readonly isFree: (a: number, b: number) => boolean;
  readonly key: (a: number, b: number) => number;
  readonly used: Set<number>;
}

/** Pairs the ends of the positives anew; returns the places left empty. */
function rewire(
  positives: EdgeEnds,
  directed: boolean,
  rng: Rng,
  { isFree, key, used }: Taken,
  source: Uint32Array,
  target: Uint32Array,
): number[] {
  const count = positives.source.length;
  const order = new Uint32Array(count);
  rng.permutation(order);
  const heads = new Uint32Array(count);
  const tails = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    // which end of an undirected edge is the source says nothing
    const flip = !directed && rng.uint32() % 2 === 1;
    heads[i] = flip ? positives.target[i] : positives.source[i];
    tails[order[i]] = flip ? positives.source[i] : positives.target[i];
  }
  const placed = new Uint8Array(count);
  const place = (i: number) => {
    used.add(key(heads[i], tails[i]));
    placed[i] = 1;
  };
  for (let i = 0; i < count; i++) if (isFree(heads[i], tails[i])) place(i);
  const missing: number[] = [];
  for (let i = 0; i < count; i++) {
    for (let attempt = 0; attempt < MOST_EXCHANGES && placed[i] === 0; attempt++) {
      const j = rng.below(count);
      if (j === i || placed[j] === 0) continue;
      used.delete(key(heads[j], tails[j]));
      const fits =
        isFree(heads[i], tails[j]) && isFree(heads[j], tails[i]) && key(heads[i], tails[j]) !== key(heads[j], tails[i]);
      if (fits) [tails[i], tails[j]] = [tails[j], tails[i]];
      place(j);
      if (fits) place(i);
    }
    if (placed[i] === 0) missing.push(i);
  }
  for (let i = 0; i < count; i++) {
    const swap = !directed && heads[i] > tails[i];
    source[i] = swap ? tails[i] : heads[i];
    target[i] = swap ? heads[i] : tails[i];
  }
  return missing;
}
