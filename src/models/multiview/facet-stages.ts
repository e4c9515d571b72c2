/** The stages in which the views of the multiview model are worked out, in their order, with their work. */

import { addWork, type Stage } from "../../core/work.js";
import type { GraphInput } from "../../nn/model.js";
import { spreadWork } from "./columns.js";
import { degreeWork } from "./facets/degree-facet.js";
import { weightsStages } from "./weights/edge-weights.js";
import { featureStage, quantityStage } from "./facets/feature-directions.js";
import { groupsStages, MAX_GROUPS } from "./facets/feature-groups.js";
import { principalWork } from "./principal-columns.js";
import { spectralStages } from "./facets/spectral-facet.js";
import { structureWidths, widestViews } from "./facet-widths.js";

/** Names of the stages that have no steps of their own. */
export const STAGES = {
  reading: "undirected relations",
  union: "union of the relations",
  degrees: "degrees",
  principal: "principal directions of the infomax view",
  sideBySide: "views side by side",
} as const;

/** Columns on the way to the infomax view, and copies of edges. */
export interface ViewShape {
  /** For each relation with weights, copies of an ordinary edge. */
  readonly copies: readonly (number | undefined)[];
  /** Directions that the view has at most. */
  readonly directions: number;
  /** Of the trainings before, in all. */
  readonly trainedColumns: number;
  /** Directions of the features that the encoder of the edges reads. */
  readonly featureInputs: number;
}

export function viewStages(graph: GraphInput, dim: number, shape: ViewShape): readonly Stage[] {
  const { numNodes, relations, directed } = graph;
  const entries = relations.map(({ columns }) => (directed ? 2 : 1) * columns.length);
  const all = entries.reduce((sum, own) => sum + own, 0);
  const weighted = entries.filter((_, d) => shape.copies[d] !== undefined);
  const copiesEach = shape.copies.find((own) => own !== undefined) ?? 1;
  const copies = entries.reduce((sum, own, d) => sum + own * (shape.copies[d] ?? 1), 0);
  const { structure, mostEdges, fewestEdges } = structureWidths(graph, dim, 0);
  const widths = widestViews(graph, dim);
  const spectral = structure - fewestEdges;
  const side = addWork(
    spreadWork(numNodes, Math.min(numNodes, spectral / 2), spectral),
    spreadWork(numNodes, widths.degrees, widths.degrees),
    spreadWork(numNodes, Math.min(numNodes, shape.directions), widths.infomax),
  );
  return [
    { name: STAGES.reading, work: { entries: 4 * all + 3 * copies } },
    ...weightsStages({ numNodes, entries: weighted }, copiesEach),
    { name: STAGES.union, work: { entries: relations.length > 1 || directed ? 4 * copies : all } },
    { name: STAGES.degrees, work: degreeWork(numNodes, relations.length, copies) },
    ...spectralStages({ numNodes, entries, copies }, { entries: [all], copies }, mostEdges, spectral),
    ...infomaxStages(graph, entries, shape),
    {
      name: STAGES.sideBySide,
      work: side,
      most: addWork(side, spreadWork(numNodes, Math.min(numNodes, spectral), spectral)),
    },
  ];
}

/** `relations` are the entries of each relation. */
function infomaxStages(
  { numNodes, features }: GraphInput,
  relations: readonly number[],
  { directions, trainedColumns, featureInputs }: ViewShape,
): Stage[] {
  if (features === undefined) return [];
  const sizes = { numNodes, numColumns: features.numColumns, entries: features.columns.length };
  const groups = (MAX_GROUPS * (MAX_GROUPS + 1)) / 2;
  return [
    ...groupsStages(sizes, relations),
    {
      name: STAGES.principal,
      work: principalWork(numNodes, trainedColumns, directions),
      most: principalWork(numNodes, trainedColumns + groups, directions),
    },
    quantityStage(sizes, directions),
    featureStage(sizes, relations, featureInputs),
  ];
}
