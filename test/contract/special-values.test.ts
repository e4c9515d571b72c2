/** Values that need care: small results keep their digits, NaN and infinity are not hidden; empty tensors, indices, masks. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../src/core/rng.js";
import { gradients } from "../../src/engine/autograd.js";
import type { Engine } from "../../src/engine/engine.js";
import {
  bceLogits,
  clipRows,
  concatColumns,
  dropout,
  exp,
  interleaveIndex,
  inverseSqrt,
  log,
  logSigmoid,
  MISSING,
  maskScale,
  normalizeRows,
  prelu,
  present,
  reciprocal,
  relu,
  rowDots,
  sigmoid,
  sliceColumns,
  softmaxCrossEntropy,
  softmaxRows,
  softplus,
  sqrt,
  sumRows,
  sumSquares,
  tanh,
} from "../../src/engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { skipReason, webgpu } from "../support/webgpu.js";
import { fillRandomInputs } from "./draws.js";

const engines = [await createWasmEngine({ threads: 2 }), ...(webgpu === undefined ? [] : [webgpu])];
if (webgpu === undefined) test("webgpu", ({ skip }) => skip(skipReason));

type Build = (x: Tensor, builder: ProgramBuilder) => readonly Tensor[];

/** What `build` computes from a matrix. */
async function outcome(
  engine: Engine,
  [rows, cols]: readonly [number, number],
  values: readonly number[],
  build: Build,
) {
  const builder = new ProgramBuilder();
  const x = builder.parameter("x", rows, cols);
  let results!: readonly Tensor[];
  builder.segment("run", () => {
    results = build(x, builder);
    return results;
  });
  const executable = await engine.compile(builder.finish());
  fillRandomInputs(builder.finish(), executable, 3, 0);
  executable.write(x, (data) => data.set(values));
  executable.run("run");
  const outputs: number[][] = [];
  for (const result of results) outputs.push([...(await executable.read(result))]);
  await executable.dispose();
  return outputs;
}

/** Expects the values of the reference; `tolerance` is relative to each entry. Only finiteness counts where a value is not finite. */
async function expectEntries(
  engine: Engine,
  shape: readonly [number, number],
  values: readonly number[],
  build: Build,
  tolerance: number,
) {
  const rounded = values.map(Math.fround);
  const expected = await outcome(referenceEngine, shape, rounded, build);
  const actual = await outcome(engine, shape, rounded, build);
  for (const [k, entries] of expected.entries()) {
    for (const [i, value] of entries.entries()) {
      const found = actual[k][i];
      const what = `output ${k}, entry ${i}: ${found}, expected ${value}`;
      // results below the smallest normal number may be zero
      if (!Number.isFinite(value)) expect(Number.isFinite(found), what).toBe(false);
      else expect(Math.abs(found - value), what).toBeLessThanOrEqual(tolerance * Math.abs(value) + 1.2e-38);
    }
  }
}

const column = (values: readonly number[]) => [values.length, 1] as const;
/** Both signs of magnitudes from 10^low to 10^high. */
const magnitudes = (low: number, high: number) =>
  Array.from({ length: 40 }, (_, i) => 10 ** (low + ((high - low) * i) / 39)).flatMap((v) => [v, -v]);
const positive = (low: number, high: number) => magnitudes(low, high).filter((v) => v > 0);
/** A function of each entry, and its derivative. */
const withDerivative =
  (f: (x: Tensor) => Tensor): Build =>
  (x) => {
    const y = f(x);
    return [y, gradients(sumRows(y), [x])[0]!];
  };
/** A loss and its gradient. */
const withGradient =
  (f: (x: Tensor, builder: ProgramBuilder) => Tensor): Build =>
  (x, builder) => {
    const loss = f(x, builder);
    return [loss, gradients(loss, [x])[0]!];
  };

describe.each(engines)("$description", (engine) => {
  // the kernels' exponentials and logarithms are exact to a few units in the last place, 6e-8 each; ten of them
  const TOLERANCE = 6e-7;

  test.each([
    ["sigmoid", sigmoid, magnitudes(-6, 1.9)],
    ["tanh", tanh, magnitudes(-6, 2)],
    // |x| ≤ 80: the result is multiplied by the rounding of x
    ["exp", exp, magnitudes(-6, 1.9)],
    ["log", log, [...positive(-37, 37), 0.5, 0.9, 0.999, 1, 1.001, 1.4, 1.5, 2]],
    ["softplus", softplus, magnitudes(-6, 1.9)],
    ["logSigmoid", logSigmoid, magnitudes(-6, 1.9)],
    ["sqrt", sqrt, positive(-30, 30)],
    ["inverseSqrt", inverseSqrt, positive(-30, 30)],
    ["reciprocal", reciprocal, magnitudes(-30, 30)],
  ] as const)("%s keeps the digits of small and large results", async (_, f, values) => {
    await expectEntries(engine, column(values), values, (x) => [f(x)], TOLERANCE);
  });

  test.each([
    ["softplus", softplus],
    ["logSigmoid", logSigmoid],
  ] as const)("the derivative of %s keeps its digits", async (_, f) => {
    const values = magnitudes(-6, 1.9);
    await expectEntries(engine, column(values), values, withDerivative(f), 2 * TOLERANCE);
  });

  const special = [Number.NaN, 1, Number.POSITIVE_INFINITY, 0.5, Number.NEGATIVE_INFINITY, 2, 3];
  test.each([
    ["relu", relu],
    ["sigmoid", sigmoid],
    ["tanh", tanh],
    ["exp", exp],
    ["softplus", softplus],
    ["logSigmoid", logSigmoid],
    ["prelu", (x: Tensor, builder: ProgramBuilder) => prelu(x, builder.constant([0.5], 1, 1))],
  ] as const)("%s passes NaN and infinity on", async (_, f) => {
    await expectEntries(engine, column(special), special, (x, builder) => [f(x, builder)], TOLERANCE);
  });

  test.each([
    ["log", log, [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1, 2]],
    ["inverseSqrt", inverseSqrt, [0, Number.NaN, 1, 2]],
    ["reciprocal", reciprocal, [0, Number.NaN, 1, 2]],
    ["sqrt", sqrt, [0, Number.NaN, Number.POSITIVE_INFINITY, 4]],
  ] as const)("%s at the ends of its range", async (_, f, values) => {
    await expectEntries(engine, column(values), values, (x) => [f(x)], TOLERANCE);
  });

  test.each([
    ["normalizeRows", normalizeRows],
    ["clipRows", clipRows],
    ["softmaxRows", softmaxRows],
  ] as const)("%s passes NaN on; other rows stay as they are", async (_, f) => {
    const values = [3, 4, 0, Number.NaN, 1, 2, 0, 0, 0, 0.1, 0.2, 0.3];
    await expectEntries(engine, [4, 3], values, (x) => [f(x)], TOLERANCE);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "losses of %f are not finite",
    async (bad) => {
      const values = Array.from({ length: 35 }, (_, i) => (i === 20 ? bad : i / 10));
      const targets = values.map((_, i) => i % 2);
      const build: Build = (x, builder) => {
        const t = builder.constant(targets, 7, 5);
        return [sumSquares(x), bceLogits(x, t), softmaxCrossEntropy(x, t)];
      };
      for (const [loss] of await outcome(engine, [7, 5], values, build)) expect(Number.isFinite(loss)).toBe(false);
    },
  );

  test("small cross-entropies keep their digits", async () => {
    const values = [20, 0, 1, -3, 15, 0, -30, -30, -8];
    const targets = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const crossEntropy = withGradient((x, builder) => softmaxCrossEntropy(x, builder.constant(targets, 3, 3)));
    await expectEntries(engine, [3, 3], values, crossEntropy, 2 * TOLERANCE);
    const signs = [25, -20, 30, -25];
    const binary: Build = (x, builder) => [bceLogits(x, builder.constant([1, 0, 1, 0], 4, 1))];
    await expectEntries(engine, [4, 1], signs, binary, TOLERANCE);
  });

  test("logits that are all equal, the largest twice, and zeros of both signs", async () => {
    const values = [2, 2, 2, 5, 5, 1, 0, -0, -1];
    const targets = [1, 0, 0, 0.5, 0.5, 0, 0, 1, 0];
    const loss = withGradient((x, builder) => softmaxCrossEntropy(x, builder.constant(targets, 3, 3)));
    // the two equal targets of the second row cancel: differences of numbers of order one
    const [[value], gradient] = await outcome(engine, [3, 3], values, loss);
    const [[expected], exact] = await outcome(referenceEngine, [3, 3], values, loss);
    expect(Math.abs(value - expected)).toBeLessThan(TOLERANCE);
    for (const [i, entry] of gradient.entries()) expect(Math.abs(entry - exact[i])).toBeLessThan(TOLERANCE);
    await expectEntries(engine, [3, 3], values, (x) => [softmaxRows(x)], TOLERANCE);
  });

  test("tensors without entries", async () => {
    const build: Build = (x, builder) => {
      const none = builder.constant([], 0, 5);
      return [relu(x), sumSquares(x, 3), bceLogits(x, none, 3), softmaxCrossEntropy(x, none, 3), softmaxRows(x)];
    };
    expect(await outcome(engine, [0, 5], [], build)).toEqual([[], [0], [0], [0], []]);
    const dots: Build = (x, builder) => [rowDots(x, builder.constant([], 3, 0)), normalizeRows(x)];
    expect(await outcome(engine, [3, 0], [], dots)).toEqual([[0, 0, 0], []]);
  });

  test("indices are copied as whole numbers", async () => {
    const index = [0, 1, MISSING, 2 ** 31, 4, 5, 2 ** 24 + 1, MISSING, 8, 9, 10, 11];
    const build: Build = (_, builder) => {
      const a = builder.constant(index, 3, 4, "index");
      const b = builder.constant([7, MISSING, 2], 3, 1, "index");
      const joined = concatColumns([b, a]);
      return [joined, sliceColumns(joined, 1, 4), present(a), interleaveIndex(sliceColumns(a, 0, 1), b, 10)];
    };
    const rows = [0, 1, 2].map((i) => index.slice(4 * i, 4 * i + 4));
    expect(await outcome(engine, [1, 1], [0], build)).toEqual([
      [7, ...rows[0], MISSING, ...rows[1], 2, ...rows[2]],
      index,
      index.map((i) => (i === MISSING ? 0 : 1)),
      [7, MISSING, 82],
    ]);
  });

  test("the mask of dropout is bit by bit that of the reference, also as the mask of another tensor", async () => {
    const shape = [61, 37] as const;
    const rng = new Rng(1, "x");
    const values = Array.from({ length: 61 * 37 }, () => rng.normal());
    const build: Build = (x, builder) => {
      const y = dropout(x, 0.3, "drop");
      return [
        y,
        maskScale(x, builder.producer(y)!.outputs[1], 2),
        maskScale(x, builder.producer(relu(x))!.outputs[1], 2),
      ];
    };
    await expectEntries(engine, shape, values, build, TOLERANCE);
  });
});
