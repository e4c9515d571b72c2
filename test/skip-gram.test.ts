/** The draws and the loss that skip-gram models share, against loops over their definitions. */

import { describe, expect, test } from "vitest";
import { Rng } from "../src/core/rng.js";
import { gradients } from "../src/engine/autograd.js";
import { readAll } from "../src/engine/engine.js";
import { MISSING, randomKey, sampleNodes, sgd } from "../src/engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../src/engine/program.js";
import { referenceEngine } from "../src/engine/reference.js";
import type { SparseOperator } from "../src/engine/sparse.js";
import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { negativeSamplingLoss, noiseTable, sampleEdges, sourceTable, startTable } from "../src/nn/walks/skip-gram.js";
import { randomIndex } from "./contract/gather-cases.js";
import { engines, expectEqual, replay } from "./contract/replay.js";
import { randomSparse } from "./contract/sparse-cases.js";

const relation = randomSparse({ rows: 20, cols: 20, density: 0.2, weighted: true });
const other = randomSparse({ rows: 20, cols: 20, density: 0.1, symmetric: true, seed: 2 });
const empty = randomSparse({ rows: 20, cols: 20, density: 0 });
const DRAWS = 100_000;

function entries({ numRows, rowStart, columns, values }: SparseOperator): [number, number, number][] {
  return Array.from({ length: numRows }, (_, i) => i).flatMap((i) =>
    Array.from({ length: rowStart[i + 1] - rowStart[i] }, (_, k): [number, number, number] => {
      const e = rowStart[i] + k;
      return [i, columns[e], values === undefined ? 1 : values[e]];
    }),
  );
}

/** Each value is drawn in proportion to its weight, within five standard deviations. */
function expectShares(draws: readonly string[], weights: ReadonlyMap<string, number>): void {
  const total = [...weights.values()].reduce((a, b) => a + b, 0);
  const counts = new Map<string, number>();
  for (const draw of draws) counts.set(draw, (counts.get(draw) ?? 0) + 1);
  expect([...counts.keys()].filter((key) => !((weights.get(key) ?? 0) > 0))).toEqual([]);
  for (const [key, weight] of weights) {
    const p = weight / total;
    const bound = 5 * Math.sqrt(p * (1 - p) * draws.length);
    expect(Math.abs((counts.get(key) ?? 0) - p * draws.length), key).toBeLessThanOrEqual(bound);
  }
}

describe("draws", () => {
  test("edges are drawn in proportion to their weight", async () => {
    const [left, right] = await replay(engines[1], 3, (builder) => {
      const pairs = sampleEdges(builder, "edges", relation, sourceTable(builder, relation), DRAWS);
      return [pairs.left, pairs.right];
    });
    const weights = new Map(entries(relation).map(([i, j, weight]) => [`${i} ${j}`, weight]));
    expectShares(
      left.map((i, e) => `${i} ${right[e]}`),
      weights,
    );
  });

  test("noise is drawn by degree^0.75, and walks start only at nodes with an edge", async () => {
    const [noise, starts] = await replay(engines[1], 4, (builder) => [
      sampleNodes(randomKey(builder, "noise"), noiseTable(builder, [relation, other]), DRAWS),
      sampleNodes(randomKey(builder, "starts"), startTable(builder, [relation, empty]), DRAWS),
    ]);
    const degree = new Array<number>(20).fill(0);
    for (const [i, j, weight] of [...entries(relation), ...entries(other)]) {
      degree[i] += weight;
      degree[j] += weight;
    }
    expectShares(noise.map(String), new Map(degree.map((value, node) => [`${node}`, value ** 0.75])));
    const sources = new Set(entries(relation).map(([i]) => `${i}`));
    expectShares(starts.map(String), new Map([...sources].map((node) => [node, 1])));
  });

  test.each(engines)("of an empty relation are missing, on $description", async (engine) => {
    const trace = (builder: ProgramBuilder) => {
      const { left, right } = sampleEdges(builder, "edges", empty, sourceTable(builder, empty), 5);
      return [left, right];
    };
    await expectEqual(engine, trace);
    expect(await replay(engine, 1, trace)).toEqual([new Array(5).fill(MISSING), new Array(5).fill(MISSING)]);
  });
});

describe.each([referenceEngine, ...engines])("loss on $description", (engine) => {
  test("equals its definition; missing pairs add nothing", async () => {
    const [n, dim, pairs, k] = [15, 10, 40, 5];
    const builder = new ProgramBuilder();
    const [x, context] = [builder.parameter("x", n, dim), builder.parameter("context", n, dim)];
    const left = randomIndex(builder, "left", { rows: pairs, cols: 1, bound: n, missing: 0.3 });
    const right = randomIndex(builder, "left", { rows: pairs, cols: 1, bound: n, missing: 0.3 });
    const negatives = randomIndex(builder, "noise", { rows: pairs, cols: k, bound: n });
    let loss!: Tensor;
    builder.segment("run", () => {
      loss = negativeSamplingLoss({ x, context, left, right, negatives, factor: 0.1 });
      return [loss];
    });
    const executable = await engine.compile(builder.finish());
    const rng = new Rng(1, "values");
    const values = [x, context].map(() => Array.from({ length: n * dim }, () => Math.fround(rng.normal())));
    executable.write(x, (data) => data.set(values[0]));
    executable.write(context, (data) => data.set(values[1]));
    executable.run("run");
    const dot = (i: number, j: number) => {
      let sum = 0;
      for (let c = 0; c < dim; c++) sum += values[0][i * dim + c] * values[1][j * dim + c];
      return sum;
    };
    const [lefts, rights, noise] = await readAll(executable, [left, right, negatives]);
    let expected = 0;
    lefts.forEach((i, b) => {
      if (i === MISSING) return;
      expected += Math.log1p(Math.exp(-dot(i, rights[b])));
      for (let f = 0; f < k; f++) expected += Math.log1p(Math.exp(dot(i, noise[b * k + f])));
    });
    // float32 inner products of ten terms
    expect(Math.abs((await executable.read(loss))[0] / (0.1 * expected) - 1)).toBeLessThan(1e-5);
    await executable.dispose();
  });
});

test("training on edges gives the same bits for any number of threads, and lowers the loss", async () => {
  const graph = randomSparse({ rows: 400, cols: 400, density: 0.02, symmetric: true });
  const results = await Promise.all(
    [1, 2, 3].map(async (threads) => {
      const builder = new ProgramBuilder();
      const [x, context] = ["x", "context"].map((name) => builder.parameter(name, 400, 37));
      const [schedule, flag] = [builder.constant([0.05, 1, 1], 1, 3), builder.constant([0], 1, 1)];
      let loss!: Tensor;
      builder.segment("step", () => {
        const pairs = sampleEdges(builder, "edges", graph, sourceTable(builder, graph), 3000);
        const negatives = sampleNodes(randomKey(builder, "noise"), noiseTable(builder, [graph]), 3000, 5);
        loss = negativeSamplingLoss({ x, context, ...pairs, negatives, factor: 1 });
        gradients(loss, [x, context]).forEach((gradient, k) => {
          const parameter = [x, context][k];
          sgd({ parameter, gradient: gradient!, flag, schedule }, { momentum: 0, weightDecay: 0 });
        });
        return [loss];
      });
      const program = builder.finish();
      const executable = await (await createWasmEngine({ threads })).compile(program);
      const rng = new Rng(1, "start");
      for (const table of [x, context]) executable.write(table, (data) => data.set(data.map(() => 0.1 * rng.normal())));
      const losses: number[] = [];
      for (let step = 0; step < 30; step++) {
        for (const { tensors, fill, purpose } of program.randomInputs) {
          executable.write(tensors[0], (data) => fill([data], new Rng(1, purpose, step)));
        }
        executable.run("step");
        losses.push((await executable.read(loss))[0]);
      }
      const outcome = { losses, x: await executable.read(x), context: await executable.read(context) };
      await executable.dispose();
      return outcome;
    }),
  );
  const [{ losses }] = results;
  expect(losses[29]).toBeLessThan(0.8 * losses[0]);
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
});
