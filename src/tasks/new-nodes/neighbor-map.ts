/**
 * Predicts a node's vector from the vectors of its neighbours, by one linear map per relation.
 *
 * With m_d the mean of the neighbours' vectors in relation d, the map of d predicts p_d = B_d·(m_d, ln(1 + degree), 1), where
 * B_d is fitted by least squares with a small penalty. A column of the predicted vector is
 *
 *   μ + s·Σ_d w_d·(p_d − μ) / Σ_d w_d,   w_d = R²_d / (1 − R²_d)
 *
 * with R²_d of map d in this column and μ the mean of the column over all nodes: if only one relation predicts a column, it
 * has almost all the weight. The factor s undoes the shrinking by averaging. R² and s are estimated on held-out nodes.
 * Relations with few nodes, and relations that the training graph did not have, share one more map, which is fitted to the
 * mean over all relations.
 */

import { type Embedding, type VectorRows, vectorRows } from "../../core/embedding.js";
import type { Work } from "../../core/work.js";
import { hasWeights, weightedRelations } from "../../graph/counted-relations.js";
import { type Multiplex, requireVectorsOf } from "../../graph/multiplex.js";
import { undirectedRelations } from "../../graph/union.js";
import type { CsrMatrix } from "../../numeric/csr.js";
import { type Example, leastSquares, leastSquaresOfFew } from "../../numeric/least-squares.js";
import { meanVector } from "../../numeric/rows.js";
import { isHeldOut, MIN_HELD_OUT, SumsOfSquares } from "./held-out-r2.js";
import { allVectors, vectorsAround } from "./picked-vectors.js";
import { relationsWithUsefulWeights } from "./useful-weights.js";

/** Linear maps from the vectors of a node's neighbours to its vector; plain data. */
export interface NeighborMap {
  readonly dim: number;
  /** Names of the relations in which neighbours are weighted by their edges. */
  readonly weighted: readonly string[];
  /** Names of the relations that have a separate map. */
  readonly relations: readonly string[];
  /** One matrix (dim + 2) × dim per relation with a map, then the shared one: rows for the mean of the neighbours, ln(1 + degree), 1. */
  readonly weights: Float64Array;
  /** Held-out R² of every column, for each of these maps. */
  readonly fits: Float64Array;
  /** μ of every column. */
  readonly mean: Float64Array;
  /** s of every column. */
  readonly scale: Float64Array;
  /** Held-out R² of the predicted vectors, all columns together; null with too few held-out nodes. */
  readonly determination: number | null;
  /** Held-out R² of every column of the predicted vectors; 0 with too few held-out nodes. */
  readonly fit: Float64Array;
}

/** Maximum number of sampled nodes; more do not make a map better. */
const MAX_NODES = 20_000;
/** Maximum number of nodes whose vectors are all compared to find useful weights; of larger graphs, the sampled nodes. Not tuned. */
const MAX_COMPARED = 1_000_000;
/** Maximum multiply-adds of all maps together: some seconds, for any number of relations and columns. */
const MAX_WORK = 4e9;
/** Minimum number of sampled nodes with neighbours in a relation for a separate map. */
const MIN_NODES = 50;
/** Maximum number of relations with a separate map; those with the most nodes have one. */
const MAX_RELATIONS = 64;
/** Maximum number of weights of all separate maps, 64 MB in the file of the model: at dim 512 64 maps, at dim 4096 one. */
const MAX_NUMBERS = 2 ** 24;
/** Maximum R² of a map in the weights w_d, so that they stay finite. */
const MAX_R2 = 0.99;
/** Weight of a map with R² = 0; if all maps have it, they count equally. */
const MIN_WEIGHT = 1e-6;

export type VectorOf = (node: number) => Float32Array | undefined;

/** The adjacency matrices of a graph's relations, assigned to maps. */
export interface MapInputs {
  readonly matrices: readonly CsrMatrix[];
  /** Indices of the relations that each map uses; the last entry is the shared map. */
  readonly ofMap: readonly (readonly number[])[];
}

/** Assigns relations to maps; `weighted` relations keep their weights. `plain` are the relations without weights. */
export function mapInputs(
  graph: Multiplex,
  { weighted, relations }: Pick<NeighborMap, "weighted" | "relations">,
  plain = undirectedRelations(graph),
): MapInputs {
  const weighed = weighted.length === 0 ? plain : weightedRelations(graph, plain);
  const names = graph.relations.map(({ name }) => name);
  const useWeights = new Set(weighted);
  const places = names.map((_, d) => d);
  return {
    matrices: places.map((d) => (useWeights.has(names[d]) ? weighed[d] : plain[d])),
    ofMap: [
      ...relations.map((name) => places.filter((d) => names[d] === name)),
      places.filter((d) => !relations.includes(names[d])),
    ],
  };
}

/** The input of a map: mean over these relations of the neighbours' mean vector, ln(1 + degree), 1. Undefined if no neighbour has a vector. */
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
  const nodes = sampledNodes(graph, dim).length;
  const maps = relations.length < 2 ? 1 : maxSeparateMaps(relations.length, dim) + 1;
  const entries = relations.reduce((sum, { columns }) => sum + columns.length, 0);
  const weighted = relations.filter(hasWeights).reduce((sum, { columns }) => sum + columns.length, 0);
  const fitted = Math.min(nodes, dim + 2);
  const products = 1.5 * nodes * dim * fitted + fitted ** 2 * dim + fitted * dim ** 2;
  const read = (2 * dim * entries * nodes) / numNodes; // every neighbour, by the map of its relation and by the shared map
  return {
    loops: 3 * maps * (products + nodes * dim ** 2 * 0.4) + 3 * read + 2 * weighted * dim,
    entries: 3 * entries,
  };
}

/** Fits the maps to a training graph and its vectors; undefined if no node has a neighbour. */
export function fitNeighborMap(graph: Multiplex, source: Embedding | VectorRows): NeighborMap | undefined {
  requireVectorsOf(graph, source, "fitNeighborMap");
  const { dim } = source;
  const plain = undirectedRelations(graph);
  const sampled = sampledNodes(graph, dim);
  const compareAll = graph.numNodes <= MAX_COMPARED && graph.relations.some(hasWeights);
  const vectors = compareAll ? allVectors(source) : vectorsAround(source, sampled, plain);
  const mean = meanVector(vectorRows(source));
  const compared = compareAll ? Uint32Array.from({ length: graph.numNodes }, (_, node) => node) : sampled;
  const weighted = relationsWithUsefulWeights(graph, plain, vectors, mean, compared);
  const { data, place } = vectors;
  const vectorOf = (node: number) => {
    const at = (place === undefined ? node : place[node]) * dim;
    return data.subarray(at, at + dim);
  };
  const relations = relationsWithMap(graph, plain, sampled, dim);
  const inputs = mapInputs(graph, { weighted, relations }, plain);
  const { matrices } = inputs;
  const separate = inputs.ofMap.slice(0, -1);
  const allRelations = matrices.map((_, d) => d);
  const size = dim + 2;
  const weights = new Float64Array((separate.length + 1) * size * dim);
  const fits = new Float64Array((separate.length + 1) * dim);
  let numFitted = 0;
  [...separate, allRelations].forEach((places, map) => {
    const examples = sampled.map((node): Example | undefined => {
      const input = inputOf(matrices, places, node, vectorOf, dim);
      return input && { input, vector: vectorOf(node) };
    });
    const examplesOf = (heldOut: boolean) =>
      examples.flatMap((example, at) => (example && isHeldOut(at) === heldOut ? [example] : []));
    const fitted = examplesOf(false);
    numFitted = fitted.length;
    if (fitted.length === 0) return;
    weights.set((graph.numNodes < dim ? leastSquaresOfFew : leastSquares)(fitted, dim), map * size * dim);
    const sums = new SumsOfSquares(dim);
    for (const { input, vector } of examplesOf(true)) sums.add(applyMap(weights, map, input, dim), vector);
    if (sums.count >= MIN_HELD_OUT) fits.set(sums.columnR2(), map * dim);
  });
  if (numFitted === 0) return undefined;
  const unscaled = { dim, weighted, relations, weights, fits, mean };
  const heldOut = sampled.filter((_, at) => isHeldOut(at));
  return { ...unscaled, ...fitScale(inputs, unscaled, heldOut, vectorOf) };
}

/** Estimates s on held-out nodes, and R² of the vectors predicted with it. */
function fitScale(
  inputs: MapInputs,
  unscaled: Omit<NeighborMap, "scale" | "determination" | "fit">,
  heldOut: readonly number[],
  vectorOf: (node: number) => Float32Array,
): Pick<NeighborMap, "scale" | "determination" | "fit"> {
  const { dim, mean } = unscaled;
  const one = new Float64Array(dim).fill(1);
  const found = heldOut.flatMap((node) => {
    const predicted = predictVector({ ...unscaled, scale: one }, inputs, node, vectorOf);
    return predicted === undefined ? [] : [{ predicted, vector: vectorOf(node) }];
  });
  if (found.length < MIN_HELD_OUT) return { scale: one, determination: null, fit: new Float64Array(dim) };
  const scale = one.map((_, k) => {
    const product = found.reduce(
      (sum, { predicted, vector }) => sum + (predicted[k] - mean[k]) * (vector[k] - mean[k]),
      0,
    );
    const square = found.reduce((sum, { predicted }) => sum + (predicted[k] - mean[k]) ** 2, 0);
    return square > 0 ? Math.max(0, product / square) : 0;
  });
  const sums = new SumsOfSquares(dim);
  for (const { predicted, vector } of found) {
    sums.add(
      predicted.map((x, k) => mean[k] + scale[k] * (x - mean[k])),
      vector,
    );
  }
  return { scale, determination: sums.overallR2(), fit: sums.columnR2() };
}

/** Evenly spaced nodes for fitting and measuring: as many as MAX_WORK allows, but at least four per column. */
function sampledNodes({ numNodes, relations }: Multiplex, dim: number): number[] {
  const maps = Math.min(relations.length, MAX_RELATIONS) + 1;
  const maxNodes = Math.max(4 * dim, MAX_WORK / (1.5 * dim ** 2 * maps));
  const stride = Math.max(1, Math.floor(numNodes / Math.min(MAX_NODES, maxNodes)));
  return Array.from({ length: Math.ceil(numNodes / stride) }, (_, at) => at * stride);
}

/** Maximum number of separate maps. */
function maxSeparateMaps(numRelations: number, dim: number): number {
  return Math.min(numRelations, MAX_RELATIONS, Math.max(1, Math.floor(MAX_NUMBERS / dim ** 2)));
}

/** Names of the relations with enough nodes for a separate map; none if there is only one relation. */
function relationsWithMap(
  graph: Multiplex,
  plain: readonly CsrMatrix[],
  sampled: readonly number[],
  dim: number,
): string[] {
  const maxMaps = maxSeparateMaps(graph.relations.length, dim);
  if (graph.relations.length < 2) return [];
  const sizes = plain.map(({ rowStart }) => sampled.filter((node) => rowStart[node + 1] > rowStart[node]).length);
  return sizes
    .map((count, d) => ({ count, d }))
    .filter(({ count }) => count >= MIN_NODES)
    .sort((a, b) => b.count - a.count || a.d - b.d)
    .slice(0, maxMaps)
    .map(({ d }) => graph.relations[d].name);
}

function applyMap(weights: Float64Array, map: number, input: Float64Array, dim: number): Float64Array {
  const out = new Float64Array(dim);
  const first = map * (dim + 2) * dim;
  // two inputs at a time, added one after the other: `dim` + 2 is odd if `dim` is
  for (let a = 0; a < dim + 2; a += 2) {
    const at = first + a * dim;
    const x = input[a];
    if (a === dim + 1) for (let k = 0; k < dim; k++) out[k] += x * weights[at + k];
    else
      for (let k = 0, next = input[a + 1]; k < dim; k++)
        out[k] = out[k] + x * weights[at + k] + next * weights[at + dim + k];
  }
  return out;
}

/** The vector of a node predicted from its neighbours; undefined if none of them has a vector. */
export function predictVector(
  { dim, weights, fits, mean, scale }: Omit<NeighborMap, "determination" | "fit">,
  { matrices, ofMap }: MapInputs,
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
    const predicted = applyMap(weights, map, input, dim);
    for (let k = 0; k < dim; k++) {
      const r2 = Math.min(MAX_R2, fits[map * dim + k]);
      const weight = MIN_WEIGHT + r2 / (1 - r2);
      sum[k] += weight * (predicted[k] - mean[k]);
      total[k] += weight;
    }
  });
  return any ? mean.map((mu, k) => mu + (scale[k] * sum[k]) / total[k]) : undefined;
}
