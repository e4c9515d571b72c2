/** The stages of the preparation of multiview, in order, with the work of each for time estimates. */

import { addWork, type Stage } from "../../core/work.js";
import type { GraphInput } from "../../nn/model.js";
import { rotateWork } from "./columns.js";
import { structureWidths, widestFacets } from "./facet-widths.js";
import { degreeWork } from "./facets/degree-facet.js";
import { featureStage, quantityStage } from "./facets/feature-directions.js";
import { groupsStages, MAX_GROUPS } from "./facets/feature-groups.js";
import { PRINCIPAL_STAGE, TRAINED_COLUMNS } from "./facets/infomax-facet.js";
import { relationColumnStages } from "./facets/relation-columns.js";
import { spectralStages } from "./facets/spectral-facet.js";
import { principalWork } from "./principal-columns.js";
import { weightsStages } from "./weights/edge-weights.js";

/** Names of the stages that report no intermediate steps. */
export const STAGES = {
  reading: "undirected relations",
  union: "union of the relations",
  degrees: "degrees",
  sideBySide: "facets side by side",
} as const;

/** Numbers that the work depends on, apart from the graph and dim. */
export interface FacetShape {
  /** Copies of an edge of median weight, for each relation with weights. */
  readonly copies: readonly (number | undefined)[];
  /** Maximum number of directions of the infomax facet. */
  readonly directions: number;
  /** Directions of the features that the encoder of the edges reads. */
  readonly featureInputs: number;
}

export function facetStages(graph: GraphInput, dim: number, shape: FacetShape): readonly Stage[] {
  const { numNodes, relations, directed } = graph;
  const entries = relations.map(({ columns }) => (directed ? 2 : 1) * columns.length);
  const all = entries.reduce((sum, count) => sum + count, 0);
  const weighted = entries.filter((_, d) => shape.copies[d] !== undefined);
  const copiesEach = shape.copies.find((count) => count !== undefined) ?? 1;
  const copies = entries.reduce((sum, count, d) => sum + count * (shape.copies[d] ?? 1), 0);
  const { structure, maxEdges, minEdges } = structureWidths(graph, dim, 0);
  const widths = widestFacets(graph, dim);
  const spectral = structure - minEdges;
  const side = addWork(
    rotateWork(numNodes, Math.min(numNodes, spectral / 2), spectral),
    rotateWork(numNodes, widths.degrees, widths.degrees),
    rotateWork(numNodes, Math.min(numNodes, shape.directions), widths.infomax),
  );
  return [
    { name: STAGES.reading, work: { entries: 4 * all + 3 * copies } },
    ...weightsStages({ numNodes, entries: weighted }, copiesEach),
    { name: STAGES.union, work: { entries: relations.length > 1 || directed ? 4 * copies : all } },
    { name: STAGES.degrees, work: degreeWork(numNodes, relations.length, copies) },
    ...spectralStages({ numNodes, entries, copies }, { entries: [all], copies }, maxEdges, spectral),
    ...relationColumnStages({ numNodes, entries, copies }),
    ...infomaxStages(graph, entries, shape),
    {
      name: STAGES.sideBySide,
      work: side,
      maxWork: addWork(side, rotateWork(numNodes, Math.min(numNodes, spectral), spectral)),
    },
  ];
}

/** The stages that exist only with features; `relations` holds the number of entries of each relation. */
function infomaxStages(
  { numNodes, features }: GraphInput,
  relations: readonly number[],
  { directions, featureInputs }: FacetShape,
): Stage[] {
  if (features === undefined) return [];
  const sizes = { numNodes, numColumns: features.numColumns, entries: features.columns.length };
  const groups = (MAX_GROUPS * (MAX_GROUPS + 1)) / 2;
  return [
    ...groupsStages(sizes, relations),
    {
      name: PRINCIPAL_STAGE,
      work: principalWork(numNodes, TRAINED_COLUMNS, directions),
      maxWork: principalWork(numNodes, TRAINED_COLUMNS + groups, directions),
    },
    quantityStage(sizes, directions),
    featureStage(sizes, relations, featureInputs),
  ];
}
