/**
 * The skip-gram loss of random walks: for every place of a walk, the nodes near it on the walk are distinguished from noise nodes.
 *
 *   Σ over places p, Σ over places j of the same walk, 1 ≤ |p − j| ≤ window:  w_pj·[−log σ(ℓ(p, j)) − Σ_n log σ(−ℓ(p, n))]
 *
 * divided by Σ w_pj. ℓ(p, j) = x_p·c_j (+ o_j). The noise nodes n of a place are drawn once and shared by its pairs. This does not
 * change the expectation, and a place costs 2·window + negatives inner products instead of 2·window·(1 + negatives). Weights w are
 * 1, or with `decreasing` 1 − (|p − j| − 1)/window: the probability that the random windows of word2vec (Mikolov et al. 2013) keep
 * the pair, as a weight instead of a draw.
 */

import {
  add,
  bceLogits,
  type GroupedTables,
  gatherDots,
  gatherRows,
  interleaveIndex,
  pairsPerWalk,
  randomKey,
  reshape,
  sampleByGroup,
  windowPairs,
} from "../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import { aliasTables } from "./alias-table.js";
import { degrees, NOISE_POWER } from "./skip-gram.js";
import { drawWalks, type WalkPlan } from "./walk-plan.js";

/** Inputs of the loss. */
export interface WalkSkipGram {
  /** Rows of `context` that the walks visit, [w, length]; none MISSING. */
  readonly walks: Tensor;
  /** Noise nodes of each place, rows of `context`, [w·length, negatives]. */
  readonly noise: Tensor;
  /** Vectors x: one for each place, [w·length, dim], or a table with the same rows as `context`. */
  readonly x: { readonly places: Tensor } | { readonly table: Tensor };
  readonly context: Tensor;
  /** o, one for each row of `context`, [m, 1]. */
  readonly offset?: Tensor;
  readonly window: number;
  /** Whether weights decrease with the distance on the walk. */
  readonly decreasing: boolean;
}

/** The loss, 1 × 1. */
export function walkSkipGramLoss({ walks, noise, x, context, offset, window, decreasing }: WalkSkipGram): Tensor {
  const { builder } = walks;
  const pairs = windowPairs(walks, window);
  const numPlaces = walks.rows * walks.cols;
  const { placeOfPair, weightOfPair, weightOfPlace, total } = weighPairs(walks.rows, walks.cols, window, decreasing);
  const index = (data: Uint32Array) => builder.constant(data, data.length, 1, "index");
  const byPlace = "places" in x;
  const vectors = byPlace ? x.places : x.table;
  const logits = (left: Tensor, right: Tensor) => {
    const dots = gatherDots(vectors, context, left, right);
    if (offset === undefined) return dots;
    return add(dots, reshape(gatherRows(offset, reshape(right, right.rows * right.cols, 1)), right.rows, right.cols));
  };
  const term = (scores: Tensor, target: number, weights: Float32Array) => {
    const targets = builder.constant(
      new Float32Array(scores.rows * scores.cols).fill(target),
      scores.rows,
      scores.cols,
    );
    return bceLogits(scores, targets, 1 / total, builder.constant(weights, scores.rows, 1));
  };
  const near = logits(byPlace ? index(placeOfPair) : pairs.left, pairs.right);
  const places = byPlace ? index(Uint32Array.from({ length: numPlaces }, (_, p) => p)) : reshape(walks, numPlaces, 1);
  return add(term(near, 1, weightOfPair), term(logits(places, noise), 0, weightOfPlace));
}

/** The place of each pair in the order of `windowPairs`, its weight, and the sums of weights by place and over all. */
function weighPairs(numWalks: number, length: number, window: number, decreasing: boolean) {
  const placeOfPair = new Uint32Array(numWalks * pairsPerWalk(length, window));
  const weightOfPair = new Float32Array(placeOfPair.length);
  const weightOfPlace = new Float32Array(numWalks * length);
  let pair = 0;
  let total = 0;
  for (let place = 0; place < weightOfPlace.length; place++) {
    const i = place % length;
    for (let j = Math.max(0, i - window); j <= Math.min(length - 1, i + window); j++) {
      if (j === i) continue;
      const weight = decreasing ? 1 - (Math.abs(i - j) - 1) / window : 1;
      placeOfPair[pair] = place;
      weightOfPair[pair++] = weight;
      weightOfPlace[place] += weight;
      total += weight;
    }
  }
  return { placeOfPair, weightOfPair, weightOfPlace, total };
}

/** Tables of noise nodes, one per relation: drawn by degree^¾ in the relation. */
export function relationNoise(builder: ProgramBuilder, relations: readonly SparseOperator[]): GroupedTables {
  return aliasTables(
    builder,
    relations.map((relation) => degrees([relation]).map((degree) => degree ** NOISE_POWER)),
  );
}

/** Options of the walks of all relations; p and q as in node2vec. */
export interface RelationWalkOptions {
  readonly walkLength: number;
  readonly negatives: number;
  readonly p?: number;
  readonly q?: number;
}

/** Draws walks and noise in every relation, as rows i·D + d of tables with one row per node i and relation d. */
export function drawInRelations(plan: WalkPlan, noise: GroupedTables, purpose: string, o: RelationWalkOptions) {
  const { builder } = plan.relation;
  const numRelations = plan.relations.length;
  const nodes = drawWalks(plan, purpose, { length: o.walkLength, p: o.p, q: o.q });
  const relationOfPlace = plan.counts.flatMap((count, d) => Array.from({ length: count * o.walkLength }, () => d));
  const relation = builder.constant(relationOfPlace, relationOfPlace.length, 1, "index");
  const drawn = sampleByGroup(randomKey(builder, `${purpose}.noise`), noise, relation, o.negatives);
  return {
    /** [w, length] */
    nodes,
    /** [w, length] */
    walks: interleaveIndex(nodes, plan.relation, numRelations),
    /** [w·length, negatives] */
    noise: interleaveIndex(drawn, relation, numRelations),
  };
}
