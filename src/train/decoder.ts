/** A model's own scores of pairs, read from a run while its memory is held. */

import type { TrainedDecoder } from "../core/embedding.js";
import type { Model } from "../nn/model.js";
import type { Run } from "./run.js";

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
