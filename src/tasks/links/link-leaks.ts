/** Leaks: held-out edges that the training graph already contains. */

import { hasEdge } from "../../graph/edge-ends.js";
import type { Multiplex } from "../../graph/multiplex.js";
import type { LabeledPairs } from "./pair-scorers.js";

export interface LinkLeaks {
  /** Number of held-out edges. */
  readonly positives: number;
  /** Held-out edges that are also training edges of the same relation, in either direction. */
  readonly sameRelation: number;
  /** Those of `sameRelation` that are training edges in the other direction only; null in an undirected graph. */
  readonly reversed: number | null;
  /** Held-out edges that are training edges of another relation only, in either direction. */
  readonly otherRelation: number;
  /** Negatives that are training edges of the same relation. */
  readonly falseNegatives: number;
}

/** Where the training graph contains a pair: nowhere, in the same relation, or in another one. */
const HIDDEN = 0;
const SAME_RELATION = 1;
const OTHER_RELATION = 2;

/** Counts the leaks of all relations. */
export function countLeaks(training: Multiplex, tests: readonly LabeledPairs[]): LinkLeaks {
  const counts = { positives: 0, sameRelation: 0, reversed: 0, otherRelation: 0, falseNegatives: 0 };
  for (const pairs of tests) {
    const found = findInTraining(training, pairs);
    for (let i = 0; i < found.length; i++) {
      if (pairs.labels[i] === 0) {
        if (hasEdge(training.relations[pairs.relation], pairs.source[i], pairs.target[i])) counts.falseNegatives++;
        continue;
      }
      counts.positives++;
      if (found[i] === OTHER_RELATION) counts.otherRelation++;
      if (found[i] !== SAME_RELATION) continue;
      counts.sameRelation++;
      if (!hasEdge(training.relations[pairs.relation], pairs.source[i], pairs.target[i])) counts.reversed++;
    }
  }
  return { ...counts, reversed: training.directed ? counts.reversed : null };
}

/**
 * Indices of the pairs that do not leak. An edge leaks if it is a training edge of the same relation, with `strict` also if
 * it is one of another relation. Negatives never leak.
 */
export function placesWithoutLeaks(training: Multiplex, pairs: LabeledPairs, strict: boolean): Uint32Array {
  const places: number[] = [];
  findInTraining(training, pairs).forEach((where, i) => {
    const leaks = where === SAME_RELATION || (strict && where === OTHER_RELATION);
    if (pairs.labels[i] === 0 || !leaks) places.push(i);
  });
  return Uint32Array.from(places);
}

/** The pairs at these indices. */
export function selectPairs(pairs: LabeledPairs, places: Uint32Array): LabeledPairs {
  const { source, target, labels } = pairs;
  return {
    ...pairs,
    source: places.map((i) => source[i]),
    target: places.map((i) => target[i]),
    labels: Uint8Array.from(places, (i) => labels[i]),
  };
}

function findInTraining({ relations }: Multiplex, { relation, source, target }: LabeledPairs): Uint8Array {
  const linked = (r: number, a: number, b: number) => hasEdge(relations[r], a, b) || hasEdge(relations[r], b, a);
  return Uint8Array.from(source, (a, i) => {
    if (linked(relation, a, target[i])) return SAME_RELATION;
    return relations.some((_, r) => linked(r, a, target[i])) ? OTHER_RELATION : HIDDEN;
  });
}
