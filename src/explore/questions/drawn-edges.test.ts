import { expect, test } from "vitest";
import { drawnEdges } from "./drawn-edges.js";
import { CATEGORY_COLORS } from "./palette.js";
import { loadRelations } from "./relation-rows.js";
import { testScene } from "./test-scene.js";

const scene = testScene({
  ids: ["a", "b", "c", "d"],
  relations: {
    r: [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 3],
    ],
    s: [
      [0, 1],
      [0, 3],
    ],
  },
});
const pairs = (ends: Uint32Array) =>
  Array.from({ length: ends.length / 2 }, (_, i) => `${ends[2 * i]}-${ends[2 * i + 1]}`);

test("all edges are drawn once per relation, in its colour, without loops", async () => {
  const { ends, colors, leftOut } = drawnEdges(await loadRelations(scene, [0, 1]), { theme: "light" });
  expect(pairs(ends)).toEqual(["0-1", "1-2", "2-3", "0-1", "0-3"]);
  expect([...colors.slice(0, 3)]).toEqual(CATEGORY_COLORS.light[0]);
  expect([...colors.slice(12, 15)]).toEqual(CATEGORY_COLORS.light[1]);
  expect(leftOut).toBe(0);
});

test("of chosen nodes every edge is drawn, an edge between two of them once", async () => {
  const rows = await loadRelations(scene, [0]);
  expect(pairs(drawnEdges(rows, { theme: "light", nodes: [2, 1, 2] }).ends)).toEqual(["1-0", "1-2", "2-3"]);
  expect(drawnEdges(rows, { theme: "light", nodes: [] }).ends).toHaveLength(0);
});

test("edges of hidden nodes are neither drawn nor counted", async () => {
  const rows = await loadRelations(scene, [0]);
  const { ends, leftOut } = drawnEdges(rows, { theme: "light", hidden: Uint8Array.of(0, 1, 0, 0) });
  expect([pairs(ends), leftOut]).toEqual([["2-3"], 0]);
});

test("above the limit the drawn edges are spread over all relations and the rest is counted", async () => {
  const ids = Array.from({ length: 100 }, (_, i) => `${i}`);
  const star = ids.slice(1).map((_, i) => [0, i + 1] as const);
  const rows = await loadRelations(testScene({ ids, relations: { a: star, b: star } }), [0, 1]);
  const { ends, colors, leftOut } = drawnEdges(rows, { theme: "light", max: 20 });
  expect([ends.length, colors.length, leftOut]).toEqual([40, 80, 178]);
  expect(
    Array.from({ length: 20 }, (_, i) => colors[4 * i]).filter((red) => red === CATEGORY_COLORS.light[0][0]),
  ).toHaveLength(10);
});

test("without relations nothing is drawn", () => {
  expect(drawnEdges([], { theme: "dark", nodes: [1] })).toEqual({
    ends: new Uint32Array(0),
    colors: new Uint8Array(0),
    leftOut: 0,
  });
});
