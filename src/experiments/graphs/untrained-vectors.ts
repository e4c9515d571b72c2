/** Vectors that need no training: what a model must beat, and what the synthetic graphs allow at most. */

import type { Embedding } from "../../core/embedding.js";
import { InternalError } from "../../core/errors.js";
import { Rng } from "../../core/rng.js";
import { unionAdjacency } from "../../graph/union.js";
import { leadingEigenvectors, SPECTRAL_DIM, spectralEmbedding } from "../../tasks/links/spectral-embedding.js";
import type { CaseData } from "./graph-case.js";

/** Features are laid out densely in float64 by the probe; above this many numbers they are left out. */
const MAX_FEATURE_ENTRIES = 2e7;
/** tanh(2.5·√n·v): the entries of a vector that tells two equal halves apart are ±1/√n, and become ±0.99. */
const SQUASH = 2.5;

/** Leading eigenvectors of the union of all relations. */
export function unionSpectral({ graph }: CaseData): Embedding {
  const dim = Math.min(SPECTRAL_DIM, graph.numNodes);
  return spectralEmbedding(unionAdjacency(graph), graph.ids, { dim });
}

/** Whether a probe on the features themselves is affordable. */
export function hasSmallFeatures({ graph }: CaseData): boolean {
  return graph.features !== undefined && graph.numNodes * graph.features.numColumns <= MAX_FEATURE_ENTRIES;
}

/** The features as they are, dense. */
export function featureVectors({ graph }: CaseData): Embedding {
  const { features, ids } = graph;
  if (features === undefined) throw new InternalError("the graph has no features");
  const dim = features.numColumns;
  const vectors = new Float32Array(ids.length * dim);
  for (let i = 0; i < ids.length; i++) {
    for (let e = features.rowStart[i]; e < features.rowStart[i + 1]; e++) {
      vectors[i * dim + features.columns[e]] = features.values?.[e] ?? 1;
    }
  }
  return { ids, dim, vectors };
}

/** The true community bits, one column a relation: no embedding of the synthetic graphs can hold more. */
export function trueCommunities({ graph, communities }: CaseData): Embedding {
  if (communities === undefined) throw new InternalError("the communities are not known");
  return columnsToRows(graph.ids, communities);
}

/** The second eigenvector of every relation, one column each; `squash` brings its entries near ±1. */
export function relationSpectral({ graph }: CaseData, { squash }: { squash: boolean }): Embedding {
  const { ids, numNodes } = graph;
  const columns = graph.relations.map((relation, r) => {
    const adjacency = unionAdjacency(graph, [relation]);
    const { vectors } = leadingEigenvectors(adjacency, numNodes, 2, 0, new Rng(1, "relation spectral", r));
    const second = vectors[1];
    return squash ? second.map((x) => Math.tanh(SQUASH * Math.sqrt(numNodes) * x)) : second;
  });
  return columnsToRows(ids, columns);
}

function columnsToRows(ids: readonly string[], columns: readonly ArrayLike<number>[]): Embedding {
  const dim = columns.length;
  const vectors = new Float32Array(ids.length * dim);
  for (let k = 0; k < dim; k++) for (let i = 0; i < ids.length; i++) vectors[i * dim + k] = columns[k][i];
  return { ids, dim, vectors };
}
