/** Reorders the nodes of a graph, and returns rows of numbers to the original order. */

import type { CsrMatrix, CsrPattern } from "../../numeric/csr.js";
import { selectRows, transposeRows } from "../../numeric/csr.js";
import type { NodeKinds, Relation } from "../multiplex.js";

/** The tables with rows or columns of nodes. */
interface NodeTables<F extends CsrMatrix, L extends CsrPattern> {
  readonly relations: readonly Relation[];
  readonly features?: F;
  readonly labels?: L;
  readonly kinds?: NodeKinds;
}

/** The place of each node in an order of all nodes. */
export function placesIn(order: Uint32Array): Uint32Array {
  const place = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at++) place[order[at]] = at;
  return place;
}

/** The tables of a graph in another order of its nodes: row `at` belongs to the node `order[at]`. Ids are not among them. */
export function reorderTables<F extends CsrMatrix = never, L extends CsrPattern = never>(
  { numNodes, relations, features, labels, kinds }: NodeTables<F, L> & { readonly numNodes: number },
  order: Uint32Array,
): NodeTables<F, L> {
  const place = placesIn(order);
  const square = (matrix: CsrMatrix): CsrMatrix => {
    const moved = selectRows(matrix, order);
    const columns = moved.columns.map((column) => place[column]);
    // transposing twice sorts the rows
    return transposeRows(transposeRows({ ...moved, columns }, numNodes), numNodes);
  };
  return {
    relations: relations.map((relation) => ({ ...relation, ...square(relation) })),
    ...(features === undefined ? {} : { features: { ...features, ...selectRows(features, order) } }),
    ...(labels === undefined ? {} : { labels: { ...labels, ...selectRows(labels, order) } }),
    ...(kinds === undefined ? {} : { kinds: { ...kinds, of: Uint16Array.from(order, (node) => kinds.of[node]) } }),
  };
}

/** The original ids of the nodes, and the order in which they are computed if it is another one. */
export interface OriginalNodes {
  readonly ids: readonly string[];
  readonly order?: Uint32Array;
}

/** A copy of the rows, one of `width` numbers for each node, in the original order. */
export function rowsInOriginalOrder(data: ArrayLike<number>, width: number, { order }: OriginalNodes): Float32Array {
  if (order === undefined) return Float32Array.from(data);
  const out = new Float32Array(data.length);
  for (let at = 0; at < order.length; at++) {
    const to = order[at] * width;
    for (let k = 0; k < width; k++) out[to + k] = data[at * width + k];
  }
  return out;
}
