/**
 * Graphs that express edge weights by copies: a heavy edge occurs several times in the rows of its ends
 * (graph/counted-relations.ts). Draws of edges, degrees and spectral directions thus follow the weights without reading them.
 */

import type { RelationInput } from "../../../nn/model.js";
import type { CsrMatrix, CsrPattern } from "../../../numeric/csr.js";
import { largestOf } from "../../../numeric/extremes.js";

/** An undirected graph without values; an edge may have several copies in the rows of its ends. */
export interface SimpleGraph extends CsrPattern {
  readonly numRows: number;
  /** Copies of an edge of median weight; undefined if every edge occurs once. */
  readonly ordinary?: number;
}

/** The part of a graph that holds the degrees. */
export type DegreeGraph = Omit<SimpleGraph, "columns">;

/** The index after the last copy of entry `e`. */
export function endOfCopies(columns: Uint32Array, e: number, end: number): number {
  let next = e + 1;
  while (next < end && columns[next] === columns[e]) next++;
  return next;
}

/** Each entry once, with its number of copies as value; no values if the graph has no copies. */
export function collapsed({ numRows, rowStart, columns, ordinary }: SimpleGraph): CsrMatrix {
  if (ordinary === undefined) return { rowStart, columns };
  const start = new Uint32Array(numRows + 1);
  const distinct = new Uint32Array(columns.length);
  const counts = new Float32Array(columns.length);
  let at = 0;
  for (let i = 0; i < numRows; i++) {
    for (let e = rowStart[i], end: number; e < rowStart[i + 1]; e = end) {
      end = endOfCopies(columns, e, rowStart[i + 1]);
      distinct[at] = columns[e];
      counts[at++] = end - e;
    }
    start[i + 1] = at;
  }
  return { rowStart: start, columns: distinct.slice(0, at), values: counts.slice(0, at) };
}

/** Union of the graphs; each pair keeps its largest number of copies, after edges of median weight have equally many in all graphs. */
export function unionOfCopies(graphs: readonly SimpleGraph[]): SimpleGraph {
  const [{ numRows }] = graphs;
  const common = largestOf(graphs.map(({ ordinary = 1 }) => ordinary));
  const factors = graphs.map(({ ordinary = 1 }) => common / ordinary);
  const copies = new Uint8Array(numRows); // copies of each pair in the current row
  const rowStart = new Uint32Array(numRows + 1);
  let columns = new Uint32Array(graphs.reduce((sum, graph, d) => sum + factors[d] * graph.columns.length, 0));
  let at = 0;
  for (let i = 0; i < numRows; i++) {
    const found: number[] = [];
    graphs.forEach((graph, d) => {
      const last = graph.rowStart[i + 1];
      for (let e = graph.rowStart[i], end: number; e < last; e = end) {
        end = endOfCopies(graph.columns, e, last);
        const j = graph.columns[e];
        if (copies[j] === 0) found.push(j);
        copies[j] = Math.max(copies[j], factors[d] * (end - e));
      }
    });
    for (const j of found.sort((a, b) => a - b)) {
      columns.fill(j, at, (at += copies[j]));
      copies[j] = 0;
    }
    rowStart[i + 1] = at;
  }
  columns = columns.slice(0, at);
  return { numRows, rowStart, columns, ordinary: common };
}

/** The edges of a graph; copies become weights, 1 for an edge of median weight. */
export function edgesOfCopies(graph: SimpleGraph): CsrMatrix {
  const { rowStart, columns, values } = collapsed(graph);
  return { rowStart, columns, values: values?.map((count) => count / (graph.ordinary ?? 1)) };
}

/** The relations with the edges of `graphs`. */
export function replaceEdges(relations: readonly RelationInput[], graphs: readonly SimpleGraph[]): RelationInput[] {
  return graphs.map((graph, d) => {
    const edges = edgesOfCopies(graph);
    return { ...relations[d], ...edges, numEdges: edges.columns.length / 2 };
  });
}
