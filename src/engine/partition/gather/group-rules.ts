/**
 * Rules of sums over the places of a batch that name the same row. A rank groups the places that name its own rows, and fetches the
 * rows of other ranks that their sums read. Sums of groups that belong to no rank are divided by pieces.
 */

import type { KernelTensor, Tensor } from "../../program.js";
import { partOp } from "../local-ops.js";
import type { LocalTensor, PartitionCall, PartitionRule } from "../rule.js";
import { membersOf } from "./consumers.js";
import { fetchedInputs, type IndexedTable, withNarrowWhole } from "./gather-rules.js";
import { ownPieces } from "./pieces.js";

/** Outputs (start, order) of the places grouped by row; the groups are divided if there is one per row of nodes. */
export function ownGroups<A extends { readonly numRows: number; readonly firstRow: number }>(): PartitionRule<A> {
  return {
    lower(call) {
      const { builder, inputs, op, attributes, ranges } = call;
      const index = call.whole(inputs[0]);
      const { numRows } = attributes;
      const rowsPerNode = numRows % ranges.numNodes === 0 ? numRows / ranges.numNodes : 0;
      const own = { numRows: rowsPerNode * ranges.count, firstRow: rowsPerNode * ranges.begin };
      const [start, order] = builder.apply(op, [index], rowsPerNode === 0 ? attributes : { ...attributes, ...own });
      return [
        { tensor: start, rowsPerNode },
        { tensor: order, rowsPerNode: 0 },
      ];
    },
  };
}

/** Which inputs of an op are what; inputs 0 and 1 are the groups. */
export interface GroupSums {
  /** Coefficients, whole on every rank. */
  readonly coefficients: readonly number[];
  readonly tables: readonly IndexedTable[];
}

/** Row r of the result is a sum over the places of group r. */
export function summedGroups<A>({ coefficients, tables }: GroupSums): PartitionRule<A> {
  return {
    lower(given) {
      const call = withNarrowWhole(given);
      const { builder, inputs, op, attributes, ranges } = call;
      const [start, order] = inputs;
      const { rowsPerNode } = start;
      const isFetched = tables.some(({ table }) => inputs[table].rowsPerNode > 0);
      if (rowsPerNode === 0 && isFetched) return [sumPieces(call, { coefficients, tables })];
      const found = fetchedInputs(call, tables, membersOf(start.tensor, order.tensor, ranges.size));
      const tensors = inputs.map((input, i) => {
        if (i < 2) return [start, order][i].tensor;
        return coefficients.includes(i) ? call.whole(input) : found.get(i)!;
      });
      return [{ tensor: builder.apply(op, tensors, attributes)[0], rowsPerNode }];
    },
  };
}

function sumPieces<A>(call: PartitionCall<A>, { coefficients, tables }: GroupSums): LocalTensor {
  const { builder, inputs, outputs, op, attributes, ranks } = call;
  const [start, order] = inputs.map(({ tensor }) => tensor);
  const [{ cols }] = outputs;
  const given = new Map(coefficients.map((i) => [i, call.whole(inputs[i])]));
  const [c] = given.values();
  const pieces = ownPieces(builder, ranks, start, order, (c.rows * c.cols) / Math.max(1, order.rows));
  const found = fetchedInputs(call, tables, pieces.consumers);
  const tensors = inputs.map((_, i) => [pieces.start, pieces.order][i] ?? given.get(i) ?? found.get(i)!);
  const view = (tensor: Tensor, firstRow = 0, rows = tensor.rows): KernelTensor => ({
    tensor,
    rows,
    cols: tensor.cols,
    firstRow,
  });
  const { maxPieces } = pieces;
  // a piece is one piece of its group here too, so the kernel has nothing to finish
  const run = partOp(op, [{ rows: ranks.size * maxPieces, cols }], (ins, [sums]) => ({
    phase: "run",
    outputs: [view(sums, -ranks.rank * maxPieces, maxPieces)],
    inputs: ins.map((tensor) => view(tensor)),
  }));
  return { tensor: pieces.combine(builder.apply(run, tensors, attributes)[0]), rowsPerNode: 0 };
}
