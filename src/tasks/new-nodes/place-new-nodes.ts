/**
 * Vectors for new nodes, which the training graph did not have, from their edges to known nodes and from their features.
 *
 * A vector is predicted from the vectors of the neighbours by maps that were fitted to the known nodes (neighbor-map.ts), for
 * the vectors of any model; the held-out R² of the maps says how good the predictions are. Its length is limited to that of
 * the longest known vector, because the maps are fitted to means of many neighbours, which are shorter than the vector of a
 * single neighbour. If there are features, another map predicts from them (feature-map.ts). For a node with edges and
 * features, every column is the mean of the two predictions with weights 1/(1 − R²).
 */

import { type Embedding, requireVectors } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { valueText } from "../../core/validation.js";
import { type Multiplex, requireMultiplex } from "../../graph/multiplex.js";
import { weighRows } from "../../nn/feature-weights.js";
import type { FeatureInput } from "../../nn/model.js";
import type { CsrMatrix } from "../../numeric/csr.js";
import { applyFeatureMap, type FeatureMap } from "./feature-map.js";
import { mapInputs, type NeighborMap, predictVector } from "./neighbor-map.js";

/** Vectors of new nodes, and how they were computed. */
export interface PlacedNodes {
  /** Vectors of the new nodes that could be placed, in the order of the graph. */
  readonly embedding: Embedding;
  /** Ids of new nodes without features and without a path to a known node. */
  readonly unplaced: readonly string[];
  /** Number of known nodes that are neighbours of new nodes. */
  readonly numKnown: number;
  /** Number of rounds. Round 1 places the neighbours of known nodes, round 2 the neighbours of these, and so on. */
  readonly rounds: number;
  /** Number of nodes placed after round 1 by edges. */
  readonly byPlaced: number;
  /** Number of nodes placed by edges and features. */
  readonly withFeatures: number;
  /** Number of nodes placed by features alone. */
  readonly byFeatures: number;
}

/** The maps that place new nodes. */
export interface NodeMaps {
  /** From `fitNeighborMap`. */
  readonly neighbors: NeighborMap;
  /** The map from `fitFeatureMap`, and the features of the graph's nodes in the columns of the training. */
  readonly features?: { readonly map: FeatureMap; readonly rows: FeatureInput };
}

/** Minimum of 1 − R² in the weights: the measured R² is not exact. */
const MIN_UNEXPLAINED = 0.01;

/** Places the nodes of `graph` that `known` has no vectors for, starting with the neighbours of known nodes. */
export function placeNewNodes(maps: NodeMaps, known: Embedding, graph: Multiplex): PlacedNodes {
  requireMaps(maps, known, graph);
  const { neighbors, features } = maps;
  const { dim } = neighbors;
  const inputs = mapInputs(graph, neighbors);
  const relations = inputs.matrices;
  const places = new Map(known.ids.map((id, at) => [id, at]));
  const found: (Float32Array | undefined)[] = graph.ids.map((id) => {
    const at = places.get(id);
    return at === undefined ? undefined : known.vectors.subarray(at * dim, (at + 1) * dim);
  });
  const byFeatures = featurePlacer(features, graph.numNodes);
  const maxLength = longestOf(known);
  const newNodes = graph.ids.flatMap((_, node) => (found[node] === undefined ? [node] : []));
  const numKnown = neighborsOfNodes(relations, newNodes).filter((node) => found[node] !== undefined).length;
  const waiting = () => newNodes.filter((node) => found[node] === undefined);
  let reachable = newNodes; // nodes that may have a neighbour with a vector
  const placed: number[] = [];
  const counts = { rounds: 0, byPlaced: 0, withFeatures: 0, byFeatures: 0 };
  for (;;) {
    const byEdges = reachable.flatMap((node) => {
      const edges = predictVector(neighbors, inputs, node, (other) => found[other]);
      return edges === undefined ? [] : [{ node, edges, features: byFeatures(node) }];
    });
    // if no waiting node has a neighbour with a vector, nodes are placed by features; their neighbours follow
    const now =
      byEdges.length > 0
        ? byEdges.map(({ node, edges, features: other }) => {
            if (other !== undefined) counts.withFeatures++;
            const vector = other === undefined ? edges : combine(edges, neighbors.fit, other, features);
            return { node, vector: Float32Array.from(vector) };
          })
        : waiting().flatMap((node) => {
            const vector = byFeatures(node);
            return vector === undefined ? [] : [{ node, vector: Float32Array.from(vector) }];
          });
    if (now.length === 0) break;
    if (byEdges.length === 0) counts.byFeatures += now.length;
    else if (counts.rounds > 0) counts.byPlaced += now.length;
    counts.rounds++;
    // all nodes of a round at once, so that the order of nodes does not matter
    for (const { node, vector } of now) found[node] = limitLength(vector, maxLength);
    for (const { node } of now) placed.push(node);
    reachable = neighborsOfNodes(
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
      `placeNewNodes: the map has width ${valueText(neighbors?.dim)}, the vectors have width ${known.dim}; expected the map that fitNeighborMap returned for these vectors.`,
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

function limitLength(vector: Float32Array, maxLength: number): Float32Array {
  const length = lengthOf(vector);
  return length > maxLength ? vector.map((x) => (x * maxLength) / length) : vector;
}

/** All neighbours of these nodes, ascending. */
function neighborsOfNodes(relations: readonly CsrMatrix[], nodes: readonly number[]): number[] {
  const found = new Set<number>();
  for (const { rowStart, columns } of relations) {
    for (const node of nodes) for (let e = rowStart[node]; e < rowStart[node + 1]; e++) found.add(columns[e]);
  }
  return [...found].sort((a, b) => a - b);
}

/** A function that predicts a node's vector from its features; undefined for a node without features. */
function featurePlacer(features: NodeMaps["features"], numNodes: number): (node: number) => Float64Array | undefined {
  if (features === undefined) return () => undefined;
  const { map, rows } = features;
  const weighted = weighRows(rows, numNodes, map.read);
  // a node that has only zeros has no words, but it may have quantities that are 0
  const hasQuantities = map.read.deviation.some((deviation) => deviation > 0);
  const hasFeatures = (node: number): boolean => {
    const values = rows.values?.subarray(rows.rowStart[node], rows.rowStart[node + 1]);
    return rows.rowStart[node + 1] > rows.rowStart[node] && (hasQuantities || (values?.some((x) => x !== 0) ?? true));
  };
  return (node) => (hasFeatures(node) ? applyFeatureMap(map, weighted, node) : undefined);
}

/** The mean of two predictions with weights 1/(1 − R²) in every column. */
function combine(
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
