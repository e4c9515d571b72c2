/** A relation's own adjacency as the features of its nodes. */

import type { SparseOperator } from "../../engine/sparse.js";
import { featureMatrix } from "../../nn/layers/node-input.js";
import type { RelationInput } from "../../nn/model.js";

/** The rows of A + c·I, each divided by its sum: what a relation reads where nodes have no features. */
export function adjacencyRows(relation: RelationInput, numNodes: number, selfLoop: number): SparseOperator {
  const { rowStart, columns, values } = relation;
  const loops = selfLoop > 0 ? 1 : 0;
  const wider = {
    rowStart: new Uint32Array(numNodes + 1),
    columns: new Uint32Array(columns.length + loops * numNodes),
  };
  const weights = new Float32Array(wider.columns.length);
  let place = 0;
  const put = (column: number, weight: number) => {
    wider.columns[place] = column;
    weights[place++] = weight;
  };
  for (let i = 0; i < numNodes; i++) {
    let e = rowStart[i];
    for (; e < rowStart[i + 1] && columns[e] < i; e++) put(columns[e], values?.[e] ?? 1);
    if (loops > 0) put(i, selfLoop);
    for (; e < rowStart[i + 1]; e++) put(columns[e], values?.[e] ?? 1);
    wider.rowStart[i + 1] = place;
  }
  return featureMatrix({ ...wider, values: weights, numColumns: numNodes }, numNodes, true);
}
