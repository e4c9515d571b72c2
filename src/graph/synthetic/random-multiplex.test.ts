import { expect, test } from "vitest";
import { contentHash } from "../content-hash.js";
import { generateRandom } from "./random-multiplex.js";

const degrees = (graph: ReturnType<typeof generateRandom>, r: number) =>
  Array.from(graph.ids, (_, i) => graph.relations[r].rowStart[i + 1] - graph.relations[r].rowStart[i]);

test("the requested number of distinct edges, the same for the same seed", () => {
  const options = { nodes: 50, relations: 3, edges: 301, seed: 1 };
  const graph = generateRandom(options);
  expect(graph.relations.map(({ numEdges }) => numEdges)).toEqual([101, 100, 100]);
  expect(graph.report).toMatchObject({ rows: 301, selfLoops: 0, parallelEdges: 0 });
  expect(contentHash(generateRandom(options))).toBe(contentHash(graph));
  expect(contentHash(generateRandom({ ...options, seed: 2 }))).not.toBe(contentHash(graph));
});

test("degrees follow the requested power law, with the same hubs in all relations", () => {
  const graph = generateRandom({ nodes: 20000, relations: 2, edges: 200000, exponent: 2.5, seed: 1 });
  const [first, second] = [degrees(graph, 0), degrees(graph, 1)];
  // Chung–Lu: P(degree > d) ~ d^(1−γ); between d and 4·d it falls by 4^1.5 = 8
  const above = (d: number) => first.filter((degree) => degree > d).length;
  expect(above(20) / above(80)).toBeGreaterThan(6);
  expect(above(20) / above(80)).toBeLessThan(10);
  const hub = first.indexOf(Math.max(...first));
  expect(second[hub]).toBeGreaterThan(Math.max(...second) / 2);
  const uniform = degrees(generateRandom({ nodes: 20000, relations: 1, edges: 100000, seed: 1 }), 0);
  expect(Math.max(...uniform)).toBeLessThan(40);
});

test("impossible options are refused", () => {
  expect(() => generateRandom({ nodes: 10, relations: 1, edges: 30, seed: 1 })).toThrow(/at most half/);
  expect(() => generateRandom({ nodes: 10, relations: 5, edges: 3, seed: 1 })).toThrow(/an edge for every relation/);
  expect(() => generateRandom({ nodes: 10, relations: 1, edges: 3, exponent: 2, seed: 1 })).toThrow(/above 2/);
  expect(() => generateRandom({ nodes: 200, relations: 1, edges: 9000, exponent: 2.05, seed: 1 })).toThrow(
    /too uneven/,
  );
});
