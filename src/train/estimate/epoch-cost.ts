/** Operations of an epoch, from its traced program alone. */

import type { Work } from "../../core/work.js";
import type { Instruction, Program, Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";

/** What the steps of one epoch take. */
export interface EpochCost {
  /** Multiply-adds in sparse and in dense products. */
  readonly sparseMultiplyAdds: number;
  readonly denseMultiplyAdds: number;
  /** Of inner products of chosen rows, and of the sums that are their gradients. */
  readonly gatheredMultiplyAdds: number;
  /** Bytes that the other two products read and write: every operand once; where a source fits no cache, a row for each entry. */
  readonly sparseBytes: number;
  readonly denseBytes: number;
  /** Bytes that the other ops read and write. */
  readonly streamedBytes: number;
}

/** Bytes of the vectors that sparse products gather from which on they come from memory. */
const CACHED_BYTES = 8e6;

/** The same as work of so many epochs, on a graph of so many nodes with vectors of width `dim`. */
export function epochsWork(cost: EpochCost, epochs: number, numNodes: number, dim: number): Work {
  const gathered = numNodes * 2 * dim * 4; // clean and shuffled vectors side by side
  return {
    [gathered > CACHED_BYTES ? "sparseFar" : "sparse"]: epochs * cost.sparseMultiplyAdds,
    dense: epochs * cost.denseMultiplyAdds,
    gathered: epochs * cost.gatheredMultiplyAdds,
    streamed: epochs * cost.streamedBytes,
  };
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

function matricesOf({ op, attributes }: Instruction): readonly SparseOperator[] {
  return (op.encode?.(attributes) ?? []).flatMap((argument) => {
    if ("sparse" in argument) return [argument.sparse];
    return "sparseList" in argument ? [...argument.sparseList] : [];
  });
}
