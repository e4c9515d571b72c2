/**
 * Graphs whose edges may stand several times in their rows: weights as copies (graph/counted-relations.ts), so that draws,
 * sums, degrees and spectral directions all count a heavy edge more, and none of them has to know of weights.
 */

import type { RelationInput } from "../../../nn/model.js";
import { largestOf } from "../../../numeric/extremes.js";

/** An undirected graph without values. An edge counts as often as it stands in the rows of its ends. */
export interface SimpleGraph {
  readonly numRows: number;
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  /** Copies of an ordinary edge; absent where edges have none, and stand once. */
  readonly ordinary?: number;
}

/** Where the copies of the entry at `e` end. */
export function endOfCopies(columns: Uint32Array, e: number, end: number): number {
  let next = e + 1;
  while (next < end && columns[next] === columns[e]) next++;
  return next;
}

interface CountedEntries {
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly values?: Float32Array;
}

/** Every entry once, with its copies as its value; as it is where none has any. */
export function collapsed({ numRows, rowStart, columns, ordinary }: SimpleGraph): CountedEntries {
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

/** Every pair as often as the graph has it that has it most often, with as many copies of ordinary edges in all of them. */
export function unionOfCopies(graphs: readonly SimpleGraph[]): SimpleGraph {
  const [{ numRows }] = graphs;
  const most = largestOf(graphs.map(({ ordinary = 1 }) => ordinary));
  const times = graphs.map(({ ordinary = 1 }) => most / ordinary);
  const copies = new Uint8Array(numRows); // of the pairs of one row
  const rowStart = new Uint32Array(numRows + 1);
  let columns = new Uint32Array(graphs.reduce((sum, graph, d) => sum + times[d] * graph.columns.length, 0));
  let at = 0;
  for (let i = 0; i < numRows; i++) {
    const found: number[] = [];
    graphs.forEach((graph, d) => {
      const last = graph.rowStart[i + 1];
      for (let e = graph.rowStart[i], end: number; e < last; e = end) {
        end = endOfCopies(graph.columns, e, last);
        const j = graph.columns[e];
        if (copies[j] === 0) found.push(j);
        copies[j] = Math.max(copies[j], times[d] * (end - e));
      }
    });
    for (const j of found.sort((a, b) => a - b)) {
      columns.fill(j, at, (at += copies[j]));
      copies[j] = 0;
    }
    rowStart[i + 1] = at;
  }
  columns = columns.slice(0, at);
  return { numRows, rowStart, columns, ordinary: most };
}

/** The relations with these patterns instead of their own, copies as weights: 1 of an ordinary edge. */
export function withPatterns(relations: readonly RelationInput[], patterns: readonly SimpleGraph[]): RelationInput[] {
  return patterns.map((pattern, d) => {
    const { rowStart, columns, values } = collapsed(pattern);
    const weights = values?.map((count) => count / (pattern.ordinary ?? 1));
    return { ...relations[d], rowStart, columns, values: weights, numEdges: columns.length / 2 };
  });
}
