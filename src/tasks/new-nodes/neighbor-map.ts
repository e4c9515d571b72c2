/**
 * What a node's neighbours tell of its vector, in every relation by itself.
 *
 * Of relation d, with m_d the mean of the neighbours' vectors there: p_d = B_d·(m_d, ln(1 + degree), 1), by least squares with a
 * slight penalty. Every column of a vector is μ + s·Σ_d w_d·(p_d − μ) / Σ_d w_d, w_d = R²_d / (1 − R²_d) of that column, μ its
 * mean over all nodes: a relation that tells a column alone counts alone there. s makes up for what averaging takes away. R²
 * and s are found on nodes left out of the fit. Relations with few nodes, and those that the training did not have, are read
 * together by one more map, of the mean over all relations.
 */

import type { Embedding } from "../../core/embedding.js";
import type { Work } from "../../core/work.js";
import { hasWeights, weighedRelations } from "../../graph/counted-relations.js";
import { type Multiplex, requireVectorsOf } from "../../graph/multiplex.js";
import type { CsrMatrix } from "../../graph/normalize.js";
import { undirectedRelations } from "../../graph/union.js";
import { type Example, leastSquares, leastSquaresOfFew } from "../../numeric/least-squares.js";
import { columnMeans } from "../../numeric/rows.js";
import { isLeftOut, MIN_MEASURED, SumsOfSquares } from "./held-out-r2.js";
import { weightsThatPlace } from "./neighbor-weights.js";

/** What the vectors of a node's neighbours tell of its own; plain data. */
export interface NeighborMap {
  readonly dim: number;
  /** Names of the relations whose neighbours count by the weights of their edges. */
  readonly weighted: readonly string[];
  /** Names of the relations with a map of their own. */
  readonly relations: readonly string[];
  /** Of each of them, then of all others together, (dim + 2) × dim: rows for the mean of the neighbours, ln(1 + degree), 1. */
  readonly weights: Float64Array;
  /** R² of every column of each of these maps. */
  readonly fits: Float64Array;
  /** μ and s of every column. */
  readonly mean: Float64Array;
  readonly scale: Float64Array;
  /** Share of the variance of vectors that all of them together explain on nodes left out; null with too few of them. */
  readonly determination: number | null;
  /** The same of every column; 0 with too few of them. */
  readonly fit: Float64Array;
}

/** More nodes do not make a map better. */
const MAX_NODES = 20_000;
/** Multiply-adds of all maps together: some seconds, however many relations and columns there are. */
const MAX_WORK = 4e9;
/** Nodes with neighbours in a relation, of those looked at, that make a map of its own. */
const MIN_NODES = 50;
/** Relations with a map of their own, those of most nodes. */
const MAX_RELATIONS = 64;
/** Numbers of all maps of single relations together, 64 MB in the file of the model: at dim 512 64 maps, at dim 4096 one. */
const MAX_NUMBERS = 2 ** 24;
const MAX_EXPLAINED = 0.99;
/** Weight of a map that explains nothing: where none does, all count alike. */
const MIN_WEIGHT = 1e-6;

export type VectorOf = (node: number) => Float32Array | undefined;

/** The relations of a graph as a map reads them. */
export interface ReadRelations {
  readonly matrices: readonly CsrMatrix[];
  /** Places of the relations that each map reads, the last one's those of all without a map. */
  readonly ofMap: readonly (readonly number[])[];
}

/** With weights where `weighted` names them; `plain` are the relations without, where they are at hand. */
export function readRelations(
  graph: Multiplex,
  { weighted, relations }: Pick<NeighborMap, "weighted" | "relations">,
  plain = undirectedRelations(graph),
): ReadRelations {
  const weighed = weighted.length === 0 ? plain : weighedRelations(graph, plain);
  const names = graph.relations.map(({ name }) => name);
  const read = new Set(weighted);
  const places = names.map((_, d) => d);
  return {
    matrices: places.map((d) => (read.has(names[d]) ? weighed[d] : plain[d])),
    ofMap: [
      ...relations.map((name) => places.filter((d) => names[d] === name)),
      places.filter((d) => !relations.includes(names[d])),
    ],
  };
}

/** Mean over these relations of the mean of the neighbours, ln(1 + degree) and 1; undefined without a neighbour that has a vector. */
function inputOf(
  matrices: readonly CsrMatrix[],
  places: readonly number[],
  node: number,
  vectorOf: VectorOf,
  dim: number,
): Float64Array | undefined {
  const input = new Float64Array(dim + 2);
  const sum = new Float64Array(dim);
  let numRelations = 0;
  let degree = 0;
  for (const place of places) {
    const { rowStart, columns, values } = matrices[place];
    if (rowStart[node] === rowStart[node + 1]) continue;
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

/** Work of `fitNeighborMap`. */
export function neighborMapWork(graph: Multiplex, dim: number): Work {
  const { numNodes, relations } = graph;
  const nodes = lookedAt(graph, dim).length;
  const maps = relations.length < 2 ? 1 : mostMaps(relations.length, dim) + 1;
  const entries = relations.reduce((sum, { columns }) => sum + columns.length, 0);
  const weighted = relations.filter(hasWeights).reduce((sum, { columns }) => sum + columns.length, 0);
  const fitted = Math.min(nodes, dim + 2);
  const products = 1.5 * nodes * dim * fitted + fitted ** 2 * dim + fitted * dim ** 2;
  const read = (2 * dim * entries * nodes) / numNodes; // every neighbour, by the map of its relation and the common one
  return {
    loops: 3 * maps * (products + nodes * dim ** 2 * 0.4) + 3 * read + 2 * weighted * dim,
    entries: 3 * entries,
  };
}

/** Fits the maps on the graph and the vectors of a training; undefined where no node has a neighbour. */
export function fitNeighborMap(graph: Multiplex, embedding: Embedding): NeighborMap | undefined {
  requireVectorsOf(graph, embedding, "fitNeighborMap");
  const { dim, vectors } = embedding;
  const plain = undirectedRelations(graph);
  const weighted = weightsThatPlace(graph, plain, embedding);
  const vectorOf = (node: number) => vectors.subarray(node * dim, (node + 1) * dim);
  const looked = lookedAt(graph, dim);
  const relations = ownMaps(graph, plain, looked, dim);
  const read = readRelations(graph, { weighted, relations }, plain);
  const { matrices } = read;
  const own = read.ofMap.slice(0, -1);
  const everywhere = matrices.map((_, d) => d);
  const size = dim + 2;
  const weights = new Float64Array((own.length + 1) * size * dim);
  const fits = new Float64Array((own.length + 1) * dim);
  let numFitted = 0;
  [...own, everywhere].forEach((places, map) => {
    const examples = looked.map((node): Example | undefined => {
      const input = inputOf(matrices, places, node, vectorOf, dim);
      return input && { input, vector: vectorOf(node) };
    });
    const there = (leftOut: boolean) => examples.flatMap((one, at) => (one && isLeftOut(at) === leftOut ? [one] : []));
    const fitted = there(false);
    numFitted = fitted.length;
    if (fitted.length === 0) return;
    weights.set((graph.numNodes < dim ? leastSquaresOfFew : leastSquares)(fitted, dim), map * size * dim);
    const sums = new SumsOfSquares(dim);
    for (const { input, vector } of there(true)) sums.add(applied(weights, map, input, dim), vector);
    if (sums.count >= MIN_MEASURED) fits.set(sums.determination(), map * dim);
  });
  if (numFitted === 0) return undefined;
  const bare = { dim, weighted, relations, weights, fits, mean: columnMeans(vectors, dim) };
  return {
    ...bare,
    ...measured(
      read,
      bare,
      looked.filter((_, at) => isLeftOut(at)),
      vectorOf,
    ),
  };
}

/** s, and R² with it, on nodes that no map was fitted on. */
function measured(
  read: ReadRelations,
  bare: Omit<NeighborMap, "scale" | "determination" | "fit">,
  nodes: readonly number[],
  vectorOf: (node: number) => Float32Array,
): Pick<NeighborMap, "scale" | "determination" | "fit"> {
  const { dim, mean } = bare;
  const one = new Float64Array(dim).fill(1);
  const found = nodes.flatMap((node) => {
    const told = tellVector({ ...bare, scale: one }, read, node, vectorOf);
    return told === undefined ? [] : [{ told, vector: vectorOf(node) }];
  });
  if (found.length < MIN_MEASURED) return { scale: one, determination: null, fit: new Float64Array(dim) };
  const scale = one.map((_, k) => {
    const along = found.reduce((sum, { told, vector }) => sum + (told[k] - mean[k]) * (vector[k] - mean[k]), 0);
    const square = found.reduce((sum, { told }) => sum + (told[k] - mean[k]) ** 2, 0);
    return square > 0 ? Math.max(0, along / square) : 0;
  });
  const sums = new SumsOfSquares(dim);
  for (const { told, vector } of found) {
    sums.add(
      told.map((x, k) => mean[k] + scale[k] * (x - mean[k])),
      vector,
    );
  }
  return { scale, determination: sums.overall(), fit: sums.determination() };
}

/** The nodes that maps are fitted and measured on: as many as the work allows, but several for each column. */
function lookedAt({ numNodes, relations }: Multiplex, dim: number): number[] {
  const maps = Math.min(relations.length, MAX_RELATIONS) + 1;
  const most = Math.max(4 * dim, MAX_WORK / (1.5 * dim ** 2 * maps));
  const stride = Math.max(1, Math.floor(numNodes / Math.min(MAX_NODES, most)));
  return Array.from({ length: Math.ceil(numNodes / stride) }, (_, at) => at * stride);
}

/** Maps of single relations at most. */
function mostMaps(numRelations: number, dim: number): number {
  return Math.min(numRelations, MAX_RELATIONS, Math.max(1, Math.floor(MAX_NUMBERS / dim ** 2)));
}

/** Names of the relations with nodes enough for a map of their own, where there is more than one relation. */
function ownMaps(graph: Multiplex, plain: readonly CsrMatrix[], looked: readonly number[], dim: number): string[] {
  const most = mostMaps(graph.relations.length, dim);
  if (graph.relations.length < 2) return [];
  const sizes = plain.map(({ rowStart }) => looked.filter((node) => rowStart[node + 1] > rowStart[node]).length);
  return sizes
    .map((count, d) => ({ count, d }))
    .filter(({ count }) => count >= MIN_NODES)
    .sort((a, b) => b.count - a.count || a.d - b.d)
    .slice(0, most)
    .map(({ d }) => graph.relations[d].name);
}

function applied(weights: Float64Array, map: number, input: Float64Array, dim: number): Float64Array {
  const out = new Float64Array(dim);
  const first = map * (dim + 2) * dim;
  input.forEach((x, a) => {
    for (let k = 0; k < dim; k++) out[k] += x * weights[first + a * dim + k];
  });
  return out;
}

/** The vector of a node by its neighbours; undefined where none of them has one. */
export function tellVector(
  { dim, weights, fits, mean, scale }: Omit<NeighborMap, "determination" | "fit">,
  { matrices, ofMap }: ReadRelations,
  node: number,
  vectorOf: VectorOf,
): Float64Array | undefined {
  const sum = new Float64Array(dim);
  const total = new Float64Array(dim);
  let any = false;
  ofMap.forEach((places, map) => {
    const input = inputOf(matrices, places, node, vectorOf, dim);
    if (input === undefined) return;
    any = true;
    const told = applied(weights, map, input, dim);
    for (let k = 0; k < dim; k++) {
      const explained = Math.min(MAX_EXPLAINED, fits[map * dim + k]);
      const weight = MIN_WEIGHT + explained / (1 - explained);
      sum[k] += weight * (told[k] - mean[k]);
      total[k] += weight;
    }
  });
  return any ? mean.map((usual, k) => usual + (scale[k] * sum[k]) / total[k]) : undefined;
}
