/**
 * Rules of ops that read chosen rows of tables. Indices, and results with a row per place of a batch, are whole on every rank.
 * Each rank computes a share of the places, for which it fetches the rows of other ranks, and the results of all are gathered.
 */

import type { KernelTensor, Tensor } from "../../program.js";
import { partOp } from "../local-ops.js";
import { gatherParts } from "../reduce-rule.js";
import type { PartitionCall, PartitionContext, PartitionRule } from "../rule.js";
import { type Consumers, evenBounds, shares } from "./consumers.js";

/** Numbers of the inputs that are a table and an index into it. */
export interface IndexedTable {
  readonly table: number;
  readonly index: number;
}

/** Columns up to which a constant table is whole on every rank: to plan which rows a batch reads takes longer than reading them. Not tuned. */
const MAX_WHOLE_COLUMNS = 4;

/** The call with narrow constants, such as the degrees of the nodes, whole on every rank. */
export function withNarrowWhole<A>(call: PartitionCall<A>): PartitionCall<A> {
  const inputs = call.inputs.map((input) => {
    const isNarrow = input.rowsPerNode > 0 && (input.tensors?.cols ?? Number.POSITIVE_INFINITY) <= MAX_WHOLE_COLUMNS;
    return isNarrow ? { tensor: call.whole(input), rowsPerNode: 0 } : input;
  });
  return { ...call, inputs };
}

/** Fetches rows for all indices of an op; returns its inputs, by number. */
export function fetchedInputs(
  call: PartitionContext,
  tables: readonly IndexedTable[],
  consumers: Consumers,
): Map<number, Tensor> {
  const { inputs } = call;
  const found = new Map<number, Tensor>();
  for (const { table, index } of tables) {
    if (inputs[table].rowsPerNode > 0) continue;
    found.set(table, inputs[table].tensor);
    found.set(index, call.whole(inputs[index]));
  }
  // rows of other ranks follow the own rows of a table, so all indices into one tensor are fetched together
  const divided = tables.filter(({ table }) => inputs[table].rowsPerNode > 0);
  for (const x of new Set(divided.map(({ table }) => inputs[table].tensor))) {
    const uses = divided.filter(({ table }) => inputs[table].tensor === x);
    const indices = uses.map(({ index }) => call.whole(inputs[index]));
    const fetched = call.fetch(inputs[uses[0].table], indices, consumers);
    uses.forEach(({ table, index }, i) => {
      found.set(table, fetched.source);
      found.set(index, fetched.indices[i]);
    });
  }
  return found;
}

/** Results [b, f] of places: each index has a row per place. */
export function dotsOfRows<A>(tables: readonly IndexedTable[]): PartitionRule<A> {
  return {
    lower(given) {
      const call = withNarrowWhole(given);
      const { builder, inputs, outputs, op, attributes, ranks } = call;
      const [{ rows, cols }] = outputs;
      const first = evenBounds(rows, ranks.size);
      const found = fetchedInputs(call, tables, shares(first, ranks.rank));
      const tensors = inputs.map((_, i) => found.get(i)!);
      if (tables.every(({ table }) => inputs[table].rowsPerNode === 0)) {
        return builder.apply(op, tensors, attributes).map((tensor) => ({ tensor, rowsPerNode: 0 }));
      }
      const isIndex = (i: number) => tables.some(({ index }) => index === i);
      const run = partOp(
        op,
        outputs.map(() => ({ rows, cols })),
        (ins, outs) => ({
          phase: "run",
          outputs: outs.map((tensor) => ownPlaces(call, tensor, first)),
          inputs: ins.map((tensor, i) => (isIndex(i) ? ownPlaces(call, tensor, first) : wholeView(tensor))),
        }),
      );
      return builder
        .apply(run, tensors, attributes)
        .map((part) => ({ tensor: gatherParts(call, part, first, cols * 4), rowsPerNode: 0 }));
    },
  };
}

const wholeView = (tensor: Tensor): KernelTensor => ({ tensor, rows: tensor.rows, cols: tensor.cols, firstRow: 0 });

/** The rows of the places of this rank. */
function ownPlaces({ ranks: { rank } }: PartitionContext, tensor: Tensor, first: readonly number[]): KernelTensor {
  return { tensor, rows: first[rank + 1] - first[rank], cols: tensor.cols, firstRow: -first[rank] };
}

/** Y[b] = X[index_b], inputs (X, index). If the index is a constant with rows of nodes, the result is divided by rows. */
export function gatheredRows<A>(): PartitionRule<A> {
  return {
    lower(call) {
      const { builder, inputs, op, attributes, ranges } = call;
      const [x, index] = inputs;
      const rowsPerNode = index.tensors === undefined ? 0 : index.tensors.rows / ranges.numNodes;
      const isByNodes = rowsPerNode >= 1 && Number.isInteger(rowsPerNode);
      if (isByNodes && x.rowsPerNode === 0) {
        const [tensor] = builder.apply(op, [x.tensor, call.own(index, rowsPerNode)], attributes);
        return [{ tensor, rowsPerNode }];
      }
      if (isByNodes) return [{ tensor: gatherForNodes(call, rowsPerNode), rowsPerNode }];
      const places = call.whole(index);
      const [table] = withNarrowWhole(call).inputs;
      if (table.rowsPerNode > 0) return [{ tensor: call.gather(x, places), rowsPerNode: 0 }];
      return [{ tensor: builder.apply(op, [table.tensor, places], attributes)[0], rowsPerNode: 0 }];
    },
  };
}

/** The rows that the own nodes take from a divided table. */
function gatherForNodes<A>(call: PartitionCall<A>, rowsPerNode: number): Tensor {
  const { builder, inputs, op, attributes, ranges } = call;
  const [x, index] = inputs;
  const first = ranges.first.map((node) => node * rowsPerNode);
  const { source, indices } = call.fetch(x, [call.whole(index)], shares(first, ranges.rank));
  const run = partOp(op, [{ rows: rowsPerNode * ranges.count, cols: x.tensor.cols }], ([table, numbers], [y]) => ({
    phase: "run",
    outputs: [wholeView(y)],
    inputs: [wholeView(table), ownPlaces(call, numbers, first)],
  }));
  return builder.apply(run, [source, indices[0]], attributes)[0];
}
