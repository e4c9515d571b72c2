/** Edges to be predicted that the training graph already shows. */

import { hasEdge } from "../../graph/edge-ends.js";
import type { Multiplex } from "../../graph/multiplex.js";
import type { LabeledPairs } from "./link-prediction.js";

export interface LinkLeaks {
  /** Edges to be predicted. */
  readonly positives: number;
  /** Those that are training edges of the same relation, in either direction. */
  readonly sameRelation: number;
  /** Of these, those that only the other direction shows; null in an undirected graph, which has no direction to tell. */
  readonly reversed: number | null;
  /** Those that are not, but are training edges of another relation, in either direction. */
  readonly otherRelation: number;
  /** Pairs said to be no edges that are training edges of the same relation. */
  readonly falseNegatives: number;
}

/** How the training graph shows a pair. */
const HIDDEN = 0;
const SAME_RELATION = 1;
const OTHER_RELATION = 2;

/** Counts leaks over all relations. */
export function countLeaks(training: Multiplex, tests: readonly LabeledPairs[]): LinkLeaks {
  const counts = { positives: 0, sameRelation: 0, reversed: 0, otherRelation: 0, falseNegatives: 0 };
  for (const pairs of tests) {
    const shown = whereShown(training, pairs);
    for (let i = 0; i < shown.length; i++) {
      if (pairs.labels[i] === 0) {
        if (hasEdge(training.relations[pairs.relation], pairs.source[i], pairs.target[i])) counts.falseNegatives++;
        continue;
      }
      counts.positives++;
      if (shown[i] === OTHER_RELATION) counts.otherRelation++;
      if (shown[i] !== SAME_RELATION) continue;
      counts.sameRelation++;
      if (!hasEdge(training.relations[pairs.relation], pairs.source[i], pairs.target[i])) counts.reversed++;
    }
  }
  return { ...counts, reversed: training.directed ? counts.reversed : null };
}

/**
 * The places of the pairs that stay when leaking edges are dropped: those of the same relation, with `strict` also those
 * of other relations. Pairs that are no edges all stay.
 */
export function placesWithoutLeaks(training: Multiplex, pairs: LabeledPairs, strict: boolean): Uint32Array {
  const shown = whereShown(training, pairs);
  const places: number[] = [];
  shown.forEach((where, i) => {
    const leaks = where === SAME_RELATION || (strict && where === OTHER_RELATION);
    if (pairs.labels[i] === 0 || !leaks) places.push(i);
  });
  return Uint32Array.from(places);
}

/** Some of the pairs, and their scores. */
export function selectPairs(pairs: LabeledPairs, places: Uint32Array): LabeledPairs {
  const { source, target, labels } = pairs;
  return {
    ...pairs,
    source: places.map((i) => source[i]),
    target: places.map((i) => target[i]),
    labels: Uint8Array.from(places, (i) => labels[i]),
  };
}

function whereShown({ relations }: Multiplex, { relation, source, target }: LabeledPairs): Uint8Array {
  const linked = (r: number, a: number, b: number) => hasEdge(relations[r], a, b) || hasEdge(relations[r], b, a);
  return Uint8Array.from(source, (a, i) => {
    if (linked(relation, a, target[i])) return SAME_RELATION;
    return relations.some((_, r) => linked(r, a, target[i])) ? OTHER_RELATION : HIDDEN;
  });
}
