/** What a run will need, from its traced program alone; nothing is computed. */

import type { OptionSchema } from "../core/options.js";
import type { Instruction, Program } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { createWasmEngine } from "../engine/wasm/wasm-engine.js";
import type { Model } from "../nn/model.js";
import { resolveTraining, type TrainableGraph, type TrainOptions, visibleTo } from "./train.js";
import { traceTraining } from "./training-program.js";

export interface RunEstimate {
  /** Memory of the engine: parameters, moments, matrices, working space. */
  readonly engineBytes: number;
  /** Arrays of the graph on the host's side. */
  readonly graphBytes: number;
  readonly numParameters: number;
  /** Multiply-adds of one epoch in sparse and in dense products. */
  readonly sparseMultiplyAdds: number;
  readonly denseMultiplyAdds: number;
  /** Bytes that the other ops of an epoch read and write. */
  readonly streamedBytes: number;
  /** Most epochs of the run; early stopping may end it sooner. */
  readonly epochs: number;
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
  return {
    engineBytes: await engine.estimate(traced.program),
    graphBytes: graphBytes(graph),
    numParameters: traced.parameters.reduce((sum, { tensor }) => sum + tensor.rows * tensor.cols, 0),
    ...epochCost(traced.program, traced.steps),
    epochs: training.epochs,
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

/** Cost of the steps of an epoch, op by op. */
export function epochCost(program: Program, steps: number) {
  let sparseMultiplyAdds = 0;
  let denseMultiplyAdds = 0;
  let streamedBytes = 0;
  for (const instruction of program.segments.get("step") ?? []) {
    const { op, inputs, outputs } = instruction;
    const matrices = matricesOf(instruction);
    if (matrices.length > 0) {
      const width = outputs[0].cols;
      for (const matrix of matrices) sparseMultiplyAdds += (matrix.columns.length + matrix.numRows) * width;
    } else if (op.name.startsWith("matmul")) {
      const shared = op.name === "matmul" ? inputs[0].cols : inputs[0].rows;
      denseMultiplyAdds += outputs[0].rows * outputs[0].cols * shared;
    } else if (op.alias !== true) {
      for (const { rows, cols, dtype } of [...inputs, ...outputs]) {
        streamedBytes += rows * cols * (dtype === "mask" ? 1 / 8 : 4);
      }
    }
  }
  return {
    sparseMultiplyAdds: steps * sparseMultiplyAdds,
    denseMultiplyAdds: steps * denseMultiplyAdds,
    streamedBytes: steps * streamedBytes,
  };
}

function matricesOf({ op, attributes }: Instruction): readonly SparseOperator[] {
  return (op.encode?.(attributes) ?? []).flatMap((argument) => {
    if ("sparse" in argument) return [argument.sparse];
    return "sparseList" in argument ? [...argument.sparseList] : [];
  });
}
