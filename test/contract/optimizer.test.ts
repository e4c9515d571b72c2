/** The ops that end a step, on every engine, against their formulas. */

import { describe, expect, test } from "vitest";
import { adam } from "../../src/engine/ops/adam.js";
import { trackBest } from "../../src/engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { skipReason, webgpu } from "../support/webgpu.js";

const engines = [
  referenceEngine,
  await createWasmEngine({ threads: 1 }),
  await createWasmEngine({ threads: 2, relaxed: false }),
  ...(webgpu === undefined ? [] : [webgpu]),
];
const attributes = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0.01 };

function traced(size: number, patience?: number) {
  const builder = new ProgramBuilder();
  const state = (name: string) => builder.state(name, size, 1);
  const parameter = builder.parameter("p", size, 1);
  const [gradient, moment1, moment2, best] = ["g", "m", "v", "best"].map(state);
  const loss = builder.input("loss", 1, 1);
  const bestLoss = builder.state("bestLoss", 1, 2);
  const schedule = builder.input("schedule", 1, 3);
  let flag!: Tensor;
  builder.segment("epoch", () => {
    flag = trackBest(loss, bestLoss, patience);
    adam({ parameter, gradient, moment1, moment2, best, flag, schedule }, attributes);
    return [flag];
  });
  return { program: builder.finish(), flag, parameter, gradient, moment1, moment2, best, loss, bestLoss, schedule };
}

if (webgpu === undefined) test("webgpu", ({ skip }) => skip(skipReason));

describe.each(engines)("$description", (engine) => {
  test("three steps follow the formulas; the best parameters are those before the best step", async () => {
    const size = 37;
    const t = traced(size);
    const executable = await engine.compile(t.program);
    const p = Array.from({ length: size }, (_, i) => Math.fround(Math.sin(i + 1)));
    const m = new Array<number>(size).fill(0);
    const v = new Array<number>(size).fill(0);
    executable.write(t.parameter, (data) => data.set(p));
    let best: number[] = [];
    [0.5, 0.3, 0.4].forEach((loss, step) => {
      const g = p.map((_, i) => Math.fround(Math.cos(3 * i + step)));
      const [c1, c2] = [1 - 0.9 ** (step + 1), 1 - 0.999 ** (step + 1)];
      executable.write(t.gradient, (data) => data.set(g));
      executable.write(t.loss, (data) => data.set([loss]));
      executable.write(t.schedule, (data) => data.set([0.05, c1, c2]));
      if (step < 2) best = [...p];
      for (let i = 0; i < size; i++) {
        const gradient = g[i] + 0.01 * p[i];
        m[i] = 0.9 * m[i] + 0.1 * gradient;
        v[i] = 0.999 * v[i] + 0.001 * gradient * gradient;
        p[i] -= (0.05 * (m[i] / c1)) / (Math.sqrt(v[i] / c2) + 1e-8);
      }
      executable.run("epoch");
    });
    // rounding of three float32 steps of size 0.05 on values of order one
    const close = (actual: ArrayLike<number>, expected: number[]) =>
      expected.forEach((value, i) => {
        expect(Math.abs(actual[i] - value)).toBeLessThan(1e-6);
      });
    close(await executable.read(t.parameter), p);
    close(await executable.read(t.moment1), m);
    close(await executable.read(t.moment2), v);
    close(await executable.read(t.best), best);
    expect((await executable.read(t.bestLoss))[0]).toBeCloseTo(0.3, 6);
    await executable.dispose();
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("a loss of %f changes nothing", async (loss) => {
    const t = traced(5);
    const executable = await engine.compile(t.program);
    executable.write(t.parameter, (data) => data.fill(2));
    executable.write(t.gradient, (data) => data.fill(1));
    executable.write(t.schedule, (data) => data.set([0.1, 0.1, 0.001]));
    executable.write(t.loss, (data) => data.set([loss]));
    executable.run("epoch");
    expect([...(await executable.read(t.parameter))]).toEqual([2, 2, 2, 2, 2]);
    expect([...(await executable.read(t.moment1)), ...(await executable.read(t.best))]).toEqual(new Array(10).fill(0));
    expect([...(await executable.read(t.bestLoss))]).toEqual([0, 0]);
    await executable.dispose();
  });

  // [loss, flag, best after the step]; patience 2: two steps after the minimum are allowed
  test.each([
    [
      2,
      [
        [5, 1, 5, 1],
        [6, 0, 5, 2],
        [Number.NaN, -1, 5, 2],
        [4, 1, 4, 1],
        [4, 0, 4, 2],
        [7, 0, 4, 3],
        [3, -2, 4, 3],
        [Number.NaN, -2, 4, 3],
      ],
    ],
    [
      0,
      [
        [Number.NaN, -1, 0, 0],
        [5, 1, 5, 1],
        [4, -2, 5, 1],
      ],
    ],
    [
      undefined,
      [
        [-1, 1, -1, 1],
        [0, 0, -1, 2],
        [1, 0, -1, 3],
        [-2, 1, -2, 1],
        [Number.NEGATIVE_INFINITY, -1, -2, 1],
      ],
    ],
  ] as const)("patience %s: flag and best loss of each step", async (patience, steps) => {
    const t = traced(5, patience);
    const executable = await engine.compile(t.program);
    executable.write(t.parameter, (data) => data.fill(2));
    executable.write(t.gradient, (data) => data.fill(1));
    executable.write(t.schedule, (data) => data.set([0.1, 0.1, 0.001]));
    for (const [loss, flag, ...best] of steps) {
      const before = [...(await executable.read(t.parameter))];
      executable.write(t.loss, (data) => data.set([loss]));
      executable.run("epoch");
      expect([...(await executable.read(t.flag))]).toEqual([flag]);
      expect([...(await executable.read(t.bestLoss))]).toEqual(best);
      const after = [...(await executable.read(t.parameter))];
      if (flag < 0) expect(after).toEqual(before);
      else expect(after).not.toEqual(before);
    }
    await executable.dispose();
  });
});
