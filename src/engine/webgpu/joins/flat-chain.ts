/**
 * A chain of flat ops as one instruction. A flat op computes an entry of its result from the same entry of a tensor, its value, and from
 * other tensors, its operands. The result of a step is the value of the next; only results that other instructions read are stored.
 *
 * Every flat op runs as a step of kernels/elementwise/flatChain.wgsl, also if its chain has no other step.
 */

import {
  addOp,
  addRowOp,
  bceLogitsGradientOp,
  maskScaleOp,
  matmulOp,
  multiplyOp,
  placeColumnsOp,
  preluGradientOp,
  preluOp,
  reluOp,
  scaleOp,
  scaleRowsOp,
  unaryGradientOp,
  unaryOp,
} from "../../ops/index.js";
import { defineOp, type HostTensor, type Instruction, type KernelArgument, type Tensor } from "../../program.js";

/** Largest number of steps of a chain. Calls with fewer have as many arguments, so that all chains share a pipeline. */
export const MAX_STEPS = 8;
/** Largest number of results of a chain that are stored. */
export const MAX_STORED = 4;
/** No result is stored: MISSING of the shaders. */
const NOT_STORED = 0xffffffff;
/** Arguments before those of the steps, and of a step. */
const HEADER_WORDS = 4;
const STEP_WORDS = 6;

/** `add` whose value is the second summand. */
const ADD_TO = "addTo";
/** `matmul` of a column and a row, which begins a chain. */
const OUTER = "outer";
/** A step's place in this list is its number in the kernel. */
const KINDS: readonly string[] = [
  addOp.name,
  ADD_TO,
  multiplyOp.name,
  scaleOp.name,
  scaleRowsOp.name,
  addRowOp.name,
  reluOp.name,
  maskScaleOp.name,
  unaryOp.name,
  unaryGradientOp.name,
  preluOp.name,
  preluGradientOp.name,
  bceLogitsGradientOp.name,
  placeColumnsOp.name,
  OUTER,
];

/** An instruction of a chain. */
export interface Step {
  readonly instruction: Instruction;
  /** Number of the input that is the value. */
  readonly valueAt: number;
}

interface FlatChain {
  readonly steps: readonly Step[];
  /** The results that are stored. */
  readonly stored: readonly Tensor[];
}

/** Whether an instruction can begin a chain; input 0 is its value. */
export function isFirstStep(instruction: Instruction): boolean {
  return isOuter(instruction) || isStep(instruction, 0);
}

function isOuter({ op, inputs }: Instruction): boolean {
  return op.name === matmulOp.name && inputs[0].cols === 1;
}

/** Whether an instruction can be a step with this input as its value, which has as many entries as its result. */
export function isStep({ op, inputs, outputs, attributes }: Instruction, valueAt: number): boolean {
  if (!KINDS.includes(op.name)) return false;
  if (op.name === placeColumnsOp.name) {
    // one row, whose places are shifted by whole values of four floats
    const { start } = attributes as { start: number };
    return valueAt === 0 && inputs[0].rows === 1 && inputs[0].cols % 4 === 0 && start % 4 === 0;
  }
  const isSum = op.name === addOp.name || op.name === multiplyOp.name;
  return outputs.length > 0 && (valueAt === 0 || (isSum && valueAt === 1));
}

/** Whether a chain has at most one such step: a mask is written once, in workgroup memory, and places are shifted once. */
export function isSingle({ op }: Instruction): boolean {
  return op.name === reluOp.name || op.name === placeColumnsOp.name;
}

/** The instruction that runs the steps and stores these results. */
export function makeChain(steps: readonly Step[], stored: readonly Tensor[]): Instruction {
  const [first] = steps;
  // the first value, then the operands of each step
  const inputs = [first.instruction.inputs[first.valueAt], ...steps.flatMap(operandsOf)];
  const attributes: FlatChain = { steps, stored };
  const isMoved = steps.some(({ instruction }) => isOuter(instruction) || instruction.op.name === placeColumnsOp.name);
  const op = isMoved ? movingChainOp : flatChainOp;
  return { op: op as Instruction["op"], inputs, outputs: stored, attributes };
}

function operandsOf({ instruction: { inputs }, valueAt }: Step): readonly Tensor[] {
  return inputs.filter((_, k) => k !== valueAt);
}

/** The op that computes a result of an instruction: of a chain, that of the step. */
export function producerOf({ op, attributes }: Instruction, output: Tensor): string {
  if (op.name !== flatChainOp.name) return op.name;
  const { steps } = attributes as FlatChain;
  return steps.find(({ instruction }) => instruction.outputs.includes(output))?.instruction.op.name ?? op.name;
}

export const flatChainOp = defineOp<FlatChain>({
  name: "flatChain",
  inPlace: 0,
  outputs: (_, { stored }) => stored.map(({ rows, cols, dtype }) => ({ rows, cols, dtype })),
  reference(inputs, outputs, { steps, stored }) {
    let value = inputs[0];
    let next = 1;
    for (const step of steps) {
      const { op, inputs: tensors, outputs: results, attributes } = step.instruction;
      const numOperands = tensors.length - 1;
      const from: HostTensor[] = inputs.slice(next, next + numOperands);
      const { rows, cols } = tensors[step.valueAt];
      from.splice(step.valueAt, 0, { rows, cols, data: value.data });
      next += numOperands;
      const to = results.map((tensor) => ({
        rows: tensor.rows,
        cols: tensor.cols,
        data: new Float64Array(tensor.rows * tensor.cols),
      }));
      op.reference(from, to, attributes);
      results.forEach((tensor, k) => {
        if (stored.includes(tensor)) outputs[stored.indexOf(tensor)].data.set(to[k].data);
      });
      value = to[0];
    }
  },
  gradient: "it is made after differentiation",
  encode({ steps, stored }) {
    const placeOf = (tensor: Tensor | undefined) =>
      tensor !== undefined && stored.includes(tensor) ? stored.indexOf(tensor) : NOT_STORED;
    const sizeOf = ({ instruction: { outputs } }: Step) => outputs[0].rows * outputs[0].cols;
    const sizes = [steps[0], steps[steps.length - 1]].map((step) => ({ int: sizeOf(step) }));
    const shift = steps.reduce((sum, { instruction }) => sum + startOf(instruction), 0) / 4;
    const encoded: KernelArgument[] = [{ int: steps.length }, ...sizes, { int: shift }];
    let operand = 1;
    for (const step of steps) {
      const { op, inputs, outputs, attributes } = step.instruction;
      const own = op.encode?.(attributes) ?? [];
      const int = op.name === reluOp.name ? placeOf(outputs[1]) : intOf(own);
      const numOperands = inputs.length - 1;
      // without operands, any valid input
      encoded.push({ int: kindOf(step) }, { int: numOperands === 0 ? 0 : operand }, { int: outputs[0].cols });
      encoded.push({ int }, { float: floatOf(own) }, { int: placeOf(outputs[0]) });
      operand += numOperands;
    }
    while (encoded.length < HEADER_WORDS + STEP_WORDS * MAX_STEPS) encoded.push({ int: 0 });
    return encoded;
  },
});

/** A chain whose entries are not at the place of those of input 0: no result can take its place in memory. */
const movingChainOp = { ...flatChainOp, inPlace: undefined };

function kindOf({ instruction, valueAt }: Step): number {
  const { name } = instruction.op;
  if (isOuter(instruction)) return KINDS.indexOf(OUTER);
  return KINDS.indexOf(name === addOp.name && valueAt === 1 ? ADD_TO : name);
}

function startOf({ op, attributes }: Instruction): number {
  return op.name === placeColumnsOp.name ? (attributes as { start: number }).start : 0;
}

function intOf(encoded: readonly KernelArgument[]): number {
  const [found] = encoded.flatMap((argument) => ("int" in argument ? [argument.int] : []));
  return found ?? 0;
}

function floatOf(encoded: readonly KernelArgument[]): number {
  const [found] = encoded.flatMap((argument) => ("float" in argument ? [argument.float] : []));
  return found ?? 0;
}
