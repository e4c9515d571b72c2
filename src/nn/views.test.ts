/** The untrained views: directions of graphs and of features, and how they become columns. */

import { describe, expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { symmetricEigen } from "../core/symmetric-eigen.js";
import { spmm } from "../engine/ops/index.js";
import { referenceEngine } from "../engine/reference.js";
import { multiplySparse } from "../engine/sparse.js";
import { createWasmEngine } from "../engine/wasm/wasm-engine.js";
import { type Columns, spread } from "./columns.js";
import { degreeView } from "./degree-view.js";
import { directionScores, regularizedAdjacency, splitInHalves } from "./direction-test.js";
import type { SimpleGraph } from "./edge-copies.js";
import { featureView } from "./feature-view.js";
import { leadingDirections } from "./leading-directions.js";
import { spectralView } from "./spectral-view.js";

const tools = { engine: referenceEngine, seed: 1 };

/** A graph of two groups of nodes; `within` and `between` are the chances of an edge. */
function twoGroups(numRows: number, within: number, between: number, seed: number): SimpleGraph & { groups: number[] } {
  const rng = new Rng(seed, "groups");
  const groups = Array.from({ length: numRows }, () => (rng.uniform() < 0.5 ? 1 : -1));
  const rows: number[][] = groups.map(() => []);
  for (let i = 0; i < numRows; i++) {
    for (let j = i + 1; j < numRows; j++) {
      if (rng.uniform() >= (groups[i] === groups[j] ? within : between)) continue;
      rows[i].push(j);
      rows[j].push(i);
    }
  }
  const rowStart = new Uint32Array(numRows + 1);
  rows.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.length;
  });
  return { numRows, rowStart, columns: Uint32Array.from(rows.flatMap((row) => row.sort((a, b) => a - b))), groups };
}

describe("leading directions", () => {
  test("tell how far they are", async () => {
    const matrix = regularizedAdjacency(twoGroups(20, 0.4, 0.1, 1));
    const heard: [string, number, number][] = [];
    await leadingDirections(
      [(x) => spmm(matrix, x)],
      { numNodes: 20, count: 2, shift: 0, purpose: "test", what: "directions" },
      { ...tools, onStep: (...step) => heard.push(step) },
    );
    const of = heard[0][2];
    expect(heard).toEqual(Array.from({ length: of }, (_, k) => ["directions", k + 1, of]));
  });

  test("are those of the dense matrix, on every engine", async () => {
    const matrix = regularizedAdjacency(twoGroups(60, 0.4, 0.1, 1));
    const dense = new Float64Array(60 * 60);
    for (let k = 0; k < 60; k++) {
      const unit = new Float64Array(60);
      unit[k] = 1;
      const image = new Float64Array(60);
      multiplySparse(matrix, unit, 1, image);
      dense.set(image, k * 60);
    }
    const { values, vectors } = symmetricEigen(dense, 60);
    for (const engine of [referenceEngine, await createWasmEngine({ threads: 2 })]) {
      const [found] = await leadingDirections(
        [(x) => spmm(matrix, x)],
        { numNodes: 60, count: 4, shift: 0.5, purpose: "test", what: "directions" },
        { engine, seed: 3 },
      );
      expect(found.count).toBe(4);
      // the gap after the second value is wide, the later ones lie close together
      for (const k of [0, 1]) {
        expect(found.values[k]).toBeCloseTo(values[k], 4);
        let along = 0;
        for (let i = 0; i < 60; i++) along += found.vectors[i * 4 + k] * vectors[k][i];
        expect(Math.abs(along)).toBeGreaterThan(0.999);
      }
      for (const k of [2, 3]) expect(found.values[k]).toBeCloseTo(values[k], 2);
    }
  });

  test("are fewer in a graph of fewer nodes", async () => {
    const matrix = regularizedAdjacency(twoGroups(5, 1, 1, 1));
    const request = { numNodes: 5, count: 9, shift: 0.5, purpose: "test", what: "directions" };
    const [found] = await leadingDirections([(x) => spmm(matrix, x)], request, tools);
    expect(found.count).toBe(5);
    expect([...found.vectors].every(Number.isFinite)).toBe(true);
  });
});

describe("the test of directions", () => {
  test("puts every edge into one half, in both directions", () => {
    const graph = twoGroups(80, 0.3, 0.1, 2);
    const halves = splitInHalves(graph, 1, "halves");
    const pairs = halves.map(({ rowStart, columns }) => {
      const found = new Set<string>();
      for (let i = 0; i < 80; i++) for (let e = rowStart[i]; e < rowStart[i + 1]; e++) found.add(`${i} ${columns[e]}`);
      return found;
    });
    expect(pairs[0].size + pairs[1].size).toBe(graph.columns.length);
    for (const found of pairs) {
      expect(found.size).toBeGreaterThan(graph.columns.length / 3);
      for (const pair of found) expect(found.has(pair.split(" ").reverse().join(" "))).toBe(true);
    }
    expect([...pairs[0]].some((pair) => pairs[1].has(pair))).toBe(false);
  });

  test("tells groups from noise of the same density", async () => {
    for (const [within, between, real] of [
      [0.12, 0.04, true],
      [0.08, 0.08, false],
    ] as const) {
      const graph = twoGroups(300, within, between, 5);
      const [first, second] = splitInHalves(graph, 1, "halves");
      const matrix = regularizedAdjacency(first, graph);
      const request = { numNodes: 300, count: 4, shift: 0.5, purpose: "test", what: "directions" };
      const [found] = await leadingDirections([(x) => spmm(matrix, x)], request, tools);
      const scores = directionScores(found, second, graph);
      expect(scores[1] > 4).toBe(real);
      expect(scores.subarray(2).every((score) => score < 4)).toBe(true);
    }
  });
});

test("the spectral view has a direction for each relation that has one, and none for noise", async () => {
  const numNodes = 300;
  const relations = [1, 2, 3].map((seed) => twoGroups(numNodes, 0.14, 0.04, seed));
  const noise = [7, 8].map((seed) => twoGroups(numNodes, 0.09, 0.09, seed));
  const all = [...relations, ...noise];
  const edges = all.map((graph) => new Set(neighborsOf(graph)));
  const union = Array.from({ length: numNodes * numNodes }, (_, at) => at).filter((at) =>
    edges.some((set) => set.has(at)),
  );
  const rowStart = new Uint32Array(numNodes + 1);
  for (const at of union) rowStart[Math.floor(at / numNodes) + 1]++;
  for (let i = 0; i < numNodes; i++) rowStart[i + 1] += rowStart[i];
  const whole = { numRows: numNodes, rowStart, columns: Uint32Array.from(union, (at) => at % numNodes) };
  const view = await spectralView(whole, all, 16, tools);
  const { data, count } = await view.columns(30);
  // that of the degrees, and one for each relation, some of them perhaps already seen in the union
  expect(count).toBe(1 + 3);
  for (const { groups } of relations) {
    let held = 0;
    for (let k = 0; k < count; k++) {
      let along = 0;
      for (let i = 0; i < numNodes; i++) along += (data[i * count + k] * groups[i]) / Math.sqrt(numNodes);
      held += along ** 2;
    }
    expect(held).toBeGreaterThan(0.8);
  }
});

test("the degree view has what degrees of relations share, and nothing of random graphs", () => {
  const numNodes = 300;
  expect(degreeView([twoGroups(numNodes, 0.1, 0.1, 1), twoGroups(numNodes, 0.1, 0.1, 2)], 8, 1).count).toBe(0);
  // every third node has most of the edges of the first two relations, every fifth one most of the third's
  const busy = (step: number, seed: number): SimpleGraph => {
    const rng = new Rng(seed, "busy");
    const rows: number[][] = Array.from({ length: numNodes }, () => []);
    for (let i = 0; i < numNodes; i++) {
      for (let j = i + 1; j < numNodes; j++) {
        if (rng.uniform() >= (i % step === 0 || j % step === 0 ? 0.3 : 0.03)) continue;
        rows[i].push(j);
        rows[j].push(i);
      }
    }
    const rowStart = new Uint32Array(numNodes + 1);
    rows.forEach((row, i) => {
      rowStart[i + 1] = rowStart[i] + row.length;
    });
    return { numRows: numNodes, rowStart, columns: Uint32Array.from(rows.flat()) };
  };
  const relations = [busy(3, 1), busy(3, 2), busy(5, 3)];
  const { data, count } = degreeView(relations, 8, 1);
  expect(count).toBe(2);
  // of two columns some combination tells each kind of busy node: its distance to the others is far beyond their spread
  for (const step of [3, 5]) {
    const kinds = [0, 1].map((kind) =>
      Array.from({ length: numNodes }, (_, i) => i).filter((i) => Number(i % step === 0) === kind),
    );
    const means = kinds.map((nodes) =>
      [0, 1].map((k) => nodes.reduce((sum, i) => sum + data[i * count + k], 0) / nodes.length),
    );
    const apart = [0, 1].map((k) => means[1][k] - means[0][k]);
    const along = (i: number) => apart.reduce((sum, x, k) => sum + x * data[i * count + k], 0);
    const spreads = kinds.map((nodes) => {
      const mean = nodes.reduce((sum, i) => sum + along(i), 0) / nodes.length;
      return Math.sqrt(nodes.reduce((sum, i) => sum + (along(i) - mean) ** 2, 0) / nodes.length);
    });
    expect(apart.reduce((sum, x) => sum + x * x, 0)).toBeGreaterThan(1.5 * Math.max(...spreads));
  }
});

function neighborsOf({ numRows, rowStart, columns }: SimpleGraph): number[] {
  return Array.from({ length: numRows }, (_, i) =>
    [...columns.subarray(rowStart[i], rowStart[i + 1])].map((j) => i * numRows + j),
  ).flat();
}

test("spreading keeps inner products up to one scale", () => {
  const rng = new Rng(2, "columns");
  const columns = { data: Float32Array.from({ length: 40 * 3 }, () => rng.normal()), count: 3 };
  const wide = spread(columns, 8, 0.5, new Rng(1, "spread"));
  const product = ({ data, count }: Columns, i: number, j: number) => {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += data[i * count + k] * data[j * count + k];
    return sum;
  };
  let square = 0;
  for (let i = 0; i < 40; i++) square += product(wide, i, i) / 40;
  expect(square).toBeCloseTo(0.25, 5);
  const scale = product(wide, 0, 0) / product(columns, 0, 0);
  for (let i = 0; i < 40; i++) expect(product(wide, i, 7)).toBeCloseTo(scale * product(columns, i, 7), 5);
});

describe("the feature view", () => {
  test("has the singular directions of the features of nodes without neighbours", async () => {
    const rng = new Rng(4, "features");
    const numNodes = 50;
    const rows = Array.from({ length: numNodes }, (_, i) =>
      [0, 1, 2, 3, 4, 5].filter((c) => rng.uniform() < (i % 2 === c % 2 ? 0.9 : 0.1)),
    );
    const rowStart = Uint32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]);
    const given = { numColumns: 6, rowStart, columns: Uint32Array.from(rows.flat()) };
    const alone = {
      numRows: numNodes,
      numColumns: numNodes,
      rowStart: new Uint32Array(numNodes + 1),
      columns: new Uint32Array(0),
      diagonal: 1,
      symmetric: true,
    };
    const { data, count } = await featureView(given, [alone], 2, tools);
    expect(count).toBe(2);
    // the first direction is the two kinds of nodes
    const mean = (of: number) =>
      data.filter((_, at) => at % 2 === 0 && (at / 2) % 2 === of).reduce((s, x) => s + x, 0) / 25;
    const deviation = Math.sqrt(data.filter((_, at) => at % 2 === 0).reduce((sum, x) => sum + x * x, 0) / numNodes);
    expect(Math.abs(mean(0) - mean(1))).toBeGreaterThan(1.5 * deviation);
  });
});
