/** Small scenes held in memory, for tests. */

import {
  type Adjacency,
  type Attribute,
  type DecoderVectors,
  INCOMING,
  OUTGOING,
  type Scene,
  type SceneHeader,
} from "../scene/scene.js";

/** Edges of one relation: pairs of node indices with a weight or none. */
export type TestEdges = readonly (readonly [number, number, number?])[];

/** The neighbours of each node in both directions of the edges. */
export function adjacencyOf(numNodes: number, edges: TestEdges, directed = false): Adjacency {
  const rows = Array.from({ length: numNodes }, () => new Map<number, number>());
  for (const [a, b, weight = 1] of edges) {
    rows[a].set(b, weight);
    rows[b].set(a, weight);
  }
  const sorted = rows.map((row) => [...row].sort(([a], [b]) => a - b));
  const rowStart = new Uint32Array(numNodes + 1);
  sorted.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.length;
  });
  const columns = Uint32Array.from(sorted.flat(), ([column]) => column);
  const weighted = edges.some(([, , weight]) => weight !== undefined);
  const isEdge = new Set(edges.map(([a, b]) => `${a} ${b}`));
  const directions = sorted.flatMap((row, a) =>
    row.map(([b]) => (isEdge.has(`${a} ${b}`) ? OUTGOING : 0) | (isEdge.has(`${b} ${a}`) ? INCOMING : 0)),
  );
  return {
    rowStart,
    columns,
    ...(weighted ? { weights: Float32Array.from(sorted.flat(), ([, w]) => w) } : {}),
    ...(directed ? { directions: Uint8Array.from(directions) } : {}),
  };
}

/** Pairs of linked nodes, loops included. */
function numPairs({ rowStart, columns }: Adjacency): number {
  let pairs = 0;
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let at = rowStart[i]; at < rowStart[i + 1]; at++) if (columns[at] >= i) pairs++;
  }
  return pairs;
}

export interface TestSceneParts {
  readonly ids: readonly string[];
  readonly dim?: number;
  readonly vectors?: Float32Array;
  readonly facets?: SceneHeader["facets"];
  readonly relations?: Readonly<Record<string, TestEdges>>;
  readonly attributes?: readonly Attribute[];
  readonly directed?: boolean;
  readonly decoder?: { readonly kind: "dot" | "cosine"; readonly vectors: readonly DecoderVectors[] };
  readonly notes?: readonly string[];
}

export function testScene(parts: TestSceneParts): Scene {
  const { ids, dim = 2, relations = {}, attributes = [], decoder } = parts;
  const vectors = parts.vectors ?? new Float32Array(ids.length * dim);
  const adjacencies = Object.values(relations).map((edges) => adjacencyOf(ids.length, edges, parts.directed));
  const header: SceneHeader = {
    format: 1,
    program: "0.0.0",
    title: "test",
    numNodes: ids.length,
    dim,
    model: "test",
    seed: 1,
    facets: parts.facets ?? [],
    maps: [],
    relations: Object.keys(relations).map((name, i) => ({
      name,
      numEdges: numPairs(adjacencies[i]),
      weighted: adjacencies[i].weights !== undefined,
    })),
    directed: parts.directed ?? false,
    attributes,
    decoder: decoder?.kind,
    notes: parts.notes ?? [],
  };
  return {
    header,
    ids,
    maps: [],
    attributes,
    vectors: async () => vectors,
    adjacency: async (relation) => adjacencies[relation],
    decoder: async (relation) => decoder?.vectors[relation],
  };
}
