import { expect, test } from "vitest";
import type { Attribute } from "../scene/scene.js";
import { defaultNames, nodeName } from "./node-names.js";
import { testScene } from "./test-scene.js";

const ids = ["n1", "n2", "n3", "n4", "n5"];
const classes: Attribute = { name: "label", kind: "category", categories: ["x"], codes: new Int32Array(5) };
const names: Attribute = {
  name: "Name",
  kind: "category",
  categories: ["Ada", "Bob", "Cy", " "],
  codes: Int32Array.of(0, 1, 2, 3, -1),
};

test("nodes are named by a column of names, and by their ids where it has none", () => {
  const scene = { ...testScene({ ids }), names };
  expect(ids.map((_, node) => nodeName(scene, node))).toEqual(["Ada", "Bob", "Cy", "n4", "n5"]);
  expect(nodeName(testScene({ ids }), 1)).toBe("n2");
});

test("a column called name, label or title is the default if most nodes have a text of their own there", () => {
  const number: Attribute = { name: "title", kind: "number", values: new Float32Array(5) };
  expect(defaultNames([classes, number, names])).toBe(names);
  expect(defaultNames([classes, number])).toBeUndefined();
  expect(defaultNames([{ ...names, name: "street" }])).toBeUndefined();
  expect(defaultNames([{ ...names, codes: Int32Array.of(0, 1, 2, 3, -1, -1) }])).toBeUndefined();
});
