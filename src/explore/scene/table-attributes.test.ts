import { expect, test } from "vitest";
import { AttributeColumns, attributeOf } from "./table-attributes.js";

test("whole numbers with more than twenty values, and fractions, are numbers; other columns are categories", () => {
  const cells = Array.from({ length: 21 }, (_, i) => `${i}`);
  expect(attributeOf("n", cells).kind).toBe("number");
  expect(attributeOf("n", cells.slice(0, 20)).kind).toBe("category");
  expect(attributeOf("n", ["0.5", undefined])).toEqual({
    name: "n",
    kind: "number",
    values: Float32Array.of(0.5, Number.NaN),
  });
  for (const text of ["0x10", "1e99", "Infinity", "1,5"]) expect(attributeOf("n", ["0.5", text]).kind).toBe("category");
});

test("the first row of a node counts, rows without a node are counted, empty cells are no value", () => {
  const columns = new AttributeColumns(["team"], 3, (id) => ({ a: 0, b: 1, c: 2 })[id]);
  for (const row of [
    ["a", " s10 "],
    ["x", "s1"],
    ["a", "s2"],
    ["b", " "],
    ["c", "s9"],
  ])
    columns.add(row);
  expect(columns.end()).toEqual({
    attributes: [{ name: "team", kind: "category", categories: ["s9", "s10"], codes: Int32Array.of(1, -1, 0) }],
    matched: 3,
    unmatched: 1,
    repeated: 1,
  });
});
