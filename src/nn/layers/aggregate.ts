/** Combines the vectors of the relations into one vector per node. */

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
} from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import { type Initializer, uniform } from "../init.js";
import type { ParameterFactory } from "../model.js";

/** Mean over relations. They are computed one after the other, so that each one's memory is free as soon as it is added. */
export function meanOver(count: number, make: (d: number) => Tensor): Tensor {
  let sum = scale(make(0), 1 / count);
  for (let d = 1; d < count; d++) sum = add(sum, make(d), 1 / count);
  return sum;
}

/** Parameters of one relation's score yᵀ·V·h + c; without V the score is yᵀ·h + c. */
export interface AttentionScore {
  readonly vector: Tensor;
  readonly matrix?: Tensor;
  readonly bias?: Tensor;
}

/** Starting values of the parts of a score; a part without them does not exist. */
export interface AttentionStart {
  readonly vector: Initializer;
  readonly matrix?: Initializer;
  readonly bias?: Initializer;
}

/** Starting values of yᵀ·V·h (`projected`) or yᵀ·h + c (`linear`), all uniform in ±1/√dim. */
export function uniformAttention(dim: number, form: "projected" | "linear"): AttentionStart {
  const bound = uniform(1 / Math.sqrt(dim));
  return form === "projected" ? { vector: bound, matrix: bound } : { vector: bound, bias: bound };
}

/** Declares the parameters of one relation's score. */
export function initAttention(
  parameter: ParameterFactory,
  name: string,
  dim: number,
  { vector, matrix, bias }: AttentionStart,
): AttentionScore {
  return {
    vector: parameter(`${name}.vector`, dim, 1, vector),
    matrix: matrix && parameter(`${name}.matrix`, dim, dim, matrix),
    bias: bias && parameter(`${name}.bias`, 1, 1, bias),
  };
}

/**
 * Attention over relations: Σ_d β_{n,d}·h_{n,d} with β_{n,·} = softmax_d(f(score_d(h_{n,d}))). Rows are nodes; f is tanh or the
 * identity.
 */
export function attend(
  vectors: readonly Tensor[],
  scores: readonly AttentionScore[],
  activation: "tanh" | "none" = "tanh",
): Tensor {
  const columns = vectors.map((h, d) => {
    const { vector, matrix, bias } = scores[d];
    // h·(V·y) needs memory for a vector, (h·V)·y for a matrix
    const product = matmul(h, matrix === undefined ? vector : matmul(matrix, vector)); // [m, 1]
    const score = bias === undefined ? product : addRow(product, bias);
    return activation === "tanh" ? tanh(score) : score;
  });
  const weights = softmaxRows(concatColumns(columns)); // [m, D]
  return vectors.map((h, d) => scaleRows(h, sliceColumns(weights, d, 1))).reduce((sum, part) => add(sum, part));
}
