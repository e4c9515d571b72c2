/**
 * The halo of a rank: the rows of other ranks that its sparse products read. They follow the own rows, in ascending order.
 * Columns of the local matrices are numbered accordingly; the order of the entries of a row stays, so the sums keep their bits.
 */

import type { CsrPattern } from "../../numeric/csr.js";
import { largestOf } from "../../numeric/extremes.js";
import type { RankParts, Ranks, Words } from "../ranks.js";
import type { SparseOperator } from "../sparse.js";
import type { RowRanges } from "./row-ranges.js";

/** Which rows a rank sends and receives. */
export interface Halo {
  /** Own rows to send, by receiving rank, numbered from the first own row. */
  readonly sendIndex: Uint32Array;
  readonly sendCounts: readonly number[];
  readonly receiveCounts: readonly number[];
  /** Global numbers of the received rows. */
  readonly nodes: Uint32Array;
  /** Number of each node among own and received rows; 0 for nodes that are neither. */
  readonly position: Uint32Array;
  /** Received rows of the rank that receives most. */
  readonly maxReceived: number;
  /** Sent rows of the rank that sends most. */
  readonly maxSent: number;
}

/** Rows of a matrix. */
export interface RowSpan {
  readonly first: number;
  readonly end: number;
}

/** Finds the columns that the rows read and asks their owners for them. All ranks call it together. */
export function findHalo(
  matrices: readonly SparseOperator[],
  { first, end }: RowSpan,
  ranges: RowRanges,
  ranks: Ranks,
): Halo {
  const { numNodes, begin, count } = ranges;
  const isRead = new Uint8Array(numNodes);
  for (const { rowStart, columns } of matrices) {
    for (let e = rowStart[first]; e < rowStart[end]; e++) isRead[columns[e]] = 1;
  }
  isRead.fill(0, begin, ranges.end);
  const nodes = markedNodes(isRead);
  const position = new Uint32Array(numNodes);
  for (let i = 0; i < count; i++) position[begin + i] = i;
  nodes.forEach((node, k) => {
    position[node] = count + k;
  });

  const receiveCounts = new Array<number>(ranges.size).fill(0);
  for (const node of nodes) receiveCounts[ranges.ownerOf(node)]++;
  const sendCounts = exchangeCounts(receiveCounts, ranks);
  const sendIndex = new Uint32Array(sum(sendCounts));
  ranks.allToAll(adjacentParts(nodes, receiveCounts), adjacentParts(sendIndex, sendCounts));
  for (let k = 0; k < sendIndex.length; k++) sendIndex[k] -= begin;
  const maxReceived = maxOverRanks(nodes.length, ranks);
  const maxSent = maxOverRanks(sendIndex.length, ranks);
  return { sendIndex, sendCounts, receiveCounts, nodes, position, maxReceived, maxSent };
}

/** The largest of the numbers of all ranks. */
function maxOverRanks(value: number, ranks: Ranks): number {
  const values = new Uint32Array(ranks.size);
  values[ranks.rank] = value;
  const bytes = Array.from(values, () => 4);
  ranks.allGather(new Uint8Array(values.buffer), bytes, starts(bytes));
  return largestOf(values, 0);
}

/** The count that every rank has for this one. */
export function exchangeCounts(counts: readonly number[], ranks: Ranks): number[] {
  const ones = counts.map(() => 1);
  const found = new Uint32Array(counts.length);
  ranks.allToAll(adjacentParts(Uint32Array.from(counts), ones), adjacentParts(found, ones));
  return [...found];
}

/** The marked nodes in ascending order. */
function markedNodes(marks: Uint8Array): Uint32Array {
  let count = 0;
  for (let i = 0; i < marks.length; i++) count += marks[i];
  const nodes = new Uint32Array(count);
  for (let i = 0, k = 0; i < marks.length; i++) if (marks[i] !== 0) nodes[k++] = i;
  return nodes;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Displacement of each part if parts of these sizes follow each other. */
export function starts(counts: ArrayLike<number>): number[] {
  const found: number[] = [];
  let total = 0;
  for (let r = 0; r < counts.length; r++) {
    found.push(total);
    total += counts[r];
  }
  return found;
}

/** Parts of these sizes that follow each other from the first word of `data` on. */
export function adjacentParts(data: Words, counts: readonly number[]): RankParts {
  return { data, counts, displacements: starts(counts) };
}

/** The pattern of some rows of a matrix. With a halo its columns are numbered as the own rows and the halo are. */
export function localPattern(
  { rowStart, columns }: CsrPattern,
  { first, end }: RowSpan,
  halo: Halo | undefined,
): CsrPattern {
  const from = rowStart[first];
  const local = columns.slice(from, rowStart[end]);
  if (halo !== undefined) for (let e = 0; e < local.length; e++) local[e] = halo.position[local[e]];
  return { rowStart: rowStart.slice(first, end + 1).map((entry) => entry - from), columns: local };
}

/** Some rows of a matrix, whose pattern is already cut. */
export function localRows(
  matrix: SparseOperator,
  { first, end }: RowSpan,
  pattern: CsrPattern,
  ranges: RowRanges,
  halo: Halo | undefined,
): SparseOperator {
  const { rowStart, columns, values, left, right } = matrix;
  return {
    numRows: end - first,
    numColumns: halo === undefined ? matrix.numColumns : ranges.count + halo.nodes.length,
    ...pattern,
    values: values?.slice(rowStart[first], rowStart[end]),
    left: left?.slice(first, end),
    right: halo === undefined ? right : right && localScales(right, ranges, halo),
    diagonal: matrix.diagonal,
    symmetric: false,
    whole: { numColumns: matrix.numColumns, numEntries: columns.length },
  };
}

/** The scales of the own nodes, then those of the halo. */
function localScales(scales: Float64Array, { begin, end, count }: RowRanges, { nodes }: Halo): Float64Array {
  const local = new Float64Array(count + nodes.length);
  local.set(scales.subarray(begin, end));
  nodes.forEach((node, k) => {
    local[count + k] = scales[node];
  });
  return local;
}
