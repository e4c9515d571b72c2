import { expect, test } from "vitest";
import { edgeNeighbors } from "./edge-neighbors.js";
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

test("neighbours are sorted by the number of relations, then by weight; loops are left out", async () => {
  expect(edgeNeighbors(await loadRelations(scene, [0, 1]), 0)).toEqual([
    {
      node: 2,
      links: [
        { relation: 0, weight: 1 },
        { relation: 1, weight: 0.5 },
      ],
      weight: 1.5,
    },
    { node: 3, links: [{ relation: 1, weight: 9 }], weight: 9 },
    { node: 1, links: [{ relation: 0, weight: 1 }], weight: 1 },
  ]);
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
  const directions = edgeNeighbors(await loadRelations(directed, [0]), 0).map(({ node, links }) => [
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
  const nodes = async (on: number[]) => edgeNeighbors(await loadRelations(scene, on), 0).map(({ node }) => node);
  expect(await nodes([2])).toEqual([4]);
  expect(await nodes([])).toEqual([]);
});
