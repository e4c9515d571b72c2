import { expect, test } from "vitest";
import { contentHash } from "../content-hash.js";
import { describeGraph } from "../describe.js";
import { findNode } from "../multiplex.js";
import { generateTown } from "./town.js";

test("equal seeds give equal towns, different seeds different towns", () => {
  const { people, edges, graph } = generateTown(1);
  const again = generateTown(1);
  expect(again.people).toEqual(people);
  expect(again.edges).toEqual(edges);
  expect(contentHash(again.graph)).toBe(contentHash(graph));
  expect(contentHash(generateTown(2).graph)).not.toBe(contentHash(graph));
});

test("a few hundred people with distinct names, all connected, in six relations", () => {
  const { people, edges, graph } = generateTown(1);
  expect(people.length).toBeGreaterThanOrEqual(200);
  expect(people.length).toBeLessThanOrEqual(400);
  expect(new Set(people.map(({ name }) => name)).size).toBe(people.length);
  expect(graph.ids).toEqual(people.map(({ name }) => name));
  expect(graph.relations.map(({ name }) => name)).toEqual([
    "family",
    "letters",
    "market",
    "neighbours",
    "societies",
    "work",
  ]);
  expect(graph.relations.reduce((sum, { numEdges }) => sum + numEdges, 0)).toBe(edges.length);
  expect(graph.report).toMatchObject({ selfLoops: 0, parallelEdges: 0, zeroWeights: 0 });
  expect(describeGraph(graph)).toMatchObject({ isolatedNodes: 0, components: 1 });
});

test("each relation follows the grouping in its name; letters are weighted and mostly random", () => {
  const { people, edges, graph } = generateTown(1);
  const find = (name: string) => people[findNode(graph, name)];
  const share = (relation: string, key: "family" | "street" | "workplace" | "society") => {
    const chosen = edges.filter((edge) => edge.relation === relation);
    return chosen.filter(({ source, target }) => find(source)[key] === find(target)[key]).length / chosen.length;
  };
  expect(share("family", "family")).toBe(1);
  expect(share("neighbours", "street")).toBe(1);
  expect(share("work", "workplace")).toBe(1);
  expect(share("societies", "society")).toBe(1);
  // 0.3 of the letters go to the society and a sixth of the others by chance: 0.42; three standard errors are 0.07
  expect(Math.abs(share("letters", "society") - 0.42)).toBeLessThan(0.1);
  for (const { relation, weight } of edges) {
    expect(Number.isInteger(weight) && weight >= 1 && (relation === "letters" || weight === 1)).toBe(true);
  }
});
