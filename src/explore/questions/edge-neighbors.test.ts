import { expect, test } from "vitest";
import { edgeNeighbors, neighborOrder } from "./edge-neighbors.js";
import { loadRelations } from "./relation-rows.js";
import { testScene } from "./test-scene.js";

const scene = testScene({
  ids: ["a", "b", "c", "d", "e"],
  relations: {
    family: [
      [0, 1],
      [0, 2],
      [3, 4],
    ],
    work: [
      [0, 2, 0.5],
      [0, 3, 9],
      [0, 0, 4],
      [1, 4, 2],
    ],
    sport: [[0, 4]],
  },
});

test("neighbours are sorted by weight; loops are left out", async () => {
  const rows = await loadRelations(scene, [0, 1]);
  expect(neighborOrder(rows)).toBe("largest weight first");
  expect(edgeNeighbors(scene, rows, 0)).toEqual([
    { node: 3, links: [{ relation: 1, weight: 9 }], weight: 9 },
    {
      node: 2,
      links: [
        { relation: 0, weight: 1 },
        { relation: 1, weight: 0.5 },
      ],
      weight: 1.5,
    },
    { node: 1, links: [{ relation: 0, weight: 1 }], weight: 1 },
  ]);
});

test("without weights, neighbours in most relations come first, then they are sorted by name", async () => {
  const plain = testScene({
    ids: ["a", "n10", "n9", "B", "c"],
    relations: {
      r: [
        [0, 1],
        [0, 2],
        [0, 3],
      ],
      s: [
        [0, 3],
        [0, 4],
      ],
    },
  });
  const nodes = async (on: number[]) => edgeNeighbors(plain, await loadRelations(plain, on), 0).map(({ node }) => node);
  expect(await nodes([0])).toEqual([3, 2, 1]);
  expect(await nodes([0, 1])).toEqual([3, 4, 2, 1]);
  expect(neighborOrder(await loadRelations(plain, [0]))).toBe("by name");
  expect(neighborOrder(await loadRelations(plain, [0, 1]))).toBe("most relations first, then by name");
});

test("in directed graphs each relation says where its edges lead", async () => {
  const directed = testScene({
    ids: ["a", "b", "c", "d"],
    directed: true,
    relations: {
      r: [
        [0, 1],
        [2, 0],
        [0, 3],
        [3, 0],
      ],
    },
  });
  const directions = edgeNeighbors(directed, await loadRelations(directed, [0]), 0).map(({ node, links }) => [
    node,
    links[0].direction,
  ]);
  expect(directions).toEqual([
    [1, "to"],
    [2, "from"],
    [3, "both"],
  ]);
});

test("only the given relations count", async () => {
  const nodes = async (on: number[]) => edgeNeighbors(scene, await loadRelations(scene, on), 0).map(({ node }) => node);
  expect(await nodes([2])).toEqual([4]);
  expect(await nodes([])).toEqual([]);
});
