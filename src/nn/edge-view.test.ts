/** The vectors of the edge view with features; its loss is checked with the other models' (test/contract). */

import { expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { ProgramBuilder, type Tensor } from "../engine/program.js";
import { referenceEngine } from "../engine/reference.js";
import type { SparseOperator } from "../engine/sparse.js";
import { encodeEdges, prepareEdgeView } from "./edge-view.js";

test("features are added to the table before the relations' mean: e = (I + P)·(T + F·W)", async () => {
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
  const prepared = prepareEdgeView(builder, [path, edge], [path, edge], {
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
  const found = executable.read(e);

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
