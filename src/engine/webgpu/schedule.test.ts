/** Groups of instructions, checked by running them on one flat memory: every stage in both orders gives the results of the reference. */

import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { add, addRow, assign, matmul, multiply, relu, reshape, scale, sumRows } from "../ops/index.js";
import { planMemory, type Stages, tensorBytes } from "../plan.js";
import { type HostTensor, type Instruction, type Program, ProgramBuilder, type Tensor } from "../program.js";
import { referenceEngine } from "../reference.js";
import { joinFlat } from "./joins/flat-chains.js";
import { joinSums } from "./joins/sums.js";
import { groupInstructions } from "./schedule.js";
import { MAX_CALLS } from "./shader.js";

/** A program that repeats small instructions for several relations, overwrites a state and reads aliases. */
function traceProgram(numRelations: number): { program: Program; inputs: Tensor[]; results: Tensor[] } {
  const builder = new ProgramBuilder();
  const x = builder.parameter("x", 5, 6);
  const weights = Array.from({ length: numRelations }, (_, d) => builder.parameter(`w${d}`, 3, 3));
  const bias = builder.parameter("bias", 1, 3);
  const state = builder.state("state", 5, 6);
  let results: Tensor[] = [];
  builder.segment("run", () => {
    const before = scale(state, 2);
    const rows = reshape(x, 10, 3);
    const parts = weights.map((w) => relu(addRow(matmul(rows, w), bias)));
    const sum = parts.reduce((a, b) => add(a, b));
    assign(state, reshape(sum, 5, 6));
    const after = multiply(state, before);
    const products = parts.map((part, d) => matmul(part, weights[d], true));
    const total = products.reduce((a, b) => add(a, b));
    results = [sum, after, total, sumRows(scale(total, 3)), parts[0]];
    return results;
  });
  return { program: builder.finish(), inputs: [x, ...weights, bias, state], results };
}

function stagesOf(
  instructions: readonly Instruction[],
  results: readonly Tensor[],
  { isMovable = true, hasChains = false, canWait = true } = {},
): Stages {
  const sums = joinSums(instructions, results, () => true);
  return groupInstructions(hasChains ? joinFlat(sums, results, () => isMovable) : sums, {
    keyOf: ({ op, inputs }) => (op.alias ? undefined : `${op.name} ${inputs.length}`),
    isMovable: () => isMovable,
    canWait: () => canWait,
  });
}

const isDispatched = ({ op }: Instruction) => !op.alias;

/** Results of the stages on one flat memory, in which the planner has placed all tensors. */
function runStages(
  { program, inputs, results }: ReturnType<typeof traceProgram>,
  stages: Stages,
  order: (stage: readonly Instruction[]) => readonly Instruction[],
  values: ReadonlyMap<Tensor, Float64Array>,
): number[][] {
  const plan = planMemory(program, { scratchBytes: () => 0, stages: () => stages });
  const memory = new Float64Array(plan.totalBytes / 4);
  const view = (tensor: Tensor): HostTensor => {
    const at = plan.offset.get(tensor)! / 4;
    const { rows, cols, dtype } = tensor;
    // a mask takes a bit for each entry: numbers of its own are used in its place
    if (dtype === "mask") return { rows, cols, data: masks.get(tensor) ?? setMask(tensor) };
    return { rows, cols, data: memory.subarray(at, at + rows * cols) };
  };
  const masks = new Map<Tensor, Float64Array>();
  const setMask = (tensor: Tensor) => {
    const data = new Float64Array(tensor.rows * tensor.cols);
    masks.set(tensor, data);
    return data;
  };
  for (const input of inputs) view(input).data.set(values.get(input)!);
  for (const stage of stages) {
    for (const { op, inputs: from, outputs, attributes } of order(stage.filter(isDispatched))) {
      op.reference(from.map(view), outputs.map(view), attributes);
    }
  }
  return results.map((tensor) => [...view(tensor).data]);
}

async function expected(traced: ReturnType<typeof traceProgram>, values: ReadonlyMap<Tensor, Float64Array>) {
  const executable = await referenceEngine.compile(traced.program);
  for (const [tensor, data] of values) executable.write(tensor, (storage) => storage.set(data));
  executable.run("run");
  return Promise.all(traced.results.map(async (tensor) => [...(await executable.read(tensor))]));
}

test.each([1, 2, 7, MAX_CALLS + 2])(
  "stages of %i relations compute what the reference computes, in any order",
  async (relations) => {
    const traced = traceProgram(relations);
    const rng = new Rng(1, "values");
    const values = new Map(
      traced.inputs.map((tensor) => [
        tensor,
        Float64Array.from({ length: tensor.rows * tensor.cols }, () => rng.normal()),
      ]),
    );
    const wanted = await expected(traced, values);
    const choices = [true, false];
    const all = choices.flatMap((isMovable) =>
      choices.flatMap((hasChains) => choices.map((canWait) => ({ isMovable, hasChains, canWait }))),
    );
    for (const options of all) {
      const { isMovable } = options;
      const stages = stagesOf(traced.program.segments.get("run")!, traced.results, options);
      const dispatched = stages.flat().filter(isDispatched);
      expect(new Set(dispatched).size).toBe(dispatched.length);
      expect(Math.max(...stages.map(({ length }) => length))).toBe(isMovable ? Math.min(relations, MAX_CALLS) : 1);
      for (const order of [
        (stage: readonly Instruction[]) => stage,
        (stage: readonly Instruction[]) => stage.toReversed(),
      ]) {
        expect(runStages(traced, stages, order, values)).toEqual(wanted);
      }
    }
  },
);

test("a chain of sums becomes one instruction, and instructions of all relations one stage", () => {
  const { program, results } = traceProgram(7);
  const ops = stagesOf(program.segments.get("run")!, results)
    .map((stage) => stage.filter(isDispatched))
    .filter(({ length }) => length > 0)
    .map((stage) => `${stage.length} ${stage[0].op.name}`);
  expect(ops.sort()).toEqual(
    [
      "1 scale",
      "7 matmul",
      "7 addRow",
      "7 relu",
      "1 sum",
      "1 assign",
      "1 multiply",
      "7 matmul",
      "1 sum",
      "1 scale",
      "1 sumRows",
    ].sort(),
  );
});

test("an instruction waits for a later one of its kind unless something needs it before", () => {
  const builder = new ProgramBuilder();
  const [x, w] = ["x", "w"].map((name) => builder.parameter(name, 3, 3));
  builder.segment("run", () => {
    const early = sumRows(x);
    const needed = matmul(x, w);
    const late = sumRows(relu(needed));
    return [reshape(early, 3, 1), matmul(relu(needed), w), late];
  });
  const { segments, results } = builder.finish();
  const stages = (canWait: boolean) =>
    stagesOf(segments.get("run")!, results.get("run")!, { canWait })
      .map((stage) => stage.filter(isDispatched))
      .filter(({ length }) => length > 0)
      .map((stage) => `${stage.length} ${stage[0].op.name}`);
  expect(stages(false)).toEqual(["1 sumRows", "1 matmul", "2 relu", "1 sumRows", "1 matmul"]);
  expect(stages(true)).toEqual(["1 matmul", "2 relu", "2 sumRows", "1 matmul"]);
});

test("a sum that is read before its chain ends stays an instruction", () => {
  const builder = new ProgramBuilder();
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => builder.parameter(name, 2, 2));
  let part!: Tensor;
  builder.segment("run", () => {
    part = add(a, b);
    return [add(add(part, c), d), part];
  });
  const { segments, results } = builder.finish();
  const joined = joinSums(segments.get("run")!, results.get("run")!, () => true);
  expect(joined.map(({ op, inputs }) => `${op.name} ${inputs.length}`)).toEqual(["add 2", "sum 3"]);
  expect(joined[1].inputs[0]).toBe(part);
  expect(tensorBytes(part)).toBe(64);
});
