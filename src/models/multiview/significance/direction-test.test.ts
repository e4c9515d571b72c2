/** The significance test: halves of the edges, scores of directions and of closed paths. */

import { describe, expect, test } from "vitest";
import { spmm } from "../../../engine/ops/index.js";
import { createWasmEngine } from "../../../engine/wasm/wasm-engine.js";
import { leadingDirections } from "../../../nn/leading-directions.js";
import { graphOf, twoGroups } from "../test-graphs.js";
import { directionScores, regularizedAdjacency, splitInHalves } from "./direction-test.js";
import { testGraphs } from "./tested-directions.js";

const engine = await createWasmEngine({ threads: 1 });
const tools = { engine, seed: 1 };

describe("the significance test", () => {
  test("puts each edge into exactly one half, at both of its ends", () => {
    const graph = twoGroups(80, 0.3, 0.1, 2);
    const halves = splitInHalves(graph, 1, "halves");
    const pairs = halves.map(({ rowStart, columns }) => {
      const found = new Set<string>();
      for (let i = 0; i < 80; i++) for (let e = rowStart[i]; e < rowStart[i + 1]; e++) found.add(`${i} ${columns[e]}`);
      return found;
    });
    expect(pairs[0].size + pairs[1].size).toBe(graph.columns.length);
    for (const found of pairs) {
      expect(found.size).toBeGreaterThan(graph.columns.length / 3);
      for (const pair of found) expect(found.has(pair.split(" ").reverse().join(" "))).toBe(true);
    }
    expect([...pairs[0]].some((pair) => pairs[1].has(pair))).toBe(false);
  });

  test("accepts the direction of planted groups and rejects random graphs of the same density", async () => {
    for (const [within, between, real] of [
      [0.12, 0.04, true],
      [0.08, 0.08, false],
    ] as const) {
      const graph = twoGroups(300, within, between, 5);
      const [first, second] = splitInHalves(graph, 1, "halves");
      const matrix = regularizedAdjacency(first, graph);
      const request = {
        numNodes: 300,
        count: 4,
        eigenvalues: "bounded" as const,
        purpose: "test",
        stageName: "directions",
      };
      const [found] = await leadingDirections([(x) => spmm(matrix, x)], request, tools);
      const scores = directionScores(found, second, graph);
      expect(scores[1] > 4).toBe(real);
      expect(scores.subarray(2).every((score) => score < 4)).toBe(true);
    }
  });
});

test("a score is the excess over randomly rewired edges, in standard deviations", () => {
  const numNodes = 30;
  const edges = twoGroups(numNodes, 0.3, 0.1, 4);
  const degree = (i: number) => edges.rowStart[i + 1] - edges.rowStart[i];
  // a direction with positive entries, so that rewired edges have a large sum
  const vectors = Float32Array.from({ length: numNodes }, (_, i) => 1 + (i % 3));
  const mean = edges.columns.length / numNodes;
  const q = Array.from(vectors, (x, i) => x / Math.sqrt(degree(i) + mean));
  let [sum, squares] = [0, 0];
  for (let i = 0; i < numNodes; i++) {
    for (const j of edges.columns.subarray(edges.rowStart[i], edges.rowStart[i + 1])) {
      if (j < i) continue;
      sum += 2 * q[i] * q[j];
      squares += (2 * q[i] * q[j]) ** 2;
    }
  }
  const rewired = q.reduce((total, x, i) => total + degree(i) * x, 0) ** 2 / edges.columns.length;
  const directions = { values: Float64Array.of(1), data: vectors, width: 1 };
  expect(directionScores(directions, edges, edges)[0]).toBeCloseTo((sum - rewired) / Math.sqrt(squares), 5);
  expect(directionScores(directions, edges, edges, true)[0]).toBeCloseTo(-sum / Math.sqrt(squares), 5);
});

test("the closure score is low for planted groups and high for neighbours on a ring", async () => {
  const numNodes = 300;
  const groups = twoGroups(numNodes, 0.3, 0.05, 1);
  const rings = graphOf(
    Array.from({ length: numNodes }, (_, i) => [-3, -2, -1, 1, 2, 3].map((step) => (i + step + numNodes) % numNodes)),
  );
  const request = { count: 4, purpose: "test", stageName: "directions" };
  const [found, others] = await testGraphs([groups, rings], request, tools);
  expect(found.scores[1]).toBeGreaterThan(4);
  expect(await found.closure(2)).toBeLessThan(2);
  // the groups themselves close paths if only the direction of the degrees is subtracted
  expect(await found.closure(1)).toBeGreaterThan(4);
  expect(await others.closure(4)).toBeGreaterThan(4);
});
