/** Groups on which halves of features and edges agree. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { createWasmEngine } from "../../../engine/wasm/wasm-engine.js";
import { normalizedOperator } from "../../../graph/normalize.js";
import type { FeatureInput } from "../../../nn/model.js";
import { adjustedRandIndex } from "../../../numeric/clustering-metrics.js";
import { kMeans, nearestCenters } from "../../../numeric/kmeans.js";
import { type Rows, unitRows } from "../../../numeric/rows.js";
import type { SimpleGraph } from "../weights/edge-copies.js";
import { featureGroups, type GroupsInput } from "./feature-groups.js";

const engine = await createWasmEngine({ threads: 1 });
const numNodes = 180;
const numGroups = 3;
const planted = Int32Array.from({ length: numNodes }, (_, i) => i % numGroups);

function randomGraph(chance: (i: number, j: number) => number, seed: number): SimpleGraph {
  const rng = new Rng(seed, "edges");
  const rows: number[][] = Array.from({ length: numNodes }, () => []);
  for (let i = 0; i < numNodes; i++) {
    for (let j = i + 1; j < numNodes; j++) {
      if (rng.uniform() >= chance(i, j)) continue;
      rows[i].push(j);
      rows[j].push(i);
    }
  }
  const rowStart = new Uint32Array(numNodes + 1);
  rows.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.length;
  });
  return { numRows: numNodes, rowStart, columns: Uint32Array.from(rows.flatMap((row) => row.sort((a, b) => a - b))) };
}

/** Sixty 0/1 features; those of a node's own group are `factor` times as frequent. */
function randomFeatures(factor: number, seed: number): FeatureInput {
  const rng = new Rng(seed, "features");
  const numColumns = 60;
  const rowStart = new Uint32Array(numNodes + 1);
  const columns: number[] = [];
  for (let i = 0; i < numNodes; i++) {
    for (let c = 0; c < numColumns; c++) {
      if (rng.uniform() < 0.1 * (c % numGroups === planted[i] ? factor : 1)) columns.push(c);
    }
    rowStart[i + 1] = columns.length;
  }
  return { numColumns, rowStart, columns: Uint32Array.from(columns) };
}

const normalize: GroupsInput["normalize"] = (relations) =>
  relations.map((relation) => {
    const { numRows, columns } = relation;
    const named = { name: "", numEdges: columns.length / 2, ...relation };
    return normalizedOperator(named, numRows, { selfLoop: 1, directed: false });
  });
const alike = randomGraph((i, j) => (planted[i] === planted[j] ? 0.2 : 0.03), 1);
const noise = randomGraph(() => 0.4, 2);

/** The group of each node. */
const groupOf = ({ data, width }: Rows<Float32Array>) =>
  Array.from({ length: numNodes }, (_, i) => data.subarray(i * width, (i + 1) * width).indexOf(1));

describe("groups", () => {
  test("are found if features and edges have the same planted groups, despite a random relation", async () => {
    const input = { features: randomFeatures(3, 1), relations: [alike, noise], normalize };
    for (const seed of [1, 2, 3]) {
      const found = await featureGroups(input, { engine, seed });
      const three = found.find(({ width }) => width === numGroups);
      expect(three && adjustedRandIndex(planted, groupOf(three))).toBeGreaterThan(0.9);
      // found: 3 and 4 groups with these seeds. More groups split the planted ones, and the halves split them differently
      expect(found.every(({ width }) => width <= 5)).toBe(true);
    }
  });

  test("are not found in random features and edges", async () => {
    const found = await featureGroups(
      { features: randomFeatures(1, 2), relations: [noise], normalize },
      { engine, seed: 1 },
    );
    expect(found).toEqual([]);
  });

  test("are not found without edges or with two nodes", async () => {
    const empty = { numRows: numNodes, rowStart: new Uint32Array(numNodes + 1), columns: new Uint32Array(0) };
    const tools = { engine, seed: 1 };
    expect(await featureGroups({ features: randomFeatures(3, 1), relations: [empty], normalize }, tools)).toEqual([]);
    const pair = { numRows: 2, rowStart: Uint32Array.of(0, 1, 2), columns: Uint32Array.of(1, 0) };
    const features = { numColumns: 2, rowStart: Uint32Array.of(0, 1, 2), columns: Uint32Array.of(0, 1) };
    expect(await featureGroups({ features, relations: [pair], normalize }, tools)).toEqual([]);
  });
});

test("rows join the centre that k-means gave them", () => {
  const rng = new Rng(3, "rows");
  const rows = { data: Float64Array.from({ length: 300 }, () => rng.normal()), width: 3 };
  const { clusters, centers } = kMeans(rows, 4, rng);
  expect(nearestCenters(rows, centers)).toEqual(clusters);
});

test("rows have length one, or are zero", () => {
  expect([...unitRows(Float32Array.of(3, 4, 0, 0, 0, -2), 2)]).toEqual([
    Math.fround(0.6),
    Math.fround(0.8),
    0,
    0,
    0,
    -1,
  ]);
});
