/** The consensus of encoders of several relations: their vectors are pooled, and a trainable table is pulled towards the result. */

import { add, reshape, rowDots, scale, sliceColumns, sumRows } from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import { xavierNormal, zeros } from "../init.js";
import type { GraphInput, ParameterFactory } from "../model.js";
import { type AttentionScore, attend, initAttention, meanOver } from "./aggregate.js";

/** One score per relation. */
export type AttentionHead = readonly AttentionScore[];

/** Declares the parameters of an attention head. */
export function initHead(
  parameter: ParameterFactory,
  name: string,
  { relations }: GraphInput,
  dim: number,
): AttentionHead {
  const start = { vector: xavierNormal(dim, 1), bias: zeros };
  return relations.map((relation) => initAttention(parameter, `${name}.${relation.name}`, dim, start));
}

/**
 * Pools the vectors of the relations into one per node and side (original, shuffled): their mean, or attention averaged over
 * its heads. Original and shuffled nodes have separate attention weights.
 */
export function poolRelations(
  vectors: readonly Tensor[],
  heads: readonly AttentionHead[],
  dim: number,
  activation: "tanh" | "none" = "none",
): Tensor {
  if (heads.length === 0) return meanOver(vectors.length, (d) => vectors[d]);
  const { rows, cols } = vectors[0];
  const nodes = vectors.map((h) => reshape(h, (rows * cols) / dim, dim));
  const pooled = heads.map((scores) => attend(nodes, scores, activation)).reduce((sum, part) => add(sum, part));
  return reshape(heads.length === 1 ? pooled : scale(pooled, 1 / heads.length), rows, cols);
}

/**
 * Σ(H − P)² − Σ(H − Q)² for pooled vectors P and shuffled ones Q side by side, computed as Σ (P − Q)(P + Q − 2H), so that no large
 * sums cancel. It is linear in H and has no minimum: only weight decay keeps H small.
 */
export function consensusTerm(consensus: Tensor, pooled: Tensor): Tensor {
  const { cols: dim } = consensus;
  const clean = sliceColumns(pooled, 0, dim);
  const shuffled = sliceColumns(pooled, dim, dim);
  return sumRows(rowDots(add(clean, shuffled, -1), add(add(clean, shuffled), consensus, -2)));
}

/** Σ(H − P)²: as `consensusTerm`, without the shuffled vectors. */
export function fitTerm(consensus: Tensor, pooled: Tensor): Tensor {
  const difference = add(consensus, sliceColumns(pooled, 0, consensus.cols), -1);
  return sumRows(rowDots(difference, difference));
}
