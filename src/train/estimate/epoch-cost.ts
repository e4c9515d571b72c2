/** Operations of an epoch, from its traced program alone. */

import type { Work } from "../../core/work.js";
import type { Instruction, Program, Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";

/** Operations and bytes of the steps of one epoch. */
export interface EpochCost {
  readonly sparseMultiplyAdds: number;
  readonly denseMultiplyAdds: number;
  /** Multiply-adds of inner products of chosen rows, and of their gradients. */
  readonly gatheredMultiplyAdds: number;
  /** Bytes that sparse and dense products read and write: each operand once, or a row per entry if a source fits no cache. */
  readonly sparseBytes: number;
  readonly denseBytes: number;
  /** Bytes that the other ops read and write. */
  readonly streamedBytes: number;
}

/** Size of the vectors above which sparse products read them from memory, not from a cache; in bytes. */
const CACHED_BYTES = 8e6;

/** The work of `epochs` epochs on a graph of `numNodes` nodes with vectors of width `dim`. */
export function epochsWork(cost: EpochCost, epochs: number, numNodes: number, dim: number): Work {
  const gathered = numNodes * 2 * dim * 4; // clean and shuffled vectors side by side
  return {
    [gathered > CACHED_BYTES ? "sparseUncached" : "sparse"]: epochs * cost.sparseMultiplyAdds,
    dense: epochs * cost.denseMultiplyAdds,
    gathered: epochs * cost.gatheredMultiplyAdds,
    streamed: epochs * cost.streamedBytes,
  };
}

/** Size of a source above which each of its rows is read from memory every time; in bytes: a large last-level cache. */
const CACHE_BYTES = 32 * 2 ** 20;

/** Adds up the cost of all ops in the steps of an epoch. */
export function epochCost(program: Program, steps: number): EpochCost {
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
    const { dense, gathered } = op.work?.(inputs, outputs) ?? {};
    if (matrices.length > 0) {
      const width = outputs[0].cols;
      sum.sparseBytes += operands;
      for (const { columns, values, numRows, numColumns } of matrices) {
        sum.sparseMultiplyAdds += (columns.length + numRows) * width;
        const row = numColumns * width * 4 > CACHE_BYTES ? width : 0;
        sum.sparseBytes += 4 * columns.length * (1 + Number(values !== undefined) + row);
      }
    } else if (dense !== undefined) {
      sum.denseMultiplyAdds += dense;
      sum.denseBytes += operands;
    } else if (gathered !== undefined) {
      sum.gatheredMultiplyAdds += gathered;
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

function matricesOf({ op, attributes }: Instruction): readonly SparseOperator[] {
  return (op.encode?.(attributes) ?? []).flatMap((argument) => {
    if ("sparse" in argument) return [argument.sparse];
    return "sparseList" in argument ? [...argument.sparseList] : [];
  });
}
