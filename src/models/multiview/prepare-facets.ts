/** The preparation: computes the untrained facets, divides the columns among all facets, and chooses the inputs of the edges. */

import { ALONE } from "../../core/sharing.js";
import { diffusionDirections } from "../../nn/diffusion/diffusion-directions.js";
import { smoothing } from "../../nn/diffusion/smoothing.js";
import { type TransitionMatrix, transitionMatrix } from "../../nn/diffusion/transition-matrix.js";

import { type GraphInput, inStage, type PrecomputeTools } from "../../nn/model.js";
import { sharedTranspose } from "../../nn/shared-transpose.js";
import { joinColumns, lastColumns, leadingColumns, NO_COLUMNS, scaledToLength } from "../../numeric/columns.js";
import { type Rows, unitRows } from "../../numeric/rows.js";
import { LENGTHS, RELATION_COLUMNS } from "./constants.js";
import { STAGES } from "./facet-stages.js";
import { edgeLimits, explainedWidth, maxWidths, numFeatureDirections, numFineDirections } from "./facet-widths.js";
import { categoryFacet, categoryWidths, findCategories, smoothedCategories } from "./facets/category-facet.js";
import { degreeFacet } from "./facets/degree-facet.js";
import { neighborhoodDirections } from "./facets/feature-directions.js";
import { explainedShare, type FeatureFacets, featureFacets, ownDirections } from "./facets/feature-facet.js";
import { infomaxFacet } from "./facets/infomax-facet.js";
import { relationColumns } from "./facets/relation-columns.js";
import { type SpectralColumns, type SpectralFacet, spectralFacet } from "./facets/spectral-facet.js";
import {
  columnsOfFeatures,
  placedFacets,
  type StructureWidths,
  scaledFacets,
  structureLengths,
} from "./placed-facets.js";
import { type FacetColumns, inputsWith, type Preparation } from "./preparation.js";
import { closedShares, hasCliques } from "./significance/closed-share.js";
import { areRelated } from "./significance/related-features.js";
import type { SimpleGraph } from "./weights/edge-copies.js";
import { sharedEdges } from "./weights/shared-graphs.js";
import { normalizedEdges, trainedRelation } from "./weights/trained-relations.js";
import { type WeighedEdges, weighEdges } from "./weights/weighed-edges.js";

interface Options {
  readonly dim: number;
  readonly weights: string;
  /** Given if the vector stands next to features. */
  readonly beside?: BesideFeatures;
}

interface BesideFeatures {
  /** Width of the whole vector. As many directions are tested as for that; with fewer, significant ones may be missed. */
  readonly wholeWidth: number;
  /** What is known already. */
  readonly weighed?: WeighedEdges;
  readonly directions?: SpectralFacet;
}

/**
 * All facets. Next to categories, and next to many features that have nothing in common with the edges, stands a narrower vector of the graph without
 * features.
 */
export async function prepareFacets(graph: GraphInput, options: Options, tools: PrecomputeTools): Promise<Preparation> {
  const { dim: wholeWidth, weights } = options;
  const alone = { ...graph, features: undefined };
  const next = async (own: readonly FacetColumns[], known: Omit<BesideFeatures, "wholeWidth">) => {
    const width = own.reduce((sum, { columns }) => sum + columns.width, 0);
    const structure = { weights, dim: wholeWidth - width, beside: { wholeWidth, ...known } };
    const prepared = await prepareTogether(alone, structure, tools);
    return { ...prepared, facets: [...own, ...prepared.facets] };
  };
  const categories = findCategories(graph, wholeWidth);
  if (categories !== undefined) {
    const { sharing = ALONE } = tools;
    const weighed = await weighEdges(alone, weights, tools);
    const { union, relations } = weighed;
    const { max } = edgeLimits(wholeWidth, wholeWidth, 0, hasCliques(closedShares(relations, tools.seed)));
    const directions = await spectralFacet(union, relations, max, tools);
    const related = await areRelated(graph, tools);
    const widths = categoryWidths(categories, wholeWidth, directions.numDirections, related);
    const own = await categoryFacet(categories, widths, tools);
    const facets: FacetColumns[] = [{ name: "features", columns: own }];
    if (!related) return next(facets, { weighed, directions });
    // neighbours share categories: averages over neighbours say more of a node, and of its links
    const smoothed = await smoothedCategories(categories, relations, wholeWidth, tools);
    const placed = await sharing.once(() => leadingColumns(smoothed, widths.smoothed));
    const prepared = await next([...facets, { name: "smoothed features", columns: placed }], { weighed, directions });
    const inputs = await sharing.once(() => inputsWith(prepared, graph.numNodes, [own, smoothed]));
    return { ...prepared, ...inputs };
  }
  const own = await unrelatedFeatures(graph, wholeWidth, tools);
  if (own.width === 0) return prepareTogether(graph, options, tools);
  return next([{ name: "features", columns: own }], {});
}

/** Directions of many features that have nothing in common with the edges; no columns if they have, or if there are few features. */
async function unrelatedFeatures(graph: GraphInput, dim: number, tools: PrecomputeTools): Promise<Rows<Float32Array>> {
  const { features, numNodes } = graph;
  const { sharing = ALONE } = tools;
  const max = maxWidths(graph, dim).features;
  // a vector holds all directions of few features anyway
  if (features === undefined || features.numColumns <= max) return NO_COLUMNS;
  if (await areRelated(graph, tools)) return NO_COLUMNS;
  const own = await ownDirections(features, numNodes, max, tools);
  return sharing.once(() => leadingColumns(own, explainedWidth(max, explainedShare(own))));
}

/** All facets of features that may have something in common with the edges, or without features. */
async function prepareTogether(
  graph: GraphInput,
  { dim, weights, beside }: Options,
  tools: PrecomputeTools,
): Promise<Preparation> {
  const { sharing = ALONE } = tools;
  const max = maxWidths(graph, dim);
  const weighed = beside?.weighed ?? (await weighEdges(graph, weights, tools));
  const { relations } = weighed;
  const degrees = await inStage(tools, STAGES.degrees, () =>
    sharing.once(() => degreeFacet(relations, max.degrees, tools.seed)),
  );
  const makeWalk = () =>
    inStage(tools, STAGES.walk, () => sharing.once(() => transitionMatrix(relations, graph.numNodes)));
  // as large as the graph: kept only if the features are smoothed with it
  const walk = graph.features && (await makeWalk());
  const numDiffused = max.diffusion + numFineDirections(graph, dim, beside !== undefined);
  const diffusion = await diffusionDirections(async () => walk ?? makeWalk(), numDiffused, tools);
  const fromFeatures = await directionsFromFeatures(graph, { relations, walk, dim }, tools);
  const shares = closedShares(relations, tools.seed);
  const known = { dim, beside, degrees, diffusion, fromFeatures, closedShares: shares };
  const divided = await divideColumns(graph, weighed, known, tools);
  const { fromFeatures: placed, structure } = await useSpareColumns(graph, fromFeatures, divided, tools);
  // directions that explain all structure may describe any relation; otherwise sparse relations would fit their own edges
  const minClosed = structure.hasTable ? RELATION_COLUMNS.minClosed : 0;
  const candidates = [...relations.keys()].filter((d) => shares[d] >= minClosed);
  const ofRelations = await relationColumns(relations, candidates, tools);
  const { diffusion: numCoarse, "fine diffusion": numFine } = structure.widths;
  // further directions of the diffusion add nothing to the scores where every relation has columns of its own
  const numInScores = numCoarse + (ofRelations.ofAll ? 0 : numFine);
  const columns = await inStage(tools, STAGES.sideBySide, () =>
    sharing.once(() => ({
      facets: scaledFacets(
        placedFacets(
          { degrees, diffusion, spectral: structure.spectral, fromFeatures: placed },
          structure.widths,
          tools.seed,
        ),
      ),
      ...edgeInputs(graph.numNodes, structure, fromFeatures, leadingColumns(diffusion, numInScores)),
    })),
  );
  const edges = await sharedEdges(relations, sharing);
  const { numEdgeColumns, hasTable } = structure;
  return {
    ...columns,
    numEdgeColumns,
    edgeLength: structureLengths(fromFeatures).edges,
    hasTable,
    relationColumns: ofRelations,
    weightUse: weighed.weightUse,
    relations: relations.map((relation, d) => trainedRelation(relation, edges[d])),
  };
}

interface FromFeatures extends FeatureFacets {
  readonly infomax: Rows<Float32Array>;
  /** Directions that the encoder of the edges reads. */
  readonly inputs: { readonly features: Rows<Float32Array>; readonly infomax: Rows<Float32Array> };
}

/** The facets that need features, and the inputs of the edges encoder; undefined without features. */
async function directionsFromFeatures(
  graph: GraphInput,
  {
    relations,
    walk,
    dim,
  }: { readonly relations: readonly SimpleGraph[]; readonly walk?: TransitionMatrix; readonly dim: number },
  tools: PrecomputeTools,
): Promise<FromFeatures | undefined> {
  const { numNodes, features } = graph;
  if (features === undefined || walk === undefined) return undefined;
  const { sharing = ALONE } = tools;
  const max = maxWidths(graph, dim);
  const widths = { own: max.features, smoothed: max["smoothed features"] };
  const normalize = async (graphs: readonly SimpleGraph[]) =>
    (await sharedEdges(graphs, sharing)).map((edges) => normalizedEdges(edges, numNodes));
  const smooth = smoothing(walk, await sharedTranspose(walk, sharing));
  const { own, smoothed, unrelated } = await featureFacets(features, numNodes, smooth, widths, tools);
  const kept = await sharing.once(() => leadingColumns(own, explainedWidth(max.features, explainedShare(own))));
  // columns that the features do not need go to infomax
  const numInfomax = max.infomax + max.features - kept.width;
  const infomax = await infomaxFacet(features, { relations, normalize }, numInfomax, tools);
  const numDirections = numFeatureDirections(dim);
  const ofNeighbors = await neighborhoodDirections(features, await normalize(relations), numDirections, tools);
  const unit = await sharing.once(() => ({
    all: withUnitRows(infomax),
    leading: withUnitRows(leadingColumns(infomax, max.infomax)),
  }));
  return {
    infomax: unit.all,
    own: kept,
    smoothed,
    unrelated,
    inputs: { features: ofNeighbors, infomax: unit.leading },
  };
}

function withUnitRows({ data, width }: Rows<Float32Array>): Rows<Float32Array> {
  return { data: unitRows(data, width), width };
}

/** The facets whose widths are known before the columns are divided. */
interface Known {
  readonly dim: number;
  readonly beside?: BesideFeatures;
  readonly degrees: Rows<Float32Array>;
  readonly diffusion: Rows<Float32Array>;
  readonly fromFeatures?: FromFeatures;
  /** The share of closed paths in each relation. */
  readonly closedShares: readonly number[];
}

interface Structure {
  readonly spectral: SpectralColumns;
  readonly widths: StructureWidths;
  readonly numEdgeColumns: number;
  readonly hasTable: boolean;
}

/**
 * Divides the columns that degrees and features leave. Edges get as many as there are significant directions, within limits;
 * diffusion gets its share; spectral directions fill the rest.
 */
async function divideColumns(
  graph: GraphInput,
  { relations, union }: WeighedEdges,
  { dim, beside, degrees, diffusion, fromFeatures, closedShares }: Known,
  tools: PrecomputeTools,
): Promise<Structure> {
  const rest = dim - degrees.width - columnsOfFeatures(fromFeatures);
  const maxCoarse = Math.min(maxWidths(graph, dim).diffusion, diffusion.width);
  const limits = edgeLimits(dim, rest, maxCoarse, fromFeatures === undefined && hasCliques(closedShares));
  const tried = beside === undefined ? 0 : edgeLimits(beside.wholeWidth, beside.wholeWidth, 0).max;
  const directions = beside?.directions ?? (await spectralFacet(union, relations, Math.max(tried, limits.max), tools));
  const needed = Math.max(limits.min, Math.min(limits.max, directions.numDirections));
  // spectral directions that explain all structure leave nothing to the diffusion
  const numDiffused = directions.complete ? 0 : Math.min(diffusion.width, rest - needed);
  const spectral = await directions.columns(rest - needed - numDiffused);
  const { width, numAssortative, numOpposed } = spectral;
  // the edges need a table unless the spectral columns explain all structure
  const hasTable = graph.features !== undefined || !directions.complete || numAssortative === 0 || numOpposed > 0;
  const free = rest - numDiffused;
  const withoutTable = Math.max(needed, Math.min(numAssortative, limits.max, free - width));
  const numEdgeColumns = width === 0 ? free : hasTable ? needed : withoutTable;
  const numCoarse = Math.min(maxCoarse, numDiffused);
  const widths = { diffusion: numCoarse, "fine diffusion": numDiffused - numCoarse, spectral: free - numEdgeColumns };
  return { spectral, widths, numEdgeColumns, hasTable };
}

/** Gives further directions of the features the columns over which fewer spectral directions would be spread. */
async function useSpareColumns(
  { features, numNodes }: GraphInput,
  fromFeatures: FromFeatures | undefined,
  structure: Structure,
  tools: PrecomputeTools,
): Promise<{ readonly fromFeatures: FromFeatures | undefined; readonly structure: Structure }> {
  const { spectral, widths } = structure;
  if (features === undefined || fromFeatures === undefined) return { fromFeatures, structure };
  const { width } = fromFeatures.own;
  const more = Math.min(widths.spectral - spectral.width, features.numColumns - width);
  // without a column the features are constant or the vector is too narrow
  if (more <= 0 || width === 0) return { fromFeatures, structure };
  const own = await ownDirections(features, numNodes, width + more, tools);
  const wider = { ...fromFeatures, own };
  const taken = columnsOfFeatures(wider) - columnsOfFeatures(fromFeatures);
  return { fromFeatures: wider, structure: { ...structure, widths: { ...widths, spectral: widths.spectral - taken } } };
}

/** The columns that the encoder of the edges reads, and the fixed columns of its scores; `diffusion` are those of the diffusion. */
function edgeInputs(
  numNodes: number,
  { spectral, hasTable }: Structure,
  fromFeatures: FromFeatures | undefined,
  diffusion: Rows<Float32Array>,
): Pick<Preparation, "encoderInputs" | "fixedColumns" | "diffusedColumns"> {
  const opposed = lastColumns(scaledToLength(spectral, LENGTHS.opposedInScores), spectral.numOpposed);
  if (fromFeatures === undefined) {
    const assortative = lastColumns(spectral, hasTable ? 0 : spectral.numAssortative);
    return {
      encoderInputs: scaledToLength(assortative, 1),
      fixedColumns: opposed,
      diffusedColumns: scaledToLength(diffusion, LENGTHS.diffusionInScores),
    };
  }
  const { features, infomax } = fromFeatures.inputs;
  return {
    encoderInputs: joinColumns(numNodes, [scaledToLength(features, 1), scaledToLength(infomax, LENGTHS.infomaxInput)]),
    fixedColumns: joinColumns(numNodes, [infomax, opposed]),
    diffusedColumns: NO_COLUMNS,
  };
}
