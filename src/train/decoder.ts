/** The decoder of a run: a model's own scores of pairs. */

import type { SlicedDecoder, TrainedDecoder } from "../core/embedding.js";
import { InternalError } from "../core/errors.js";
import type { Model } from "../nn/model.js";
import type { Run } from "./run.js";
import type { RelationEmbeddings } from "./run-tables.js";

/**
 * The decoder of a run that was started `withRelations`; undefined for models without one. Each call of `rows` computes the
 * vectors of one relation, because with many relations all of them may not fit into memory. Use it before the run is disposed of.
 */
export function liveDecoder(
  run: Run,
  { relationScore = "dot", relationVectors }: Pick<Model, "relationScore" | "relationVectors">,
  { directed }: { readonly directed: boolean },
): SlicedDecoder | undefined {
  if (relationVectors === undefined) return undefined;
  return {
    score: relationScore,
    directed,
    rows: async (relation) => (await run.relationRows(relation)) ?? missing(relation),
  };
}

function missing(relation: number): never {
  throw new InternalError(`no vectors of relation ${relation}`);
}

/** The decoder with the vectors of all relations in memory; it can be used after the run is disposed of. */
export async function readDecoder(
  run: Run,
  { relationScore = "dot" }: Pick<Model, "relationScore">,
  graph: { readonly directed: boolean; readonly relations: readonly unknown[] },
): Promise<TrainedDecoder | undefined> {
  const all: RelationEmbeddings[] = [];
  for (let d = 0; d < graph.relations.length; d++) {
    const found = await run.relationVectors(d);
    if (found !== undefined) all.push(found);
  }
  if (all.length === 0) return undefined;
  return { score: relationScore, directed: graph.directed, vectors: (relation) => all[relation] };
}
