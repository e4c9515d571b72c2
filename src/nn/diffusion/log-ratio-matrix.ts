/**
 * How much more often the walk of one node ends at another node than the walks of all nodes do:
 * M_ij = ln max(1, (R_ij + R_ji) / (2·√(c_i·c_j))), where R are PageRanks and c the means of their columns. M is symmetric and sparse.
 * Its leading eigenvectors are coarse: they separate large regions of the graph before small ones.
 */

import type { WeightedCsr } from "../../numeric/csr.js";
import type { RowPart } from "../../numeric/row-parts.js";
import type { NamedRowTask } from "../row-threads/row-task.js";
import type { PageRanks } from "./page-ranks.js";

/** Rows between two turns of the event loop. */
const ROWS_PER_STEP = 4096;

/** The rows of M; its diagonal is zero. */
export const logRatios: NamedRowTask<PageRanks, RowPart> = { name: "log-ratios of the PageRanks", run: computeRatios };

function* computeRatios({ parts, columnMeans }: PageRanks, begin: number, end: number): Generator<number, RowPart> {
  const numNodes = columnMeans.length;
  const into = transposedRows(parts, begin, end);
  const own = parts.map((part) => ({
    part,
    first: Math.max(begin, part.firstRow) - part.firstRow,
    last: Math.min(end - part.firstRow, part.rowStart.length - 1),
  }));
  const numOwn = own.reduce(
    (sum, { part, first, last }) => (first < last ? sum + part.rowStart[last] - part.rowStart[first] : sum),
    0,
  );
  const rowStart = new Uint32Array(end - begin + 1);
  const columns = new Uint32Array(numOwn + into.columns.length);
  const values = new Float32Array(columns.length);
  let at = 0;
  for (const { part, first, last } of own) {
    for (let r = first; r < last; r++) {
      const i = part.firstRow + r;
      if ((i - begin) % ROWS_PER_STEP === 0) yield i - begin;
      const [endOut, endInto] = [part.rowStart[r + 1], into.rowStart[i - begin + 1]];
      let [e, b] = [part.rowStart[r], into.rowStart[i - begin]];
      while (e < endOut || b < endInto) {
        const out = e < endOut ? part.columns[e] : numNodes;
        const back = b < endInto ? into.columns[b] : numNodes;
        const sum = (out <= back ? part.values[e++] : 0) + (back <= out ? into.values[b++] : 0);
        const j = out <= back ? out : back;
        const ratio = Math.fround(sum / 2) / Math.sqrt(columnMeans[i] * columnMeans[j]);
        if (!(ratio > 1)) continue;
        columns[at] = j;
        values[at++] = Math.log(ratio);
      }
      rowStart[i - begin + 1] = at;
    }
  }
  return { firstRow: begin, rowStart, columns: columns.subarray(0, at), values: values.subarray(0, at) };
}

/** The rows `begin` to `end − 1` of Rᵀ; their columns ascend. */
function transposedRows(parts: readonly RowPart[], begin: number, end: number): WeightedCsr {
  const rowStart = new Uint32Array(end - begin + 1);
  for (const { columns } of parts) {
    for (let e = 0; e < columns.length; e++) {
      const row = columns[e] - begin;
      if (row >= 0 && row < end - begin) rowStart[row + 1]++;
    }
  }
  for (let row = 0; row < end - begin; row++) rowStart[row + 1] += rowStart[row];
  const next = rowStart.slice(0, -1);
  const columns = new Uint32Array(rowStart[end - begin]);
  const values = new Float32Array(columns.length);
  for (const part of parts) {
    for (let r = 0; r + 1 < part.rowStart.length; r++) {
      for (let e = part.rowStart[r]; e < part.rowStart[r + 1]; e++) {
        const row = part.columns[e] - begin;
        if (row < 0 || row >= end - begin) continue;
        const place = next[row]++;
        columns[place] = part.firstRow + r;
        values[place] = part.values[e];
      }
    }
  }
  return { rowStart, columns, values };
}
