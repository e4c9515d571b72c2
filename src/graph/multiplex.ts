/**
 * A multiplex graph: one set of nodes, several relations over it, one compressed sparse row (CSR) matrix per relation.
 * Plain data; no tensors, no files.
 */

import { type Embedding, isVectorRows, requireVectors, type VectorRows } from "../core/embedding.js";
import { InputError } from "../core/errors.js";
import { valueText } from "../core/validation.js";
import type { CsrMatrix } from "../numeric/csr.js";

/**
 * The adjacency matrix of one relation. Row i lists the neighbours of node i in ascending order, without repeats; an
 * undirected edge is in the rows of both endpoints. `values` are positive weights, absent if every edge has weight 1.
 */
export interface Relation extends CsrMatrix {
  readonly name: string;
  /** Edges as a user counts them: an undirected edge counts once. */
  readonly numEdges: number;
}

/** What the import found and changed. */
export interface ImportReport {
  /** Rows read. */
  readonly rows: number;
  /** Rows dropped because source and target were the same node. */
  readonly selfLoops: number;
  /** Rows that repeated an edge (in an undirected graph also with its ends exchanged); their weights were added. */
  readonly parallelEdges: number;
  /** Rows dropped because their weight was zero in single precision. */
  readonly zeroWeights: number;
  /** Number of these rows whose weight was positive but too small for single precision; absent if zero. */
  readonly tinyWeights?: number;
}

/**
 * Features of nodes, nodes × features; a row without entries is all zero. The columns of a row ascend without repeats.
 * `values` are finite numbers, which may be 0; absent if every entry is 1.
 */
export interface FeatureMatrix extends CsrMatrix {
  /** One name per column, in natural order. */
  readonly names: readonly string[];
  readonly numColumns: number;
}

/** Kinds of nodes, such as people and places, where the relations distinguish them (node-kinds.ts). */
export interface NodeKinds {
  /** The number of each node's kind, or `NO_KIND`. Kinds are numbered in the order of their first nodes. */
  readonly of: Uint16Array;
  /**
   * The kinds of the sources and of the targets of each relation. In an undirected graph the smaller number comes first,
   * so that exchanging the two columns changes nothing. A relation without edges has `NO_KIND` twice.
   */
  readonly ends: readonly (readonly [number, number])[];
  /** The kind of the sources of each relation, in an undirected graph too; only the order in which pairs are shown depends on it. */
  readonly sources?: readonly number[];
}

/** One set of nodes, and several relations over it. */
export interface Multiplex {
  readonly numNodes: number;
  /** Original ids, ascending by UTF-16 code units; the index of a node is the index of its id. */
  readonly ids: readonly string[];
  readonly relations: readonly Relation[];
  readonly directed: boolean;
  readonly report: ImportReport;
  readonly features?: FeatureMatrix;
  /**
   * Present if there are several kinds of nodes. Held-out edges were counted, edges dropped because of their weight were not.
   * Kinds depend on which endpoint of an edge is the source in the input, so they do not enter the content hash.
   */
  readonly kinds?: NodeKinds;
}

/** Runtime validation for untyped callers: throws unless the value looks like a graph. Training checks it in detail. */
export function requireMultiplex(graph: Multiplex, where: string): void {
  const { ids, relations, features } = graph ?? {};
  const isArray = (value: unknown) => ArrayBuffer.isView(value);
  const isMatrix = (matrix: CsrMatrix) => isArray(matrix?.rowStart) && isArray(matrix.columns);
  const hasNames = Array.isArray(relations) && relations.every((relation) => typeof relation?.name === "string");
  const isFeatures = features === undefined || (isMatrix(features) && Array.isArray(features.names));
  if (Array.isArray(ids) && hasNames && relations.every(isMatrix) && isFeatures) return;
  throw new InputError(
    `${where}: ${valueText(graph)} is not a graph; expected a multiplex with ids, relations and their typed arrays, such as the result of loadGraph.`,
  );
}

/** Throws unless the embedding has the nodes of the graph in the same order. */
export function requireVectorsOf(graph: Multiplex, embedding: Embedding | VectorRows, where: string): void {
  requireMultiplex(graph, where);
  if (!isVectorRows(embedding)) requireVectors(embedding, where);
  const { ids } = embedding;
  if (ids.length === graph.ids.length && (ids === graph.ids || ids.every((id, at) => id === graph.ids[at]))) return;
  throw new InputError(
    `${where}: the graph has ${graph.ids.length} nodes, the embedding ${ids.length}; expected the same in the same order.`,
  );
}

/** The index of a node by its id, or -1. */
export function findNode(graph: Multiplex, id: string): number {
  let low = 0;
  let high = graph.ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = graph.ids[middle];
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
