/**
 * Turns a traced program into the program of one rank: tensors with rows of nodes are divided by rows, other tensors are whole on
 * every rank, and instructions that move rows or partial sums between ranks are inserted where the rules of the ops need them.
 *
 * Divided are: parameters and states with one row per node; constants and inputs of float numbers with one or more rows per node;
 * and everything computed from them row by row. The rules are right for any division, so a matrix that has as many rows as there
 * are nodes by chance is divided too, or refused.
 */

import { InternalError, UnsupportedError } from "../../core/errors.js";
import { type Instruction, type KernelArgument, type Program, ProgramBuilder, type Tensor } from "../program.js";
import type { Ranks } from "../ranks.js";
import type { SparseOperator } from "../sparse.js";
import { EXCHANGE_LIMITS, type ExchangeLimits, Exchanges } from "./exchanges.js";
import { Fetches } from "./gather/fetches.js";
import { gatherWhole, takeOwnRows } from "./gather/whole-rows.js";
import { balancedRanges, type RowRanges } from "./row-ranges.js";
import { applyLocally, twoForms } from "./row-rules.js";
import type { LocalTensor, PartitionCall } from "./rule.js";

/** Ranges of nodes end at multiples of this: kernels of sparse products sum blocks of so many rows. */
const MIN_UNIT = 64;
/** Cost of the dense work of a node, in stored entries. Not tuned. */
const NODE_COST = 32;

/** How a program is divided. */
export interface Division {
  readonly ranges: RowRanges;
  /** Largest number of rows of other ranks that an op of this rank has read so far. */
  haloRows(): number;
  /** The tensor of this rank for a tensor of the whole program. */
  local(tensor: Tensor): LocalTensor;
}

/** The program of one rank. */
export interface LocalProgram extends Division {
  readonly program: Program;
}

/** Divides a program; all ranks call it together, with the same program. */
export function partitionProgram(whole: Program, ranks: Ranks, limits?: Partial<ExchangeLimits>): LocalProgram {
  const { numNodes } = whole;
  if (numNodes === undefined) throw new InternalError("partition: the program does not know its number of nodes");
  const ranges = balancedRanges(nodeCosts(whole, numNodes), unitOf(whole, numNodes), ranks.size, ranks.rank);
  const builder = new ProgramBuilder();
  const exchanges = new Exchanges(builder, ranks, ranges, { ...EXCHANGE_LIMITS, ...limits });
  const fetches = new Fetches(builder, ranks, ranges);
  const locals = new Map<Tensor, LocalTensor>();
  const local = (tensor: Tensor): LocalTensor => {
    const found = locals.get(tensor) ?? storedTensor(tensor, whole, builder, ranges);
    locals.set(tensor, found);
    return found;
  };
  // in the order of the program, so that all ranks make them alike
  for (const tensor of whole.tensors) if (tensor.kind !== "value") local(tensor);
  for (const [name, instructions] of whole.segments) {
    exchanges.beginSegment();
    fetches.beginSegment();
    builder.segment(name, () => {
      for (const instruction of instructions) {
        const outputs = lower(instruction, { builder, ranks, ranges, exchanges, fetches, local });
        instruction.outputs.forEach((output, i) => {
          locals.set(output, outputs[i]);
        });
      }
      return (whole.results.get(name) ?? []).map((tensor) => local(tensor).tensor);
    });
  }
  const haloRows = largestRows(exchanges.haloRows, fetches.largest);
  const program = builder.finish();
  // the tensors are needed as long as the program runs, the matrices only until it is compiled
  builder.forget();
  return { program, ranges, haloRows, local: lookUp(hostTensors(whole, local)) };
}

/** Rows of sparse products do not change; rows of batches do. Not a closure of `partitionProgram`, as below. */
function largestRows(products: number, batches: { readonly rows: number }): Division["haloRows"] {
  return () => Math.max(products, batches.rows);
}

/**
 * The tensors that the host reads or writes, as they are: those that have two forms hold functions that make these, and with them the
 * tables of all halos.
 */
function hostTensors(whole: Program, local: (tensor: Tensor) => LocalTensor): ReadonlyMap<Tensor, LocalTensor> {
  const stored = whole.tensors.filter(({ kind }) => kind === "parameter" || kind === "state" || kind === "input");
  const found = [...stored, ...[...whole.results.values()].flat()].map((tensor) => {
    const { tensor: own, rowsPerNode } = local(tensor);
    return [tensor, { tensor: own, rowsPerNode }] as const;
  });
  return new Map(found);
}

/** Not a closure of `partitionProgram`: that would keep the tables of all halos in memory. */
function lookUp(locals: ReadonlyMap<Tensor, LocalTensor>): Division["local"] {
  return (tensor) => {
    const found = locals.get(tensor);
    if (found === undefined) throw new InternalError(`partition: tensor ${tensor.id} is not in the program`);
    return found;
  };
}

interface Context {
  readonly builder: ProgramBuilder;
  readonly ranks: Ranks;
  readonly ranges: RowRanges;
  readonly exchanges: Exchanges;
  readonly fetches: Fetches;
  local(tensor: Tensor): LocalTensor;
}

/** Appends one instruction to the local program. */
function lower({ op, inputs, outputs, attributes }: Instruction, context: Context): LocalTensor[] {
  const { builder, ranks, ranges, exchanges, fetches } = context;
  const require = (condition: boolean) => {
    if (!condition) refuse(op.name);
  };
  const call: PartitionCall<unknown> = {
    op,
    attributes,
    inputs: inputs.map(context.local),
    outputs,
    builder,
    ranks,
    ranges,
    wholeRows: ({ tensor, rowsPerNode }) => (rowsPerNode === 0 ? tensor.rows : rowsPerNode * ranges.numNodes),
    whole(input) {
      if (input.tensors !== undefined) return input.tensors.whole();
      return input.rowsPerNode === 0 ? input.tensor : gatherWhole(builder, ranks, ranges, input);
    },
    own(input, rowsPerNode) {
      if (input.rowsPerNode === rowsPerNode) return input.tensor;
      if (input.tensors !== undefined) return input.tensors.own(rowsPerNode);
      require(input.rowsPerNode === 0 && input.tensor.rows === rowsPerNode * ranges.numNodes);
      return takeOwnRows(builder, ranges, input.tensor, rowsPerNode);
    },
    fetch: (x, indices, consumers) => fetches.fetch(x, indices, consumers),
    gather: (x, index) => fetches.gather(x, index),
    require,
    product: (matrices, x) => exchanges.product(matrices, x),
    productsOfSum: (matrices, x) => exchanges.productsOfSum(matrices, x),
    permuted(x, forward, inverse, pairs) {
      require(forward.rowsPerNode === 0 && inverse.rowsPerNode === 0);
      return exchanges.permuted(x, forward.tensor, inverse.tensor, pairs);
    },
  };
  if (op.partition !== undefined) return op.partition.lower(call);
  require(call.inputs.every(({ rowsPerNode, tensors }) => rowsPerNode === 0 || tensors !== undefined));
  const whole = call.inputs.map((input) => ({ tensor: call.whole(input), rowsPerNode: 0 }));
  return applyLocally(call, attributes, whole);
}

function refuse(op: string): never {
  throw new UnsupportedError(
    `ranks: this model computes ${op} over all nodes, which cannot be divided among ranks; use one process, or a model of hmge, which can all be divided.`,
  );
}

/** A parameter, state, constant or input of the local program. */
function storedTensor(tensor: Tensor, whole: Program, builder: ProgramBuilder, ranges: RowRanges): LocalTensor {
  const { kind, name = "", cols, dtype } = tensor;
  const rowsPerNode = rowsPerNodeOf(tensor, ranges.numNodes);
  const rows = rowsPerNode === 0 ? tensor.rows : rowsPerNode * ranges.count;
  switch (kind) {
    case "parameter":
      return { tensor: builder.parameter(name, rows, cols), rowsPerNode };
    case "state":
      return { tensor: builder.state(name, rows, cols, tensor), rowsPerNode };
    case "input":
      return { tensor: builder.input(name, rows, cols, dtype), rowsPerNode };
    case "constant":
      return storedConstant(tensor, whole.constants.get(tensor) ?? [], builder, ranges);
    default:
      throw new InternalError(`partition: tensor ${tensor.id} is read before it is computed`);
  }
}

/** A constant is made in the form in which it is read. Its rows may be divided if there are k for each node. */
function storedConstant(
  tensor: Tensor,
  data: ArrayLike<number>,
  builder: ProgramBuilder,
  ranges: RowRanges,
): LocalTensor {
  const { rows, cols, dtype, areRowsNodes } = tensor;
  const whole = () => builder.constant(data, rows, cols, dtype);
  if (areRowsNodes === false || rows % ranges.numNodes !== 0) return { tensor: whole(), rowsPerNode: 0 };
  return twoForms(rowsPerNodeOf(tensor, ranges.numNodes), {
    rows,
    cols,
    whole,
    own(k) {
      const [first, count] = [k * ranges.begin, k * ranges.count];
      return builder.constant(entriesOf(data, first * cols, count * cols), count, cols, dtype);
    },
  });
}

/** `count` numbers from `first` on; typed arrays are not copied. */
function entriesOf(data: ArrayLike<number>, first: number, count: number): ArrayLike<number> {
  if (data instanceof Float32Array || data instanceof Float64Array || data instanceof Uint32Array)
    return data.subarray(first, first + count);
  return Array.from({ length: count }, (_, i) => data[first + i]);
}

function rowsPerNodeOf({ kind, rows, dtype, areRowsNodes }: Tensor, numNodes: number): number {
  if (dtype !== "float" || areRowsNodes === false || numNodes < 2) return 0;
  if (kind === "parameter" || kind === "state") return rows === numNodes ? 1 : 0;
  return rows % numNodes === 0 ? rows / numNodes : 0;
}

/** Nodes between possible ends of ranges: chunks of all sums over nodes end there. All chunks are powers of two of rows. */
function unitOf(whole: Program, numNodes: number): number {
  let unit = MIN_UNIT;
  for (const { op, inputs, outputs } of [...whole.segments.values()].flat()) {
    const rowsPerNode = (inputs[0]?.rows ?? 0) / numNodes;
    if (op.partition?.chunkRows === undefined || !Number.isInteger(rowsPerNode) || rowsPerNode === 0) continue;
    let nodes = op.partition.chunkRows(inputs, outputs);
    for (let k = rowsPerNode; k % 2 === 0 && nodes > MIN_UNIT; k /= 2) nodes /= 2;
    unit = Math.max(unit, nodes);
  }
  return unit;
}

/** Cost of each node: its stored entries in all matrices, and its dense work. */
function nodeCosts(whole: Program, numNodes: number): Float64Array {
  const cost = new Float64Array(numNodes).fill(NODE_COST);
  const counted = new Set<Uint32Array>();
  for (const { rowStart, columns, numRows } of matricesOf(whole)) {
    if (numRows !== numNodes || counted.has(columns)) continue;
    counted.add(columns);
    for (let i = 0; i < numNodes; i++) cost[i] += rowStart[i + 1] - rowStart[i];
  }
  return cost;
}

function matricesOf(whole: Program): SparseOperator[] {
  const encoded = [...whole.segments.values()].flat().flatMap(({ op, attributes }) => op.encode?.(attributes) ?? []);
  return encoded.flatMap((argument: KernelArgument) => {
    if ("sparse" in argument) return [argument.sparse];
    return "sparseList" in argument ? argument.sparseList : [];
  });
}
