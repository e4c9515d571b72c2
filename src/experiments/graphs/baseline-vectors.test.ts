import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import { referenceEngine } from "../../engine/reference.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { leadingSingularVectors } from "../../numeric/eigen/leading-singular-vectors.js";
import { averageOverNeighbours, degreeProfile, vectorBaselines } from "./baseline-vectors.js";

/** a–b and a–c in r, a–b in s; d has no edge. */
const graph = multiplexFromEdges(
  { source: ["a", "a", "a"], target: ["b", "c", "b"], relation: ["r", "r", "s"] },
  { nodes: ["d"] },
);
const withFeatures = {
  ...graph,
  features: {
    names: ["x", "y"],
    numColumns: 2,
    rowStart: Uint32Array.of(0, 1, 2, 3, 4),
    columns: Uint32Array.of(0, 1, 0, 1),
    values: Float32Array.of(4, 6, 2, 5),
  },
};

describe("baselines without training", () => {
  it("are features only for graphs with features", () => {
    const names = ["majority class", "degree profile", "diffusion-16", "spectral-64, union"];
    expect(vectorBaselines(graph).map(({ name }) => name)).toEqual(names);
    expect(vectorBaselines(withFeatures).map(({ name }) => name)).toEqual([
      ...names.slice(0, 2),
      "features only",
      "features of neighbours",
      ...names.slice(2),
    ]);
  });

  it("have the logarithm of each degree", () => {
    const { dim, vectors } = degreeProfile(graph);
    expect(dim).toBe(2);
    const expected = [Math.log(3), Math.log(2), Math.log(2), Math.log(2), Math.log(2), 0, 0, 0];
    expected.forEach((value, at) => {
      expect(vectors[at]).toBeCloseTo(value, 6);
    });
  });

  it("average features over neighbours, then over the relations that a node has edges in", async () => {
    const baseline = vectorBaselines(withFeatures).find(({ name }) => name === "features of neighbours");
    // a: mean of (b + c)/2 = (1, 3) and b = (0, 6); b: a in both; c: a in r, none in s; d: its own features
    expect([...((await baseline?.vectors(referenceEngine))?.vectors ?? [])]).toEqual([0.5, 4.5, 4, 0, 4, 0, 0, 5]);
    const own = { ids: graph.ids, dim: 1, vectors: Float32Array.of(1, 2, 3, 4) };
    expect([...averageOverNeighbours(graph, own).vectors]).toEqual([2.25, 1, 1, 4]);
  });

  it.each([false, true])("walk along edges without their weights and directions (directed: %s)", (directed) => {
    const weighted = multiplexFromEdges({ source: ["a", "a"], target: ["b", "c"], weight: [9, 1] }, { directed });
    const own = { ids: weighted.ids, dim: 1, vectors: Float32Array.of(1, 2, 3) };
    expect([...averageOverNeighbours(weighted, own).vectors]).toEqual([2.5, 1, 1]);
  });

  it("reduce the degrees of many relations to leading directions", () => {
    const count = 300;
    const many = multiplexFromEdges({
      source: Array.from({ length: count }, (_, r) => `n${r % 9}`),
      target: Array.from({ length: count }, (_, r) => `n${(r + 1 + (r % 3)) % 9}`),
      relation: Array.from({ length: count }, (_, r) => `r${r}`),
    });
    expect(vectorBaselines(many)[1].name).toBe("degree profile, 64 directions");
    const { dim, vectors } = degreeProfile(many);
    expect(dim).toBe(9);
    // with as many directions as nodes the inner products are those of the profile: ln(2)² for each shared relation
    const product = (i: number, j: number) =>
      Array.from({ length: dim }, (_, k) => vectors[i * dim + k] * vectors[j * dim + k]).reduce((a, b) => a + b, 0);
    const shared = (i: number, j: number) =>
      Array.from({ length: count }, (_, r) => new Set([`n${r % 9}`, `n${(r + 1 + (r % 3)) % 9}`])).filter(
        (ends) => ends.has(many.ids[i]) && ends.has(many.ids[j]),
      ).length;
    for (const [i, j] of [
      [0, 0],
      [0, 1],
      [2, 5],
      [3, 4],
    ]) {
      expect(product(i, j)).toBeCloseTo(Math.log(2) ** 2 * shared(i, j), 3);
    }
  });
});

describe("leadingSingularVectors", () => {
  it("finds the planted singular value of a matrix with one direction, and zeros for an empty matrix", () => {
    // u = (1, 2), v = (2, 0, 1): singular value √5·√5 = 5
    const matrix = {
      rowStart: Uint32Array.of(0, 2, 4),
      columns: Uint32Array.of(0, 2, 0, 2),
      values: Float32Array.of(2, 1, 4, 2),
    };
    const sizes = { numRows: 2, numColumns: 3, count: 1 };
    const { data, width } = leadingSingularVectors(matrix, sizes, new Rng(1, "test"));
    expect(width).toBe(1);
    expect(Math.abs(data[0])).toBeCloseTo(Math.sqrt(5), 6);
    expect(data[1] / data[0]).toBeCloseTo(2, 6);
    const empty = { rowStart: new Uint32Array(3), columns: new Uint32Array(0) };
    expect([...leadingSingularVectors(empty, sizes, new Rng(1, "test")).data]).toEqual([0, 0]);
  });
});
