/** The stages of the preparation of multiview, in order, with the work of each for time estimates. */

import { addWork, type Stage, type Work } from "../../core/work.js";
import { diffusionStages } from "../../nn/diffusion/diffusion-directions.js";
import type { GraphInput } from "../../nn/model.js";
import { GROUP_LIMITS } from "./constants.js";
import { edgeLimits, maxWidths, numFeatureDirections, numFineDirections, widestFacets } from "./facet-widths.js";
import { categoryStage, categoryWidths, findCategories } from "./facets/category-facet.js";
import { degreeWork } from "./facets/degree-facet.js";
import { featureStage } from "./facets/feature-directions.js";
import { featureFacetStages } from "./facets/feature-facet.js";
import { groupsStages } from "./facets/feature-groups.js";
import { PRINCIPAL_STAGE, TRAINED_COLUMNS } from "./facets/infomax-facet.js";
import { relationColumnStages } from "./facets/relation-columns.js";
import { spectralStages } from "./facets/spectral-facet.js";
import { principalWork } from "./principal-columns.js";
import { rotateWork } from "./rotate-into.js";
import { weightsStages } from "./weights/edge-weights.js";

/** Names of the stages that report no intermediate steps. */
export const STAGES = {
  reading: "undirected relations",
  union: "union of the relations",
  degrees: "degrees",
  walk: "random walk over all relations",
  sideBySide: "facets side by side",
} as const;

/** `copiesByRelation`: copies of an edge of median weight, for each relation with weights. */
export function facetStages(
  graph: GraphInput,
  dim: number,
  copiesByRelation: readonly (number | undefined)[],
): readonly Stage[] {
  const categories = findCategories(graph, dim);
  if (categories === undefined) {
    const { reading, coarse, spectral, last } = stageGroups(graph, dim, copiesByRelation);
    return [...reading, ...coarse, ...spectral, ...last];
  }
  const { quantities, values } = categoryWidths(categories, dim, 0, false);
  const width = quantities + values;
  const alone = { ...graph, features: undefined };
  const { reading, coarse, spectral, last } = stageGroups(alone, dim - width, copiesByRelation, dim);
  const { numNodes, relations } = graph;
  const { numColumns, columns } = categories.features;
  const sizes = { numNodes, numColumns, entries: columns.length };
  const entries = relations.reduce((sum, relation) => sum + relation.columns.length, 0);
  const smoothed = { own: 0, smoothed: maxWidths(graph, dim)["smoothed features"] };
  return [
    ...reading,
    ...spectral,
    categoryStage(categories, width),
    ...coarse,
    ...last,
    ...featureFacetStages(sizes, entries, smoothed).slice(1),
  ];
}

/** `wholeWidth`: that of the vector, if this one stands next to features. */
function stageGroups(
  graph: GraphInput,
  dim: number,
  copiesByRelation: readonly (number | undefined)[],
  wholeWidth?: number,
) {
  const { numNodes, relations, directed } = graph;
  const entries = relations.map(({ columns }) => (directed ? 2 : 1) * columns.length);
  const all = entries.reduce((sum, count) => sum + count, 0);
  const weighted = entries.filter((_, d) => copiesByRelation[d] !== undefined);
  const copiesEach = copiesByRelation.find((count) => count !== undefined) ?? 1;
  const copies = entries.reduce((sum, count, d) => sum + count * (copiesByRelation[d] ?? 1), 0);
  const { edges, spectral, "fine diffusion": fine } = widestFacets(graph, dim);
  const limits = edgeLimits(dim, edges + spectral + fine, 0);
  // scaling and copying, fitted to planted graphs of 20,000 and 200,000 nodes
  const copying: Work = { loops: 80 * numNodes * dim };
  const reading: Stage[] = [
    { name: STAGES.reading, work: { entries: 4 * all + 3 * copies } },
    ...weightsStages({ numNodes, entries: weighted }, copiesEach),
    { name: STAGES.union, work: { entries: relations.length > 1 || directed ? 4 * copies : all } },
  ];
  const coarse: Stage[] = [
    { name: STAGES.degrees, work: degreeWork(numNodes, relations.length, copies) },
    { name: STAGES.walk, work: { entries: 6 * copies } },
    ...diffusionStages(
      numNodes,
      all,
      maxWidths(graph, dim).diffusion + numFineDirections(graph, dim, wholeWidth !== undefined),
    ),
    ...stagesWithFeatures(graph, dim, entries),
  ];
  const tests: Stage[] = spectralStages(
    { numNodes, entries, copies },
    { entries: [all], copies },
    wholeWidth === undefined ? limits.max : edgeLimits(wholeWidth, wholeWidth, 0).max,
    edges + spectral + fine - limits.min,
  );
  const last: Stage[] = [
    ...relationColumnStages({ numNodes, entries, copies }),
    { name: STAGES.sideBySide, work: addWork(copying, rotateWork(numNodes, spectral, spectral)) },
  ];
  return { reading, coarse, spectral: tests, last };
}

/** The stages that exist only with features; `relations` holds the number of entries of each relation. */
function stagesWithFeatures(graph: GraphInput, dim: number, relations: readonly number[]): Stage[] {
  const { numNodes, features } = graph;
  if (features === undefined) return [];
  const max = maxWidths(graph, dim);
  const entries = relations.reduce((sum, count) => sum + count, 0);
  const sizes = { numNodes, numColumns: features.numColumns, entries: features.columns.length };
  const groups = (GROUP_LIMITS.maxGroups * (GROUP_LIMITS.maxGroups + 1)) / 2;
  return [
    ...groupsStages(sizes, relations),
    {
      name: PRINCIPAL_STAGE,
      work: principalWork(numNodes, TRAINED_COLUMNS, max.infomax),
      maxWork: principalWork(numNodes, TRAINED_COLUMNS + groups, max.infomax),
    },
    ...featureFacetStages(sizes, entries, { own: max.features, smoothed: max["smoothed features"] }),
    featureStage(sizes, relations, numFeatureDirections(dim)),
  ];
}
