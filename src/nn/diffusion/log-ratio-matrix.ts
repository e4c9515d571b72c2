/**
 * How much more often the walk of one node ends at another node than the walks of all nodes do:
 * M_ij = ln max(1, (R_ij + R_ji) / (2·√(c_i·c_j))), where R are PageRanks and c the means of their columns. M is symmetric and sparse.
 * Its leading eigenvectors are coarse: they separate large regions of the graph before small ones.
 */

import { symmetricSum, transposeRows, type WeightedCsr } from "../../numeric/csr.js";
import type { PageRanks } from "./page-ranks.js";

/** M; its diagonal is zero. */
export function logRatioMatrix(ranks: PageRanks): WeightedCsr {
  const { columnMeans } = ranks;
  const numNodes = columnMeans.length;
  const transposed = transposeRows<Float32Array>(ranks, numNodes);
  // transposing twice sorts the columns
  const { rowStart, columns, values } = symmetricSum(transposeRows(transposed, numNodes), transposed, 2);
  const start = new Uint32Array(numNodes + 1);
  let at = 0;
  for (let i = 0; i < numNodes; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      const j = columns[e];
      const ratio = values[e] / Math.sqrt(columnMeans[i] * columnMeans[j]);
      if (!(ratio > 1)) continue;
      columns[at] = j;
      values[at++] = Math.log(ratio);
    }
    start[i + 1] = at;
  }
  return { rowStart: start, columns: columns.slice(0, at), values: values.slice(0, at) };
}
