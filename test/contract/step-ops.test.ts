/** The optimiser steps with and without a copy of the best parameters, `assign` and `stopGradient`. */

import { describe, expect, test } from "vitest";
import { gradients } from "../../src/engine/autograd.js";
import { adam, add, assign, multiply, rmsprop, scale, sgd, stopGradient, sumRows } from "../../src/engine/ops/index.js";
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
const SIZE = 37;
const RATE = 0.05;
const DECAY = 0.01;

interface Step {
  readonly name: string;
  readonly states: readonly string[];
  trace(t: Record<string, Tensor>, best: Tensor | undefined): void;
  /** One step by the formulas: new parameter and states of entry i. */
  expected(p: number, g: number, states: readonly number[], step: number): [number, readonly number[]];
}

const steps: readonly Step[] = [
  {
    name: "adam",
    states: ["m", "v"],
    trace: ({ p, g, m, v, flag, schedule }, best) =>
      adam(
        { parameter: p, gradient: g, moment1: m, moment2: v, flag, schedule, best },
        { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: DECAY },
      ),
    expected(p, g, [m0, v0], step) {
      const [m, v] = [0.9 * m0 + 0.1 * g, 0.99 * v0 + 0.01 * g * g];
      const [c1, c2] = [1 - 0.9 ** step, 1 - 0.99 ** step];
      return [p - (RATE * (m / c1)) / (Math.sqrt(v / c2) + 1e-8), [m, v]];
    },
  },
  {
    name: "rmsprop",
    states: ["v"],
    trace: ({ p, g, v, flag, schedule }, best) =>
      rmsprop(
        { parameter: p, gradient: g, meanSquare: v, flag, schedule, best },
        { decay: 0.9, epsilon: 1e-3, weightDecay: DECAY },
      ),
    expected(p, g, [v0]) {
      const v = 0.9 * v0 + 0.1 * g * g;
      return [p - (RATE * g) / Math.sqrt(v + 1e-3), [v]];
    },
  },
  {
    name: "sgd",
    states: [],
    trace: ({ p, g, flag, schedule }, best) =>
      sgd({ parameter: p, gradient: g, flag, schedule, best }, { momentum: 0, weightDecay: DECAY }),
    expected: (p, g) => [p - RATE * g, []],
  },
  {
    name: "sgd with momentum",
    states: ["u"],
    trace: ({ p, g, u, flag, schedule }, best) =>
      sgd({ parameter: p, gradient: g, flag, schedule, moment: u, best }, { momentum: 0.8, weightDecay: DECAY }),
    expected(p, g, [u0]) {
      const u = 0.8 * u0 + g;
      return [p - RATE * u, [u]];
    },
  },
];

// rounding of three float32 steps on values of order one
const close = (actual: ArrayLike<number>, expected: readonly number[]) =>
  expected.forEach((value, i) => {
    expect(Math.abs(actual[i] - value)).toBeLessThan(1e-6);
  });

if (webgpu === undefined) test("webgpu", ({ skip }) => skip(skipReason));

describe.each(engines)("$description", (engine) => {
  describe.each(steps)("$name", (step) => {
    test.each([true, false])("follows the formulas; best kept: %s", async (keepsBest) => {
      const builder = new ProgramBuilder();
      const names = ["p", "g", ...step.states];
      const t = Object.fromEntries(names.map((name) => [name, builder.state(name, SIZE, 1)]));
      const best = keepsBest ? builder.state("best", SIZE, 1) : undefined;
      t["flag"] = builder.input("flag", 1, 1);
      t["schedule"] = builder.input("schedule", 1, 3);
      builder.segment("epoch", () => {
        step.trace(t, best);
        return [];
      });
      const executable = await engine.compile(builder.finish());
      let p = Array.from({ length: SIZE }, (_, i) => Math.fround(Math.sin(i + 1)));
      const kept = step.states.map(() => new Array<number>(SIZE).fill(0));
      executable.write(t["p"], (data) => data.set(p));
      let bestNow = new Array<number>(SIZE).fill(0);
      for (const [round, flag] of [1, -1, 1, -2, 0].entries()) {
        const number = round === 0 ? 1 : round;
        const g = p.map((_, i) => Math.fround(Math.cos(3 * i + round)));
        executable.write(t["g"], (data) => data.set(flag < 0 ? g.fill(Number.NaN) : g));
        executable.write(t["flag"], (data) => data.fill(flag));
        executable.write(t["schedule"], (data) => data.set([RATE, 1 - 0.9 ** number, 1 - 0.99 ** number]));
        executable.run("epoch");
        if (flag < 0) continue;
        if (flag > 0) bestNow = p;
        p = p.map((value, i) => {
          const states = kept.map((state) => state[i]);
          const [next, after] = step.expected(value, g[i] + DECAY * value, states, number);
          after.forEach((state, k) => {
            kept[k][i] = state;
          });
          return next;
        });
      }
      close(await executable.read(t["p"]), p);
      for (const [k, name] of step.states.entries()) close(await executable.read(t[name]), kept[k]);
      if (best !== undefined) close(await executable.read(best), bestNow);
      await executable.dispose();
    });
  });

  test("assign overwrites, and later ops read the new value", async () => {
    const builder = new ProgramBuilder();
    const p = builder.parameter("p", 50, 7);
    let after!: Tensor;
    builder.segment("run", () => {
      assign(p, scale(p, 3));
      after = scale(p, 2);
      return [after];
    });
    const executable = await engine.compile(builder.finish());
    executable.write(p, (data) => data.fill(5));
    executable.run("run");
    expect([...(await executable.read(p))]).toEqual(new Array(350).fill(15));
    expect([...(await executable.read(after))]).toEqual(new Array(350).fill(30));
    await executable.dispose();
  });

  test("no gradient flows through stopGradient", async () => {
    const builder = new ProgramBuilder();
    const [x, y] = [builder.parameter("x", 3, 1), builder.parameter("y", 3, 1)];
    let found: (Tensor | undefined)[] = [];
    builder.segment("run", () => {
      const held = stopGradient(scale(y, 2));
      const loss = sumRows(add(multiply(stopGradient(x), x), multiply(held, x)));
      found = gradients(loss, [x, y]);
      return [found[0]!, loss];
    });
    expect(found[1]).toBeUndefined();
    const executable = await engine.compile(builder.finish());
    executable.write(x, (data) => data.set([1, 2, 3]));
    executable.write(y, (data) => data.set([4, 5, 6]));
    executable.run("run");
    expect([...(await executable.read(found[0]!))]).toEqual([9, 12, 15]);
    expect([...(await executable.read(x))]).toEqual([1, 2, 3]);
    await executable.dispose();
  });
});
