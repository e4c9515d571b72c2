/**
 * Kinds of nodes, such as users, items and devices, as the columns of the edges tell them: the sources of a relation are of
 * one kind, so are its targets, and what shares a node is one kind. The columns decide, not a colouring of the graph: a
 * tree has a colouring too, and means nothing by it.
 */

import { DisjointSets } from "../numeric/disjoint-sets.js";
import type { EdgeEnds } from "./edge-ends.js";
import type { Multiplex } from "./multiplex.js";

/** The kind of a node that has no edge. */
export const NO_KIND = 0xffff;
/** Of a single node every pair is known from the other end: it is no kind of its own. */
const MIN_OF_A_KIND = 2;

/** Kinds of nodes, such as people and places, as far as relations tell them apart. */
export interface NodeKinds {
  /** Of each node the number of its kind, or `NO_KIND`; kinds are numbered by their first node. */
  readonly of: Uint16Array;
  /**
   * Of each relation the kinds of sources and targets; of an undirected graph the smaller number first, so that exchanging
   * the two columns changes nothing. A relation without edges has none.
   */
  readonly ends: readonly (readonly [number, number])[];
}

/** Edges as codes of nodes and relations, one per row. */
interface CodedEdges extends EdgeEnds {
  readonly relation: Uint16Array | Uint32Array;
  readonly weight?: Float32Array | Float64Array;
  readonly ids: readonly string[];
  readonly relationNames: readonly string[];
}

/** Of each code its node or relation; undefined: itself. */
interface Places {
  readonly nodes?: Uint32Array;
  readonly relations?: Uint32Array;
}

const NOWHERE = 0xffffffff;

/** Undefined where all nodes are of one kind. Self-loops and weights of zero are no edges. */
export function findKinds(edges: CodedEdges, places: Places, directed: boolean): NodeKinds | undefined {
  const { source, target, relation, weight, ids, relationNames } = edges;
  const numRelations = relationNames.length;
  // the two columns of every relation, joined where they share a node
  const columns = new DisjointSets(2 * numRelations);
  const columnOf = new Uint32Array(ids.length).fill(NOWHERE);
  const used = new Uint8Array(numRelations);
  const see = (code: number, column: number) => {
    const node = places.nodes?.[code] ?? code;
    if (columnOf[node] === NOWHERE) columnOf[node] = column;
    else columns.join(columnOf[node], column);
  };
  for (let row = 0; row < source.length; row++) {
    if (source[row] === target[row] || (weight !== undefined && Math.fround(weight[row]) === 0)) continue;
    const r = places.relations?.[relation[row]] ?? relation[row];
    used[r] = 1;
    see(source[row], 2 * r);
    see(target[row], 2 * r + 1);
  }
  const sizes = new Uint32Array(2 * numRelations);
  for (const column of columnOf) if (column !== NOWHERE) sizes[columns.find(column)]++;
  for (let r = 0; r < numRelations; r++) {
    if (used[r] === 0) continue;
    const [a, b] = [columns.find(2 * r), columns.find(2 * r + 1)];
    if (a === b || Math.min(sizes[a], sizes[b]) >= MIN_OF_A_KIND) continue;
    const all = sizes[a] + sizes[b];
    columns.join(a, b);
    sizes[columns.find(a)] = all;
  }
  const numbers = new Map<number, number>();
  const of = Uint16Array.from(columnOf, (column) => {
    if (column === NOWHERE) return NO_KIND;
    const found = columns.find(column);
    if (!numbers.has(found)) numbers.set(found, numbers.size);
    return numbers.get(found) ?? NO_KIND;
  });
  if (numbers.size < 2 || numbers.size >= NO_KIND) return undefined;
  const ends = Array.from(used, (is, r) => {
    if (is === 0) return [NO_KIND, NO_KIND] as const;
    const [a, b] = [2 * r, 2 * r + 1].map((column) => numbers.get(columns.find(column)) ?? NO_KIND);
    return directed || a <= b ? ([a, b] as const) : ([b, a] as const);
  });
  return { of, ends };
}

/** Whether every relation joins two different kinds. */
export function joinsUnlike({ ends }: NodeKinds): boolean {
  return ends.every(([a, b]) => a !== b || a === NO_KIND);
}

/** Whether there are two kinds, and every relation joins them. */
export function isBipartite(kinds: NodeKinds): boolean {
  return joinsUnlike(kinds) && kinds.ends.every(([a, b]) => a === NO_KIND || Math.max(a, b) === 1);
}

/** The kinds of a graph, unless further edges of its relations run against them. */
export function kindsWith(
  { kinds, directed }: Pick<Multiplex, "kinds" | "directed">,
  further: readonly (EdgeEnds & { readonly relation: number })[],
): NodeKinds | undefined {
  if (kinds === undefined) return undefined;
  const fits = (node: number, kind: number) => kinds.of[node] === NO_KIND || kinds.of[node] === kind;
  for (const { relation, source, target } of further) {
    const [first, second] = kinds.ends[relation];
    for (let i = 0; i < source.length; i++) {
      const [a, b] = [source[i], target[i]];
      if (a === b || (fits(a, first) && fits(b, second))) continue;
      if (directed || !(fits(b, first) && fits(a, second))) return undefined;
    }
  }
  return kinds;
}
