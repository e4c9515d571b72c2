/**
 * The places of an index tensor sorted by the row they name: a stable counting sort. Gradients of gathers sum row by row
 * with it: each row is written once, in a fixed order, without atomics.
 *
 * Outputs: start [numRows + 1, 1], order [size, 1]; the places that name row r, ascending, are
 * order[start_r] … order[start_{r+1} − 1]. Places that hold MISSING are in no group; the end of `order` is filled with MISSING.
 * A rank that has only the rows firstRow … firstRow + numRows − 1 groups these alone, and numbers them from 0.
 */

import { ownGroups } from "../partition/gather/group-rules.js";
import { defineOp, type Tensor } from "../program.js";
import { MISSING } from "./missing.js";

interface Attributes {
  readonly numRows: number;
  readonly firstRow: number;
}

export const groupIndexOp = defineOp<Attributes>({
  name: "groupIndex",
  outputs: ([index], { numRows }) => [
    { rows: numRows + 1, cols: 1, dtype: "index" },
    { rows: index.rows * index.cols, cols: 1, dtype: "index" },
  ],
  reference([index], [start, order], { numRows, firstRow }) {
    const groups: number[][] = Array.from({ length: numRows }, () => []);
    index.data.forEach((row, place) => {
      if (row !== MISSING) groups[row - firstRow]?.push(place);
    });
    const sorted = groups.flat();
    order.data.fill(MISSING);
    order.data.set(sorted);
    start.data[0] = 0;
    groups.forEach((group, row) => {
      start.data[row + 1] = start.data[row] + group.length;
    });
  },
  gradient: "an index has none",
  encode: ({ firstRow }) => [{ int: firstRow }],
  partition: ownGroups(),
});

export interface Groups {
  readonly start: Tensor;
  readonly order: Tensor;
}

/** The groups of an index into `numRows` rows; made once per segment, even if several gradients need them. */
export function groupIndex(index: Tensor, numRows: number): Groups {
  const { builder } = index;
  const known = builder.tracing.find(
    ({ op, inputs, attributes }) =>
      op.name === groupIndexOp.name && inputs[0] === index && (attributes as Attributes).numRows === numRows,
  );
  const [start, order] = known?.outputs ?? builder.apply(groupIndexOp, [index], { numRows, firstRow: 0 });
  return { start, order };
}
