import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { symmetricEigen } from "../../numeric/eigen/symmetric-eigen.js";
import { pca } from "./pca.js";

const embed = (rows: number[][]) => ({
  ids: rows.map((_, i) => `n${i}`),
  dim: rows[0].length,
  vectors: Float32Array.from(rows.flat()),
});

test("two correlated columns: the closed form of a 2 × 2 covariance", () => {
  const rng = new Rng(1, "pca");
  const rows = Array.from({ length: 400 }, () => {
    const [a, b] = [3 * rng.normal(), rng.normal()];
    return [5 + a + b, -2 - a + 2 * b].map(Math.fround);
  });
  const mean = [0, 1].map((k) => rows.reduce((sum, row) => sum + row[k], 0) / rows.length);
  const moment = (k: number, l: number) =>
    rows.reduce((sum, row) => sum + (row[k] - mean[k]) * (row[l] - mean[l]), 0) / rows.length;
  const [xx, xy, yy] = [moment(0, 0), moment(0, 1), moment(1, 1)];
  const root = Math.sqrt(((xx - yy) / 2) ** 2 + xy ** 2);
  const values = [(xx + yy) / 2 + root, (xx + yy) / 2 - root];
  const found = pca(embed(rows));
  values.forEach((value, c) => {
    expect(found.variances[c]).toBeCloseTo(value, 9);
    expect(found.shares[c]).toBeCloseTo(value / (xx + yy), 9);
    // eigenvector (xy, λ − xx), its largest entry positive
    const raw = [xy, value - xx];
    const largest = Math.abs(raw[0]) >= Math.abs(raw[1]) ? raw[0] : raw[1];
    const unit = raw.map((entry) => (entry * Math.sign(largest)) / Math.hypot(...raw));
    rows.forEach((row, i) => {
      const expected = unit[0] * (row[0] - mean[0]) + unit[1] * (row[1] - mean[1]);
      expect(Math.abs(found.vectors[2 * i + c] - expected)).toBeLessThan(2e-6); // float32 of values about 10
    });
  });
});

test.each([1, 2, 3, 8, 33])("eigenvectors of a random symmetric matrix of %i rows rebuild it", (size) => {
  const rng = new Rng(2, "eigen");
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) matrix[i * size + j] = matrix[j * size + i] = rng.normal();
  const { values, vectors } = symmetricEigen(matrix, size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      let rebuilt = 0;
      let product = 0;
      for (let k = 0; k < size; k++) {
        rebuilt += values[k] * vectors[k][i] * vectors[k][j];
        product += vectors[i][k] * vectors[j][k];
      }
      expect(rebuilt).toBeCloseTo(matrix[i * size + j], 11);
      expect(product).toBeCloseTo(i === j ? 1 : 0, 11);
    }
    if (i > 0) expect(values[i]).toBeLessThanOrEqual(values[i - 1]);
  }
});

test("equal eigenvalues, zeros and a known spectrum", () => {
  // second differences of a path: 2 − 2·cos(πk/(n+1))
  const n = 12;
  const path = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    path[i * n + i] = 2;
    if (i > 0) path[i * n + i - 1] = path[(i - 1) * n + i] = -1;
  }
  symmetricEigen(path, n).values.forEach((value, k) => {
    expect(value).toBeCloseTo(2 - 2 * Math.cos((Math.PI * (n - k)) / (n + 1)), 12);
  });
  expect([...symmetricEigen(new Float64Array(9), 3).values]).toEqual([0, 0, 0]);
  expect([...symmetricEigen(Float64Array.of(1, 0, 0, 1), 2).values]).toEqual([1, 1]);
});

test("points of a line have a second coordinate of 0; equal points have only zeros", () => {
  const line = pca(embed([[0], [1], [5]]));
  expect([...line.vectors]).toEqual([-2, 0, -1, 0, 3, 0]);
  const inSpace = pca(embed([0, 1, 2, 9].map((t) => [t, 2 * t, -t])));
  expect(inSpace.shares[0]).toBeCloseTo(1, 12);
  expect([1, 3, 5, 7].map((i) => inSpace.vectors[i])).toEqual([0, 0, 0, 0]);
  expect([...pca(embed(new Array(5).fill([7, 7, 7]))).vectors]).toEqual(new Array(10).fill(0));
  expect([...pca(embed([[3, 4]])).vectors]).toEqual([0, 0]);
});

test("huge and tiny numbers do not overflow or vanish; numbers that are not finite are refused", () => {
  const shape = [
    [1, 0, 0],
    [0, 2, 0],
    [0, 0, 4],
    [1, 1, 1],
  ];
  const plain = pca(embed(shape)).vectors;
  for (const factor of [1e30, 1e-30]) {
    const scaled = pca(embed(shape.map((row) => row.map((value) => value * factor)))).vectors;
    scaled.forEach((value, i) => {
      expect(value / factor).toBeCloseTo(plain[i], 5);
    });
  }
  expect(() => pca(embed([[1], [Number.NaN]]))).toThrow('node "n1" holds NaN');
});
