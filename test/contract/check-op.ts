/**
 * The shared check of an op: its value on every engine against the float64 reference, its gradient in the reference
 * against central differences, its gradient on every engine against the reference's.
 */

import { expect } from "vitest";
import { Rng } from "../../src/core/rng.js";
import { gradients } from "../../src/engine/autograd.js";
import type { Engine } from "../../src/engine/engine.js";
import { multiply, reshape, sumRows } from "../../src/engine/ops/index.js";
import { type Op, type Program, ProgramBuilder, type Tensor } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";

export interface OpCase {
  readonly name: string;
  /** Shapes of the differentiable inputs. */
  readonly shapes: readonly (readonly [rows: number, cols: number])[];
  build(inputs: readonly Tensor[], builder: ProgramBuilder): Tensor;
  /** Values the inputs take: default standard normal. */
  value?(rng: Rng): number;
  /** The op has no gradient, for the stated reason. */
  readonly noGradient?: string;
}

export interface Traced {
  readonly program: Program;
  readonly inputs: Tensor[];
  readonly output: Tensor;
  readonly loss: Tensor;
  readonly gradients: (Tensor | undefined)[];
}

/** Random weights turn the output into one number whose gradient reaches every entry differently. */
export function trace(opCase: OpCase): Traced {
  const builder = new ProgramBuilder();
  const inputs = opCase.shapes.map(([rows, cols], i) => builder.parameter(`x${i}`, rows, cols));
  let output!: Tensor;
  let loss!: Tensor;
  let found: (Tensor | undefined)[] = [];
  builder.segment("run", () => {
    output = opCase.build(inputs, builder);
    const size = output.rows * output.cols;
    const rng = new Rng(11, "weights");
    const weights = builder.constant(
      Array.from({ length: size }, () => rng.normal()),
      output.rows,
      output.cols,
    );
    loss = sumRows(reshape(multiply(output, weights), size, 1));
    if (opCase.noGradient === undefined) found = gradients(loss, inputs);
    return [output, loss, ...found.filter((g) => g !== undefined)];
  });
  return { program: builder.finish(), inputs, output, loss, gradients: found };
}

export function opsOf(program: Program): Op[] {
  return [...program.segments.values()].flatMap((instructions) => instructions.map(({ op }) => op));
}

function inputValues(opCase: OpCase): Float64Array[] {
  const rng = new Rng(5, opCase.name);
  return opCase.shapes.map(([rows, cols]) =>
    // values exact in float32, so that engines start from the same numbers
    Float64Array.from({ length: rows * cols }, () => Math.fround((opCase.value ?? ((r) => r.normal()))(rng))),
  );
}

function fillRandom(program: Program, write: (tensor: Tensor, fill: (data: never) => void) => void): void {
  for (const input of program.randomInputs) {
    const arrays = input.tensors.map((tensor) => new Uint32Array(tensor.rows * tensor.cols));
    input.fill(arrays, new Rng(3, input.purpose, 0));
    input.tensors.forEach((tensor, k) => {
      write(tensor, (data: Uint32Array) => data.set(arrays[k]));
    });
  }
}

/** Entries of one tensor that are moved one by one. */
const MAX_DIFFERENCES = 40;

/** Largest difference, relative to the largest magnitude of the expected values (at least 1e-30). */
export function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  expect(actual.length).toBe(expected.length);
  let difference = 0;
  let magnitude = 1e-30;
  for (let i = 0; i < expected.length; i++) {
    if (!Number.isFinite(actual[i])) return Number.POSITIVE_INFINITY;
    difference = Math.max(difference, Math.abs(actual[i] - expected[i]));
    magnitude = Math.max(magnitude, Math.abs(expected[i]));
  }
  return difference / magnitude;
}

export async function checkGradientByDifferences(opCase: OpCase): Promise<void> {
  const traced = trace(opCase);
  const values = inputValues(opCase);
  const executable = await referenceEngine.compile(traced.program);
  fillRandom(traced.program, (tensor, fill) => executable.write(tensor, fill as never));
  const lossAt = (): number => {
    traced.inputs.forEach((input, k) => {
      executable.write(input, (data) => data.set(values[k]));
    });
    executable.run("run");
    return executable.read(traced.loss)[0];
  };
  lossAt();
  const exact = traced.gradients.map((g) => (g === undefined ? undefined : executable.read(g)));
  const step = 1e-5;
  const rng = new Rng(2, opCase.name);
  values.forEach((value, k) => {
    const gradient = exact[k] ?? new Float64Array(value.length);
    // all entries of small tensors, a random sample of large ones
    const places = Array.from({ length: Math.min(value.length, MAX_DIFFERENCES) }, (_, i) =>
      value.length <= MAX_DIFFERENCES ? i : rng.below(value.length),
    );
    const expected = places.map((i) => {
      const original = value[i];
      value[i] = original + step;
      const up = lossAt();
      value[i] = original - step;
      const down = lossAt();
      value[i] = original;
      return (up - down) / (2 * step);
    });
    const actual = places.map((i) => gradient[i]);
    // central differences of step 1e-5 in float64: truncation 1e-10, rounding 1e-11, both times third derivatives
    expect(relativeError(actual, expected), `gradient ${k}`).toBeLessThan(2e-7);
  });
}

export async function checkEngine(opCase: OpCase, engine: Engine, tolerance: number): Promise<void> {
  const traced = trace(opCase);
  const values = inputValues(opCase);
  const outcomes = await Promise.all(
    [referenceEngine, engine].map(async (candidate) => {
      const executable = await candidate.compile(traced.program);
      fillRandom(traced.program, (tensor, fill) => executable.write(tensor, fill as never));
      traced.inputs.forEach((input, k) => {
        executable.write(input, (data) => data.set(values[k]));
      });
      executable.run("run");
      const outcome = [traced.output, ...traced.gradients].map((t) => (t === undefined ? [] : executable.read(t)));
      await executable.dispose();
      return outcome;
    }),
  );
  outcomes[0].forEach((expected, k) => {
    const what = k === 0 ? "value" : `gradient ${k - 1}`;
    expect(relativeError(outcomes[1][k], expected), what).toBeLessThan(tolerance);
  });
}
