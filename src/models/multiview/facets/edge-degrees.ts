/** The degrees that the decoder of the edges reads: centred logarithms, of each relation and of all together. */

import type { SparseOperator } from "../../../engine/sparse.js";
import { mean } from "../../../numeric/rows.js";

/** Single-precision numbers in a cache line of 64 bytes. */
const RELATIONS_AT_ONCE = 16;

/** δ, [n, D] by rows. */
export function centredDegrees(relations: readonly SparseOperator[]): Float32Array {
  const numRelations = relations.length;
  const [{ numRows }] = relations;
  const out = new Float32Array(numRows * numRelations);
  // a cache line of relations at a time, because number by number every write would touch another cache line
  for (let first = 0; first < numRelations; first += RELATIONS_AT_ONCE) {
    const centred = relations.slice(first, first + RELATIONS_AT_ONCE).map((relation) => centredLogDegrees([relation]));
    for (let i = 0; i < numRows; i++) {
      for (let k = 0; k < centred.length; k++) out[i * numRelations + first + k] = centred[k][i];
    }
  }
  return out;
}

/** ln(1 + sum of a node's degrees in these relations) minus its mean over the nodes. */
export function centredLogDegrees(relations: readonly SparseOperator[]): Float64Array {
  const [{ numRows }] = relations;
  const degrees = new Float64Array(numRows);
  for (const { rowStart, values } of relations) {
    for (let i = 0; i < numRows; i++) {
      const [start, end] = [rowStart[i], rowStart[i + 1]];
      if (values === undefined) degrees[i] += end - start;
      else for (let e = start; e < end; e++) degrees[i] += values[e];
    }
  }
  // ln 1 = 0 is skipped: with thousands of relations most degrees are 0
  const logarithms = degrees.map((degree) => (degree === 0 ? 0 : Math.log1p(degree)));
  const middle = mean(logarithms);
  return logarithms.map((logarithm) => logarithm - middle);
}
