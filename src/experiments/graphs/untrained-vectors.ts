/** Vectors that need no training: baselines, and upper bounds on the synthetic graphs. */

import type { Embedding } from "../../core/embedding.js";
import { InternalError } from "../../core/errors.js";
import { Rng } from "../../core/rng.js";
import { normalizedOperator } from "../../graph/normalize.js";
import { unionAdjacency } from "../../graph/union.js";
import { leadingEigenvectors } from "../../numeric/eigen/leading-eigenvectors.js";
import { SPECTRAL_DIM, spectralEmbedding } from "../../tasks/links/spectral-embedding.js";
import type { CaseData } from "./graph-case.js";

/** Largest number of feature entries (nodes × features) that are probed; the probe stores them densely in float64. Not tuned. */
const MAX_FEATURE_ENTRIES = 2e7;
/** Factor in tanh(2.5·√n·v): the entries ±1/√n of a vector that separates two equal halves become ±0.99. */
const SQUASH = 2.5;

/** Leading eigenvectors of the union of all relations. */
export function unionEigenvectors({ graph }: Pick<CaseData, "graph">): Embedding {
  const dim = Math.min(SPECTRAL_DIM, graph.numNodes);
  return spectralEmbedding(unionAdjacency(graph), graph.ids, { dim });
}

/** Whether the features are few enough for a probe on them. */
export function hasSmallFeatures({ graph }: Pick<CaseData, "graph">): boolean {
  return graph.features !== undefined && graph.numNodes * graph.features.numColumns <= MAX_FEATURE_ENTRIES;
}

/** The features as dense vectors. */
export function featureVectors({ graph }: Pick<CaseData, "graph">): Embedding {
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

/** The true community bits, one column per relation: all information about the labels of a synthetic graph. */
export function trueCommunities({ graph, communities }: CaseData): Embedding {
  if (communities === undefined) throw new InternalError("the true communities of this graph are not known");
  return columnsToRows(graph.ids, communities);
}

/** The second eigenvector of every relation, one column each; `squash` moves its entries close to ±1. */
export function relationSpectral({ graph }: CaseData, { squash }: { squash: boolean }): Embedding {
  const { ids, numNodes } = graph;
  const columns = graph.relations.map((relation, r) => {
    const matrix = normalizedOperator(unionAdjacency(graph, [relation]), numNodes, { selfLoop: 0, directed: false });
    const { data, width } = leadingEigenvectors(matrix, 2, new Rng(1, "relation spectral", r));
    const second = Float64Array.from({ length: numNodes }, (_, i) => data[i * width + 1]);
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

/** The vectors of these nodes, in this order; all of them must have one. */
export function selectVectors({ ids, dim, vectors }: Embedding, chosen: readonly string[]): Embedding {
  const rowOf = new Map(ids.map((id, row) => [id, row]));
  const selected = new Float32Array(chosen.length * dim);
  chosen.forEach((id, i) => {
    const row = rowOf.get(id);
    if (row === undefined) throw new InternalError(`node ${JSON.stringify(id)} has no vector`);
    selected.set(vectors.subarray(row * dim, (row + 1) * dim), i * dim);
  });
  return { ids: chosen, dim, vectors: selected };
}
