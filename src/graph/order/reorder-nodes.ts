/** A graph with its nodes in another order, and rows of numbers back in the order they had. */

import { selectRows, transposeRows } from "../../numeric/csr.js";
import type { Multiplex } from "../multiplex.js";
import type { NodeKinds } from "../node-kinds.js";
import type { CsrMatrix } from "../normalize.js";

/** What a graph has of each node beside its edges. */
interface NodeTables {
  readonly features?: CsrMatrix;
  readonly labels?: CsrMatrix;
  readonly kinds?: NodeKinds;
}

/** Of each node its place in an order of all. */
export function placesIn(order: Uint32Array): Uint32Array {
  const place = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at++) place[order[at]] = at;
  return place;
}

/** The graph whose node `at` is node `order[at]` of the given one. */
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

/** The nodes as they were given, and the order in which they are computed, where that is another. */
export interface GivenNodes {
  readonly ids: readonly string[];
  readonly order?: Uint32Array;
}

/** Rows of `width` numbers, one for each node, as a copy in the order given. */
export function rowsAsGiven(data: ArrayLike<number>, width: number, { order }: GivenNodes): Float32Array {
  if (order === undefined) return Float32Array.from(data);
  const out = new Float32Array(data.length);
  for (let at = 0; at < order.length; at++) {
    const to = order[at] * width;
    for (let k = 0; k < width; k++) out[to + k] = data[at * width + k];
  }
  return out;
}
