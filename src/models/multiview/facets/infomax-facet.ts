/**
 * The infomax facet, only for graphs with node features: directions of vectors that were trained on the features.
 *
 * 1. Two trainings of HDMI run before everything else (`infomaxParts`), with averaged relations and features weighted by rarity.
 *    The first compares a vector with the features of its node, the second also with the summary of the graph.
 * 2. Groups of nodes on which two halves of features and edges agree (feature-groups.ts) are a third input.
 * 3. The facet has the leading directions of the three inputs together.
 */

import { InternalError } from "../../../core/errors.js";
import { undirectedRelations } from "../../../graph/union.js";
import { weightedInput } from "../../../nn/feature-weights.js";
import { type FeatureInput, type GraphInput, inStage, type Part, type PrecomputeTools } from "../../../nn/model.js";
import type { Rows } from "../../../numeric/rows.js";
import { hdmi } from "../../hdmi.js";
import { INFOMAX } from "../constants.js";
import { principalColumns } from "../principal-columns.js";
import { replaceEdges } from "../weights/edge-copies.js";
import { featureGroups, type GroupsInput } from "./feature-groups.js";

/** Columns of all HDMI trainings together. */
export const TRAINED_COLUMNS = Object.keys(INFOMAX.extrinsicWeights).length * INFOMAX.width;
/** Name of the stage that combines the inputs. */
export const PRINCIPAL_STAGE = "principal directions of the infomax facet";

/** The HDMI trainings; none without features. They read unweighted edges, because weights are tested later. */
export function infomaxParts(graph: GraphInput, featureDropout: number): readonly Part[] {
  const { numNodes, features } = graph;
  if (features === undefined) return [];
  const relations = replaceEdges(graph.relations, undirectedRelations(graph));
  const input: GraphInput = { numNodes, relations, directed: false, features: weightedInput(features, numNodes) };
  return Object.entries(INFOMAX.extrinsicWeights).map(([name, extrinsic]) => ({
    name: `infomax, ${name}`,
    model: hdmi,
    graph: input,
    settings: {
      preset: "intrinsic",
      dim: INFOMAX.width,
      extrinsic,
      normalizeFeatures: false,
      dropout: featureDropout,
      epochs: INFOMAX.epochs,
      patience: INFOMAX.patience,
    },
  }));
}

/** At most `max` directions of the three inputs together. */
export async function infomaxFacet(
  features: FeatureInput,
  graphs: Omit<GroupsInput, "features">,
  max: number,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const { numRows: numNodes } = graphs.relations[0];
  if (tools.parts === undefined) throw new InternalError("multiview: the infomax trainings did not run");
  const trained = tools.parts.map((data) => ({ data, width: data.length / numNodes }));
  const groups = await featureGroups({ features, ...graphs }, tools);
  return inStage(tools, PRINCIPAL_STAGE, () => principalColumns([...trained, ...groups], numNodes, max, tools));
}
