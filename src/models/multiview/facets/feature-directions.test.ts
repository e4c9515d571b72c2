/** Leading directions of features. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { createWasmEngine } from "../../../engine/wasm/wasm-engine.js";
import { weightedFeatures } from "../../../nn/feature-weights.js";
import { twoGroups } from "../test-graphs.js";
import { neighborhoodDirections } from "./feature-directions.js";

const engine = await createWasmEngine({ threads: 1 });
const tools = { engine, seed: 1 };

describe("directions of the features of nodes and neighbours", () => {
  test("are singular directions of the features if nodes have no neighbours", async () => {
    const rng = new Rng(4, "features");
    const numNodes = 50;
    const rows = Array.from({ length: numNodes }, (_, i) =>
      [0, 1, 2, 3, 4, 5].filter((c) => rng.uniform() < (i % 2 === c % 2 ? 0.9 : 0.1)),
    );
    const rowStart = Uint32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]);
    const features = { numColumns: 6, rowStart, columns: Uint32Array.from(rows.flat()) };
    const alone = {
      numRows: numNodes,
      numColumns: numNodes,
      rowStart: new Uint32Array(numNodes + 1),
      columns: new Uint32Array(0),
      diagonal: 1,
      symmetric: true,
    };
    const { data, width } = await neighborhoodDirections(features, [alone], 2, tools);
    expect(width).toBe(2);
    // the first direction is the two kinds of nodes
    const mean = (of: number) =>
      data.filter((_, at) => at % 2 === 0 && (at / 2) % 2 === of).reduce((s, x) => s + x, 0) / 25;
    const deviation = Math.sqrt(data.filter((_, at) => at % 2 === 0).reduce((sum, x) => sum + x * x, 0) / numNodes);
    expect(Math.abs(mean(0) - mean(1))).toBeGreaterThan(1.5 * deviation);
  });

  test("weigh the features of the neighbours as much as the node's own, even if their mean is small", async () => {
    const [numNodes, numColumns] = [60, 12];
    const rng = new Rng(6, "features");
    const rows = Array.from({ length: numNodes }, () =>
      Array.from({ length: numColumns }, (_, c) => c).filter(() => rng.uniform() < 0.3),
    );
    const features = {
      numColumns,
      rowStart: Uint32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]),
      columns: Uint32Array.from(rows.flat()),
    };
    // weights so small that the mean of the neighbours' features nearly vanishes
    const graph = twoGroups(numNodes, 0.2, 0.2, 3);
    const weight = 0.01;
    const values = new Float32Array(graph.columns.length).fill(weight);
    const operator = { ...graph, values, numColumns: numNodes, diagonal: 0, symmetric: true };
    const own = weightedFeatures(features, numNodes);
    const dense = Array.from({ length: numNodes }, (_, i) => {
      const row = new Float64Array(numColumns);
      for (let e = own.rowStart[i]; e < own.rowStart[i + 1]; e++) row[own.columns[e]] = own.values![e];
      return row;
    });
    const sums = dense.map((row, i) => {
      const sum = new Float64Array(numColumns);
      for (const j of graph.columns.subarray(graph.rowStart[i], graph.rowStart[i + 1])) {
        for (let c = 0; c < numColumns; c++) sum[c] += weight * dense[j][c];
      }
      const length = Math.hypot(...sum);
      return row.map((x, c) => x + (length === 0 ? 0 : sum[c] / length));
    });
    const means = Array.from({ length: numColumns }, (_, c) => sums.reduce((s, row) => s + row[c], 0) / numNodes);
    const square = sums.reduce((s, row) => s + row.reduce((t, x, c) => t + (x - means[c]) ** 2, 0), 0);
    // all columns together have the squared norm of M divided by n. Row lengths of the neighbours' part are estimated to about
    // a tenth: measured 1.004
    const { data } = await neighborhoodDirections(features, [operator], numColumns, tools);
    const found = data.reduce((s, x) => s + x * x, 0) * numNodes;
    expect(found / square).toBeGreaterThan(0.9);
    expect(found / square).toBeLessThan(1.1);
  });
});
