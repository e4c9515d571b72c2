import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { generateSbm } from "../../graph/synthetic/sbm.js";
import { symmetricEigen } from "../../numeric/eigen/symmetric-eigen.js";
import { weightMovement } from "./diagnostics.js";
import { explainedVariance } from "./explained-variance.js";
import { leadingDirection, spectralRecovery } from "./spectral-recovery.js";

const rng = new Rng(3, "test");

function randomGraph(directed: boolean) {
  const edges = Array.from({ length: 400 }, () => ({
    source: `n${10 + rng.below(70)}`,
    target: `n${10 + rng.below(70)}`,
    weight: 1 + rng.below(3),
  })).filter(({ source, target }) => source !== target);
  const columns = {
    source: edges.map(({ source }) => source),
    target: edges.map(({ target }) => target),
    weight: edges.map(({ weight }) => weight),
  };
  return multiplexFromEdges(columns, { directed });
}

describe("leadingDirection", () => {
  it.for([false, true])("is the second eigenvector of the dense matrix; directed: %s", (directed) => {
    const graph = randomGraph(directed);
    const [{ rowStart, columns, values }] = graph.relations;
    const n = graph.numNodes;
    const adjacency = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        adjacency[i * n + columns[k]] += values?.[k] ?? 1;
        if (directed) adjacency[columns[k] * n + i] += values?.[k] ?? 1;
      }
    }
    const degrees = Array.from({ length: n }, (_, i) => adjacency.subarray(i * n, (i + 1) * n).reduce((a, b) => a + b));
    const tau = degrees.reduce((a, b) => a + b) / n;
    const dense = adjacency.map((a, at) => {
      return a / Math.sqrt((degrees[Math.floor(at / n)] + tau) * (degrees[at % n] + tau));
    });
    const { values: expected, vectors } = symmetricEigen(dense, n);
    const found = leadingDirection(graph.relations[0], graph);
    expect(found?.eigenvalue).toBeCloseTo(expected[1], 3);
    const cosine = vectors[1].reduce((sum, value, i) => sum + value * (found?.direction[i] ?? 0), 0);
    // a residual of at most 0.001, and the next eigenvalue at least 0.003 away
    expect(Math.abs(cosine)).toBeGreaterThan(0.9);
  });

  it("omits nodes without edges, and is undefined for a relation with fewer than three nodes", () => {
    const graph = multiplexFromEdges({
      source: ["a", "b", "c", "d"],
      target: ["b", "c", "d", "e"],
      relation: ["x", "x", "x", "y"],
    });
    expect([...(leadingDirection(graph.relations[0], graph)?.nodes ?? [])]).toEqual([0, 1, 2, 3]);
    expect(leadingDirection(graph.relations[1], graph)).toBeUndefined();
  });
});

describe("explainedVariance", () => {
  const n = 400;
  const dim = 5;
  const ids = Array.from({ length: n }, (_, i) => String(i));
  const vectors = Float32Array.from({ length: n * dim }, () => rng.normal() + 3);
  for (let i = 0; i < n; i++) vectors[i * dim + 4] = 2 * vectors[i * dim] - 1; // a dependent column
  const nodes = Uint32Array.from(ids, Number);
  const of = (direction: Float64Array) => explainedVariance({ ids, dim, vectors }, { nodes, direction });
  const linear = Float64Array.from(ids, (_, i) => 7 + vectors[i * dim] - 0.5 * vectors[i * dim + 3]);

  it("is 1 for a linear function, near 0 for noise, and a half for equal parts of both", () => {
    expect(of(linear)).toBeCloseTo(1, 6);
    // adjusted R² of noise has mean 0 and a standard deviation of about √(2·4)/400
    expect(of(Float64Array.from(ids, () => rng.normal()))).toBeLessThan(0.03);
    // signal and noise both have variance 1.25
    const half = of(linear.map((value) => value + Math.sqrt(1.25) * rng.normal())) ?? 0;
    expect(half).toBeGreaterThan(0.42);
    expect(half).toBeLessThan(0.58);
  });

  it("is null for too few nodes or a constant", () => {
    expect(explainedVariance({ ids, dim, vectors }, { nodes: nodes.slice(0, 9), direction: linear })).toBeNull();
    expect(of(new Float64Array(n).fill(2))).toBeNull();
  });
});

describe("spectralRecovery", () => {
  it("is near 1 for vectors that follow the edges, with or without their weights", () => {
    const { graph } = generateSbm({ nodes: 200, relations: 1, pIn: 0.1, pOut: 0.02, seed: 4 });
    const [edges] = graph.relations;
    const values = Float32Array.from(edges.columns, () => Math.exp(3 * rng.normal()));
    const weighted = { ...graph, relations: [{ ...edges, values }] };
    for (const relation of [edges, weighted.relations[0]]) {
      const direction = leadingDirection(relation, graph)?.direction ?? [];
      const [{ r2 }] = spectralRecovery(weighted, {
        dim: 1,
        ids: graph.ids,
        vectors: Float32Array.from(direction),
      }).relations;
      expect(r2).toBeGreaterThan(0.99);
    }
  });

  it("is 1 for relations whose direction the vectors contain, and near 0 for another", () => {
    const { graph } = generateSbm({ nodes: 400, relations: 3, pIn: 0.2, pOut: 0.02, seed: 1 });
    const found = graph.relations.slice(0, 2).map((relation) => leadingDirection(relation, graph));
    const vectors = Float32Array.from({ length: 800 }, (_, at) => found[at % 2]?.direction[at >> 1] ?? 0);
    const { relations, note } = spectralRecovery(graph, { ids: graph.ids, dim: 2, vectors });
    expect(note).toBeUndefined();
    expect(relations[0].r2).toBeCloseTo(1, 6);
    expect(relations[1].r2).toBeCloseTo(1, 6);
    expect(relations[2].r2).toBeLessThan(0.1);
  });
});

describe("weightMovement", () => {
  it("is the change of a weight in units of an equal share", () => {
    const weights = { name: "w", initial: [0.25, 0.25, 0.25, 0.25], final: [0.35, 0.25, 0.2, 0.2] };
    const [{ name, max, mean }] = weightMovement([weights]);
    expect(name).toBe("w");
    expect(max).toBeCloseTo(0.4, 12);
    expect(mean).toBeCloseTo(0.2, 12);
  });
});

it("spectralRecovery has no R² for a relation of many small components", () => {
  // 60 pairs of cards that share a device, and a ring of all of them
  const node = (k: number) => `n${100 + k}`;
  const ends = [
    ...Array.from({ length: 60 }, (_, k) => ["device", node(2 * k), node(2 * k + 1)]),
    ...Array.from({ length: 120 }, (_, k) => ["ring", node(k), node((k + 1) % 120)]),
  ];
  const graph = multiplexFromEdges({
    relation: ends.map(([r]) => r),
    source: ends.map(([, a]) => a),
    target: ends.map(([, , b]) => b),
  });
  const vectors = Float32Array.from({ length: 120 * 4 }, () => rng.normal());
  const { relations } = spectralRecovery(graph, { ids: graph.ids, dim: 4, vectors });
  expect(relations.map(({ relation, r2 }) => [relation, r2 === null])).toEqual([
    ["device", true],
    ["ring", false],
  ]);
});
