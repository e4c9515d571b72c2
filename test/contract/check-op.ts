/**
 * The shared checks of an op: its value on every engine against the float64 reference, its gradient in the reference
 * against central differences, its gradient on every engine against the gradient in the reference.
 */

import { expect } from "vitest";
import { Rng } from "../../src/core/rng.js";
import { gradients } from "../../src/engine/autograd.js";
import type { Engine, Executable } from "../../src/engine/engine.js";
import { multiply, reshape, sumRows } from "../../src/engine/ops/index.js";
import { type Op, type Program, ProgramBuilder, type Tensor } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { randomConstant } from "../support/random-constant.js";

export interface OpCase {
  readonly name: string;
  /** Shapes of the differentiable inputs. */
  readonly shapes: readonly (readonly [rows: number, cols: number])[];
  build(inputs: readonly Tensor[], builder: ProgramBuilder): Tensor;
  /** Values of the inputs; default: standard normal. */
  value?(rng: Rng): number;
  /** The reason why the gradient is not checked. */
  readonly noGradient?: string;
}

/** The tensors of a case in a program. */
interface TracedCase {
  readonly inputs: readonly Tensor[];
  readonly output: Tensor;
  readonly loss: Tensor;
  readonly gradients: readonly (Tensor | undefined)[];
}

/** Traces a case as a segment. Random weights turn the output into a loss whose gradient differs from entry to entry. */
function traceInto(builder: ProgramBuilder, segment: string, opCase: OpCase, differentiate: boolean): TracedCase {
  const inputs = opCase.shapes.map(([rows, cols], i) => builder.parameter(`x${i}`, rows, cols));
  let output!: Tensor;
  let loss!: Tensor;
  let found: (Tensor | undefined)[] = [];
  builder.segment(segment, () => {
    output = opCase.build(inputs, builder);
    const size = output.rows * output.cols;
    const weights = randomConstant(builder, "weights", [output.rows, output.cols]);
    loss = sumRows(reshape(multiply(output, weights), size, 1));
    if (differentiate && opCase.noGradient === undefined) found = gradients(loss, inputs);
    return [output, loss, ...found.filter((g) => g !== undefined)];
  });
  return { inputs, output, loss, gradients: found };
}

/** A program of one case, in the segment "run"; without `differentiate` only its value and loss. */
export function trace(opCase: OpCase, { differentiate = true } = {}): TracedCase & { readonly program: Program } {
  const builder = new ProgramBuilder();
  const traced = traceInto(builder, "run", opCase, differentiate);
  return { ...traced, program: builder.finish() };
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

/** Writes the random inputs of a program. */
function fillRandom(program: Program, executable: Executable): void {
  for (const input of program.randomInputs) {
    const arrays = input.tensors.map((tensor) => new Uint32Array(tensor.rows * tensor.cols));
    input.fill(arrays, new Rng(3, input.purpose, 0));
    input.tensors.forEach((tensor, k) => {
      executable.write(tensor, (data) => data.set(arrays[k]));
    });
  }
}

/** Largest number of entries of one tensor that are changed one by one. */
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

/** Checks the gradient in the reference against central differences. */
export async function checkGradientByDifferences(opCase: OpCase): Promise<void> {
  const values = inputValues(opCase);
  const exact = (await referenceOutcome(opCase)).slice(1);
  // the differences need the loss alone: a program without gradients takes less than half of the time
  const { program, inputs, loss } = trace(opCase, { differentiate: false });
  const executable = await referenceEngine.compile(program);
  fillRandom(program, executable);
  const write = (k: number) => executable.write(inputs[k], (data) => data.set(values[k]));
  values.forEach((_, k) => {
    write(k);
  });
  const lossWith = async (k: number, i: number, value: number): Promise<number> => {
    values[k][i] = value;
    write(k);
    executable.run("run");
    return (await executable.read(loss))[0];
  };
  const step = 1e-5;
  const rng = new Rng(2, opCase.name);
  for (const [k, value] of values.entries()) {
    // a gradient that is not computed must be zero
    const gradient = exact[k].length === 0 ? new Float64Array(value.length) : exact[k];
    // all entries of small tensors, a random sample of large ones
    const places = Array.from({ length: Math.min(value.length, MAX_DIFFERENCES) }, (_, i) =>
      value.length <= MAX_DIFFERENCES ? i : rng.below(value.length),
    );
    const expected: number[] = [];
    for (const i of places) {
      const original = value[i];
      const up = await lossWith(k, i, original + step);
      const down = await lossWith(k, i, original - step);
      value[i] = original;
      expected.push((up - down) / (2 * step));
    }
    write(k);
    const actual = places.map((i) => gradient[i]);
    // central differences of step 1e-5 in float64: truncation 1e-10, rounding 1e-11, both times third derivatives
    expect(relativeError(actual, expected), `gradient ${k}`).toBeLessThan(2e-7);
  }
}

/** Value and gradients of a case; an empty list for a gradient that is not computed. */
type Outcome = readonly ArrayLike<number>[];

/** Runs one case of an executable. */
async function runCase(executable: Executable, segment: string, opCase: OpCase, traced: TracedCase): Promise<Outcome> {
  const values = inputValues(opCase);
  traced.inputs.forEach((input, k) => {
    executable.write(input, (data) => data.set(values[k]));
  });
  executable.run(segment);
  const outcome: ArrayLike<number>[] = [];
  for (const tensor of [traced.output, ...traced.gradients]) {
    outcome.push(tensor === undefined ? [] : await executable.read(tensor));
  }
  return outcome;
}

async function outcomeOn(engine: Engine, opCase: OpCase): Promise<Outcome> {
  const traced = trace(opCase);
  const executable = await engine.compile(traced.program);
  fillRandom(traced.program, executable);
  const outcome = await runCase(executable, "run", opCase, traced);
  await executable.dispose();
  return outcome;
}

const references = new Map<OpCase, Promise<Outcome>>();

/** The outcome in the reference, computed once per case. */
function referenceOutcome(opCase: OpCase): Promise<Outcome> {
  const known = references.get(opCase) ?? outcomeOn(referenceEngine, opCase);
  references.set(opCase, known);
  return known;
}

function expectClose(actual: Outcome, expected: Outcome, tolerance: number): void {
  expected.forEach((values, k) => {
    const what = k === 0 ? "value" : `gradient ${k - 1}`;
    expect(relativeError(actual[k], values), what).toBeLessThan(tolerance);
  });
}

/** Checks value and gradients on an engine against the reference, in a program of this case alone. */
export async function checkEngine(opCase: OpCase, engine: Engine, tolerance: number): Promise<void> {
  expectClose(await outcomeOn(engine, opCase), await referenceOutcome(opCase), tolerance);
}

/**
 * Compiles all cases as segments of one program; returns the check of one case. An engine that starts threads for every program
 * starts them once.
 */
export async function compileTogether(opCases: readonly OpCase[], engine: Engine) {
  const builder = new ProgramBuilder();
  const traced = new Map(opCases.map((opCase, k) => [opCase, traceInto(builder, `case ${k}`, opCase, true)]));
  const program = builder.finish();
  const executable = await engine.compile(program);
  fillRandom(program, executable);
  return {
    async check(opCase: OpCase, tolerance: number): Promise<void> {
      const found = traced.get(opCase);
      if (found === undefined) throw new Error(`${opCase.name} was not compiled`);
      const outcome = await runCase(executable, `case ${opCases.indexOf(opCase)}`, opCase, found);
      expectClose(outcome, await referenceOutcome(opCase), tolerance);
    },
    dispose: () => executable.dispose(),
  };
}
