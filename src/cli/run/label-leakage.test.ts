import { expect, test } from "vitest";
import { findLabelFeature, holdsLabels } from "./label-leakage.js";

test("labels among the features are found by the name of their column, or by their values", () => {
  const features = ["age", "dept=blue", "dept=red", "town=Ulm"];
  expect(findLabelFeature(features, { names: ["blue", "red"] })).toBe("dept");
  expect(findLabelFeature(features, { names: ["blue", "green", "red"] })).toBeUndefined();
  expect(findLabelFeature(features, { names: ["1", "2"], column: "age" })).toBe("age");
  expect(findLabelFeature(features, { names: ["1", "2"], column: "years" })).toBeUndefined();
  expect(findLabelFeature(features, { names: ["Ulm"] })).toBeUndefined();
  expect(findLabelFeature([], { names: ["blue", "red"], column: "dept" })).toBeUndefined();
});

test("a column holds the labels where nearly every node has its own there", () => {
  const ids = ["a", "b", "c", "d"];
  const features = {
    names: ["age", "dept=blue", "dept=red"],
    numColumns: 3,
    rowStart: Uint32Array.of(0, 2, 4, 6, 8),
    columns: Uint32Array.of(0, 1, 0, 2, 0, 1, 0, 2),
    values: Float32Array.of(1, 1, 2, 1, 1, 1, 2, 1),
  };
  const labels = (...own: string[]) => ({ byNode: new Map(ids.map((id, i) => [id, [own[i]]])), names: [] });
  expect(holdsLabels({ ids, features }, labels("blue", "red", "blue", "red"), "dept")).toBe(true);
  expect(holdsLabels({ ids, features }, labels("red", "red", "blue", "blue"), "dept")).toBe(false);
  expect(holdsLabels({ ids, features }, labels("1", "2", "1", "2"), "age")).toBe(true);
  expect(holdsLabels({ ids, features: undefined }, labels("1", "2", "1", "2"), "age")).toBe(false);
});
