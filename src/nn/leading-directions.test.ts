/** Leading directions of maps, on every engine. */

import { describe, expect, test } from "vitest";
import { spmm } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import { referenceEngine } from "../engine/reference.js";
import { createWasmEngine } from "../engine/wasm/wasm-engine.js";
import { regularizedAdjacency } from "../models/multiview/significance/direction-test.js";
import { twoGroups } from "../models/multiview/test-graphs.js";
import { multiplySparse } from "../numeric/csr.js";
import { symmetricEigen } from "../numeric/eigen/symmetric-eigen.js";
import { leadingDirections } from "./leading-directions.js";

const tools = { engine: referenceEngine, seed: 1 };

describe("leading directions", () => {
  test("tell how far they are", async () => {
    const matrix = regularizedAdjacency(twoGroups(20, 0.4, 0.1, 1));
    const heard: [string, number, number][] = [];
    await leadingDirections(
      [(x) => spmm(matrix, x)],
      { numNodes: 20, count: 2, eigenvalues: "positive" as const, purpose: "test", stageName: "directions" },
      { ...tools, onStep: (...step) => heard.push(step) },
    );
    const of = heard[0][2];
    expect(heard).toEqual(Array.from({ length: of + 1 }, (_, k) => ["directions", k, of]));
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
        { numNodes: 60, count: 4, eigenvalues: "bounded" as const, purpose: "test", stageName: "directions" },
        { engine, seed: 3 },
      );
      expect(found.width).toBe(4);
      // the gap after the second value is wide, the later ones lie close together
      for (const k of [0, 1]) {
        expect(found.values[k]).toBeCloseTo(values[k], 4);
        let along = 0;
        for (let i = 0; i < 60; i++) along += found.data[i * 4 + k] * vectors[k][i];
        expect(Math.abs(along)).toBeGreaterThan(0.999);
      }
      for (const k of [2, 3]) expect(Math.abs(found.values[k] - values[k])).toBeLessThan(1e-3);
    }
  });

  test("are exact if more eigenvalues are equal than the block has columns", async () => {
    // 130 cycles of 6 nodes: 130 eigenvalues are 0.5, the next 260 are 0.25
    const numNodes = 780;
    const rowStart = Uint32Array.from({ length: numNodes + 1 }, (_, i) => 2 * i);
    const neighbors = (i: number) => [1, 5].map((step) => i - (i % 6) + ((i + step) % 6)).sort((a, b) => a - b);
    const columns = Uint32Array.from(Array.from({ length: numNodes }, (_, i) => neighbors(i)).flat());
    const values = new Float32Array(2 * numNodes).fill(0.25);
    const matrix = { numRows: numNodes, numColumns: numNodes, rowStart, columns, values, diagonal: 0, symmetric: true };
    const [found] = await leadingDirections(
      [(x) => spmm(matrix, x)],
      { numNodes, count: 24, eigenvalues: "bounded" as const, purpose: "test", stageName: "directions" },
      { ...tools, engine: await createWasmEngine({ threads: 1 }) },
    );
    const { data, width } = found;
    const images = new Float64Array(data.length);
    multiplySparse(matrix, Float64Array.from(data), width, images);
    for (let k = 0; k < width; k++) {
      let residual = 0;
      for (let i = 0; i < numNodes; i++) residual += (images[i * width + k] - 0.5 * data[i * width + k]) ** 2;
      expect(Math.sqrt(residual)).toBeLessThan(0.005);
    }
  });

  test("do not depend on the number of maps in memory; all of their rounds are counted", async () => {
    const matrices = [1, 2, 3].map((seed) => regularizedAdjacency(twoGroups(30, 0.4, 0.1, seed)));
    const maps = matrices.map((matrix) => (x: Tensor) => spmm(matrix, x));
    const request = {
      numNodes: 30,
      count: 3,
      eigenvalues: "bounded" as const,
      purpose: "test",
      stageName: "directions",
    };
    const together = await leadingDirections(maps, request, tools);
    const heard: number[][] = [];
    const onStep = (_: string, done: number, steps: number) => heard.push([done, steps]);
    expect(await leadingDirections(maps, { ...request, mapsAtOnce: 2 }, { ...tools, onStep })).toEqual(together);
    expect(heard).toEqual(Array.from({ length: 9 }, (_, k) => [k, 8])); // two programs of four rounds
  });

  test("are fewer in a graph of fewer nodes", async () => {
    const matrix = regularizedAdjacency(twoGroups(5, 1, 1, 1));
    const request = {
      numNodes: 5,
      count: 9,
      eigenvalues: "bounded" as const,
      purpose: "test",
      stageName: "directions",
    };
    const [found] = await leadingDirections([(x) => spmm(matrix, x)], request, tools);
    expect(found.width).toBe(5);
    expect([...found.data].every(Number.isFinite)).toBe(true);
  });
});

test("weak directions are found in addition to strong directions, also if the eigenvalues are positive", async () => {
  const values = [1, 0.4, 0.15, 0.06, 0.02];
  const numNodes = 40;
  const rowStart = Uint32Array.from({ length: numNodes + 1 }, (_, i) => Math.min(i, values.length));
  const columns = Uint32Array.from(values, (_, k) => k);
  const diagonal = { numRows: numNodes, numColumns: numNodes, rowStart, columns, values: Float32Array.from(values) };
  const matrix = { ...diagonal, diagonal: 0, symmetric: true };
  const request = { numNodes, count: 5, eigenvalues: "positive" as const, purpose: "test", stageName: "directions" };
  const [found] = await leadingDirections([(x) => spmm(matrix, x)], request, tools);
  values.forEach((value, k) => {
    expect(found.values[k]).toBeCloseTo(value, 5);
    expect(Math.abs(found.data[k * 5 + k])).toBeCloseTo(1, 4);
  });
});
