import { expect, test } from "vitest";
import { seenLabels } from "./seen-labels.js";

test("labels among the features are found by the name of their column, or by their values", () => {
  const features = ["age", "dept=blue", "dept=red", "town=Ulm"];
  expect(seenLabels(features, { names: ["blue", "red"] })).toBe("dept");
  expect(seenLabels(features, { names: ["blue", "green", "red"] })).toBeUndefined();
  expect(seenLabels(features, { names: ["1", "2"], column: "age" })).toBe("age");
  expect(seenLabels(features, { names: ["1", "2"], column: "years" })).toBeUndefined();
  expect(seenLabels(features, { names: ["Ulm"] })).toBeUndefined();
  expect(seenLabels([], { names: ["blue", "red"], column: "dept" })).toBeUndefined();
});
