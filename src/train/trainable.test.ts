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
const [relation] = graph.relations;
const changed = (wrong: object) => ({ ...graph, relations: [{ ...relation, ...wrong }] });
const settings = { dim: 4, epochs: 1 };

test("valid features are used", async () => {
  const vectors = async (own: object) => (await train({ ...graph, ...own }, hmge, settings)).embedding.vectors;
  const taken = await vectors({ features });
  expect(taken).toHaveLength(4 * settings.dim);
  expect(taken).not.toEqual(await vectors({}));
  expect(taken).not.toEqual(await vectors({ features: { ...features, columns: Uint32Array.of(0, 0, 1, 1) } }));
});

test.each([
  ["a column that does not exist", { ...features, columns: Uint32Array.of(0, 1, 0, 70_000_000) }],
  ["too few rows", { ...features, rowStart: Uint32Array.of(0, 1, 2, 4) }],
  ["rows that run backwards", { ...features, rowStart: Uint32Array.of(0, 3, 2, 3, 4) }],
  ["rows that end early", { ...features, rowStart: Uint32Array.of(0, 1, 2, 3, 3) }],
  ["too few values", { ...features, values: Float32Array.of(1, 2) }],
])("features with %s are rejected before a kernel reads them", async (_, wrong) => {
  await expect(train({ ...graph, features: wrong }, hmge, settings)).rejects.toThrow(/^graph: features: .* do not fit/);
});

test("neighbours that are not nodes are rejected", async () => {
  const wrong = { ...relation, columns: relation.columns.map((column) => column + 2) };
  await expect(train({ ...graph, relations: [wrong] }, hmge, settings)).rejects.toThrow(/^graph: relation "x"/);
});

test.each([
  ["too few ids", { ...graph, ids: graph.ids.slice(1) }, "graph: 3 ids; expected one for each of 4 nodes."],
  ["a promise of a graph", Promise.resolve(graph), "graph: no relations; expected a multiplex"],
  [
    "a feature that is NaN",
    { ...graph, features: { ...features, values: Float32Array.of(1, 2, NaN, 4) } },
    "entry 2 is NaN",
  ],
  [
    "features that are not a matrix",
    { ...graph, features: [[1, 2]] },
    "graph: features: rowStart is undefined; expected a Uint32Array",
  ],
  [
    "features without names",
    { ...graph, features: { ...features, names: undefined } },
    "graph: features: names is undefined",
  ],
  [
    "too few names of features",
    { ...graph, features: { ...features, names: ["f"] } },
    "names is a list of 1; expected",
  ],
  [
    "a graph read from JSON",
    JSON.parse(JSON.stringify(graph)),
    'relation "x": rowStart is an object; expected a Uint32Array',
  ],
  ["a graph without ids", { ...graph, ids: undefined }, "graph: ids is undefined; expected a list"],
  ["ids that are numbers", { ...graph, ids: [1, 2, 3, 4] }, "graph: id 0 is 1; expected a string"],
  ["two nodes with one id", { ...graph, ids: ["a", "b", "a", "c"] }, 'graph: two nodes have the id "a"'],
  ["a relation without a name", { ...graph, relations: [{ ...relation, name: undefined }] }, "relation 0 has no name"],
  ["a wrong number of edges", changed({ numEdges: 6 }), 'relation "x": numEdges is 6; its 6 columns are 3 edges'],
  ["edges of weight zero", changed({ values: Float32Array.of(1, 1, 1, 0, 1, 1) }), "entry 3 weighs 0; expected"],
  ["edges of negative weight", changed({ values: new Float32Array(6).fill(-2) }), "entry 0 weighs -2; expected"],
  [
    "weights that differ between both directions",
    changed({ values: Float32Array.of(1, 1, 1, 1, 1, 2) }),
    'node "c" has an edge to "d"',
  ],
  ["a repeated neighbour", changed({ columns: Uint32Array.of(1, 0, 0, 1, 3, 2) }), "row 1 has column 0 after 0"],
  ["neighbours out of order", changed({ columns: Uint32Array.of(1, 2, 0, 1, 3, 2) }), "row 1 has column 0 after 2"],
  [
    "edges in the upper row only",
    changed({ rowStart: Uint32Array.of(0, 1, 2, 3, 3), columns: Uint32Array.of(1, 2, 3), numEdges: 3 }),
    'node "a" has an edge to "b" that is missing in the other direction',
  ],
  [
    "edges in the lower row only",
    changed({ rowStart: Uint32Array.of(0, 0, 1, 2, 3), columns: Uint32Array.of(0, 1, 2), numEdges: 3 }),
    'node "b" has an edge to "a" that is missing in the other direction',
  ],
])("untyped callers get an error for %s", async (_, wrong, message) => {
  await expect(Reflect.apply(train, undefined, [wrong, hmge, settings])).rejects.toThrow(message);
});

test("edges in one direction only are valid in a directed graph", async () => {
  const oneSided = changed({ rowStart: Uint32Array.of(0, 1, 2, 3, 3), columns: Uint32Array.of(1, 2, 3), numEdges: 3 });
  expect((await train({ ...oneSided, directed: true }, hmge, settings)).numEpochs).toBe(1);
});

test("untyped callers get an error for a value that is not a model, a number of threads or a number", async () => {
  const start = (...words: unknown[]) => expect(Reflect.apply(train, undefined, [graph, ...words])).rejects;
  await start("hmge").toThrow('train: the model is "hmge"; expected a model object');
  await start(hmge, { threads: 0 }).toThrow("threads: 0; expected a whole number of at least 1.");
  await start(hmge, { dim: Number.NaN }).toThrow("option dim is NaN;");
  await start(hmge, { seed: 2 ** 60 }).toThrow("expected integer from 0 to 9007199254740991");
});
