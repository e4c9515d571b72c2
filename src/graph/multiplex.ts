/**
 * A multiplex graph: one set of nodes, several relations over it, one compressed sparse row (CSR) matrix per relation.
 * Plain data; no tensors, no files.
 */

import { type Embedding, requireVectors } from "../core/embedding.js";
import { InputError } from "../core/errors.js";
import { valueText } from "../core/validation.js";
import type { NodeKinds } from "./node-kinds.js";

/** The adjacency matrix of one relation. Row i lists the neighbours of node i in ascending order, without repeats. */
export interface Relation {
  readonly name: string;
  /** `numNodes + 1` offsets into `columns`. */
  readonly rowStart: Uint32Array;
  /** Neighbour indices; an undirected edge stands in both rows. */
  readonly columns: Uint32Array;
  /** One positive weight per entry of `columns`; absent when every edge weighs 1. */
  readonly values?: Float32Array;
  /** Edges as a user counts them: an undirected edge counts once. */
  readonly numEdges: number;
}

/** What the import met and changed. */
export interface ImportReport {
  /** Rows read. */
  readonly rows: number;
  /** Rows dropped because source and target were the same node. */
  readonly selfLoops: number;
  /** Rows that repeated an edge already read (in an undirected graph also the other way round); weights were added. */
  readonly parallelEdges: number;
  /** Rows of weight zero in single precision, dropped. */
  readonly zeroWeights: number;
  /** Those of them whose weight is positive, but too small for single precision; absent if there are none. */
  readonly tinyWeights?: number;
}

/** Features of nodes as a sparse matrix, nodes × features; a row without entries is all zero. */
export interface FeatureMatrix {
  /** One per column, in natural order. */
  readonly names: readonly string[];
  readonly numColumns: number;
  /** `numNodes + 1` offsets into `columns`. */
  readonly rowStart: Uint32Array;
  /** Ascending within a row, without repeats. */
  readonly columns: Uint32Array;
  /** One finite number per entry, which may be 0; absent when all are 1. */
  readonly values?: Float32Array;
}

/** One set of nodes, and several relations over it. */
export interface Multiplex {
  readonly numNodes: number;
  /** Original ids, ascending by UTF-16 code units; a node's index is its place here. */
  readonly ids: readonly string[];
  readonly relations: readonly Relation[];
  readonly directed: boolean;
  readonly report: ImportReport;
  readonly features?: FeatureMatrix;
  /**
   * Where there are several kinds of nodes (node-kinds.ts). Edges that were held out of the graph count, those that were too
   * weak to be read do not. Kinds depend on which end of an edge was given as the source, so they are no part of the
   * content hash.
   */
  readonly kinds?: NodeKinds;
}

/** Fails at what is no graph at all, as callers without types may give; training looks closer. */
export function requireMultiplex(graph: Multiplex, where: string): void {
  const { ids, relations, features } = graph ?? {};
  const isArray = (given: unknown) => ArrayBuffer.isView(given);
  const isMatrix = (matrix: Relation | FeatureMatrix) => isArray(matrix?.rowStart) && isArray(matrix.columns);
  const named = Array.isArray(relations) && relations.every((relation) => typeof relation?.name === "string");
  const isFeatures = features === undefined || (isMatrix(features) && Array.isArray(features.names));
  if (Array.isArray(ids) && named && relations.every(isMatrix) && isFeatures) return;
  throw new InputError(
    `${where}: ${valueText(graph)} is no graph; expected a multiplex with ids, relations and their typed arrays, such as the one that loadGraph resolves to.`,
  );
}

/** Fails unless the vectors are those of the graph's nodes, in its order. */
export function requireVectorsOf(graph: Multiplex, embedding: Embedding, where: string): void {
  requireMultiplex(graph, where);
  requireVectors(embedding, where);
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
