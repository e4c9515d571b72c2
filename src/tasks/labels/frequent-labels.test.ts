import { expect, test } from "vitest";
import { frequentLabels } from "./frequent-labels.js";

test("the most frequent labels, as many as each node has", () => {
  const labels = [[0], [0, 1], [1, 2], [0]];
  const nodes = {
    ids: ["a", "b", "c", "d"],
    rows: Int32Array.of(0, 1, 2, 3),
    names: ["x", "y", "z"],
    labels,
    multiLabel: true,
    unknown: [],
    numUnlabelled: 0,
  };
  const found = frequentLabels(nodes, [3, 2, 1]);
  // said are x, x y, x y, x: of x 3 of 4 are right and none missed, of y both, of z none
  expect(found.macroF1).toBeCloseTo((6 / 7 + 1 + 0) / 3, 12);
  expect(found.microF1).toBeCloseTo((2 * 5) / (6 + 6), 12);
  expect(found.accuracy).toBe(3 / 4);
});
