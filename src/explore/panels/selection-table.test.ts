import { expect, test } from "vitest";
import { testScene } from "../questions/test-scene.js";
import { csvParts } from "./selection-panel.js";
import { sortNodes } from "./selection-table.js";

const scene = testScene({
  ids: ["d", "b", "a", "c"],
  attributes: [
    { name: "n", kind: "number", values: Float32Array.of(3, Number.NaN, 3, -1) },
    { name: "street", kind: "category", categories: ["s10", "s9"], codes: Int32Array.of(0, 1, -1, 0) },
  ],
});
const sorted = (column: number, descending: boolean) => [...sortNodes(scene, [0, 1, 2, 3], { column, descending })];

test("nodes are sorted by id, number or category; unknown values come last in both directions", () => {
  expect([sorted(0, false), sorted(0, true)]).toEqual([
    [2, 1, 3, 0],
    [0, 3, 1, 2],
  ]);
  expect([sorted(1, false), sorted(1, true)]).toEqual([
    [3, 0, 2, 1],
    [0, 2, 3, 1],
  ]);
  expect([sorted(2, false), sorted(2, true)]).toEqual([
    [1, 0, 3, 2],
    [0, 3, 1, 2],
  ]);
});

test("the export has the ids and the attributes of the nodes, unknown values empty", () => {
  expect(csvParts(scene, [1, 2]).join("")).toBe("id,n,street\r\nb,,s9\r\na,3,\r\n");
});
