/**
 * Evaluation of link prediction: how well scores of node pairs separate edges from negative pairs, for each relation, over all
 * pairs pooled, and averaged over the relations.
 */

import { InputError } from "../../core/errors.js";
import { type KeysOf, requireCount, requireKeys } from "../../core/validation.js";
import { mean } from "../../numeric/rows.js";
import { averagePrecision, hitsAtK, precisionRecallAuc, rightCountF1, rocAuc } from "../metrics/ranking-metrics.js";
import type { LabeledPairs } from "./pair-scorers.js";

/** How well scores separate edges from negative pairs. */
export interface LinkScores {
  readonly positives: number;
  readonly negatives: number;
  readonly auc: number;
  readonly averagePrecision: number;
  /** Area under the precision–recall curve by the trapezoidal rule, the "PR-AUC" of GATNE's tables. */
  readonly precisionRecallAuc: number;
  /** F1 if the best-scored pairs are predicted as edges, as many as there are edges; ties as in `rightCountF1`. */
  readonly f1: number;
  /** Share of the edges that score above the k-th best negative pair; null with fewer than k negative pairs. */
  readonly hits: number | null;
}

/** Link prediction scores of each relation, of all pairs pooled, and averaged over the relations. */
export interface LinkResults {
  /** Relations that have both edges and negative pairs. */
  readonly perRelation: readonly (LinkScores & { readonly relation: number })[];
  /** All pairs in one list. */
  readonly pooled: LinkScores;
  /** Mean over the relations, each with the same weight; `hits` over the relations that have it. */
  readonly mean: LinkScores;
}

/** Options of `evaluateLinks`. */
export interface LinkOptions {
  /** The k of hits@k. Default 50. */
  readonly hitsAt?: number;
}

const OPTIONS: KeysOf<LinkOptions> = { hitsAt: true };
export const HITS_AT = 50;

/** Evaluates the scores that `scorePairs` computed for the same pairs. */
export function evaluateLinks(
  tests: readonly LabeledPairs[],
  scores: readonly Float64Array[],
  options: LinkOptions = {},
): LinkResults {
  requireKeys(options, OPTIONS, "links");
  const { hitsAt = HITS_AT } = options;
  requireCount(hitsAt, "links: hitsAt");
  const perRelation = tests.flatMap(({ relation, labels }, t) => {
    if (labels.length === 0) return [];
    const found = scoreLinks(labels, scores[t], hitsAt);
    return found.positives > 0 && found.negatives > 0 ? [{ relation, ...found }] : [];
  });
  if (perRelation.length === 0) {
    throw new InputError("links: no relation has both edges and negative pairs; expected at least one with both.");
  }
  return {
    perRelation,
    pooled: scoreLinks(concatenate(tests.map(({ labels }) => labels)), concatenate(scores), hitsAt),
    mean: meanScores(perRelation),
  };
}

function scoreLinks(labels: ArrayLike<number>, scores: ArrayLike<number>, hitsAt: number): LinkScores {
  let positives = 0;
  for (let i = 0; i < labels.length; i++) if (labels[i] === 1) positives++;
  const negatives = labels.length - positives;
  return {
    positives,
    negatives,
    auc: rocAuc(labels, scores),
    averagePrecision: averagePrecision(labels, scores),
    precisionRecallAuc: precisionRecallAuc(labels, scores),
    f1: rightCountF1(labels, scores),
    hits: negatives < hitsAt ? null : hitsAtK(labels, scores, hitsAt),
  };
}

function meanScores(all: readonly LinkScores[]): LinkScores {
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const hits = all.flatMap((scores) => (scores.hits === null ? [] : [scores.hits]));
  return {
    positives: total(all.map(({ positives }) => positives)),
    negatives: total(all.map(({ negatives }) => negatives)),
    auc: mean(all.map(({ auc }) => auc)),
    averagePrecision: mean(all.map((scores) => scores.averagePrecision)),
    precisionRecallAuc: mean(all.map((scores) => scores.precisionRecallAuc)),
    f1: mean(all.map(({ f1 }) => f1)),
    hits: hits.length === 0 ? null : mean(hits),
  };
}

function concatenate(parts: readonly (Uint8Array | Float64Array)[]): Float64Array {
  const joined = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
