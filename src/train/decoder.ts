/** A model's own scores of pairs, read from a run while its memory is held. */

import type { Embedding } from "../core/embedding.js";
import type { Model } from "../nn/model.js";
import type { Run } from "./run.js";

export interface TrainedDecoder {
  readonly score: "dot" | "cosine";
  readonly directed: boolean;
  /** Vectors of a relation; a pair (i, j) of it is scored from source_i and target_j. */
  vectors(relation: number): { readonly source: Embedding; readonly target?: Embedding };
}

/** The decoder of a run that was started `withRelations`; undefined for models that have none. */
export function readDecoder(
  run: Run,
  { relationScore = "dot" }: Pick<Model, "relationScore">,
  graph: { readonly directed: boolean; readonly relations: readonly unknown[] },
): TrainedDecoder | undefined {
  const all = graph.relations.flatMap((_, d) => run.relationVectors(d) ?? []);
  if (all.length === 0) return undefined;
  return { score: relationScore, directed: graph.directed, vectors: (relation) => all[relation] };
}
