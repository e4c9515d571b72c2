/** The relations with the edge weights that are used. */

import { ALONE } from "../../../core/sharing.js";
import { type GraphInput, inStage, type PrecomputeTools } from "../../../nn/model.js";
import { STAGES } from "../facet-stages.js";
import type { WeightUse } from "../preparation.js";
import type { SimpleGraph } from "./edge-copies.js";
import { usefulWeights } from "./edge-weights.js";
import { sharedCopies, sharedRelations, sharedUnion } from "./shared-graphs.js";
import { weightUse } from "./weight-use.js";

export interface WeighedEdges {
  /** The undirected relations; edges have copies by weight where weights are used. */
  readonly relations: readonly SimpleGraph[];
  readonly union: SimpleGraph;
  readonly weightUse: WeightUse;
}

/** Decides in which relations edge weights are used. */
export async function weighEdges(graph: GraphInput, weights: string, tools: PrecomputeTools): Promise<WeighedEdges> {
  const { sharing = ALONE } = tools;
  const unweighted = await inStage(tools, STAGES.reading, () => sharedRelations(graph, sharing));
  const counted = await sharedCopies(graph, unweighted, sharing);
  const choices = weightUse.choices(graph, weights);
  const used = await usefulWeights({ unweighted, counted }, tools, choices);
  const relations = unweighted.map((relation, d) => (used[d] === 1 ? counted[d] : relation));
  const union = await inStage(tools, STAGES.union, () => sharedUnion(graph, relations, used.includes(1), sharing));
  return { relations, union, weightUse: { used, ...weightUse.forced(choices) } };
}
