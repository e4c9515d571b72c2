/** What the preparation found out about the graph, in words for the user. */

import { hasWeights } from "../../graph/counted-relations.js";
import type { GraphInput, VectorView } from "../../nn/model.js";
import type { Preparation } from "./preparation.js";
import { weightsInWords } from "./weights/edge-weights.js";

/** All facets in the order of their columns. */
export function facetWidths({ facets, numEdgeColumns }: Preparation): VectorView[] {
  const untrained = facets.map(({ name, columns }) => ({ name, width: columns.width }));
  return [...untrained, { name: "edges", width: numEdgeColumns }];
}

/** One clause each. */
export function findings({ relations }: GraphInput, { weightUse, hasTable }: Preparation): string[] {
  const names = relations.map((relation) => (hasWeights(relation) ? relation.name : undefined));
  return [
    ...weightsInWords(names, weightUse.used, weightUse.forced),
    ...(hasTable
      ? []
      : ["only a few directions are statistically significant, so links are predicted from them alone"]),
  ];
}
