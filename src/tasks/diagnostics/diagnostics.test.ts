import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import { symmetricEigen } from "../../numeric/eigen/symmetric-eigen.js";
import { diagnose, effectiveRank } from "./diagnostics.js";

const ids = (n: number) => Array.from({ length: n }, (_, i) => `n${i}`);

describe("symmetricEigen", () => {
  it("finds the eigenvalues of a path's Laplacian: 2 − 2·cos(πk/n)", () => {
    const n = 9;
    const laplacian = new Float64Array(n * n);
    for (let i = 0; i + 1 < n; i++) {
      laplacian[i * n + i] += 1;
      laplacian[(i + 1) * n + i + 1] += 1;
      laplacian[i * n + i + 1] = laplacian[(i + 1) * n + i] = -1;
    }
    const found = [...symmetricEigen(laplacian, n).values].sort((a, b) => a - b);
    found.forEach((value, k) => {
      expect(value).toBeCloseTo(2 - 2 * Math.cos((Math.PI * k) / n), 12);
    });
  });
});

describe("effectiveRank", () => {
  it("is the number of non-zero eigenvalues if they are equal, and 0 if all are 0", () => {
    expect(effectiveRank(Float64Array.of(2, 2, 2, 0))).toBeCloseTo(3, 12);
    expect(effectiveRank(Float64Array.of(5, 0))).toBe(1);
    expect(effectiveRank(new Float64Array(3))).toBe(0);
  });
});

describe("diagnose", () => {
  it("finds full rank for independent normal columns", () => {
    const rng = new Rng(1, "test");
    const vectors = Float32Array.from({ length: 4000 * 8 }, () => rng.normal());
    const { effectiveRank: rank, deadUnits, meanCosineToMean } = diagnose({ ids: ids(4000), dim: 8, vectors });
    expect(rank).toBeGreaterThan(7.9);
    expect(deadUnits).toBe(0);
    expect(Math.abs(meanCosineToMean)).toBeLessThan(0.2);
  });

  it("finds rank 1, one dead unit and a mean cosine near 1 for vectors on a line far from the origin, with a constant column", () => {
    const n = 50;
    const vectors = new Float32Array(n * 3);
    for (let i = 0; i < n; i++) vectors.set([100 + i * 0.01, 7, 200 + i * 0.02], i * 3);
    const { effectiveRank: rank, deadUnits, meanCosineToMean } = diagnose({ ids: ids(n), dim: 3, vectors });
    expect(rank).toBeCloseTo(1, 4);
    expect(deadUnits).toBe(1);
    expect(meanCosineToMean).toBeGreaterThan(0.999);
  });

  it("finds rank 0 and only dead units for zero vectors", () => {
    const zero = diagnose({ ids: ids(4), dim: 2, vectors: new Float32Array(8) });
    expect(zero).toEqual({ effectiveRank: 0, deadUnits: 2, meanCosineToMean: 0 });
  });
});
