/** Plain matrices as arrays of rows: slow, obvious, and independent of the engine. */

export type Matrix = number[][];

export const multiply = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));

export const map = (a: Matrix, f: (x: number, i: number, j: number) => number): Matrix =>
  a.map((row, i) => row.map((x, j) => f(x, i, j)));

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, k) => sum + x * b[k], 0);

/** Mean over the rows. */
export const columnMeans = (a: Matrix): number[] =>
  a[0].map((_, j) => a.reduce((sum, row) => sum + row[j], 0) / a.length);

export const identity = (n: number): Matrix =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => (i === j ? 1 : 0)));

/** S(A + cI)S with S = diag(row sums)^(-1/2). */
export function normalize(adjacency: Matrix, selfLoop: number): Matrix {
  const looped = map(adjacency, (x, i, j) => (i === j ? x + selfLoop : x));
  const scale = looped.map((row) => 1 / Math.sqrt(row.reduce((sum, x) => sum + x, 0)));
  return map(looped, (x, i, j) => scale[i] * x * scale[j]);
}

/** Mean binary cross-entropy of logits that should be 1 and logits that should be 0. */
export const crossEntropy = (positive: readonly number[], negative: readonly number[]): number =>
  (positive.reduce((sum, x) => sum + Math.log(1 + Math.exp(-x)), 0) +
    negative.reduce((sum, x) => sum + Math.log(1 + Math.exp(x)), 0)) /
  (positive.length + negative.length);

/** Σ_d β_{i,d}·h_{d,i} with β_{i,·} the softmax over d of the scores. */
export function weighted(vectors: readonly Matrix[], score: (h: readonly number[], d: number) => number): Matrix {
  return vectors[0].map((first, i) => {
    const powers = vectors.map((h, d) => Math.exp(score(h[i], d)));
    const total = powers.reduce((sum, x) => sum + x, 0);
    return first.map((_, k) => vectors.reduce((sum, h, d) => sum + (powers[d] / total) * h[i][k], 0));
  });
}
