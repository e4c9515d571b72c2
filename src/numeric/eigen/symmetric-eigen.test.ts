import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import { symmetricEigen, symmetricEigenvalues } from "./symmetric-eigen.js";
import { tridiagonalEigen } from "./tridiagonal-eigen.js";

type Entry = (i: number, j: number) => number;

function symmetric(size: number, entry: Entry): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++) for (let j = 0; j <= i; j++) matrix[i * size + j] = matrix[j * size + i] = entry(i, j);
  return matrix;
}

/** Largest entry of A·V − V·Λ divided by the largest of A, and largest entry of VᵀV − I. */
function errors(matrix: Float64Array, size: number, values: ArrayLike<number>, vectors: readonly Float64Array[]) {
  const largest = matrix.reduce((found, x) => Math.max(found, Math.abs(x)), 0) || 1;
  let residual = 0;
  let skew = 0;
  vectors.forEach((vector, k) => {
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += matrix[i * size + j] * vector[j];
      residual = Math.max(residual, Math.abs(sum - values[k] * vector[i]) / largest);
    }
    for (let m = 0; m <= k; m++) {
      const product = vector.reduce((sum, x, i) => sum + x * vectors[m][i], 0);
      skew = Math.max(skew, Math.abs(product - (m === k ? 1 : 0)));
    }
  });
  return { residual, skew };
}

const rng = new Rng(3, "matrices");
const normals = Array.from({ length: 200 * 200 }, () => rng.normal());
const MATRICES: Readonly<Record<string, (size: number) => Entry>> = {
  random: (size) => (i, j) => normals[i * size + j],
  "of rank three": () => (i, j) => [0, 1, 2].reduce((sum, k) => sum + normals[i * 3 + k] * normals[j * 3 + k], 0),
  "with repeated eigenvalues": () => (i, j) => (i === j ? 2 : 0) + 1,
  zero: () => () => 0,
  diagonal: () => (i, j) => (i === j ? i % 5 : 0),
  "of a path": () => (i, j) => (i - j === 1 ? 1 : 0),
  "with entries whose squares underflow": (size) => (i, j) => 1e-160 * normals[i * size + j],
  "with entries of very different size": () => (i, j) => 10 ** (-2 * (i + j)),
  "with entries that fall geometrically": (size) => (i, j) => normals[i * size + j] * 10 ** (-(i + j) / 10),
};

describe.each(Object.entries(MATRICES))("eigenpairs of a matrix %s", (_, entries) => {
  it.each([1, 2, 3, 40, 192, 193])("with %i rows", (size) => {
    const matrix = symmetric(size, entries(size));
    const { values, vectors } = symmetricEigen(matrix, size);
    for (let k = 1; k < size; k++) expect(values[k]).toBeLessThanOrEqual(values[k - 1]);
    const { residual, skew } = errors(matrix, size, values, vectors);
    expect(residual).toBeLessThan(1e-12);
    expect(skew).toBeLessThan(1e-12);
    const unit = Math.max(...matrix.map(Math.abs)) || 1;
    const pairs = tridiagonalEigen(
      matrix.map((entry) => entry / unit),
      size,
    );
    pairs.values.forEach((value, k) => {
      pairs.values[k] = value * unit;
    });
    const rows = Array.from(values, (_, k) => pairs.vectors.slice(k * size, (k + 1) * size));
    const other = errors(matrix, size, pairs.values, rows);
    expect(other.residual).toBeLessThan(1e-12);
    expect(other.skew).toBeLessThan(1e-12);
    const largest = Math.max(...values.map(Math.abs), 1e-300);
    [...pairs.values]
      .sort((a, b) => b - a)
      .forEach((value, k) => {
        expect(Math.abs(value - values[k]) / largest).toBeLessThan(1e-12);
      });
  });
});

it("finds the eigenvalues of a path, 2·cos(πk/(n + 1)), in a matrix too large for Jacobi rotations", () => {
  const size = 300;
  const { values } = symmetricEigen(symmetric(size, MATRICES["of a path"](size)), size);
  values.forEach((value, k) => {
    expect(value).toBeCloseTo(2 * Math.cos((Math.PI * (k + 1)) / (size + 1)), 12);
  });
});

it("returns the same bits for the eigenvalues with and without eigenvectors", () => {
  for (const size of [5, 200]) {
    const rng = new Rng(size, "values");
    const matrix = new Float64Array(size * size);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j <= i; j++) matrix[i * size + j] = matrix[j * size + i] = rng.normal();
    }
    expect(symmetricEigenvalues(matrix, size)).toEqual(symmetricEigen(matrix, size).values);
  }
});
