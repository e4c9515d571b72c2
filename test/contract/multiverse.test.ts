/** One step of MultiVERSE and its draws, against plain loops. */

import { describe, expect, test } from "vitest";
import { resolveOptions } from "../../src/core/options.js";
import { Rng } from "../../src/core/rng.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import { multiverse, pairSampler } from "../../src/models/multiverse/multiverse.js";
import { traceTraining } from "../../src/train/training-program.js";
import { relativeError } from "./check-op.js";

const { graph } = generateSbm({ nodes: 60, relations: 2, pIn: 0.3, pOut: 0.05, seed: 1 });
const options = resolveOptions(multiverse.options, "multiverse", { dim: 5, neighbors: 6, start: 1 });
const arrays = await multiverse.precompute?.(graph, options, { engine: referenceEngine, seed: 1 });

describe.each([referenceEngine, await createWasmEngine({ threads: 2 })])("$description", (engine) => {
  test("a step adds up what the pairs ask for", async () => {
    const n = graph.numNodes;
    const { dim } = options;
    const traced = traceTraining(multiverse, graph, options, { weightDecay: 0, arrays });
    const executable = await engine.compile(traced.program);
    const { tensor, initializer } = traced.parameters[0];
    const before = new Float32Array(n * dim);
    initializer(before, new Rng(3, "start"));
    executable.write(tensor, (data) => data.set(before));
    const right = new Uint32Array(n * 4);
    const [draws] = traced.program.randomInputs;
    draws.fill([right], new Rng(3, draws.purpose, 1));
    executable.write(draws.tensors[0], (data) => data.set(right));
    executable.write(traced.schedule, (data) => data.set([0.02, 1, 1]));
    executable.run("step");

    const after = Float64Array.from(before);
    let loss = 0;
    for (let u = 0; u < n; u++) {
      for (let k = 0; k < 4; k++) {
        const v = right[4 * u + k];
        const isPositive = k === 0 ? 1 : 0;
        let product = 0;
        for (let c = 0; c < dim; c++) product += before[u * dim + c] * before[v * dim + c];
        const probability = 1 / (1 + Math.exp(-(product - Math.log(isPositive === 1 ? n : n / 3))));
        loss -= Math.log(isPositive === 1 ? probability : 1 - probability);
        const step = 0.02 * (isPositive - probability);
        for (let c = 0; c < dim; c++) {
          after[u * dim + c] += step * before[v * dim + c];
          after[v * dim + c] += step * before[u * dim + c];
        }
      }
    }
    // float32
    expect(relativeError(await executable.read(traced.loss), [loss])).toBeLessThan(1e-5);
    expect(relativeError(await executable.read(tensor), after)).toBeLessThan(1e-5);
    await executable.dispose();
  });
});

describe("the draws", () => {
  const lists = (nodes: number[][], shares: number[][]) => ({
    nodes: Uint32Array.from(nodes.flat()),
    shares: Float32Array.from(shares.flat()),
  });

  test("follow the shares, and leave the list out of the negatives", () => {
    const n = 10;
    const nodes = Array.from({ length: n }, (_, u) => [1, 2, 3].map((step) => (u + step) % n));
    const shares = nodes.map(() => [0.5, 0.375, 0.125]);
    const draw = pairSampler(lists(nodes, shares), n, { ...options, neighbors: 3, negatives: 2 });
    const right = new Uint32Array(3 * n);
    const rounds = 4000;
    const counts = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      draw(right, new Rng(1, "draws", round));
      for (let u = 0; u < n; u++) {
        for (let k = 0; k < 3; k++) {
          const key = `${k === 0 ? "list" : "other"} ${(right[3 * u + k] - u + n) % n}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      }
    }
    const share = (key: string, total: number) => (counts.get(key) ?? 0) / total;
    // 40 000 and 80 000 draws: five deviations are below 0.0125
    [0.5, 0.375, 0.125].forEach((expected, e) => {
      expect(Math.abs(share(`list ${e + 1}`, rounds * n) - expected)).toBeLessThan(0.0125);
    });
    // three on the list and the node itself are drawn once in 0.4^8 = 1 of 1500 negatives
    for (const step of [0, 1, 2, 3]) expect(share(`other ${step}`, 2 * rounds * n)).toBeLessThan(0.001);
    for (const step of [4, 5, 6, 7, 8, 9]) {
      expect(Math.abs(share(`other ${step}`, 2 * rounds * n) - 1 / 6)).toBeLessThan(0.0125);
    }
  });

  test("end when every node is on the list", () => {
    const draw = pairSampler(lists([[1], [0]], [[1], [1]]), 2, { ...options, neighbors: 1, negatives: 3 });
    const right = new Uint32Array(8);
    draw(right, new Rng(1, "draws"));
    expect([right[0], right[4]]).toEqual([1, 0]);
    expect(right.every((x) => x < 2)).toBe(true);
  });
});
