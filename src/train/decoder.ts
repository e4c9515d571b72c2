/** The decoder of a run: a model's own scores of pairs. */

import type { TrainedDecoder } from "../core/embedding.js";
import { InternalError } from "../core/errors.js";
import type { Model } from "../nn/model.js";
import type { Run } from "./run.js";

/**
 * The decoder of a run that was started `withRelations`; undefined for models without one. Each call of `vectors` computes the
 * vectors of one relation, because with many relations all of them may not fit into memory. Use it before the run is disposed of.
 */
export function liveDecoder(
  run: Run,
  { relationScore = "dot", relationVectors }: Pick<Model, "relationScore" | "relationVectors">,
  { directed }: { readonly directed: boolean },
): TrainedDecoder | undefined {
  if (relationVectors === undefined) return undefined;
  return {
    score: relationScore,
    directed,
    vectors: (relation) => run.relationVectors(relation) ?? missing(relation),
    rows: (relation) => run.relationRows(relation) ?? missing(relation),
  };
}

function missing(relation: number): never {
  throw new InternalError(`no vectors of relation ${relation}`);
}

/** The decoder with the vectors of all relations in memory; it can be used after the run is disposed of. */
export function readDecoder(
  run: Run,
  { relationScore = "dot" }: Pick<Model, "relationScore">,
  graph: { readonly directed: boolean; readonly relations: readonly unknown[] },
): TrainedDecoder | undefined {
  const all = graph.relations.flatMap((_, d) => run.relationVectors(d) ?? []);
  if (all.length === 0) return undefined;
  return { score: relationScore, directed: graph.directed, vectors: (relation) => all[relation] };
}
