/**
 * Vectors for nodes that were not there in training, from their edges to nodes that were.
 *
 * A linear map from what a node's neighbours are like to what the node is like, fitted once on the trained nodes: with m_i the
 * mean over relations of the mean of the neighbours' vectors, z_i ≈ B·(m_i, ln(1 + degree), 1), by least squares with a
 * slight penalty. Weights of edges weigh the means of those relations where they bring them nearer to the node
 * (neighbor-weights.ts). A new node gets B of its own neighbours, at most as long as the longest vector of training: B is
 * made for means of many, which are shorter than the one vector of a single neighbour. It works for the vectors of any model, as far as
 * neighbours tell them; how far is measured (R² on nodes left out of the fit) and said. Where there are features, a second
 * map goes from them (feature-map.ts); of a node with both, every column is the mean of the two, weighted by what each
 * leaves unexplained of it: 1/(1 − R²).
 */

import type { Embedding } from "../core/embedding.js";
import { weighedRelations } from "../graph/counted-relations.js";
import type { Multiplex } from "../graph/multiplex.js";
import type { CsrMatrix } from "../graph/normalize.js";
import { undirectedRelations } from "../graph/union.js";
import { weighRows } from "../nn/feature-weights.js";
import type { FeatureInput } from "../nn/model.js";
import { applyFeatureMap, type FeatureMap } from "./feature-map.js";
import { cholesky, solve } from "./gram-preconditioner.js";
import { FEWEST_MEASURED, isLeftOut, SumsOfSquares } from "./left-out.js";
import { weightsThatPlace } from "./neighbor-weights.js";

export interface NeighborMap {
  readonly dim: number;
  /** Names of the relations whose neighbours count by the weights of their edges. */
  readonly weighted: readonly string[];
  /** (dim + 2) × dim: rows for the mean of the neighbours, ln(1 + degree), 1. */
  readonly weights: Float64Array;
  /** Share of the variance of vectors that it explains on nodes it was not fitted on; null with too few of them. */
  readonly determination: number | null;
  /** The same of every column; 0 with too few of them. */
  readonly fit: Float64Array;
}

/** More nodes do not make the map better. */
const MOST_NODES = 20_000;
/** Penalty as a part of the mean square of an input. */
const RIDGE = 1e-3;

/** Mean of the neighbours, ln(1 + degree) and 1 of one node; undefined without a neighbour that has a vector. */
function inputOf(
  relations: readonly CsrMatrix[],
  node: number,
  vectorOf: (node: number) => Float32Array | undefined,
  dim: number,
): Float64Array | undefined {
  const input = new Float64Array(dim + 2);
  const sum = new Float64Array(dim);
  let numRelations = 0;
  let degree = 0;
  for (const { rowStart, columns, values } of relations) {
    sum.fill(0);
    let count = 0;
    let total = 0;
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) {
      const vector = vectorOf(columns[e]);
      if (vector === undefined) continue;
      const weight = values?.[e] ?? 1;
      count++;
      total += weight;
      for (let k = 0; k < dim; k++) sum[k] += weight * vector[k];
    }
    if (count === 0) continue;
    numRelations++;
    degree += count;
    for (let k = 0; k < dim; k++) input[k] += sum[k] / total;
  }
  if (numRelations === 0) return undefined;
  for (let k = 0; k < dim; k++) input[k] /= numRelations;
  input[dim] = Math.log1p(degree);
  input[dim + 1] = 1;
  return input;
}

/** The relations as undirected graphs, with weights where `weighted` names them. */
function readRelations(graph: Multiplex, weighted: readonly string[]): readonly CsrMatrix[] {
  const plain = undirectedRelations(graph);
  if (weighted.length === 0) return plain;
  const weighed = weighedRelations(graph, plain);
  return graph.relations.map(({ name }, d) => (weighted.includes(name) ? weighed[d] : plain[d]));
}

/** Fits the map on the graph and the vectors of a training; undefined where no node has a neighbour. */
export function fitNeighborMap(graph: Multiplex, embedding: Embedding): NeighborMap | undefined {
  const { dim, vectors } = embedding;
  const weighted = weightsThatPlace(graph, embedding);
  const relations = readRelations(graph, weighted);
  const vectorOf = (node: number) => vectors.subarray(node * dim, (node + 1) * dim);
  const stride = Math.max(1, Math.floor(graph.numNodes / MOST_NODES));
  const size = dim + 2;
  const gram = new Float64Array(size * size);
  const right = new Float64Array(dim * size);
  const measured: { input: Float64Array; vector: Float32Array }[] = [];
  let count = 0;
  for (let node = 0, at = 0; node < graph.numNodes; node += stride) {
    const input = inputOf(relations, node, vectorOf, dim);
    if (input === undefined) continue;
    const vector = vectorOf(node);
    if (isLeftOut(at++)) {
      measured.push({ input, vector });
      continue;
    }
    count++;
    for (let a = 0; a < size; a++) {
      for (let b = 0; b <= a; b++) gram[a * size + b] += input[a] * input[b];
      for (let k = 0; k < dim; k++) right[k * size + a] += input[a] * vector[k];
    }
  }
  if (count === 0) return undefined;
  let trace = 0;
  for (let a = 0; a < size; a++) trace += gram[a * size + a];
  // divided by the penalty, the penalty is one
  const penalty = (RIDGE * trace) / size;
  for (let at = 0; at < gram.length; at++) gram[at] /= penalty;
  for (let a = 0; a < size; a++) gram[a * size + a] += 1;
  const factor = cholesky(gram, size);
  const weights = new Float64Array(size * dim);
  for (let k = 0; k < dim; k++) {
    const column = right.slice(k * size, (k + 1) * size).map((x) => x / penalty);
    solve(factor, size, column, 0);
    for (let a = 0; a < size; a++) weights[a * dim + k] = column[a];
  }
  const sums = new SumsOfSquares(dim);
  for (const { input, vector } of measured) sums.add(apply({ dim, weights }, input), vector);
  const fit = sums.count < FEWEST_MEASURED ? new Float64Array(dim) : sums.determination();
  return { dim, weighted, weights, determination: sums.overall(), fit };
}

function apply({ dim, weights }: Pick<NeighborMap, "dim" | "weights">, input: Float64Array): Float32Array {
  const out = new Float64Array(dim);
  input.forEach((x, a) => {
    for (let k = 0; k < dim; k++) out[k] += x * weights[a * dim + k];
  });
  return Float32Array.from(out);
}

export interface PlacedNodes {
  /** Of the new nodes that could be placed, in the order of the graph. */
  readonly embedding: Embedding;
  /** New nodes without a way to a known one, and without features. */
  readonly unplaced: readonly string[];
  /** Nodes that had vectors, next to new ones. */
  readonly numKnown: number;
  /** 1: all are next to known nodes; 2: some only to nodes that were placed first, and so on. */
  readonly rounds: number;
  /** Of those placed, how many by features and edges, and by features alone. */
  readonly withFeatures: number;
  readonly byFeatures: number;
}

export interface NodeMaps {
  readonly neighbors: NeighborMap;
  /** And the features of the graph's nodes, in the training's columns. */
  readonly features?: { readonly map: FeatureMap; readonly rows: FeatureInput };
}

/** Of one with little left to explain, this much is still left: measured R² are not exact. */
const LEAST_UNEXPLAINED = 0.01;

/** Places the nodes of `graph` that `known` has no vectors for, those next to known nodes first. */
export function placeNewNodes({ neighbors, features }: NodeMaps, known: Embedding, graph: Multiplex): PlacedNodes {
  const { dim } = neighbors;
  const relations = readRelations(graph, neighbors.weighted);
  const places = new Map(known.ids.map((id, at) => [id, at]));
  const found: (Float32Array | undefined)[] = graph.ids.map((id) => {
    const at = places.get(id);
    return at === undefined ? undefined : known.vectors.subarray(at * dim, (at + 1) * dim);
  });
  const byFeatures = featurePlacer(features, graph.numNodes);
  const longest = longestOf(known);
  const fresh = graph.ids.flatMap((_, node) => (found[node] === undefined ? [node] : []));
  const numKnown = joinedTo(relations, fresh).filter((node) => found[node] !== undefined).length;
  const waiting = () => fresh.filter((node) => found[node] === undefined);
  let near = fresh; // those that may have a neighbour with a vector
  const placed: number[] = [];
  const counts = { rounds: 0, withFeatures: 0, byFeatures: 0 };
  for (;;) {
    const byEdges = near.flatMap((node) => {
      const input = inputOf(relations, node, (other) => found[other], dim);
      return input === undefined ? [] : [{ node, edges: apply(neighbors, input), features: byFeatures(node) }];
    });
    // features alone where edges lead nowhere; their neighbours then follow
    const now =
      byEdges.length > 0
        ? byEdges.map(({ node, edges, features: other }) => {
            if (other !== undefined) counts.withFeatures++;
            return { node, vector: other === undefined ? edges : combined(edges, neighbors.fit, other, features) };
          })
        : waiting().flatMap((node) => {
            const vector = byFeatures(node);
            return vector === undefined ? [] : [{ node, vector: Float32Array.from(vector) }];
          });
    if (now.length === 0) break;
    if (byEdges.length === 0) counts.byFeatures += now.length;
    counts.rounds++;
    // all of a round at once, so that the order of nodes does not matter
    for (const { node, vector } of now) found[node] = atMost(longest, vector);
    for (const { node } of now) placed.push(node);
    near = joinedTo(
      relations,
      now.map(({ node }) => node),
    ).filter((node) => found[node] === undefined);
  }
  placed.sort((a, b) => a - b);
  const vectors = new Float32Array(placed.length * dim);
  placed.forEach((node, at) => {
    vectors.set(found[node] ?? [], at * dim);
  });
  return {
    embedding: { ids: placed.map((node) => graph.ids[node]), dim, vectors },
    unplaced: waiting().map((node) => graph.ids[node]),
    numKnown,
    ...counts,
  };
}

/** Length of the longest vector. */
function longestOf({ dim, vectors }: Embedding): number {
  let longest = 0;
  for (let at = 0; at < vectors.length; at += dim)
    longest = Math.max(longest, lengthOf(vectors.subarray(at, at + dim)));
  return longest;
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
}

function atMost(longest: number, vector: Float32Array): Float32Array {
  const length = lengthOf(vector);
  return length > longest ? vector.map((x) => (x * longest) / length) : vector;
}

/** All nodes that one of these has an edge to, ascending. */
function joinedTo(relations: readonly CsrMatrix[], nodes: readonly number[]): number[] {
  const met = new Set<number>();
  for (const { rowStart, columns } of relations) {
    for (const node of nodes) for (let e = rowStart[node]; e < rowStart[node + 1]; e++) met.add(columns[e]);
  }
  return [...met].sort((a, b) => a - b);
}

/** The vector of a node by its features; undefined of one that has none. */
function featurePlacer(features: NodeMaps["features"], numNodes: number): (node: number) => Float64Array | undefined {
  if (features === undefined) return () => undefined;
  const { map, rows } = features;
  const weighted = weighRows(rows, numNodes, map.read);
  // words that a node has none of tell nothing; a quantity of 0 does
  const measured = map.read.spread.some((spread) => spread > 0);
  const tells = (node: number): boolean => {
    const values = rows.values?.subarray(rows.rowStart[node], rows.rowStart[node + 1]);
    return rows.rowStart[node + 1] > rows.rowStart[node] && (measured || (values?.some((x) => x !== 0) ?? true));
  };
  return (node) => (tells(node) ? applyFeatureMap(map, weighted, node) : undefined);
}

function combined(
  edges: Float32Array,
  edgeFit: Float64Array,
  byFeatures: Float64Array,
  features: NodeMaps["features"],
): Float32Array {
  return edges.map((x, k) => {
    const [a, b] = [edgeFit[k], features?.map.fit[k] ?? 0].map((fit) => 1 / Math.max(LEAST_UNEXPLAINED, 1 - fit));
    return (a * x + b * byFeatures[k]) / (a + b);
  });
}
