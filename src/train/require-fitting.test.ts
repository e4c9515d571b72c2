import { expect, test } from "vitest";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import { hmge } from "../models/index.js";
import { train } from "./train.js";

const graph = multiplexFromEdges({ source: ["a", "b", "c"], target: ["b", "c", "d"], relation: ["x", "x", "x"] });
const features = {
  names: ["f", "g"],
  numColumns: 2,
  rowStart: Uint32Array.of(0, 1, 2, 3, 4),
  columns: Uint32Array.of(0, 1, 0, 1),
};
const settings = { dim: 4, epochs: 1 };

test("features that fit are taken", async () => {
  expect((await train({ ...graph, features }, hmge, settings)).embedding.ids).toHaveLength(4);
});

test.each([
  ["a column that is not there", { ...features, columns: Uint32Array.of(0, 1, 0, 70_000_000) }],
  ["too few rows", { ...features, rowStart: Uint32Array.of(0, 1, 2, 4) }],
  ["rows that run backwards", { ...features, rowStart: Uint32Array.of(0, 3, 2, 3, 4) }],
  ["rows that end early", { ...features, rowStart: Uint32Array.of(0, 1, 2, 3, 3) }],
  ["too few values", { ...features, values: Float32Array.of(1, 2) }],
])("features with %s are refused before a kernel reads them", async (_, wrong) => {
  await expect(train({ ...graph, features: wrong }, hmge, settings)).rejects.toThrow(/^graph: features: .* do not fit/);
});

test("so are neighbours that are no nodes", async () => {
  const [relation] = graph.relations;
  const wrong = { ...relation, columns: relation.columns.map((column) => column + 2) };
  await expect(train({ ...graph, relations: [wrong] }, hmge, settings)).rejects.toThrow(/^graph: relation "x"/);
});
