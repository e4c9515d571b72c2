import { expect, test } from "vitest";
import { degree, degreeText, isLinked, neighborsInRelation, rowOf, sortedAdjacency } from "./relation-rows.js";
import { adjacencyOf } from "./test-scene.js";

test("unsorted rows are sorted, and the weights of repeated neighbours add up", () => {
  const rowStart = Uint32Array.of(0, 3, 3, 5);
  const sorted = sortedAdjacency({
    rowStart,
    columns: Uint32Array.of(2, 1, 2, 1, 0),
    weights: Float32Array.of(1, 5, 2, 7, 9),
    directions: Uint8Array.of(1, 2, 2, 3, 1),
  });
  expect([...sorted.rowStart]).toEqual([0, 2, 2, 4]);
  expect([...sorted.columns]).toEqual([1, 2, 0, 1]);
  expect([...sorted.weights!]).toEqual([5, 3, 9, 7]);
  expect([...sorted.directions!]).toEqual([2, 3, 1, 3]);
});

test("rows that are sorted are used as they are", () => {
  const adjacency = adjacencyOf(3, [
    [0, 1],
    [0, 2],
  ]);
  expect(sortedAdjacency(adjacency)).toBe(adjacency);
});

test("links, degrees and rows are found, empty rows included", () => {
  const adjacency = adjacencyOf(6, [
    [0, 2],
    [2, 5],
    [2, 4],
  ]);
  expect([...neighborsInRelation(adjacency, 2)]).toEqual([0, 4, 5]);
  expect(degree(adjacency, 2)).toBe(3);
  for (let a = 0; a < 6; a++) {
    for (let b = 0; b < 6; b++) {
      const linked = ["0-2", "2-5", "2-4"].includes([Math.min(a, b), Math.max(a, b)].join("-"));
      expect(isLinked(adjacency, a, b)).toBe(linked);
    }
  }
  expect([0, 1, 2, 3, 4, 5].map((place) => rowOf(adjacency, place))).toEqual([0, 2, 2, 2, 4, 5]);
});

test("degrees in directed graphs are split into out and in", () => {
  const edges = [
    [0, 1],
    [0, 2],
    [3, 0],
    [2, 0],
    [0, 4],
  ] as const;
  expect(degreeText(adjacencyOf(6, edges), 0)).toBe("4");
  const directed = adjacencyOf(6, edges, true);
  expect([0, 1, 5].map((node) => degreeText(directed, node))).toEqual([
    "4: 3 out, 2 in, 1 of them both",
    "1: 0 out, 1 in",
    "0",
  ]);
});
