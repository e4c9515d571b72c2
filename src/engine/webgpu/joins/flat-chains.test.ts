/** Chains of flat ops: which instructions they join, and that the reference of a chain is that of its steps. */

import { expect, test } from "vitest";
import { add, addRow, matmul, multiply, relu, reshape, scale, scaleRows, sigmoid, sumRows } from "../../ops/index.js";
import { type HostTensor, type Instruction, ProgramBuilder, type Tensor } from "../../program.js";
import { MAX_STEPS, producerOf } from "./flat-chain.js";
import { joinFlat } from "./flat-chains.js";

type Trace = (builder: ProgramBuilder, x: Tensor, y: Tensor) => readonly Tensor[];

/** The instructions of a segment, before and after joining; x and y have 4 × 4 entries. */
function joined(trace: Trace, isSmall = true) {
  const builder = new ProgramBuilder();
  const [x, y] = ["x", "y"].map((name) => builder.parameter(name, 4, 4));
  builder.segment("run", () => trace(builder, x, y));
  const { segments, results } = builder.finish();
  const before = segments.get("run")!;
  const after = joinFlat(before, results.get("run")!, () => isSmall);
  return { x, y, before, after, results: results.get("run")! };
}

/** The ops of the steps of an instruction. */
function stepsOf({ op, attributes }: Instruction): string {
  if (op.name !== "flatChain") return op.name;
  const { steps } = attributes as { steps: readonly { instruction: Instruction }[] };
  return steps.map((step) => step.instruction.op.name).join(" ");
}

const namesOf = (instructions: readonly Instruction[]) => instructions.map(stepsOf);

/** Results of instructions by their references, from fixed values of the parameters. */
function compute(instructions: readonly Instruction[], parameters: readonly Tensor[], results: readonly Tensor[]) {
  const values = new Map<Tensor, HostTensor>();
  const make = (tensor: Tensor) => {
    const { rows, cols } = tensor;
    const made = { rows, cols, data: new Float64Array(rows * cols) };
    values.set(tensor, made);
    return made;
  };
  parameters.forEach((tensor, k) => {
    make(tensor).data.forEach((_, i, data) => {
      data[i] = Math.sin(1 + i + 20 * k);
    });
  });
  for (const { op, inputs, outputs, attributes } of instructions) {
    // every input was computed before
    op.reference(
      inputs.map((tensor) => values.get(tensor)!),
      outputs.map(make),
      attributes,
    );
  }
  return results.map((tensor) => [...values.get(tensor)!.data]);
}

function expectSameResults({ x, y, before, after, results }: ReturnType<typeof joined>): void {
  expect(compute(after, [x, y], results)).toEqual(compute(before, [x, y], results));
}

test("flat ops that follow each other are joined through aliases; results that others read are stored", () => {
  let sum!: Tensor;
  const found = joined((builder, x, y) => {
    sum = add(x, y, 0.5);
    const column = builder.parameter("s", 4, 1);
    const row = builder.parameter("r", 1, 2);
    const z = relu(addRow(reshape(scaleRows(sum, column), 8, 2), row));
    return [matmul(sum, y), reshape(z, 4, 4)];
  });
  expect(namesOf(found.after)).toEqual(["add scaleRows addRow relu", "matmul", "reshape"]);
  const [chain, product, alias] = found.after;
  expect(chain.outputs).toEqual([sum, alias.inputs[0]]);
  expect(producerOf(chain, sum)).toBe("add");
  expect(producerOf(chain, alias.inputs[0])).toBe("relu");
  expect(producerOf(product, product.outputs[0])).toBe("matmul");
});

test("a chain computes what its instructions compute", () => {
  expectSameResults(
    joined((_, x, y) => {
      const twice = scale(x, 2);
      const product = multiply(y, twice);
      const z = relu(add(matmul(y, y), sigmoid(product), 3));
      return [z, product, sumRows(multiply(z, z))];
    }),
  );
});

test("an op that waits for something that reads the chain does not join it", () => {
  const found = joined((_, x, y) => {
    const half = scale(x, 0.5);
    return [add(half, matmul(half, y))];
  });
  expect(namesOf(found.after)).toEqual(["scale", "matmul", "add"]);
  expectSameResults(found);
});

test("two chains never wait for each other", () => {
  const found = joined((_, x, y) => {
    const a = scale(x, 2);
    const b = scale(y, 3);
    // each second step needs the first step of the other chain
    return [add(a, matmul(b, y)), add(b, matmul(a, x))];
  });
  expect(namesOf(found.after)).toEqual(["scale", "matmul", "scale add", "matmul", "add"]);
  expectSameResults(found);
});

test("an op whose value is also its operand ends a chain", () => {
  const found = joined((_, x) => {
    const half = scale(x, 0.5);
    return [multiply(half, half)];
  });
  expect(namesOf(found.after)).toEqual(["scale", "multiply"]);
  expectSameResults(found);
});

test("a chain has at most so many steps and stored results, and one mask", () => {
  const long = joined((_, x) => {
    let y = x;
    for (let k = 0; k < MAX_STEPS + 2; k++) y = sigmoid(y);
    return [y];
  });
  expect(long.after.map((chain) => stepsOf(chain).split(" ").length)).toEqual([MAX_STEPS, 2]);
  const stored = joined((_, x) => {
    const results = [sigmoid(x)];
    for (let k = 0; k < 5; k++) results.push(sigmoid(results[k]));
    return results;
  });
  expect(stored.after.map(({ outputs }) => outputs.length)).toEqual([4, 2]);
  expectSameResults(stored);
  const masks = joined((_, x) => [relu(scale(relu(x), 2))]);
  expect(namesOf(masks.after)).toEqual(["relu scale", "relu"]);
});

test("chains of large tensors take only operands that are there already", () => {
  const trace: Trace = (_, x, y) => [add(add(x, y), matmul(x, y))];
  expect(namesOf(joined(trace).after)).toEqual(["matmul", "add add"]);
  expect(namesOf(joined(trace, false).after)).toEqual(["add", "matmul", "add"]);
  expect(namesOf(joined((_, x, y) => [sigmoid(add(x, y))], false).after)).toEqual(["add unary"]);
});
