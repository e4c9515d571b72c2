/** What a run will need, from its traced program alone; nothing is computed. */

import { largestOf } from "../core/extremes.js";
import type { OptionSchema } from "../core/options.js";
import type { Instruction, Program, Tensor } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { createWasmEngine } from "../engine/wasm/wasm-engine.js";
import type { Model } from "../nn/model.js";
import { graphOf, resolveTraining, type TrainOptions } from "./train.js";
import { type TrainableGraph, visibleTo } from "./trainable.js";
import { traceTraining } from "./training-program.js";

export interface RunEstimate {
  /** Memory of the engine: parameters, moments, matrices, working space; of the largest part where that is more. */
  readonly engineBytes: number;
  /** Arrays of the graph on the host's side. */
  readonly graphBytes: number;
  /** What the model makes of it there. */
  readonly hostBytes: number;
  readonly numParameters: number;
  /** Multiply-adds of one epoch in sparse and in dense products. */
  readonly sparseMultiplyAdds: number;
  readonly denseMultiplyAdds: number;
  /** Of inner products of chosen rows, and of the sums that are their gradients. */
  readonly gatheredMultiplyAdds: number;
  /** Bytes that the other two products read and write: every operand once; where a source fits no cache, a row for each entry. */
  readonly sparseBytes: number;
  readonly denseBytes: number;
  /** Bytes that the other ops of an epoch read and write. */
  readonly streamedBytes: number;
  /** Most epochs of the run; early stopping may end it sooner. */
  readonly epochs: number;
  /** Of the trainings that come before. */
  readonly parts: readonly RunEstimate[];
}

export async function estimateRun<S extends OptionSchema, P, G>(
  given: TrainableGraph,
  model: Model<S, P, G>,
  settings: TrainOptions<S>,
): Promise<RunEstimate> {
  const graph = visibleTo(model, given);
  const { training, options } = resolveTraining(model, settings);
  model.check?.(graph, options);
  const traced = traceTraining(model, graph, options, { weightDecay: training.weightDecay });
  const engine = await createWasmEngine({ threads: 1 });
  const parts: RunEstimate[] = [];
  for (const part of model.parts?.(graph, options) ?? []) {
    const found = await estimateRun(graphOf(part, graph), part.model, part.settings);
    parts.push({ ...found, epochs: Math.min(found.epochs, training.epochs) });
  }
  return {
    engineBytes: largestOf(
      parts.map(({ engineBytes }) => engineBytes),
      await engine.estimate(traced.program),
    ),
    graphBytes: graphBytes(graph),
    hostBytes: model.hostBytes?.(graph) ?? 0,
    numParameters: traced.parameters.reduce((sum, { tensor }) => sum + tensor.rows * tensor.cols, 0),
    ...epochCost(traced.program, traced.steps),
    epochs: training.epochs,
    parts,
  };
}

/** Widths whose halves are tried when a run is too large, in the order in which they cost the least. */
const WIDTHS = ["tableWidth", "dim"];
/** Below this, vectors are of little use. */
const LEAST_WIDTH = 8;

/** Settings with smaller widths whose memory is at most `limit` bytes, if halving them can do it. */
export async function fittingSettings<S extends OptionSchema, P, G>(
  graph: TrainableGraph,
  model: Model<S, P, G>,
  settings: TrainOptions<S>,
  limit: number,
): Promise<{ readonly widths: Readonly<Record<string, number>>; readonly engineBytes: number } | undefined> {
  const given: Record<string, unknown> = resolveTraining(model, settings).options;
  const widths: Record<string, number> = {};
  for (const name of WIDTHS.filter((known) => typeof given[known] === "number")) {
    for (let width = Number(given[name]) >> 1; width >= LEAST_WIDTH; width >>= 1) {
      widths[name] = width;
      const { engineBytes } = await estimateRun(graph, model, { ...settings, ...widths });
      if (engineBytes <= limit) return { widths, engineBytes };
    }
  }
  return undefined;
}

function graphBytes({ ids, relations, features }: TrainableGraph): number {
  let bytes = 0;
  // a string of the heap: header, length, hash, one byte a character
  for (const id of ids) bytes += 24 + id.length;
  for (const matrix of features === undefined ? relations : [...relations, features]) {
    bytes += matrix.rowStart.byteLength + matrix.columns.byteLength + (matrix.values?.byteLength ?? 0);
  }
  return bytes;
}

/** Bytes of a source from which its rows come from memory each time they are read: a large last-level cache. */
const CACHE_BYTES = 32 * 2 ** 20;

/** Ops on pairs of chosen rows, with the products of a column each makes of a pair. */
const PRODUCTS_OF_PAIR: Readonly<Record<string, number>> = {
  gatherDots: 1,
  gatherDotsGradient: 1,
  pairDots: 2,
  pairDotsGradient: 2,
};

/** Cost of the steps of an epoch, op by op. */
function epochCost(program: Program, steps: number) {
  const sum = {
    sparseMultiplyAdds: 0,
    sparseBytes: 0,
    denseMultiplyAdds: 0,
    denseBytes: 0,
    gatheredMultiplyAdds: 0,
    streamedBytes: 0,
  };
  for (const instruction of program.segments.get("step") ?? []) {
    const { op, inputs, outputs } = instruction;
    if (op.alias === true) continue;
    const operands = [...inputs, ...outputs].reduce((bytes, tensor) => bytes + tensorSize(tensor), 0);
    const matrices = matricesOf(instruction);
    if (matrices.length > 0) {
      const width = outputs[0].cols;
      sum.sparseBytes += operands;
      for (const { columns, values, numRows, numColumns } of matrices) {
        sum.sparseMultiplyAdds += (columns.length + numRows) * width;
        const row = numColumns * width * 4 > CACHE_BYTES ? width : 0;
        sum.sparseBytes += 4 * columns.length * (1 + Number(values !== undefined) + row);
      }
    } else if (op.name.startsWith("matmul")) {
      const shared = op.name === "matmul" ? inputs[0].cols : inputs[0].rows;
      sum.denseMultiplyAdds += outputs[0].rows * outputs[0].cols * shared;
      sum.denseBytes += operands;
    } else if (Object.hasOwn(PRODUCTS_OF_PAIR, op.name)) {
      // a value per pair goes in or comes out, whose rows are of the width of the first or last input
      const [pairs, rows] = op.name.endsWith("Gradient")
        ? [inputs[2], inputs[inputs.length - 1]]
        : [outputs[0], inputs[0]];
      sum.gatheredMultiplyAdds += PRODUCTS_OF_PAIR[op.name] * pairs.rows * pairs.cols * rows.cols;
    } else {
      sum.streamedBytes += operands;
    }
  }
  return {
    sparseMultiplyAdds: steps * sum.sparseMultiplyAdds,
    sparseBytes: steps * sum.sparseBytes,
    denseMultiplyAdds: steps * sum.denseMultiplyAdds,
    denseBytes: steps * sum.denseBytes,
    gatheredMultiplyAdds: steps * sum.gatheredMultiplyAdds,
    streamedBytes: steps * sum.streamedBytes,
  };
}

function tensorSize({ rows, cols, dtype }: Tensor): number {
  return rows * cols * (dtype === "mask" ? 1 / 8 : 4);
}

/** Multiply-adds and bytes a second at most. */
export interface MachineLimits {
  readonly multiplyAdds: number;
  readonly bytes: number;
}

/** Seconds of an epoch if its products and streams, one after the other, ran at the machine's limits. */
export function floorSeconds(work: ReturnType<typeof epochCost>, { multiplyAdds, bytes }: MachineLimits): number {
  return (
    Math.max(work.sparseMultiplyAdds / multiplyAdds, work.sparseBytes / bytes) +
    Math.max(work.denseMultiplyAdds / multiplyAdds, work.denseBytes / bytes) +
    work.gatheredMultiplyAdds / multiplyAdds +
    work.streamedBytes / bytes
  );
}

function matricesOf({ op, attributes }: Instruction): readonly SparseOperator[] {
  return (op.encode?.(attributes) ?? []).flatMap((argument) => {
    if ("sparse" in argument) return [argument.sparse];
    return "sparseList" in argument ? [...argument.sparseList] : [];
  });
}
