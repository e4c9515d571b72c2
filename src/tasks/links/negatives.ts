/**
 * Negatives: pairs that are not edges, for comparison with pairs that are (positives).
 *
 * `uniform`: all pairs of different nodes that are not edges of the relation are equally likely. Edges favour nodes of high
 * degree and uniform pairs do not, so degrees alone separate the two to some extent.
 * `degree`: the endpoints of the positives are paired at random, so that every node has as many negatives as positives and
 * degrees separate nothing. If a new pair is an edge, it exchanges ends with another pair. If no exchange helps (in a star
 * there is none), a uniform pair is drawn and counted as unmatched.
 *
 * If the graph has several kinds of nodes, a negative joins the kinds that the relation joins. A pair of two users cannot be
 * a purchase, and a score that recognises users would separate it from purchases without predicting any.
 *
 * All pairs are distinct. An undirected pair has source < target.
 */

import { InputError, suggest } from "../../core/errors.js";
import type { Rng } from "../../core/rng.js";
import { type EdgeEnds, hasEdge } from "../../graph/edge-ends.js";
import type { Relation } from "../../graph/multiplex.js";

export const NEGATIVE_KINDS = ["uniform", "degree"] as const;
/** How negatives are drawn: uniformly, or so that every node has as many negatives as positives. */
export type NegativeKind = (typeof NEGATIVE_KINDS)[number];

/** Pairs that are not edges. */
export interface Negatives extends EdgeEnds {
  /** Number of pairs of kind `degree` that had to be drawn uniformly. */
  readonly unmatched: number;
}

/** Which negatives to draw. */
export interface NegativeRequest {
  /** The relation with all its edges, including held-out ones. */
  readonly relation: Relation;
  readonly directed: boolean;
  /** The positives; as many negatives are drawn, and no positive is drawn. */
  readonly positives: EdgeEnds;
  /** Further pairs that must not be drawn. */
  readonly avoid?: EdgeEnds;
  readonly kind: NegativeKind;
  /** The kind of each node, and the two kinds that the relation joins (`Multiplex.kinds`). */
  readonly kinds?: { readonly of: Uint16Array; readonly ends: readonly [number, number] };
  readonly rng: Rng;
}

/** Maximum number of exchanges tried for one pair before it is drawn uniformly. Not tuned. */
const MAX_EXCHANGES = 200;
/** If the share of pairs left after the draw is below this, free pairs are listed instead of drawn by trial. Not tuned. */
const SPARSE_FREE_SHARE = 0.05;

/** Draws as many negatives as there are positives. */
export function drawNegatives(request: NegativeRequest): Negatives {
  const { relation, directed, positives, avoid, kind, kinds, rng } = request;
  if (!NEGATIVE_KINDS.includes(kind)) {
    throw new InputError(`negatives: unknown kind "${kind}"${suggest(kind, NEGATIVE_KINDS)}`);
  }
  const numNodes = relation.rowStart.length - 1;
  const count = positives.source.length;
  const key = (a: number, b: number) => (directed || a < b ? a * numNodes + b : b * numNodes + a);
  const candidates = candidatePairs(request, numNodes);
  const fits = (a: number, b: number) =>
    kinds === undefined || (kinds.of[a] === kinds.ends[0] && kinds.of[b] === kinds.ends[1]);
  const used = new Set<number>();
  for (const { source, target } of avoid === undefined ? [positives] : [positives, avoid]) {
    for (let i = 0; i < source.length; i++) {
      const [a, b] = isReversed(request, source[i]) ? [target[i], source[i]] : [source[i], target[i]];
      if (fits(a, b) && !hasEdge(relation, a, b)) used.add(key(a, b));
    }
  }
  const { total } = candidates;
  const free = total - relation.numEdges - used.size;
  if (free < count) {
    const pairs = kinds === undefined ? "pairs" : "pairs of the kinds that it joins";
    const advice = free < 1 ? "Leave the relation out: every pair is an edge." : "Hold out a smaller share.";
    throw new InputError(
      `relation "${relation.name}": ${free} ${pairs} are not edges; expected ${count}, as many as are held out. ${advice}`,
    );
  }
  const isFree = (a: number, b: number) => a !== b && fits(a, b) && !hasEdge(relation, a, b) && !used.has(key(a, b));
  const source = new Uint32Array(count);
  const target = new Uint32Array(count);
  const missing =
    kind === "degree"
      ? rewire(request, { isFree, key, used }, source, target)
      : Array.from({ length: count }, (_, i) => i);

  const rest = (free - count) / total < SPARSE_FREE_SHARE ? candidates.list(isFree) : undefined;
  for (const [taken, i] of missing.entries()) {
    let a: number;
    let b: number;
    if (rest !== undefined) {
      const j = taken + rng.below(rest.length - taken);
      [a, b] = rest[j];
      rest[j] = rest[taken];
    } else {
      do {
        [a, b] = candidates.draw(rng);
      } while (!isFree(a, b));
      used.add(key(a, b));
    }
    source[i] = directed || a < b ? a : b;
    target[i] = directed || a < b ? b : a;
  }
  return { source, target, unmatched: kind === "degree" ? missing.length : 0 };
}

/** The pairs that negatives are drawn from, including edges. */
interface Candidates {
  readonly total: number;
  /** Draws the two ends of a pair independently. */
  draw(rng: Rng): [number, number];
  list(isFree: (a: number, b: number) => boolean): [number, number][];
}

function candidatePairs({ directed, kinds }: NegativeRequest, numNodes: number): Candidates {
  const nodes = Uint32Array.from({ length: numNodes }, (_, i) => i);
  if (kinds === undefined) return pairsWithin(nodes, directed);
  const [first, second] = kinds.ends.map((kind) => nodes.filter((node) => kinds.of[node] === kind));
  return kinds.ends[0] === kinds.ends[1] ? pairsWithin(first, directed) : pairsAcross(first, second);
}

/** Whether the source of an undirected edge has the second kind of the relation and the target the first. */
function isReversed({ directed, kinds }: NegativeRequest, source: number): boolean {
  return !directed && kinds !== undefined && kinds.ends[0] !== kinds.ends[1] && kinds.of[source] === kinds.ends[1];
}

function pairsWithin(nodes: Uint32Array, directed: boolean): Candidates {
  const count = nodes.length;
  return {
    total: (count * (count - 1)) / (directed ? 1 : 2),
    draw: (rng) => [nodes[rng.below(count)], nodes[rng.below(count)]],
    list(isFree) {
      const pairs: [number, number][] = [];
      for (let i = 0; i < count; i++) {
        for (let j = directed ? 0 : i + 1; j < count; j++)
          if (isFree(nodes[i], nodes[j])) pairs.push([nodes[i], nodes[j]]);
      }
      return pairs;
    },
  };
}

function pairsAcross(first: Uint32Array, second: Uint32Array): Candidates {
  return {
    total: first.length * second.length,
    draw: (rng) => [first[rng.below(first.length)], second[rng.below(second.length)]],
    list(isFree) {
      const pairs: [number, number][] = [];
      for (const a of first) for (const b of second) if (isFree(a, b)) pairs.push([a, b]);
      return pairs;
    },
  };
}

interface Taken {
  readonly isFree: (a: number, b: number) => boolean;
  readonly key: (a: number, b: number) => number;
  readonly used: Set<number>;
}

/** Pairs the endpoints of the positives at random; returns the indices of the pairs that it could not make. */
function rewire(
  request: NegativeRequest,
  { isFree, key, used }: Taken,
  source: Uint32Array,
  target: Uint32Array,
): number[] {
  const { positives, directed, kinds, rng } = request;
  const count = positives.source.length;
  const order = new Uint32Array(count);
  rng.permutation(order);
  const heads = new Uint32Array(count);
  const tails = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    // source and target of an undirected edge are interchangeable; with two kinds of nodes, heads have the first kind
    const oneKind = kinds === undefined || kinds.ends[0] === kinds.ends[1];
    const flip = oneKind ? !directed && rng.uint32() % 2 === 1 : isReversed(request, positives.source[i]);
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
    for (let attempt = 0; attempt < MAX_EXCHANGES && placed[i] === 0; attempt++) {
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
