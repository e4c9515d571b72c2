/**
 * The random walk over a multiplex as a matrix P: from a node it chooses one of the relations in which the node has edges, then
 * one of the neighbours in proportion to the weights of the edges. P is the mean of the relations' D⁻¹·A, taken node by node.
 */

import type { CsrMatrix, ScaledCsr } from "../../numeric/csr.js";

/** P, sparse, with ascending columns. */
export interface TransitionMatrix extends ScaledCsr {
  readonly values: Float32Array;
}

/** P of symmetric adjacency matrices without self-loops. The row of a node without edges is empty. */
export function transitionMatrix(relations: readonly CsrMatrix[], numNodes: number): TransitionMatrix {
  const capacity = relations.reduce((sum, { columns }) => sum + columns.length, 0);
  const rowStart = new Uint32Array(numNodes + 1);
  const columns = new Uint32Array(capacity);
  const values = new Float32Array(capacity);
  const row = new Float64Array(numNodes);
  const seen = new Uint8Array(numNodes);
  let at = 0;
  for (let i = 0; i < numNodes; i++) {
    const begin = at;
    let active = 0; // relations in which the node has edges
    for (const { rowStart: start, columns: neighbors, values: weights } of relations) {
      const [first, end] = [start[i], start[i + 1]];
      let sum = weights === undefined ? end - first : 0;
      if (weights !== undefined) for (let e = first; e < end; e++) sum += weights[e];
      if (!(sum > 0)) continue;
      active++;
      for (let e = first; e < end; e++) {
        const j = neighbors[e];
        if (seen[j] === 0) {
          seen[j] = 1;
          columns[at++] = j;
        }
        row[j] += (weights === undefined ? 1 : weights[e]) / sum;
      }
    }
    columns.subarray(begin, at).sort();
    for (let e = begin; e < at; e++) {
      const j = columns[e];
      values[e] = row[j] / active;
      row[j] = 0;
      seen[j] = 0;
    }
    rowStart[i + 1] = at;
  }
  return {
    numRows: numNodes,
    numColumns: numNodes,
    rowStart,
    // not copied: a copy would need as much memory again for a moment
    columns: columns.subarray(0, at),
    values: values.subarray(0, at),
    diagonal: 0,
    symmetric: false,
  };
}
