import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { hasEdge } from "../../graph/edge-ends.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { unionAdjacency } from "../../graph/union.js";
import { fastRpEmbedding } from "./fastrp.js";
import { linkBaselines } from "./link-baselines.js";
import { cosineScorer } from "./pair-scorers.js";
import { spectralEmbedding } from "./spectral-embedding.js";

function randomGraph(directed = false): Multiplex {
  const rng = new Rng(3, "baselines test");
  const pick = () => `n${10 + rng.below(30)}`;
  const source = Array.from({ length: 150 }, pick);
  const target = Array.from({ length: 150 }, pick);
  return multiplexFromEdges({ source, target, relation: source.map((_, i) => `r${i % 2}`) }, { directed });
}

function allPairs(numNodes: number) {
  const pairs: [number, number][] = [];
  for (let a = 0; a < numNodes; a++) for (let b = a + 1; b < numNodes; b++) pairs.push([a, b]);
  return { source: Uint32Array.from(pairs, ([a]) => a), target: Uint32Array.from(pairs, ([, b]) => b) };
}

test.each([false, true])("neighbourhood scores agree with a naive loop (directed %s)", (directed) => {
  const graph = randomGraph(directed);
  const { numNodes, relations } = graph;
  const linked = (rs: readonly number[], a: number, b: number) =>
    rs.some((r) => hasEdge(relations[r], a, b) || hasEdge(relations[r], b, a));
  const pairs = allPairs(numNodes);
  for (const baseline of linkBaselines(graph).slice(0, 6)) {
    for (const r of [0, 1]) {
      const rs = baseline.ownRelation ? [r] : [0, 1];
      const neighbours = (a: number) => graph.ids.flatMap((_, b) => (b !== a && linked(rs, a, b) ? [b] : []));
      const lists = graph.ids.map((_, a) => neighbours(a));
      const scores = baseline.score(r, pairs);
      pairs.source.forEach((a, i) => {
        const common = lists[a].filter((w) => lists[pairs.target[i]].includes(w));
        const expected = {
          "degree product": lists[a].length * lists[pairs.target[i]].length,
          "common neighbours": common.length,
          "Adamic–Adar": common.reduce((sum, w) => sum + 1 / Math.log(lists[w].length), 0),
        }[baseline.name];
        expect(scores[i]).toBeCloseTo(expected ?? Number.NaN, 12);
      });
    }
  }
});

describe("spectral vectors", () => {
  test("exist for graphs smaller than the width, with isolated nodes and with many components", () => {
    const names = Array.from({ length: 40 }, (_, i) => `n${10 + i}`);
    const graph = multiplexFromEdges(
      {
        source: names.slice(0, 20).filter((_, i) => i % 2 === 0),
        target: names.slice(0, 20).filter((_, i) => i % 2 === 1),
      },
      { nodes: names },
    );
    const { dim, vectors } = spectralEmbedding(unionAdjacency(graph), graph.ids);
    expect(dim).toBe(64);
    expect(vectors.every(Number.isFinite)).toBe(true);
    const cosine = cosineScorer({ ids: graph.ids, dim, vectors });
    // endpoints of an edge coincide, different components do not touch
    const [edge, apart] = cosine(0, { source: Uint32Array.of(0, 0), target: Uint32Array.of(1, 2) });
    expect(edge).toBeCloseTo(1, 3);
    expect(apart).toBeCloseTo(0, 3);
  });

  test("are the same bits for the same seed", () => {
    const adjacency = unionAdjacency(randomGraph());
    const ids = Array.from({ length: adjacency.rowStart.length - 1 }, String);
    expect(spectralEmbedding(adjacency, ids, { dim: 4, seed: 3 }).vectors).toEqual(
      spectralEmbedding(adjacency, ids, { dim: 4, seed: 3 }).vectors,
    );
  });
});

test("FastRP: one hop is the mean of the neighbours' projections, scaled to length 1 and weighted", () => {
  const path = multiplexFromEdges({ source: ["a", "b"], target: ["b", "c"] }, { nodes: ["z"] });
  const { vectors, dim } = fastRpEmbedding(unionAdjacency(path), path.ids, { dim: 32, weights: [2] });
  const row = (i: number) => vectors.subarray(i * dim, (i + 1) * dim);
  // b is the only neighbour of a and of c
  expect(row(0)).toEqual(row(2));
  expect(Math.hypot(...row(0))).toBeCloseTo(2, 6);
  // b's random projection has three values; a and c get its direction
  expect(new Set([...row(0)].map((value) => value.toFixed(6).replace("-0.000000", "0.000000"))).size).toBe(3);
  expect([...row(3)].every((value) => value === 0)).toBe(true);
});
