import { expect, test } from "vitest";
import { commonNodes, inWords, reasons } from "./reasons.js";
import { loadRelations } from "./relation-rows.js";
import { testScene } from "./test-scene.js";

const scene = testScene({
  ids: ["ann", "ben", "Ada", "Bob", "Cy", "Dot", "Hub", "x", "y"],
  relations: {
    family: [
      [0, 1],
      [0, 2],
    ],
    work: [
      [0, 1],
      [0, 2],
      [1, 2],
      [0, 3],
      [1, 3],
      [0, 4],
      [1, 4],
      [0, 6],
      [1, 6],
      [6, 7],
      [6, 8],
      [6, 3],
    ],
    sport: [
      [0, 5],
      [1, 5],
    ],
  },
  attributes: [
    { name: "label", kind: "category", categories: ["p", "q"], codes: Int32Array.of(0, 0, 1, -1, -1, 0, 0, 0, 0) },
    { name: "age", kind: "number", values: new Float32Array(9) },
    { name: "cluster", kind: "category", categories: ["1"], codes: new Int32Array(9), fromVectors: true },
  ],
});

test("links, common neighbours of fewest neighbours first, and shared categories are named", async () => {
  expect(reasons(scene, await loadRelations(scene, [0, 1, 2]), 0, 1)).toEqual([
    "linked in family and work",
    "4 common neighbours in work: Ada, Cy, Bob and 1 more",
    "1 common neighbour in sport: Dot",
    "same label p",
  ]);
});

test("relations that are off give no reason, and unknown labels are not the same", async () => {
  expect(reasons(scene, await loadRelations(scene, [2]), 0, 1)).toEqual([
    "1 common neighbour in sport: Dot",
    "same label p",
  ]);
  expect(reasons(scene, await loadRelations(scene, [0]), 3, 4)).toEqual([]);
});

test("common nodes are merged from ascending lists without the given ones", () => {
  expect(commonNodes(Uint32Array.of(1, 3, 5, 9), Uint32Array.of(0, 3, 4, 5, 9), [5])).toEqual([3, 9]);
});

test("in directed graphs links name their direction", async () => {
  const relations = {
    a: [[0, 1]],
    b: [[1, 0]],
    c: [
      [0, 1],
      [1, 0],
    ],
    d: [[0, 1]],
  } as const;
  const directed = testScene({ ids: ["x", "y"], directed: true, relations });
  expect(reasons(directed, await loadRelations(directed, [0, 1, 2, 3]), 0, 1)).toEqual([
    "an edge leads to it in a and d",
    "an edge leads from it in b",
    "edges lead both ways in c",
  ]);
});

test("in directed graphs common neighbours are targets or sources of both, or lie between the two nodes", async () => {
  const directed = testScene({
    ids: ["x", "y", "target", "source", "both", "between"],
    directed: true,
    relations: {
      r: [
        [0, 2],
        [1, 2],
        [3, 0],
        [3, 1],
        [0, 4],
        [4, 0],
        [1, 4],
        [4, 1],
        [0, 5],
        [5, 1],
      ],
    },
  });
  expect(reasons(directed, await loadRelations(directed, [0]), 0, 1)).toEqual([
    "2 common targets in r: target, both",
    "2 common sources in r: source, both",
    "1 intermediate node in r (target of one, source of the other): between",
  ]);
});

test("lists are written in words", () => {
  expect([inWords([]), inWords(["a"]), inWords(["a", "b"]), inWords(["a", "b", "c"])]).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
});

test("marks that turn the direction of the text are replaced in names of relations and attributes", async () => {
  const turned = testScene({
    ids: ["a", "b"],
    relations: { "\u202erel": [[0, 1]] },
    attributes: [{ name: "\u202ecol", kind: "category", categories: ["x"], codes: Int32Array.of(0, 0) }],
  });
  expect(reasons(turned, await loadRelations(turned, [0]), 0, 1)).toEqual(["linked in \ufffdrel", "same \ufffdcol x"]);
});
