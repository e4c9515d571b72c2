import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import type { GraphInput } from "../../nn/model.js";
import type { Rows } from "../../numeric/rows.js";
import { type Preparation, readPreparation, writePreparation } from "./preparation.js";

const numNodes = 6;
const dim = 16;
const rng = new Rng(1, "preparation");

/** Two relations of one edge each; the weights of the second differ. */
function graphOf(numFeatures: number): GraphInput {
  const rowStart = Uint32Array.of(0, 2, 3, 4, 4, 4, 4);
  const relation = { rowStart, columns: Uint32Array.of(1, 2, 0, 0), numEdges: 2 };
  return {
    numNodes,
    relations: [
      { ...relation, name: "a" },
      { ...relation, name: "b", values: Float32Array.of(1, 2, 1, 2) },
    ],
    directed: false,
    features:
      numFeatures === 0
        ? undefined
        : { numColumns: numFeatures, rowStart: new Uint32Array(numNodes + 1), columns: new Uint32Array(0) },
  };
}

function random(width: number, numRows = numNodes): Rows<Float32Array> {
  return { data: Float32Array.from({ length: numRows * width }, () => rng.normal()), width };
}

const [pattern] = graphOf(0).relations;
const drawn = { rowStart: pattern.rowStart, columns: pattern.columns };
/** The heavier edge, between the nodes 0 and 2, has two copies. */
const copies = { rowStart: Uint32Array.of(0, 3, 4, 6, 6, 6, 6), columns: Uint32Array.of(1, 2, 2, 0, 0, 0) };

const prepared: Preparation = {
  facets: [
    { name: "degrees", columns: random(2) },
    { name: "diffusion", columns: random(3) },
  ],
  numEdgeColumns: 11,
  edgeLength: 0.25,
  hasTable: true,
  encoderInputs: random(0),
  fixedColumns: random(1),
  diffusedColumns: random(2),
  relationColumns: random(4, 2 * numNodes),
  weightUse: { used: Uint32Array.of(0, 1), forced: Uint32Array.of(1, 0) },
  relations: [
    { drawn, edges: drawn },
    { drawn: copies, edges: { ...drawn, values: Float32Array.of(1, 2, 1, 2) } },
  ],
};

test("arrays hold the whole preparation, and the facets in their order", () => {
  const graph = graphOf(0);
  const found = readPreparation(graph, { dim }, writePreparation(prepared));
  expect(found).toEqual(prepared);
  expect(found.relations?.[0].edges.columns).toBe(found.relations?.[0].drawn.columns); // the engine stores them once
  const withoutTable: Preparation = {
    ...prepared,
    hasTable: false,
    encoderInputs: random(3),
    fixedColumns: random(0),
    diffusedColumns: random(0),
    relationColumns: random(0),
    weightUse: { used: Uint32Array.of(0, 0), forced: undefined },
  };
  expect(readPreparation(graph, { dim }, writePreparation(withoutTable))).toEqual(withoutTable);
});

test("with features the edges have a table, whatever the encoder reads", () => {
  const withFeatures: Preparation = { ...prepared, encoderInputs: random(3) };
  expect(readPreparation(graphOf(4), { dim }, writePreparation(withFeatures))).toEqual(withFeatures);
});

test("without arrays a run is estimated with the widest facets, a table and all weights", () => {
  for (const numFeatures of [0, 5]) {
    const assumed = readPreparation(graphOf(numFeatures), { dim }, undefined);
    const width = assumed.facets.reduce((sum, { columns }) => sum + columns.width, assumed.numEdgeColumns);
    expect(width).toBe(dim);
    expect(assumed.hasTable).toBe(true);
    expect([...assumed.weightUse.used]).toEqual([0, 1]);
    for (const { columns } of assumed.facets) expect(columns.data).toEqual(new Float32Array(numNodes * columns.width));
    const infomax = numFeatures === 0 ? 0 : dim / 8;
    expect(assumed.fixedColumns.width).toBe(infomax);
    expect(assumed.diffusedColumns.width > 0).toBe(numFeatures === 0);
    expect(assumed.encoderInputs.width).toBe(numFeatures + infomax);
  }
});
