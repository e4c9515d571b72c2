/**
 * Vectors for nodes that were not there in training, from their edges to nodes that were.
 *
 * Neighbours tell a node's vector by maps fitted once on the trained nodes (neighbor-map.ts), at most as long as the longest
 * vector of training: maps are made for means of many, which are shorter than the one vector of a single neighbour. It works for
 * the vectors of any model, as far as neighbours tell them; how far is measured and said. Where there are features, another
 * map goes from them (feature-map.ts); of a node with both, every column is the mean of the two, weighted by what each
 * leaves unexplained of it: 1/(1 − R²).
 */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { valueText } from "../../core/validation.js";
import { type Multiplex, requireMultiplex } from "../../graph/multiplex.js";
import type { CsrMatrix } from "../../graph/normalize.js";
import { weighRows } from "../../nn/feature-weights.js";
import type { FeatureInput } from "../../nn/model.js";
import { applyFeatureMap, type FeatureMap } from "./feature-map.js";
import { type NeighborMap, readRelations, tellVector } from "./neighbor-map.js";

/** Vectors of new nodes, and how they were found. */
export interface PlacedNodes {
  /** Of the new nodes that could be placed, in the order of the graph. */
  readonly embedding: Embedding;
  /** New nodes without a way to a known one, and without features. */
  readonly unplaced: readonly string[];
  /** Nodes that had vectors, next to new ones. */
  readonly numKnown: number;
  /** 1: all are next to known nodes; 2: some only to nodes that were placed first, and so on. */
  readonly rounds: number;
  /** Of those placed, how many by edges to nodes that were placed before them. */
  readonly byPlaced: number;
  /** Of those placed, how many by features and edges, and by features alone. */
  readonly withFeatures: number;
  readonly byFeatures: number;
}

/** What places nodes: `fitNeighborMap` gives the one, `fitFeatureMap` the other. */
export interface NodeMaps {
  readonly neighbors: NeighborMap;
  /** And the features of the graph's nodes, in the training's columns. */
  readonly features?: { readonly map: FeatureMap; readonly rows: FeatureInput };
}

/** Of one with little left to explain, this much is still left: measured R² are not exact. */
const MIN_UNEXPLAINED = 0.01;

/** Places the nodes of `graph` that `known` has no vectors for, those next to known nodes first. */
export function placeNewNodes(maps: NodeMaps, known: Embedding, graph: Multiplex): PlacedNodes {
  requireMaps(maps, known, graph);
  const { neighbors, features } = maps;
  const { dim } = neighbors;
  const read = readRelations(graph, neighbors);
  const relations = read.matrices;
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
  const counts = { rounds: 0, byPlaced: 0, withFeatures: 0, byFeatures: 0 };
  for (;;) {
    const byEdges = near.flatMap((node) => {
      const edges = tellVector(neighbors, read, node, (other) => found[other]);
      return edges === undefined ? [] : [{ node, edges, features: byFeatures(node) }];
    });
    // features alone where edges lead nowhere; their neighbours then follow
    const now =
      byEdges.length > 0
        ? byEdges.map(({ node, edges, features: other }) => {
            if (other !== undefined) counts.withFeatures++;
            const both = other === undefined ? edges : combined(edges, neighbors.fit, other, features);
            return { node, vector: Float32Array.from(both) };
          })
        : waiting().flatMap((node) => {
            const vector = byFeatures(node);
            return vector === undefined ? [] : [{ node, vector: Float32Array.from(vector) }];
          });
    if (now.length === 0) break;
    if (byEdges.length === 0) counts.byFeatures += now.length;
    else if (counts.rounds > 0) counts.byPlaced += now.length;
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

function requireMaps({ neighbors, features }: NodeMaps, known: Embedding, graph: Multiplex): void {
  requireMultiplex(graph, "placeNewNodes");
  requireVectors(known, "placeNewNodes");
  if (neighbors?.dim !== known.dim) {
    throw new InputError(
      `placeNewNodes: a map of width ${valueText(neighbors?.dim)} for vectors of width ${known.dim}; expected what fitNeighborMap gives of them.`,
    );
  }
  if (features === undefined) return;
  const { map, rows } = features;
  const fits = rows?.rowStart?.length === graph.numNodes + 1 && map?.weights.length === rows.numColumns * known.dim;
  if (fits) return;
  throw new InputError(
    "placeNewNodes: features do not fit; expected a row for each node of the graph, in the columns of the training.",
  );
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
  const measured = map.read.deviation.some((deviation) => deviation > 0);
  const tells = (node: number): boolean => {
    const values = rows.values?.subarray(rows.rowStart[node], rows.rowStart[node + 1]);
    return rows.rowStart[node + 1] > rows.rowStart[node] && (measured || (values?.some((x) => x !== 0) ?? true));
  };
  return (node) => (tells(node) ? applyFeatureMap(map, weighted, node) : undefined);
}

function combined(
  edges: Float64Array,
  edgeFit: Float64Array,
  byFeatures: Float64Array,
  features: NodeMaps["features"],
): Float64Array {
  return edges.map((x, k) => {
    const [a, b] = [edgeFit[k], features?.map.fit[k] ?? 0].map((fit) => 1 / Math.max(MIN_UNEXPLAINED, 1 - fit));
    return (a * x + b * byFeatures[k]) / (a + b);
  });
}
