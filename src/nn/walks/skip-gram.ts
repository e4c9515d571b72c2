/**
 * Shared by skip-gram models: random starts, edges and noise nodes of a graph, and the loss with negative samples (Mikolov et al.
 * 2013): −Σ over pairs (i, j) of [log σ(x_i·c_j) + Σ_n log σ(−x_i·c_n)], n noise nodes.
 */

import {
  bceLogits,
  concatColumns,
  gatherDots,
  type Pairs,
  present,
  randomKey,
  randomWalks,
  sampleNodes,
  sliceColumns,
} from "../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import type { GraphInput, RelationInput } from "../model.js";
import { aliasTable } from "./alias-table.js";

/** Noise nodes are drawn by frequency to this power, as in word2vec: 1 would follow the frequencies, 0 would be uniform. */
export const NOISE_POWER = 0.75;

/** The adjacency of a relation as walks read it. */
export function adjacency(graph: GraphInput, { rowStart, columns, values }: RelationInput): SparseOperator {
  const { numNodes, directed } = graph;
  return { numRows: numNodes, numColumns: numNodes, rowStart, columns, values, diagonal: 0, symmetric: !directed };
}

/** Weighted degrees, summed over the relations and both directions; an edge without a value weighs 1. */
export function degrees(relations: readonly SparseOperator[]): Float64Array {
  const sums = new Float64Array(relations[0].numRows);
  for (const { numRows, rowStart, columns, values } of relations) {
    for (let i = 0; i < numRows; i++) {
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const weight = values === undefined ? 1 : values[e];
        sums[i] += weight;
        sums[columns[e]] += weight;
      }
    }
  }
  return sums;
}

/** Table of noise nodes, drawn by degree^power over all these relations; nodes without edges are never drawn. */
export function noiseTable(builder: ProgramBuilder, relations: readonly SparseOperator[], power = NOISE_POWER): Tensor {
  return aliasTable(
    builder,
    degrees(relations).map((degree) => (degree === 0 ? 0 : degree ** power)),
  );
}

/** Table of starts of walks: nodes with out-neighbours in one of the relations, all equally likely. */
export function startTable(builder: ProgramBuilder, relations: readonly SparseOperator[]): Tensor {
  const { numRows } = relations[0];
  const canLeave = (node: number) => relations.some(({ rowStart }) => rowStart[node + 1] > rowStart[node]);
  return aliasTable(
    builder,
    Float64Array.from({ length: numRows }, (_, node) => (canLeave(node) ? 1 : 0)),
  );
}

/** Table of sources of edges: nodes by the sum of the weights of their out-edges. */
export function sourceTable(builder: ProgramBuilder, { numRows, rowStart, values }: SparseOperator): Tensor {
  return aliasTable(
    builder,
    Float64Array.from({ length: numRows }, (_, node) => {
      if (values === undefined) return rowStart[node + 1] - rowStart[node];
      let sum = 0;
      for (let e = rowStart[node]; e < rowStart[node + 1]; e++) sum += values[e];
      return sum;
    }),
  );
}

/**
 * Draws edges by weight, all equally likely without weights: first a source by its degree, then one of its neighbours. An
 * undirected edge is drawn in both directions. A relation without edges gives MISSING. `table` is the relation's `sourceTable`.
 */
export function sampleEdges(
  builder: ProgramBuilder,
  purpose: string,
  relation: SparseOperator,
  table: Tensor,
  count: number,
): Pairs {
  const left = sampleNodes(randomKey(builder, `${purpose}.source`), table, count);
  const key = randomKey(builder, `${purpose}.target`);
  return { left, right: sliceColumns(randomWalks({ key, starts: left }, [relation], { length: 2 }), 1, 1) };
}

/** Inputs of the loss. */
export interface NegativeSampling extends Pairs {
  /** Vectors of the left nodes [n, dim]. */
  readonly x: Tensor;
  /** Vectors of the right and of the noise nodes [m, dim]; may be x. */
  readonly context: Tensor;
  /** Noise nodes [b, k]. */
  readonly negatives: Tensor;
  /** Factor of the sum; default 1/b. */
  readonly factor?: number;
}

/** The loss of pairs (left, right) [b, 1] with k noise nodes each, 1 × 1; pairs that are MISSING add nothing. */
export function negativeSamplingLoss({ x, context, left, right, negatives, factor }: NegativeSampling): Tensor {
  const { builder } = x;
  const ends = concatColumns([right, negatives]); // [b, 1 + k]
  const logits = gatherDots(x, context, left, ends);
  const targets = new Float32Array(ends.rows * ends.cols);
  for (let b = 0; b < ends.rows; b++) targets[b * ends.cols] = 1;
  const constant = builder.constant(targets, ends.rows, ends.cols);
  return bceLogits(logits, constant, factor ?? 1 / ends.rows, present(left));
}
