/** Whether features have something in common with the edges. */

import { Rng } from "../../../core/rng.js";
import { ALONE } from "../../../core/sharing.js";
import { standardizedFeatures } from "../../../nn/feature-weights.js";
import type { GraphInput, PrecomputeTools } from "../../../nn/model.js";
import { SIGNIFICANCE } from "../constants.js";
import { sharedRelations } from "../weights/shared-graphs.js";
import { edgeSimilarity } from "./edge-similarity.js";

/** Whether the features of neighbours differ from those of other pairs; true if this cannot be told. */
export async function areRelated(graph: GraphInput, tools: PrecomputeTools): Promise<boolean> {
  const { features, numNodes } = graph;
  if (features === undefined) return false;
  const { sharing = ALONE } = tools;
  const relations = await sharedRelations(graph, sharing);
  const similarity = await sharing.once(() =>
    edgeSimilarity(standardizedFeatures(features, numNodes), relations, new Rng(tools.seed, "features.pairs")),
  );
  return similarity === undefined || Math.abs(similarity) >= SIGNIFICANCE.minDeviations;
}
