/** The edges facet: its encoder and decoder. test/contract/shallow-losses.test.ts checks its loss. */

import { expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { readAll } from "../../../engine/engine.js";
import { ProgramBuilder, type Tensor } from "../../../engine/program.js";
import { referenceEngine } from "../../../engine/reference.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import { drawnCopies } from "./edge-batch.js";
import { edgeRelationVectors, encodeEdges, prepareEdgeFacet } from "./edge-facet.js";

test("features are added to the table before the mean over neighbours: e = (I + P)·(T + F·W)", async () => {
  const [numNodes, width, numFeatures] = [4, 3, 2];
  const rng = new Rng(1, "values");
  const values = (count: number) => Float32Array.from({ length: count }, () => rng.normal());
  const [table, features, weights] = [numNodes * width, numNodes * numFeatures, numFeatures * width].map(values);
  // a path and a single edge
  const path: SparseOperator = {
    numRows: 4,
    numColumns: 4,
    rowStart: Uint32Array.of(0, 1, 3, 5, 6),
    columns: Uint32Array.of(1, 0, 2, 1, 3, 2),
    diagonal: 0,
    symmetric: true,
  };
  const edge: SparseOperator = { ...path, rowStart: Uint32Array.of(0, 1, 1, 1, 2), columns: Uint32Array.of(3, 0) };

  const builder = new ProgramBuilder();
  const prepared = prepareEdgeFacet(builder, [path, edge], [path, edge], {
    features: builder.constant(features, numNodes, numFeatures),
  });
  const parameters = {
    table: builder.constant(table, numNodes, width),
    fromFeatures: builder.constant(weights, numFeatures, width),
    decoder: builder.constant(new Float32Array(2 * (width + 2)), 2, width + 2),
    offset: builder.constant(new Float32Array(1), 1, 1),
  };
  let e!: Tensor;
  builder.segment("encode", () => {
    e = encodeEdges(parameters, prepared);
    return [e];
  });
  const executable = await referenceEngine.compile(builder.finish());
  executable.run("encode");
  const found = await executable.read(e);

  const row = (i: number, k: number) => {
    let sum = table[i * width + k];
    for (let f = 0; f < numFeatures; f++) sum += features[i * numFeatures + f] * weights[f * width + k];
    return sum;
  };
  for (let i = 0; i < numNodes; i++) {
    for (let k = 0; k < width; k++) {
      let expected = row(i, k);
      for (const { rowStart, columns } of [path, edge]) {
        for (const j of columns.subarray(rowStart[i], rowStart[i + 1])) expected += row(j, k) / 2;
      }
      expect(found[i * width + k]).toBeCloseTo(expected, 12);
    }
  }
});

test("fixed columns, diffusion, all degrees and the relation's own columns are part of its score", async () => {
  const [numNodes, width, numFixed] = [3, 2, 2];
  const ring: SparseOperator = {
    numRows: numNodes,
    numColumns: numNodes,
    rowStart: Uint32Array.of(0, 1, 3, 4),
    columns: Uint32Array.of(1, 0, 2, 1),
    diagonal: 0,
    symmetric: true,
  };
  const pair: SparseOperator = { ...ring, rowStart: Uint32Array.of(0, 1, 2, 2), columns: Uint32Array.of(1, 0) };
  const fixed = [0.5, -1, 2, 0.25, 1.5, -0.75];
  const diffused = [0.25, 3, -2];
  const decoder = [2, 3, 5, 7, 1.5, 0.75, 0.5, -0.25]; // r of five columns, t, a, b
  const builder = new ProgramBuilder();
  // rows by node, then by relation: the second relation is scored
  const ofRelations = [9, 9, 0.5, 2, 9, 9, -1, 0.25, 9, 9, 3, 1];
  const columnWeight = 0.75;
  const prepared = prepareEdgeFacet(builder, [pair, ring], [pair, ring], {
    fixedColumns: builder.constant(Float32Array.from(fixed), numNodes, numFixed),
    diffusedColumns: builder.constant(Float32Array.from(diffused), numNodes, 1),
    relationColumns: builder.constant(Float32Array.from(ofRelations), 2 * numNodes, 2),
  });
  const parameters = {
    table: builder.constant(Float32Array.of(1, 2, -1, 0.5, 0.25, -2), numNodes, width),
    decoder: builder.constant(Float32Array.from([...decoder.map(() => 9), ...decoder]), 2, width + numFixed + 4),
    columnWeights: builder.constant(Float32Array.of(9, columnWeight), 2, 1),
    offset: builder.constant(new Float32Array(1), 1, 1),
  };
  let e!: Tensor;
  let vectors!: ReturnType<typeof edgeRelationVectors>;
  builder.segment("score", () => {
    e = encodeEdges(parameters, prepared);
    vectors = edgeRelationVectors(parameters, prepared, 1);
    return [e, vectors.source, vectors.target!];
  });
  const executable = await referenceEngine.compile(builder.finish());
  executable.run("score");
  const [own, source, target] = (await readAll(executable, [e, vectors.source, vectors.target!])).map((data) => [
    ...data,
  ]);
  const centred = (degrees: number[]) => {
    const logarithms = degrees.map((degree) => Math.log(1 + degree));
    const mean = logarithms.reduce((sum, x) => sum + x, 0) / numNodes;
    return logarithms.map((x) => x - mean);
  };
  const [degrees, all] = [centred([1, 2, 1]), centred([2, 3, 1])];
  const columns = source.length / numNodes;
  for (let i = 0; i < numNodes; i++) {
    for (let j = 0; j < numNodes; j++) {
      let expected = decoder[6] * (degrees[i] + degrees[j]) + decoder[5] * (all[i] + all[j]) + decoder[7];
      expected += diffused[i] * decoder[4] * diffused[j];
      for (let k = 0; k < width; k++) expected += own[i * width + k] * decoder[k] * own[j * width + k];
      for (let k = 0; k < numFixed; k++) {
        expected += fixed[i * numFixed + k] * decoder[width + k] * fixed[j * numFixed + k];
      }
      for (let k = 0; k < 2; k++) expected += columnWeight * ofRelations[i * 4 + 2 + k] * ofRelations[j * 4 + 2 + k];
      let found = 0;
      for (let k = 0; k < columns; k++) found += source[i * columns + k] * target[j * columns + k];
      expect(found).toBeCloseTo(expected, 5);
    }
  }
});

test("relations are drawn in proportion to the square root of their size", () => {
  const sizes = [10_000, 100, 2500, 0];
  const alone = sizes.map((size) => ({ columns: new Uint32Array(size) }));
  const copies = drawnCopies(alone, alone);
  expect(sizes.slice(0, 3).map((size, d) => size * copies[d])).toEqual([10_000, 1000, 5000]);
  // with copies: four of each edge in the first relation
  const entries = [40_000, 100].map((size) => ({ columns: new Uint32Array(size) }));
  const edges = [10_000, 100].map((size) => ({ columns: new Uint32Array(size) }));
  expect(drawnCopies(entries, edges)).toEqual([1, 40]);
});
