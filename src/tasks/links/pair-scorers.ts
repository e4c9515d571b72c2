/**
 * Scores of node pairs as edges of a relation: the dot product or the cosine of their vectors, or the model's decoder.
 *
 * HMGE's published code scores a pair by z_a·z_a, which never reads the vector of the second node; the scores here use both.
 */

import { type Embedding, requireVectors, type TrainedDecoder } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { valueText } from "../../core/validation.js";
import type { EdgeEnds } from "../../graph/edge-ends.js";

/** Pairs of nodes by their indices in a graph. */
export interface NodePairs extends EdgeEnds {
  /** Ids of the graph's nodes. If set, a scorer throws unless its vectors belong to the same nodes in the same order. */
  readonly ids?: readonly string[];
}

/** Pairs of one relation, each labelled as edge or not. */
export interface LabeledPairs extends NodePairs {
  /** Index of the relation. */
  readonly relation: number;
  /** 1: an edge, 0: not an edge. */
  readonly labels: Uint8Array;
}

/** Scores pairs as edges of one relation; a larger score means a likelier edge. */
export type PairScorer = (relation: number, pairs: NodePairs) => Float64Array;

/** Scores the pairs of each relation. */
export function scorePairs(tests: readonly LabeledPairs[], scorer: PairScorer): Float64Array[] {
  return tests.map((pairs) => scorer(pairs.relation, pairs));
}

/** Scores a pair by z_a·z_b, as in the HMGE paper. */
export function dotScorer(embedding: Embedding): PairScorer {
  requireVectors(embedding, "links");
  return (_, pairs) => {
    requireNodes(embedding, pairs);
    return Float64Array.from(pairs.source, (a, i) => dot(embedding, a, embedding, pairs.target[i]));
  };
}

/** Scores a pair by the cosine of its vectors; 0 if one of them is zero. */
export function cosineScorer(embedding: Embedding): PairScorer {
  requireVectors(embedding, "links");
  return (_, pairs) => {
    requireNodes(embedding, pairs);
    return Float64Array.from(pairs.source, (a, i) => cosine(embedding, a, embedding, pairs.target[i]));
  };
}

/** Throws unless vectors and pairs belong to the same nodes in the same order. */
function requireNodes({ ids }: Embedding, { source, target, ids: expected = ids }: NodePairs): void {
  const other = expected === ids ? -1 : expected.findIndex((id, place) => id !== ids[place]);
  if (other >= 0 || expected.length !== ids.length) {
    const difference =
      other < 0 ? "" : `, and node ${other} is ${valueText(ids[other])} instead of ${valueText(expected[other])}`;
    throw new InputError(
      `links: the embedding has ${ids.length} nodes, the graph of the pairs ${expected.length}${difference}; expected the same nodes in the same order.`,
    );
  }
  for (const ends of [source, target]) {
    const beyond = ends.find((place) => place >= ids.length);
    if (beyond === undefined) continue;
    throw new InputError(
      `links: a pair has node ${beyond}; the embedding has ${ids.length} nodes (0–${ids.length - 1}).`,
    );
  }
}

/** Scores a pair by the model's decoder; in an undirected graph by the mean of both directions. */
export function decoderScorer(decoder: TrainedDecoder | undefined): PairScorer {
  if (decoder === undefined) {
    throw new InputError(
      "links: no decoder; expected one. Train a model that has a decoder, such as multiview, with withRelations, or use dotScorer.",
    );
  }
  const { score, directed, vectors } = decoder;
  return (relation, pairs) => {
    const { source, target } = pairs;
    const found = vectors(relation) as ReturnType<typeof vectors> | undefined;
    if (found === undefined) {
      throw new InputError(
        `links: the decoder has no relation ${valueText(relation)}; expected the index of a relation of the training graph.`,
      );
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

/** A pair scorer with a name for tables. */
export interface NamedScorer {
  readonly name: string;
  /** Whether it uses only the edges of the pair's own relation. */
  readonly ownRelation: boolean;
  readonly score: PairScorer;
}

/** The scorers of a trained model: `dot`, `cosine` and, if the model has one, `decoder`. */
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
