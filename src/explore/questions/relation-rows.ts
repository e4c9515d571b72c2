/** The edges of relations as sorted lists of neighbours, which the other questions merge and search. */

import { type Adjacency, INCOMING, OUTGOING, type Scene } from "../scene/scene.js";

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

function sortRows({ rowStart, columns, weights, directions }: Adjacency): Adjacency {
  const starts = new Uint32Array(rowStart.length);
  const ends = new Uint32Array(columns.length);
  const sums = new Float32Array(columns.length);
  const bits = new Uint8Array(columns.length);
  let used = 0;
  for (let i = 0; i + 1 < rowStart.length; i++) {
    const order = Array.from({ length: rowStart[i + 1] - rowStart[i] }, (_, k) => rowStart[i] + k);
    order.sort((a, b) => columns[a] - columns[b]);
    for (const at of order) {
      if (used === starts[i] || ends[used - 1] !== columns[at]) ends[used++] = columns[at];
      sums[used - 1] += weights?.[at] ?? 1;
      bits[used - 1] |= directions?.[at] ?? 0;
    }
    starts[i + 1] = used;
  }
  return {
    rowStart: starts,
    columns: ends.slice(0, used),
    ...(weights === undefined ? {} : { weights: sums.slice(0, used) }),
    ...(directions === undefined ? {} : { directions: bits.slice(0, used) }),
  };
}

/** Number of neighbours of a node. */
export function degree({ rowStart }: Adjacency, node: number): number {
  return rowStart[node + 1] - rowStart[node];
}

/** The number of neighbours of a node: "30", and in directed graphs how many edges lead out and in, "30: 20 out, 15 in, 5 of them both". */
export function degreeText(adjacency: Adjacency, node: number): string {
  const count = degree(adjacency, node);
  const { rowStart, directions } = adjacency;
  const text = count.toLocaleString("en");
  if (directions === undefined || count === 0) return text;
  const row = directions.subarray(rowStart[node], rowStart[node + 1]);
  const numOut = row.filter((bits) => bits & OUTGOING).length;
  const numIn = row.filter((bits) => bits & INCOMING).length;
  const numBoth = numOut + numIn - count;
  const both = numBoth === 0 ? "" : `, ${numBoth.toLocaleString("en")} of them both`;
  return `${text}: ${numOut.toLocaleString("en")} out, ${numIn.toLocaleString("en")} in${both}`;
}

/** The neighbours of a node, in ascending order. */
export function neighborsInRelation({ rowStart, columns }: Adjacency, node: number): Uint32Array {
  return columns.subarray(rowStart[node], rowStart[node + 1]);
}

/** Whether two nodes are linked, in any direction. */
export function isLinked(adjacency: Adjacency, a: number, b: number): boolean {
  return placeOf(adjacency, a, b) >= 0;
}

/** Whether there is an edge from a to b. Without directions an edge leads both ways. */
export function hasEdge(adjacency: Adjacency, a: number, b: number): boolean {
  const place = placeOf(adjacency, a, b);
  return place >= 0 && isOutgoing(adjacency, place);
}

/** Whether an edge leads to the neighbour at this place of `columns`. */
export function isOutgoing({ directions }: Adjacency, place: number): boolean {
  return directions === undefined || (directions[place] & OUTGOING) !== 0;
}

/** Where the edges between a node and its neighbour lead, seen from the node. */
export type EdgeDirection = "to" | "from" | "both";

/** The direction of the edges to the neighbour at this place of `columns`; undefined if edges have no direction. */
export function directionAt({ directions }: Adjacency, place: number): EdgeDirection | undefined {
  if (directions === undefined) return undefined;
  if (directions[place] === OUTGOING) return "to";
  return directions[place] === INCOMING ? "from" : "both";
}

/** The place of b among the neighbours of a, as an index of `columns`; -1 if they are not linked. */
export function placeOf({ rowStart, columns }: Adjacency, a: number, b: number): number {
  let low = rowStart[a];
  let high = rowStart[a + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (columns[middle] < b) low = middle + 1;
    else high = middle;
  }
  return low < rowStart[a + 1] && columns[low] === b ? low : -1;
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
