/** Rows that ranks send each other. */

import type { ProgramBuilder, Tensor } from "../../program.js";
import type { Ranks } from "../../ranks.js";
import { adjacentParts } from "../halo.js";
import { hostAlias } from "../local-ops.js";

/** Numbers of rows for each rank; they may change at each replay. */
export interface RowCounts {
  readonly sendCounts: readonly number[];
  readonly receiveCounts: readonly number[];
}

/** X with room for `maxReceived` received rows after its own; the rows to send, by receiving rank, are the first ones of `sent`. */
export function exchangeRows(
  builder: ProgramBuilder,
  ranks: Ranks,
  x: Tensor,
  sent: Tensor,
  maxReceived: number,
  { sendCounts, receiveCounts }: RowCounts,
): Tensor {
  const { cols } = x;
  const first = x.rows * cols;
  const spec = { rows: x.rows + maxReceived, cols, dtype: x.dtype };
  const exchange = hostAlias("exchangeRows", spec, ([, send], [extended]) => {
    const words = (counts: readonly number[]) => counts.map((count) => count * cols);
    const received = extended.subarray(first);
    ranks.allToAll(adjacentParts(send, words(sendCounts)), adjacentParts(received, words(receiveCounts)));
  });
  return builder.apply(exchange, [x, sent], null)[0];
}
