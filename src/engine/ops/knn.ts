/**
 * The k nearest other rows of x, by squared Euclidean distance, for the query rows first, first + 1, …: their indices and
 * squared distances, nearest first, ties by index. Exact: every pair is compared.
 *
 * Inputs: x [n, dim] of finite numbers whose squares do not overflow, first [1, 1] (index): a program replays the op
 * for one part of the queries after the other. Outputs: indices [rows, k], distances [rows, k]; rows past the last point are
 * undefined. 1 ≤ k < n.
 */

import { defineOp, requireShape, type Tensor } from "../program.js";

interface Attributes {
  readonly rows: number;
  readonly k: number;
}

export const knnOp = defineOp<Attributes>({
  name: "knn",
  outputs([x, first], { rows, k }) {
    requireShape(first.rows * first.cols === 1 && k >= 1 && k < x.rows, "knn", [x, first]);
    return [
      { rows, cols: k, dtype: "index" },
      { rows, cols: k },
    ];
  },
  reference([x, first], [indices, distances], { rows, k }) {
    const { cols: dim } = x;
    for (let i = 0; i < rows && first.data[0] + i < x.rows; i++) {
      const query = first.data[0] + i;
      const all: { index: number; distance: number }[] = [];
      for (let j = 0; j < x.rows; j++) {
        if (j === query) continue;
        let distance = 0;
        for (let c = 0; c < dim; c++) distance += (x.data[query * dim + c] - x.data[j * dim + c]) ** 2;
        all.push({ index: j, distance });
      }
      all.sort((a, b) => a.distance - b.distance || a.index - b.index);
      for (let e = 0; e < k; e++) {
        indices.data[i * k + e] = all[e].index;
        distances.data[i * k + e] = all[e].distance;
      }
    }
  },
  gradient: "the set of nearest rows is not continuous",
});

/** Indices and squared distances of the k nearest rows, for `rows` queries from row `first` on. */
export function knn(x: Tensor, first: Tensor, rows: number, k: number): { indices: Tensor; distances: Tensor } {
  const [indices, distances] = x.builder.apply(knnOp, [x, first], { rows, k });
  return { indices, distances };
}
