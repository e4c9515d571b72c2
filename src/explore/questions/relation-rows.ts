/** The edges of relations as sorted lists of neighbours, which the other questions merge and search. */

import type { Adjacency, Scene } from "../scene/scene.js";

/** One relation with its edges; the neighbours of a node are in ascending order, each once. */
export interface RelationRows {
  /** Index of the relation in the scene. */
  readonly relation: number;
  readonly name: string;
  readonly adjacency: Adjacency;
}

const sortedForms = new WeakMap<Adjacency, Adjacency>();

/** Loads the relations with these indices, in this order. */
export async function loadRelations(scene: Scene, relations: readonly number[]): Promise<RelationRows[]> {
  const adjacencies = await Promise.all(relations.map((relation) => scene.adjacency(relation)));
  return adjacencies.map((adjacency, i) => ({
    relation: relations[i],
    name: scene.header.relations[relations[i]].name,
    adjacency: sortedAdjacency(adjacency),
  }));
}

/** The same edges with the neighbours of each node in ascending order, each once; weights of repeated neighbours add up. */
export function sortedAdjacency(adjacency: Adjacency): Adjacency {
  const known = sortedForms.get(adjacency);
  if (known !== undefined) return known;
  const sorted = isSorted(adjacency) ? adjacency : sortRows(adjacency);
  sortedForms.set(adjacency, sorted);
  return sorted;
}

function isSorted({ rowStart, columns }: Adjacency): boolean {
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let at = rowStart[i] + 1; at < rowStart[i + 1]; at++) if (columns[at] <= columns[at - 1]) return false;
  }
  return true;
}

function sortRows({ rowStart, columns, weights }: Adjacency): Adjacency {
  const starts = new Uint32Array(rowStart.length);
  const ends = new Uint32Array(columns.length);
  const sums = new Float32Array(columns.length);
  let used = 0;
  for (let i = 0; i + 1 < rowStart.length; i++) {
    const order = Array.from({ length: rowStart[i + 1] - rowStart[i] }, (_, k) => rowStart[i] + k);
    order.sort((a, b) => columns[a] - columns[b]);
    for (const at of order) {
      if (used === starts[i] || ends[used - 1] !== columns[at]) ends[used++] = columns[at];
      sums[used - 1] += weights?.[at] ?? 1;
    }
    starts[i + 1] = used;
  }
  const sorted = { rowStart: starts, columns: ends.slice(0, used) };
  return weights === undefined ? sorted : { ...sorted, weights: sums.slice(0, used) };
}

/** Number of neighbours of a node. */
export function degree({ rowStart }: Adjacency, node: number): number {
  return rowStart[node + 1] - rowStart[node];
}

/** The neighbours of a node, in ascending order. */
export function neighborsInRelation({ rowStart, columns }: Adjacency, node: number): Uint32Array {
  return columns.subarray(rowStart[node], rowStart[node + 1]);
}

/** Whether two nodes are linked. */
export function isLinked({ rowStart, columns }: Adjacency, a: number, b: number): boolean {
  let low = rowStart[a];
  let high = rowStart[a + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (columns[middle] < b) low = middle + 1;
    else high = middle;
  }
  return low < rowStart[a + 1] && columns[low] === b;
}

/** The node whose list of neighbours holds this place of `columns`. */
export function rowOf({ rowStart }: Adjacency, place: number): number {
  let low = 0;
  let high = rowStart.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (rowStart[middle] <= place) low = middle;
    else high = middle;
  }
  return low;
}
