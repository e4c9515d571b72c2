/** The largest personalised PageRanks of some nodes, row by row. */

import type { RowPart } from "../../numeric/row-parts.js";
import { LargestEntries } from "../../numeric/top-entries.js";
import type { NamedRowTask } from "../row-threads/row-task.js";
import type { TransitionMatrix } from "./transition-matrix.js";
import { WalkedRows } from "./walked-rows.js";

/** Rows between two reports of the progress. */
const ROWS_PER_STEP = 256;

export interface RankRequest {
  readonly walk: TransitionMatrix;
  /** Entries kept in each row. */
  readonly kept: number;
}

export interface RankRows {
  /** The largest entries of R without its diagonal. */
  readonly part: RowPart;
  /** Sums of the columns of R over these rows, with the entries that are not kept. */
  readonly sums: Float64Array;
}

export const rankRows: NamedRowTask<RankRequest, RankRows> = { name: "personalised PageRank", run: computeRanks };

function* computeRanks({ walk, kept }: RankRequest, begin: number, end: number): Generator<number, RankRows> {
  const { numRows } = walk;
  const rowStart = new Uint32Array(end - begin + 1);
  const columns = new Uint32Array((end - begin) * kept);
  const values = new Float32Array((end - begin) * kept);
  const sums = new Float64Array(numRows);
  const rounding = roundingTerm(numRows);
  const walked = new WalkedRows(walk);
  const { nodes, ranks } = walked;
  const largest = new LargestEntries(nodes.length);
  // the walk of a row starts at its node, so that the first entry is the diagonal
  const [others, ranksOfOthers] = [nodes.subarray(1), ranks.subarray(1)];
  let at = 0;
  for (let row = 0; row < end - begin; row++) {
    if (row % ROWS_PER_STEP === 0) yield row;
    const size = walked.walkRow(begin + row);
    for (let t = 0; t < size; t++) sums[nodes[t]] += ranks[t] + rounding - rounding;
    const chosen = largest.select(others, ranksOfOthers, size - 1, kept);
    insertSorted(others, ranksOfOthers, chosen, columns, values, at);
    at += chosen;
    rowStart[row + 1] = at;
  }
  const part = { firstRow: begin, rowStart, columns: columns.subarray(0, at), values: values.subarray(0, at) };
  return { part, sums };
}

/**
 * Added to a rank and subtracted again, this term rounds it to a multiple of 2^-52 times the first power of two above n. Sums of at
 * most n such numbers, each at most 1, are exact, so they do not depend on the order of the rows.
 */
function roundingTerm(numRows: number): number {
  return 1.5 * 2 ** Math.ceil(Math.log2(numRows + 1));
}

/** Copies the first `size` entries to `columns` and `values` from `first` on, in ascending order of their columns. */
function insertSorted(
  nodes: Uint32Array,
  ranks: Float64Array,
  size: number,
  columns: Uint32Array,
  values: Float32Array,
  first: number,
): void {
  for (let t = 0; t < size; t++) {
    const node = nodes[t];
    let place = first + t;
    for (; place > first && columns[place - 1] > node; place--) {
      columns[place] = columns[place - 1];
      values[place] = values[place - 1];
    }
    columns[place] = node;
    values[place] = ranks[t];
  }
}
