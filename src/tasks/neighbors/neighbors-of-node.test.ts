import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import { centered, nearestNodes, neighborsOf } from "./neighbors-of-node.js";

describe("nearestNodes", () => {
  it("finds the nodes that sorting all cosines gives", () => {
    const rng = new Rng(3, "test");
    const [n, dim] = [120, 5];
    const ids = Array.from({ length: n }, (_, i) => `n${i}`);
    const vectors = Float32Array.from({ length: n * dim }, () => rng.normal());
    vectors.fill(0, 7 * dim, 8 * dim);
    const row = (i: number) => Array.from(vectors.subarray(i * dim, (i + 1) * dim));
    const dot = (a: number[], b: number[]) => a.reduce((sum, value, k) => sum + value * b[k], 0);
    const expected = ids
      .map((node, i) => ({ node, cosine: dot(row(2), row(i)) / Math.sqrt(dot(row(2), row(2)) * dot(row(i), row(i))) }))
      .filter((_, i) => i !== 2 && i !== 7)
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, 9);
    const found = nearestNodes({ ids, dim, vectors }, 2, 9);
    expect(found.map(({ node }) => node)).toEqual(expected.map(({ node }) => node));
    found.forEach(({ cosine }, i) => {
      expect(cosine).toBeCloseTo(expected[i].cosine, 12);
    });
    expect(nearestNodes({ ids, dim, vectors }, 7, 9)).toEqual([]);
    expect(neighborsOf({ ids, dim, vectors }, "n2", 9)).toEqual(found);
    expect(() => neighborsOf({ ids, dim, vectors }, "m2")).toThrow('neighbors: no node "m2" among 120');
    expect(() => neighborsOf({ ids, dim: 6, vectors }, "n2")).toThrow("600 numbers; expected 120 × 6");
    expect(nearestNodes({ ids, dim, vectors }, 2, 1000)).toHaveLength(n - 2);
  });

  it("compares directions from the mean after centering", () => {
    const vectors = Float32Array.of(101, 100, 99, 100, 100, 101, 100, 99);
    const middle = centered({ ids: ["e", "w", "n", "s"], dim: 2, vectors });
    expect([...middle.vectors]).toEqual([1, 0, -1, 0, 0, 1, 0, -1]);
  });
});
