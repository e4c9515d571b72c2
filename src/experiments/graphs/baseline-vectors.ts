/** Baselines of classification: vectors that are computed from the graph without training. */

import type { Embedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import type { Engine } from "../../engine/engine.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { undirectedRelations, unionAdjacency } from "../../graph/union.js";
import { diffusionDirections } from "../../nn/diffusion/diffusion-directions.js";
import { type TransitionMatrix, transitionMatrix } from "../../nn/diffusion/transition-matrix.js";
import { type CsrMatrix, multiplySparse } from "../../numeric/csr.js";
import { leadingSingularVectors } from "../../numeric/eigen/leading-singular-vectors.js";
import type { Rows } from "../../numeric/rows.js";
import { SPECTRAL_DIM } from "../../tasks/links/spectral-embedding.js";
import { degreeRows } from "../../tasks/prediction/label-baselines.js";
import { featureVectors, hasSmallFeatures, unionEigenvectors } from "./untrained-vectors.js";

export interface VectorBaseline {
  /** Name in tables. */
  readonly name: string;
  /** Subject and verb of a sentence such as "The features alone score higher". */
  readonly subject: string;
  readonly vectors: (engine: Engine) => Embedding | Promise<Embedding>;
}

/** With more relations the degree profile is reduced to its leading directions; not tuned. */
const MAX_DEGREE_COLUMNS = 256;
/** Leading diffusion directions. */
const NUM_DIFFUSION = 16;
/** Leading directions of a profile or of features with too many columns. */
const NUM_DIRECTIONS = 64;

/** One entry per baseline; it returns undefined if the graph does not have the data that the baseline needs. */
const BASELINES: readonly ((graph: Multiplex) => VectorBaseline | undefined)[] = [
  (graph) => ({
    name: "majority class",
    subject: "Always predicting the most frequent label scores",
    // without columns a probe knows only how frequent each label is
    vectors: () => constantVectors(graph),
  }),
  (graph) => ({
    name: graph.relations.length <= MAX_DEGREE_COLUMNS ? "degree profile" : reduced("degree profile"),
    subject: "The degrees alone score",
    vectors: () => degreeProfile(graph),
  }),
  (graph) =>
    graph.features && {
      name: hasSmallFeatures({ graph }) ? "features only" : reduced("features only"),
      subject: "The features alone score",
      vectors: () => featuresOrDirections(graph),
    },
  (graph) =>
    graph.features && {
      name: hasSmallFeatures({ graph }) ? "features of neighbours" : reduced("features of neighbours"),
      subject: "The features averaged over neighbours score",
      vectors: () => averageOverNeighbours(graph, featuresOrDirections(graph)),
    },
  (graph) => ({
    name: `diffusion-${NUM_DIFFUSION}`,
    subject: "The diffusion directions score",
    vectors: async (engine) => {
      const found = await diffusionDirections(async () => walkOf(graph), NUM_DIFFUSION, { engine, seed: 1 });
      // a graph without edges has no directions
      return found.width === 0 ? constantVectors(graph) : { ids: graph.ids, dim: found.width, vectors: found.data };
    },
  }),
  (graph) => ({
    name: `spectral-${SPECTRAL_DIM}, union`,
    subject: "The spectral vectors score",
    vectors: () => unionEigenvectors({ graph }),
  }),
];

/** The baselines for which the graph has the data. */
export function vectorBaselines(graph: Multiplex): VectorBaseline[] {
  return BASELINES.flatMap((baseline) => baseline(graph) ?? []);
}

function reduced(name: string): string {
  return `${name}, ${NUM_DIRECTIONS} directions`;
}

/** ln(1 + degree) in each relation, or the leading directions of these columns if there are many relations. */
export function degreeProfile(graph: Multiplex): Embedding {
  const { ids, numNodes, relations } = graph;
  const adjacencies = relations.map((relation) => unionAdjacency(graph, [relation]));
  if (relations.length <= MAX_DEGREE_COLUMNS) return toEmbedding(ids, degreeRows(adjacencies, numNodes));
  const rowStart = new Uint32Array(numNodes + 1);
  for (const { rowStart: starts } of adjacencies) {
    for (let i = 0; i < numNodes; i++) rowStart[i + 1] += Number(starts[i + 1] > starts[i]);
  }
  for (let i = 0; i < numNodes; i++) rowStart[i + 1] += rowStart[i];
  const columns = new Uint32Array(rowStart[numNodes]);
  const values = new Float32Array(columns.length);
  const next = rowStart.slice();
  adjacencies.forEach(({ rowStart: starts }, r) => {
    for (let i = 0; i < numNodes; i++) {
      if (starts[i + 1] === starts[i]) continue;
      columns[next[i]] = r;
      values[next[i]++] = Math.log1p(starts[i + 1] - starts[i]);
    }
  });
  return directionsOf(ids, { rowStart, columns, values }, relations.length, "degree directions");
}

function featuresOrDirections(graph: Multiplex): Embedding {
  const { features, ids } = graph;
  if (features === undefined || hasSmallFeatures({ graph })) return featureVectors({ graph });
  return directionsOf(ids, features, features.numColumns, "feature directions");
}

function directionsOf(ids: readonly string[], matrix: CsrMatrix, numColumns: number, purpose: string): Embedding {
  const sizes = { numRows: ids.length, numColumns, count: NUM_DIRECTIONS };
  return toEmbedding(ids, leadingSingularVectors(matrix, sizes, new Rng(1, purpose)));
}

function constantVectors({ ids }: Multiplex): Embedding {
  return { ids, dim: 1, vectors: new Float32Array(ids.length) };
}

/** The random walk over the relations; an edge is walked in both directions, without its weight. */
function walkOf(graph: Multiplex): TransitionMatrix {
  return transitionMatrix(undirectedRelations(graph), graph.numNodes);
}

/**
 * P·X, where P is the mean of D⁻¹·A over the relations in which a node has neighbours. A node without neighbours keeps its
 * own vector.
 */
export function averageOverNeighbours(graph: Multiplex, { ids, dim, vectors }: Embedding): Embedding {
  const walk = walkOf(graph);
  const averaged = new Float64Array(vectors.length);
  multiplySparse(walk, Float64Array.from(vectors), dim, averaged);
  const hasNeighbours = (node: number) => walk.rowStart[node + 1] > walk.rowStart[node];
  return { ids, dim, vectors: vectors.map((own, at) => (hasNeighbours(Math.floor(at / dim)) ? averaged[at] : own)) };
}

function toEmbedding(ids: readonly string[], { data, width }: Rows): Embedding {
  return { ids, dim: width, vectors: Float32Array.from(data) };
}
