/** Reorders the nodes of a graph, and returns rows of numbers to the original order. */

import type { CsrMatrix, CsrPattern } from "../../numeric/csr.js";
import { selectRows, transposeRows } from "../../numeric/csr.js";
import type { Multiplex, NodeKinds } from "../multiplex.js";

/** Data of the nodes in addition to their edges. */
interface NodeTables {
  readonly features?: CsrMatrix;
  readonly labels?: CsrPattern;
  readonly kinds?: NodeKinds;
}

/** The place of each node in an order of all nodes. */
export function placesIn(order: Uint32Array): Uint32Array {
  const place = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at++) place[order[at]] = at;
  return place;
}

/** The graph whose node `at` is the node `order[at]` of the given graph. */
export function reorderNodes<G extends Pick<Multiplex, "ids" | "numNodes" | "relations"> & NodeTables>(
  graph: G,
  order: Uint32Array,
): G {
  const { ids, numNodes, relations, features, labels, kinds } = graph;
  const place = placesIn(order);
  const square = (matrix: CsrMatrix): CsrMatrix => {
    const moved = selectRows(matrix, order);
    const columns = moved.columns.map((column) => place[column]);
    // transposing twice sorts the rows
    return transposeRows(transposeRows({ ...moved, columns }, numNodes), numNodes);
  };
  return {
    ...graph,
    ids: Array.from(order, (node) => ids[node]),
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
