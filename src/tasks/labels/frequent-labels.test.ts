import { expect, test } from "vitest";
import { frequentLabels } from "./frequent-labels.js";

test("predicts as many of the most frequent labels as each node has", () => {
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
  // predicted are x, x y, x y, x: 3 of 4 x are right and none is missed, both y are right, no z is predicted
  expect(found.macroF1).toBeCloseTo((6 / 7 + 1 + 0) / 3, 12);
  expect(found.microF1).toBeCloseTo((2 * 5) / (6 + 6), 12);
  expect(found.accuracy).toBe(3 / 4);
});
