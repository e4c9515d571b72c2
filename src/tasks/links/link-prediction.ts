/**
 * Link prediction: scores of node pairs against whether they are edges, for each relation, over all pairs pooled, and
 * averaged over the relations.
 *
 * HMGE's published code scores a pair by z_a·z_a, which never looks at the second node; the scores here take both.
 */

import { type Embedding, requireVectors, type TrainedDecoder } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { type KeysOf, requireCount, requireKeys, valueText } from "../../core/validation.js";
import type { EdgeEnds } from "../../graph/edge-ends.js";
import { mean } from "../../numeric/rows.js";
import { averagePrecision, hitsAtK, precisionRecallAuc, rightCountF1, rocAuc } from "../metrics/index.js";

/** Pairs of nodes by their places in a graph. */
export interface NodePairs extends EdgeEnds {
  /** Ids of the nodes of the graph; where they are given, scores are refused that would be of other nodes. */
  readonly ids?: readonly string[];
}

/** Pairs of one relation, each with whether it is an edge. */
export interface LabeledPairs extends NodePairs {
  /** Index of the relation. */
  readonly relation: number;
  /** 1: an edge, 0: none. */
  readonly labels: Uint8Array;
}

/** Scores of pairs as edges of one relation; larger is likelier. */
export type PairScorer = (relation: number, pairs: NodePairs) => Float64Array;

/** How well edges are told from other pairs. */
export interface LinkScores {
  readonly positives: number;
  readonly negatives: number;
  readonly auc: number;
  readonly averagePrecision: number;
  /** Area under the precision–recall curve by trapezoids, the "PR-AUC" of GATNE's tables. */
  readonly precisionRecallAuc: number;
  /** The best-scored pairs taken for edges, as many as there are; of tied ones at random, in the mean. */
  readonly f1: number;
  /** Share of the edges that score above the k-th best pair that is none; null with fewer than k such pairs. */
  readonly hits: number | null;
}

/** Scores of each relation, over all pairs, and in the mean. */
export interface LinkResults {
  /** Of relations that have both edges and other pairs. */
  readonly perRelation: readonly (LinkScores & { readonly relation: number })[];
  /** All pairs in one list. */
  readonly pooled: LinkScores;
  /** Mean over the relations, each counting the same; hits over those that have one. */
  readonly mean: LinkScores;
}

/** What is counted. */
export interface LinkOptions {
  /** The k of hits@k. Default 50. */
  readonly hitsAt?: number;
}

const OPTIONS: KeysOf<LinkOptions> = { hitsAt: true };
export const HITS_AT = 50;

/** The scores of pairs, relation by relation. */
export function scorePairs(tests: readonly LabeledPairs[], scorer: PairScorer): Float64Array[] {
  return tests.map((pairs) => scorer(pairs.relation, pairs));
}

/** Evaluates scores from `scorePairs` of the same pairs. */
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
    throw new InputError("links: no relation has both edges and other pairs to tell apart; expected at least one.");
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

/** z_a·z_b, the score of the HMGE paper. */
export function dotScorer(embedding: Embedding): PairScorer {
  requireVectors(embedding, "links");
  return (_, pairs) => {
    requireNodes(embedding, pairs);
    return Float64Array.from(pairs.source, (a, i) => dot(embedding, a, embedding, pairs.target[i]));
  };
}

/** The cosine of two vectors; 0 where one of them is zero. */
export function cosineScorer(embedding: Embedding): PairScorer {
  requireVectors(embedding, "links");
  return (_, pairs) => {
    requireNodes(embedding, pairs);
    return Float64Array.from(pairs.source, (a, i) => cosine(embedding, a, embedding, pairs.target[i]));
  };
}

/** Fails where the vectors are of other nodes than the pairs, or of the same in another order. */
function requireNodes({ ids }: Embedding, { source, target, ids: expected = ids }: NodePairs): void {
  const other = expected === ids ? -1 : expected.findIndex((id, place) => id !== ids[place]);
  if (other >= 0 || expected.length !== ids.length) {
    throw new InputError(
      `links: the embedding has ${ids.length} nodes, the graph of the pairs ${expected.length}${other < 0 ? "" : `, and at place ${other} ${valueText(ids[other])} instead of ${valueText(expected[other])}`}; expected the same nodes in the same order.`,
    );
  }
  for (const ends of [source, target]) {
    const beyond = ends.find((place) => place >= ids.length);
    if (beyond === undefined) continue;
    throw new InputError(`links: a pair names node ${beyond}; the embedding has ${ids.length}.`);
  }
}

/** Scores by a model's own decoder. */
export function decoderScorer(decoder: TrainedDecoder | undefined): PairScorer {
  if (decoder === undefined) {
    throw new InputError("links: no decoder; expected that of a model which has one, of a run started withRelations.");
  }
  const { score, directed, vectors } = decoder;
  return (relation, pairs) => {
    const { source, target } = pairs;
    const found = vectors(relation) as ReturnType<typeof vectors> | undefined;
    if (found === undefined) {
      throw new InputError(`links: the decoder has no relation ${valueText(relation)}; expected one of its training.`);
    }
    const { source: heads, target: tails = heads } = found;
    requireNodes(heads, pairs);
    const once = directed || tails === heads;
    return Float64Array.from(source, (a, i) => {
      const forward = score === "dot" ? dot(heads, a, tails, target[i]) : cosine(heads, a, tails, target[i]);
      if (once) return forward;
      return (forward + (score === "dot" ? dot(heads, target[i], tails, a) : cosine(heads, target[i], tails, a))) / 2;
    });
  };
}

/** A way to score pairs, named. */
export interface NamedScorer {
  readonly name: string;
  /** Whether it looks at the pair's relation only. */
  readonly ownRelation: boolean;
  readonly score: PairScorer;
}

/** `dot` and `cosine` of the vectors, and `decoder` of models that have one. */
export function modelScorers(embedding: Embedding, decoder: TrainedDecoder | undefined): NamedScorer[] {
  return [
    { name: "dot", ownRelation: false, score: dotScorer(embedding) },
    { name: "cosine", ownRelation: false, score: cosineScorer(embedding) },
    ...(decoder === undefined ? [] : [{ name: "decoder", ownRelation: true, score: decoderScorer(decoder) }]),
  ];
}

function dot(x: Embedding, i: number, y: Embedding, j: number): number {
  let sum = 0;
  for (let k = 0, a = i * x.dim, b = j * y.dim; k < x.dim; k++) sum += x.vectors[a++] * y.vectors[b++];
  return sum;
}

function cosine(x: Embedding, i: number, y: Embedding, j: number): number {
  const square = dot(x, i, x, i) * dot(y, j, y, j);
  return square > 0 ? dot(x, i, y, j) / Math.sqrt(square) : 0;
}
