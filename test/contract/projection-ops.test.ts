/** The ops of a projection: nearest rows, the t-SNE loss with its gradient, and the update of the map. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../src/core/rng.js";
import { gradients } from "../../src/engine/autograd.js";
import type { Engine } from "../../src/engine/engine.js";
import { knn, tsneLoss, tsneUpdate } from "../../src/engine/ops/index.js";
import { ProgramBuilder } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import type { SparseOperator } from "../../src/engine/sparse.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { skipReason, webgpu } from "../support/webgpu.js";
import { checkEngine, checkGradientByDifferences, type OpCase, relativeError } from "./check-op.js";

const engines = [
  await createWasmEngine({ threads: 1, relaxed: false }),
  await createWasmEngine({ threads: 1, relaxed: true }),
  await createWasmEngine({ threads: 2 }),
];
const allEngines = webgpu === undefined ? engines : [...engines, webgpu];

if (webgpu === undefined) test("webgpu", ({ skip }) => skip(skipReason));

async function nearest(engine: Engine, x: ArrayLike<number>, n: number, k: number, part: number) {
  const dim = x.length / n;
  const builder = new ProgramBuilder();
  const points = builder.constant(x, n, dim);
  const first = builder.input("first", 1, 1, "index");
  let found!: ReturnType<typeof knn>;
  builder.segment("run", () => {
    found = knn(points, first, part, k);
    return [found.indices, found.distances];
  });
  const executable = await engine.compile(builder.finish());
  const indices: number[] = [];
  const distances: number[] = [];
  for (let start = 0; start < n; start += part) {
    executable.write(first, (data) => data.set([start]));
    executable.run("run");
    const rows = Math.min(part, n - start);
    indices.push(...(await executable.read(found.indices)).slice(0, rows * k));
    distances.push(...(await executable.read(found.distances)).slice(0, rows * k));
  }
  await executable.dispose();
  return { indices, distances };
}

describe.each(allEngines)("knn on $description", (engine) => {
  test.each([
    [2, 1, 1, 2],
    [17, 3, 16, 17],
    [150, 7, 5, 64],
    [333, 16, 90, 100],
    [1100, 5, 3, 70],
  ])("whole numbers, many ties: %i points of %i dimensions, k = %i, parts of %i", async (n, dim, k, part) => {
    const rng = new Rng(3, "knn");
    // squares and their sums are exact in float32: results must be equal, including the order of ties
    const x = Float32Array.from({ length: n * dim }, () => rng.below(3));
    expect(await nearest(engine, x, n, k, part)).toEqual(await nearest(referenceEngine, x, n, k, part));
  });

  test("distances far from the origin are accurate", async () => {
    const rng = new Rng(4, "knn");
    const x = Float32Array.from({ length: 120 * 5 }, () => 1000 + rng.normal());
    const [found, expected] = await Promise.all([engine, referenceEngine].map((e) => nearest(e, x, 120, 10, 64)));
    expect(found.indices).toEqual(expected.indices);
    // rounding of the differences, and of the sum of five squares
    expect(relativeError(found.distances, expected.distances)).toBeLessThan(1e-6);
  });

  test("equal rows are at distance zero and ordered by index", async () => {
    const found = await nearest(engine, new Float32Array(40 * 3).fill(0.1), 40, 4, 40);
    expect(found.distances).toEqual(new Array(160).fill(0));
    expect(found.indices.slice(0, 8)).toEqual([1, 2, 3, 4, 0, 2, 3, 4]);
  });
});

/** A symmetric matrix that sums to 1, with about `degree` entries per row; every seventh row is empty. */
function randomAffinities(n: number, degree: number): SparseOperator {
  const rng = new Rng(6, "affinities");
  const rows = Array.from({ length: n }, () => new Map<number, number>());
  for (let e = 0; e < (n * degree) / 2; e++) {
    const [i, j] = [rng.below(n), rng.below(n)];
    if (i === j || i % 7 === 6 || j % 7 === 6) continue;
    const value = 0.1 + rng.uniform();
    rows[i].set(j, value);
    rows[j].set(i, value);
  }
  const total = rows.flatMap((row) => [...row.values()]).reduce((sum, value) => sum + value, 0);
  const sorted = rows.map((row) => [...row].sort(([a], [b]) => a - b));
  const rowStart = [0];
  for (const row of sorted) rowStart.push(rowStart[rowStart.length - 1] + row.length);
  return {
    numRows: n,
    numColumns: n,
    rowStart: Uint32Array.from(rowStart),
    columns: Uint32Array.from(sorted.flatMap((row) => row.map(([j]) => j))),
    values: Float32Array.from(sorted.flatMap((row) => row.map(([, value]) => value / total))),
    diagonal: 0,
    symmetric: true,
  };
}

function tsneCase(n: number, theta: number, deviation = 1, exaggeration = 1): OpCase {
  const affinities = randomAffinities(n, 12);
  return {
    name: `tsneLoss ${n} points, theta ${theta}, deviation ${deviation}, exaggeration ${exaggeration}`,
    shapes: [[n, 2]],
    value: (rng) => deviation * rng.normal(),
    build: ([y], builder) => tsneLoss(y, builder.constant([exaggeration], 1, 1), { affinities, theta }),
  };
}

const exact = [tsneCase(4, 0, 5), tsneCase(5, 0, 30), tsneCase(41, 0, 3), tsneCase(40, 0, 2, 12), tsneCase(600, 0, 10)];

describe("gradient against central differences", () => {
  for (const opCase of exact.slice(0, 4)) test(opCase.name, () => checkGradientByDifferences(opCase));
});

describe.each(allEngines)("t-SNE on $description", (engine) => {
  // rounding of float32 sums of some hundred terms
  for (const opCase of exact) test(opCase.name, () => checkEngine(opCase, engine, 2e-5));

  // replacing points by their centre has an error of second order in box / distance: at most θ² / 8 of a force, less in sums
  test.each([0.3, 2, 20, 200])("the quadtree with points of standard deviation %f", async (deviation) => {
    await checkEngine(tsneCase(700, 0.5, deviation), engine, 3e-2);
    await checkEngine(tsneCase(700, 0.1, deviation), engine, 1.2e-3);
  });

  test("coinciding points, and one far away", async () => {
    const near: OpCase = {
      ...tsneCase(300, 0.5),
      name: "coincident",
      value: (rng) => (rng.uniform() < 0.01 ? 1e6 : rng.below(3)),
    };
    await checkEngine(near, engine, 3e-2);
    await checkEngine({ ...near, name: "one place", value: () => 0.25 }, engine, 2e-5);
  });
});

describe.each([referenceEngine, ...allEngines])("tsneUpdate on $description", (engine) => {
  test.each([1, 3, 700])("%i points follow the formulas", async (n) => {
    const builder = new ProgramBuilder();
    const [y, velocity, gains, gradient] = ["y", "v", "gains", "g"].map((name) => builder.state(name, n, 2));
    const schedule = builder.input("schedule", 1, 2);
    builder.segment("run", () => {
      tsneUpdate({ y, velocity, gains }, gradient, schedule);
      return [];
    });
    const executable = await engine.compile(builder.finish());
    const rng = new Rng(8, "update");
    const random = () => Array.from({ length: 2 * n }, () => Math.fround(rng.normal()));
    const [y0, v0, g0] = [random(), random(), random()];
    v0[0] = 0;
    const gains0 = random().map((value) => Math.fround(Math.abs(value) * 0.1));
    executable.write(y, (data) => data.set(y0));
    executable.write(velocity, (data) => data.set(v0));
    executable.write(gains, (data) => data.set(gains0));
    executable.write(gradient, (data) => data.set(g0));
    executable.write(schedule, (data) => data.set([0.5, 4]));
    executable.run("run");
    const gain = gains0.map((value, i) => Math.max(g0[i] * v0[i] < 0 ? value + 0.2 : 0.8 * value, 0.01));
    const v = v0.map((value, i) => 0.5 * value - 4 * gain[i] * g0[i]);
    const moved = y0.map((value, i) => value + v[i]);
    const mean = [0, 1].map((axis) => moved.filter((_, i) => i % 2 === axis).reduce((a, b) => a + b) / n);
    // a few float32 roundings
    expect(relativeError(await executable.read(gains), gain)).toBeLessThan(1e-6);
    expect(relativeError(await executable.read(velocity), v)).toBeLessThan(1e-6);
    const expected = moved.map((value, i) => value - mean[i % 2]);
    const found = await executable.read(y);
    for (let i = 0; i < 2 * n; i++) expect(Math.abs(found[i] - expected[i])).toBeLessThan(2e-6);
    await executable.dispose();
  });
});

test("the same bits for any number of threads", async () => {
  const n = 1500;
  const affinities = randomAffinities(n, 20);
  const results = await Promise.all(
    [engines[1], engines[2], await createWasmEngine({ threads: 3 })].map(async (engine) => {
      const builder = new ProgramBuilder();
      const [y, velocity, gains] = ["y", "v", "gains"].map((name) => builder.parameter(name, n, 2));
      const [exaggeration, schedule] = [builder.constant([2], 1, 1), builder.constant([0.5, 50], 1, 2)];
      builder.segment("run", () => {
        const loss = tsneLoss(y, exaggeration, { affinities, theta: 0.5 });
        const [gradient] = gradients(loss, [y]);
        if (gradient !== undefined) tsneUpdate({ y, velocity, gains }, gradient, schedule);
        return [loss];
      });
      const executable = await engine.compile(builder.finish());
      const rng = new Rng(1, "start");
      executable.write(y, (data) => data.set(Array.from(data, () => rng.normal())));
      executable.write(gains, (data) => data.fill(1));
      for (let i = 0; i < 20; i++) executable.run("run");
      const moved = await executable.read(y);
      await executable.dispose();
      return moved;
    }),
  );
  expect(results[0].every(Number.isFinite)).toBe(true);
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
});
