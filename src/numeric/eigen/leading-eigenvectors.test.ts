import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { multiplySparse, type ScaledCsr } from "../csr.js";
import { leadingEigenvectors } from "./leading-eigenvectors.js";
import { symmetricEigen } from "./symmetric-eigen.js";

/** A symmetric matrix with random entries, scaled to norm about 1: dense and sparse. */
function randomMatrix(size: number, chance: (i: number, j: number) => number, seed: number) {
  const rng = new Rng(seed, "matrix");
  const rows: number[][] = Array.from({ length: size }, () => []);
  for (let i = 0; i < size; i++) {
    for (let j = i + 1; j < size; j++) {
      if (rng.uniform() >= chance(i, j)) continue;
      rows[i].push(j);
      rows[j].push(i);
    }
  }
  const degrees = rows.map((row) => row.length);
  const mean = degrees.reduce((a, b) => a + b) / size;
  const scales = Float64Array.from(degrees, (degree) => 1 / Math.sqrt(degree + mean));
  const rowStart = new Uint32Array(size + 1);
  rows.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.length;
  });
  const columns = Uint32Array.from(rows.flatMap((row) => row.sort((a, b) => a - b)));
  const shape = { numRows: size, numColumns: size, diagonal: 0, symmetric: true };
  const sparse: ScaledCsr = { ...shape, rowStart, columns, left: scales, right: scales };
  const dense = new Float64Array(size * size);
  rows.forEach((row, i) => {
    for (const j of row) dense[i * size + j] = scales[i] * scales[j];
  });
  return { dense, sparse };
}

const twoGroups = (i: number, j: number) => (i % 2 === j % 2 ? 0.25 : 0.05);

describe("leading eigenvectors", () => {
  test("are those of the whole decomposition", () => {
    const size = 150;
    const { dense, sparse } = randomMatrix(size, twoGroups, 2);
    const whole = symmetricEigen(dense, size);
    const { data, width, values } = leadingEigenvectors(sparse, 8, new Rng(1, "test"));
    expect(width).toBe(8);
    const images = new Float64Array(data.length);
    multiplySparse(sparse, data, width, images);
    for (let k = 0; k < width; k++) {
      const column = (matrix: Float64Array) => Float64Array.from({ length: size }, (_, i) => matrix[i * width + k]);
      const [vector, image] = [column(data), column(images)];
      expect(Math.hypot(...vector)).toBeCloseTo(1, 10);
      // the first two are far from the others; for the others see bench/eigen-solvers.ts
      const residual = Math.hypot(...image.map((y, i) => y - values[k] * vector[i]));
      expect(residual).toBeLessThan(k < 2 ? 1e-5 : 0.03);
      expect(Math.abs(values[k] - whole.values[k])).toBeLessThan(k < 2 ? 1e-9 : 0.01);
      if (k >= 2) continue;
      const cosine = vector.reduce((sum, x, i) => sum + x * whole.vectors[k][i], 0);
      expect(Math.abs(cosine)).toBeCloseTo(1, 8);
    }
  });

  test("have positive eigenvalues although negative ones are larger in magnitude", () => {
    // edges join the two halves only: for every eigenvalue its negative is one too
    const { dense, sparse } = randomMatrix(60, (i, j) => (i % 2 === j % 2 ? 0 : 0.4), 3);
    const whole = symmetricEigen(dense, 60);
    const { values } = leadingEigenvectors(sparse, 3, new Rng(1, "test"));
    expect(values[0]).toBeCloseTo(whole.values[0], 6);
    expect(values[1]).toBeCloseTo(whole.values[1], 2);
    expect(Math.abs(whole.values[59])).toBeGreaterThan(values[1]);
  });

  test("are as many as there are rows if more are wanted", () => {
    const { dense, sparse } = randomMatrix(6, () => 0.7, 1);
    const { data, width, values } = leadingEigenvectors(sparse, 9, new Rng(1, "test"));
    expect(width).toBe(6);
    expect(data.every(Number.isFinite)).toBe(true);
    expect(values[0]).toBeCloseTo(symmetricEigen(dense, 6).values[0], 10);
  });

  test("have the same bits for the same random numbers", () => {
    const { sparse } = randomMatrix(40, twoGroups, 4);
    const solve = () => leadingEigenvectors(sparse, 4, new Rng(7, "test"));
    expect(solve()).toEqual(solve());
  });
});
