import { describe, expect, test } from "vitest";
import { classificationSplits, classifyNodes } from "../classification/node-classification.js";
import { matchLabels } from "./labelled-nodes.js";
import { trainingLabels } from "./training-labels.js";

const ids = ["a", "b", "c", "d", "e"];
const labels = {
  byNode: new Map([
    ["e", ["x", "z"]],
    ["b", ["z"]],
    ["d", ["y"]],
    ["stranger", ["x"]],
  ]),
  names: ["x", "y", "z"],
};

describe("training labels", () => {
  test("are those of the chosen nodes, by row of the graph; classes of other nodes are hidden", () => {
    const nodes = matchLabels(ids, labels); // e, b, d
    const { input, classes, nodes: count } = trainingLabels(ids.length, nodes, [0, 1]);
    expect(count).toBe(2);
    expect(classes).toEqual(["x", "z"]);
    expect(input).toEqual({
      numClasses: 2,
      rowStart: Uint32Array.of(0, 0, 1, 1, 1, 3),
      columns: Uint32Array.of(1, 0, 1),
    });
    expect(trainingLabels(ids.length, nodes, []).input.columns.length).toBe(0);
  });
});

describe("classificationSplits", () => {
  test("returns the splits that classifyNodes uses", () => {
    // from one-hot vectors a probe learns nothing about other nodes, so the score depends on the split only
    const n = 40;
    const names = Array.from({ length: n }, (_, i) => `n${i}`);
    const vectors = Float32Array.from({ length: n * n }, (_, e) => (e % (n + 1) === 0 ? 1 : 0));
    const classes = { byNode: new Map(names.map((id, i) => [id, [i % 3 === 0 ? "p" : "q"]])), names: ["p", "q"] };
    for (const seed of [1, 2, 3]) {
      const options = { split: { train: 0.3 }, repeats: 2, seed };
      const { nodes, splits } = classificationSplits(names, classes, options);
      const found = classifyNodes([{ ids: names, dim: n, vectors }], classes, options);
      expect(splits.length).toBe(2);
      const expected = splits.map(({ train, test }) => {
        const count = (places: Int32Array) => places.filter((place) => nodes.labels[place][0] === 0).length;
        const larger = 2 * count(train) > train.length ? count(test) : test.length - count(test);
        return larger / test.length;
      });
      expect(found.results[1].accuracy.mean).toBeCloseTo((expected[0] + expected[1]) / 2, 12);
    }
  });
});
