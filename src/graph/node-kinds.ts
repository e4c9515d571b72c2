/**
 * Kinds of nodes, such as users, items and devices, derived from the columns of the edges: the sources of a relation have
 * one kind, and so have its targets. Columns that share a node have the same kind. A colouring of the graph would
 * not do: a tree can be coloured too, although its nodes have one kind.
 */

import { DisjointSets } from "../numeric/disjoint-sets.js";
import type { EdgeEnds } from "./edge-ends.js";
import type { Multiplex, NodeKinds } from "./multiplex.js";

/** The kind of a node that has no edge. */
export const NO_KIND = 0xffff;
/** Nodes that a kind must have: if one end of every edge is the same node, that node is no kind. */
const MIN_KIND_SIZE = 2;

/** Edges as codes of nodes and relations, one edge per row. */
interface CodedEdges extends EdgeEnds {
  readonly relation: Uint16Array | Uint32Array;
  readonly weight?: Float32Array | Float64Array;
  readonly ids: readonly string[];
  readonly relationNames: readonly string[];
}

/** The node or relation of each code; if absent, the code itself. */
interface Places {
  readonly nodes?: Uint32Array;
  readonly relations?: Uint32Array;
}

const NOWHERE = 0xffffffff;

/** The kinds of the nodes; undefined if all have the same kind. Self-loops and edges of weight zero are ignored. */
export function findKinds(edges: CodedEdges, places: Places, directed: boolean): NodeKinds | undefined {
  const { source, target, relation, weight, ids, relationNames } = edges;
  const numRelations = relationNames.length;
  // the source and the target column of every relation, joined if they share a node
  const columns = new DisjointSets(2 * numRelations);
  const columnOf = new Uint32Array(ids.length).fill(NOWHERE);
  const used = new Uint8Array(numRelations);
  const addNode = (code: number, column: number) => {
    const node = places.nodes?.[code] ?? code;
    if (columnOf[node] === NOWHERE) columnOf[node] = column;
    else columns.join(columnOf[node], column);
  };
  for (let row = 0; row < source.length; row++) {
    if (source[row] === target[row] || (weight !== undefined && Math.fround(weight[row]) === 0)) continue;
    const r = places.relations?.[relation[row]] ?? relation[row];
    used[r] = 1;
    addNode(source[row], 2 * r);
    addNode(target[row], 2 * r + 1);
  }
  const sizes = new Uint32Array(2 * numRelations);
  for (const column of columnOf) if (column !== NOWHERE) sizes[columns.find(column)]++;
  for (let r = 0; r < numRelations; r++) {
    if (used[r] === 0) continue;
    const [a, b] = [columns.find(2 * r), columns.find(2 * r + 1)];
    if (a === b || Math.min(sizes[a], sizes[b]) >= MIN_KIND_SIZE) continue;
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
  const sources = Array.from(used, (is, r) => (is === 0 ? NO_KIND : (numbers.get(columns.find(2 * r)) ?? NO_KIND)));
  return { of, ends, sources };
}

/** Whether every relation joins two different kinds. */
export function joinsDifferentKinds({ ends }: NodeKinds): boolean {
  return ends.every(([a, b]) => a !== b || a === NO_KIND);
}

/** Whether there are two kinds, and every relation joins them. */
export function isBipartite(kinds: NodeKinds): boolean {
  return joinsDifferentKinds(kinds) && kinds.ends.every(([a, b]) => a === NO_KIND || Math.max(a, b) === 1);
}

/** The kinds of a graph; undefined if further edges of its relations contradict them. */
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
