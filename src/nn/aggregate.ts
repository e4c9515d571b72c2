/** Ways to make one vector per node out of one per relation. */

import {
  add,
  addRow,
  concatColumns,
  matmul,
  scale,
  scaleRows,
  sliceColumns,
  softmaxRows,
  tanh,
} from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import { uniform } from "./init.js";
import type { ParameterFactory } from "./model.js";

/** Mean over relations, made one by one, so that each can be forgotten as soon as it is added. */
export function meanOver(count: number, make: (d: number) => Tensor): Tensor {
  let sum = scale(make(0), 1 / count);
  for (let d = 1; d < count; d++) sum = add(sum, make(d), 1 / count);
  return sum;
}

export interface AttentionScore {
  readonly vector: Tensor;
  /** `projected` only. */
  readonly matrix?: Tensor;
  /** `linear` only. */
  readonly bias?: Tensor;
}

/** Parameters of one relation's score: tanh(yᵀ·V·h) (`projected`) or tanh(yᵀ·h + c) (`linear`); all uniform ±1/√dim. */
export function initAttention(
  parameter: ParameterFactory,
  name: string,
  dim: number,
  form: "projected" | "linear",
): AttentionScore {
  const bound = uniform(1 / Math.sqrt(dim));
  return {
    vector: parameter(`${name}.vector`, dim, 1, bound),
    matrix: form === "projected" ? parameter(`${name}.matrix`, dim, dim, bound) : undefined,
    bias: form === "linear" ? parameter(`${name}.bias`, 1, 1, bound) : undefined,
  };
}

/** Attention over relations: β_{n,·} = softmax_d(score_d(h_{n,d})), Σ_d β_{n,d}·h_{n,d}; rows are nodes. */
export function attend(vectors: readonly Tensor[], scores: readonly AttentionScore[]): Tensor {
  const columns = vectors.map((h, d) => {
    const { vector, matrix, bias } = scores[d];
    // h·(V·y) costs a vector, (h·V)·y a matrix
    const score = matmul(h, matrix === undefined ? vector : matmul(matrix, vector)); // [m, 1]
    return tanh(bias === undefined ? score : addRow(score, bias));
  });
  const weights = softmaxRows(concatColumns(columns)); // [m, D]
  return vectors.map((h, d) => scaleRows(h, sliceColumns(weights, d, 1))).reduce((sum, part) => add(sum, part));
}
