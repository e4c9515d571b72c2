/** The adjacency of a relation as features of its nodes. */

import type { SparseOperator } from "../../engine/sparse.js";
import { featureMatrix } from "../../nn/layers/node-input.js";
import type { RelationInput } from "../../nn/model.js";

/** The rows of A + c·I, each divided by its sum: the input of a relation if the graph has no features. */
export function adjacencyRows(relation: RelationInput, numNodes: number, selfLoop: number): SparseOperator {
  const { rowStart, columns, values } = relation;
  const loops = selfLoop > 0 ? 1 : 0;
  const extended = {
    rowStart: new Uint32Array(numNodes + 1),
    columns: new Uint32Array(columns.length + loops * numNodes),
  };
  const weights = new Float32Array(extended.columns.length);
  let place = 0;
  const put = (column: number, weight: number) => {
    extended.columns[place] = column;
    weights[place++] = weight;
  };
  for (let i = 0; i < numNodes; i++) {
    let e = rowStart[i];
    for (; e < rowStart[i + 1] && columns[e] < i; e++) put(columns[e], values?.[e] ?? 1);
    if (loops > 0) put(i, selfLoop);
    for (; e < rowStart[i + 1]; e++) put(columns[e], values?.[e] ?? 1);
    extended.rowStart[i + 1] = place;
  }
  return featureMatrix({ ...extended, values: weights, numColumns: numNodes }, numNodes, true);
}
