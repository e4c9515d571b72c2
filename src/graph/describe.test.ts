import { expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { describeGraph } from "./describe.js";
import { multiplexFromEdges } from "./multiplex-from-edges.js";

test("counts of a small graph", () => {
  const graph = multiplexFromEdges(
    {
      source: ["a", "b", "a", "d", "b"],
      target: ["b", "c", "b", "e", "a"],
      relation: ["r", "r", "s", "s", "s"],
      weight: [1, 1, 1, 1, 1],
    },
    { nodes: ["lonely"] },
  );
  const description = describeGraph(graph);
  expect(description).toMatchObject({
    nodes: 6,
    edges: 4,
    directed: false,
    isolatedNodes: 1,
    components: 3,
    largestComponent: 3,
    unionEdges: 3,
  });
  expect(description.relations[0]).toEqual({
    name: "r",
    edges: 2,
    nodes: 3,
    density: 2 / 15,
    meanDegree: 4 / 3,
    maxDegree: 2,
    weighted: false,
  });
  expect(description.relations[1]).toMatchObject({ name: "s", edges: 2, nodes: 4, weighted: true });
  expect(description.overlap).toEqual([
    [1, 1 / 3],
    [1 / 3, 1],
  ]);
});

test("directed: both endpoints of an edge count as nodes, and each direction is an edge", () => {
  const graph = multiplexFromEdges(
    { source: ["a", "b", "a"], target: ["b", "a", "b"], relation: ["r", "s", "s"] },
    { directed: true },
  );
  const description = describeGraph(graph);
  expect(description.relations[0]).toMatchObject({ nodes: 2, edges: 1, density: 0.5, meanDegree: 0.5 });
  expect(description.overlap![0][1]).toBe(0.5);
  expect(description.unionEdges).toBe(2);
  expect(description.isolatedNodes).toBe(0);
});

test("overlaps of 40 relations equal those computed with sets", () => {
  const rng = new Rng(1, "overlap");
  const rows = 3000;
  const draw = (count: number, prefix: string) => Array.from({ length: rows }, () => prefix + rng.below(count));
  const edges = { source: draw(12, ""), target: draw(12, ""), relation: draw(40, "r") };
  const graph = multiplexFromEdges(edges);
  const sets = graph.relations.map(({ name }) => {
    const set = new Set<string>();
    edges.relation.forEach((relation, i) => {
      const [a, b] = [edges.source[i], edges.target[i]].sort();
      if (relation === name && a !== b) set.add(`${a} ${b}`);
    });
    return set;
  });
  const { overlap } = describeGraph(graph);
  for (let i = 0; i < 40; i++) {
    for (let j = 0; j < 40; j++) {
      const both = [...sets[i]].filter((edge) => sets[j].has(edge)).length;
      expect(overlap![i][j]).toBe(both / (sets[i].size + sets[j].size - both));
    }
  }
});
