/** Propagation over a learnt combination of graphs. */

import { add, inverseSqrt, matmul, scaleRows, spmmSum } from "../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import { type SparseOperator, transposeOperator } from "../../engine/sparse.js";
import { largestOf } from "../../numeric/extremes.js";

/** Graphs that are combined with learnt weights: C = Σ_d w_d·B_d. */
export interface CombinationBasis {
  readonly matrices: readonly SparseOperator[];
  /** [n, D]; column d holds the sums of B_d's rows. */
  readonly rowSums: Tensor;
  /** [n, D]; column d holds the sums of B_d's columns. */
  readonly columnSums: Tensor;
}

/** Computes the row and column sums of the matrices as constants. */
export function combinationBasis(builder: ProgramBuilder, matrices: readonly SparseOperator[]): CombinationBasis {
  const sums = (of: readonly SparseOperator[]) =>
    builder.constant(interleave(of.map(sumRowsOf)), of[0].numRows, of.length);
  const transposed = matrices.map(transposeOperator);
  const rowSums = sums(matrices);
  const symmetric = matrices.every((matrix, d) => matrix === transposed[d]);
  return { matrices, rowSums, columnSums: symmetric ? rowSums : sums(transposed) };
}

/** M·1. */
function sumRowsOf({ numRows, rowStart, columns, values, left, right, diagonal }: SparseOperator): Float64Array {
  const sums = new Float64Array(numRows);
  for (let i = 0; i < numRows; i++) {
    let sum = right === undefined ? diagonal : diagonal * right[i];
    if (right !== undefined && values !== undefined) {
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) sum += values[e] * right[columns[e]];
    } else if (right !== undefined) {
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) sum += right[columns[e]];
    } else if (values !== undefined) {
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) sum += values[e];
    } else {
      sum += rowStart[i + 1] - rowStart[i];
    }
    sums[i] = left === undefined ? sum : left[i] * sum;
  }
  return sums;
}

function interleave(columns: readonly ArrayLike<number>[]): Float64Array {
  const out = new Float64Array(columns.length * columns[0].length);
  columns.forEach((column, d) => {
    for (let i = 0; i < column.length; i++) out[i * columns.length + d] = column[i];
  });
  return out;
}

/**
 * B·X with B = T·(C + κI)·U, C = Σ_d w_d·B_d, T and U the inverse square roots of its row and column sums. No union graph
 * is formed: the sums are linear in w, and C·X is a sum of sparse products. `weights` is [1, D].
 */
export function propagateCombination(basis: CombinationBasis, weights: Tensor, selfLoop: number, x: Tensor): Tensor {
  const left = inverseSqrt(matmul(basis.rowSums, weights, true), selfLoop); // [n, 1]
  const right =
    basis.columnSums === basis.rowSums ? left : inverseSqrt(matmul(basis.columnSums, weights, true), selfLoop);
  const scaled = scaleRows(x, right, { fromResult: true }); // the gradient of the sum keeps this, not x
  const sum = spmmSum(basis.matrices, weights, scaled);
  return scaleRows(selfLoop === 0 ? sum : add(sum, scaled, selfLoop), left);
}

/** The weight of each input graph in the last combination: the product of the row-wise softmaxes of all scores. */
export function mixtureWeights(levels: readonly { before: number; scores: ArrayLike<number> }[]): number[] {
  let weights: number[][] | undefined;
  for (const { before, scores } of levels) {
    const mixture: number[][] = [];
    for (let start = 0; start < scores.length; start += before) {
      mixture.push(softmax(Array.from({ length: before }, (_, i) => scores[start + i])));
    }
    const previous = weights;
    weights =
      previous === undefined
        ? mixture
        : mixture.map((row) => previous[0].map((_, d) => row.reduce((sum, w, i) => sum + w * previous[i][d], 0)));
  }
  return weights?.[0] ?? [];
}

function softmax(scores: readonly number[]): number[] {
  const largest = largestOf(scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}
