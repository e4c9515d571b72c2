/**
 * The default model: a vector whose columns are several facets of one graph. Each facet keeps information that the others
 * lose. Our own model, without a paper; docs/default-model.md describes it and lists the measurements.
 *
 * edges     trained to distinguish edges from negative pairs, with a decoder per relation (facets/edge-facet.ts). Usually these
 *           columns come from a table with one row per node. If the spectral facet already contains all significant
 *           structure, they are a linear map of its columns instead, because a table would only fit noise.
 * spectral  significant directions of the union of all relations and, if there is room, of single relations
 *           (facets/spectral-facet.ts). The last columns are opposed directions, along which neighbours have opposite signs.
 *           The scores of the edges facet read them too, because its own columns average over neighbours, and opposite signs
 *           cancel there. Not trained.
 * degrees   significant directions of the nodes' degrees over the relations (facets/degree-facet.ts). Not trained.
 * infomax   only with node features: directions of vectors that HDMI learned from the features, and of groups that features
 *           and edges determine (facets/infomax-facet.ts). Trained before the edges.
 *
 * Widths. Degrees get one column per significant direction, at most 1/8 of dim (1/16 with features). Edges get as many
 * columns as the union or a single relation has significant directions, at least 1/8 and at most 3/4 of dim (with features
 * at most 7/16). The spectral facet fills the rest of the space for structure, infomax the rest of the vector.
 * Every facet except the edges is mapped into its columns by a random isometry: a probe that standardises columns then
 * weighs a direction by its variance. No label and no constant of a data set is used.
 *
 * Edges are read as undirected. Edge weights are used unless edges alone show more significant structure
 * (weights/edge-weights.ts); the option weights overrides this.
 */

import { int, number } from "../../core/options.js";
import { concatColumns, normalizeRows, reshape, scale } from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import { bytesOfCopies, copiesByWeight, countedRelations, hasWeights } from "../../graph/counted-relations.js";
import { type NormalizedOperator, normalizedOperator } from "../../graph/normalize.js";
import { undirectedRelations, undirectedUnion } from "../../graph/union.js";
import { diffusionDirections } from "../../nn/diffusion/diffusion-directions.js";
import { smoothing } from "../../nn/diffusion/smoothing.js";
import { transitionMatrix } from "../../nn/diffusion/transition-matrix.js";
import { defineModel, type GraphInput, inStage, type Model } from "../../nn/model.js";
import { joinColumns, lastColumns, scaledToLength } from "../../numeric/columns.js";
import { facetStages, STAGES } from "./facet-stages.js";
import {
  edgeLimits,
  hasTable,
  layoutOf,
  maxWidths,
  numFeatureDirections,
  numFeatureInputs,
  numFineDirections,
  numFixedColumns,
  UNTRAINED_FACETS,
  widthsOf,
} from "./facet-widths.js";
import { degreeFacet } from "./facets/degree-facet.js";
import { batchOf, shareWithoutTable } from "./facets/edge-batch.js";
import {
  type EdgeParameters,
  type EdgePrepared,
  edgeLoss,
  edgeRelationBasis,
  edgeRelationVectors,
  encodeEdges,
  initEdgeFacet,
  prepareEdgeFacet,
} from "./facets/edge-facet.js";
import { neighborhoodDirections } from "./facets/feature-directions.js";
import { featureFacets } from "./facets/feature-facet.js";
import { infomaxFacet, infomaxParts } from "./facets/infomax-facet.js";
import { numRelationColumns, relationColumns } from "./facets/relation-columns.js";
import { MAX_OF_RELATIONS, spectralFacet } from "./facets/spectral-facet.js";
import { EDGE_LENGTH, layOut, placedFacets } from "./lay-out.js";
import { replaceEdges, type SimpleGraph, unionOfCopies } from "./weights/edge-copies.js";
import { usefulWeights, weightsInWords } from "./weights/edge-weights.js";
import { weightUse } from "./weights/weight-use.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  dropout: number(0.4, {
    min: 0,
    max: 0.95,
    doc: "dropout on the node table of the edges facet; halved if the graph has features",
  }),
  negatives: int(2, {
    min: 1,
    max: 100,
    doc: "random pairs per edge that share a node with the edge, and as many pairs of two random nodes",
  }),
  batch: int(0, {
    min: 0,
    max: 1e7,
    doc: "edges per step; 0: all edges, but at most 131072 (16384 without a node table)",
  }),
  weights: weightUse.option,
  featureDropout: number(0.5, { min: 0, max: 0.95, doc: "dropout on the features of the infomax facet" }),
};

/** Length of the infomax directions as inputs of the edges encoder; the directions of the features have length 1 there. */
const INFOMAX_INPUT_LENGTH = 2;
/** Length of the opposed directions in the scores of the edges. */
const OPPOSED_LENGTH = 0.5;
/** Weight of the self-loop in normalised adjacencies. */
const SELF_LOOP = 1;
interface Prepared {
  readonly edges: EdgePrepared;
  readonly batch: number;
  /** The untrained facets, [n, width] each. */
  readonly constants: readonly Tensor[];
}

export const multiview: Model<typeof options> = defineModel({
  name: "multiview",
  paper: "ours, docs/default-model.md",
  year: 2026,
  summary: "combines edges, spectral directions, degrees and features in one vector; the general-purpose default",
  cost: "2·nnz·dim + 14·negatives·batch·dim; a graph with features needs two trainings of hdmi first",
  uses: ["features"],
  options,
  training: { epochs: 300, patience: 300, learningRate: 0.03, weightDecay: 0 },
  optimization: { finalRate: 0.02, keep: "last" },
  presets: { default: { doc: "all facets", options: {} } },

  check(graph, o) {
    weightUse.choices(graph, o.weights); // throws if a name is not a relation
  },

  notes(graph, { weights }) {
    const { relations, directed } = graph;
    return [
      ...weightUse.notes(graph, weights, relations.map(hasWeights)),
      ...(directed ? ["multiview ignores the direction of edges; hmge uses it."] : []),
      ...(relations.length > MAX_OF_RELATIONS
        ? [`multiview searches only the first ${MAX_OF_RELATIONS} relations for directions of single relations.`]
        : []),
    ];
  },

  parts: (graph, { featureDropout }) => infomaxParts(graph, featureDropout),

  hostBytes: bytesOfCopies,
  minEpochShare: ({ features, relations }, o) => (features === undefined ? shareWithoutTable(relations, o.batch) : 1),
  stages: (graph, { dim }) => facetStages(graph, dim, copiesByWeight(graph)),

  async precompute(graph, { dim, weights }, tools) {
    const { numNodes, features } = graph;
    const stage = <T>(name: keyof typeof STAGES, work: () => T | Promise<T>) => inStage(tools, STAGES[name], work);
    const unweighted = await stage("reading", () => undirectedRelations(graph));
    const counted = countedRelations(graph, graph.relations.map(hasWeights), unweighted);
    const choices = weightUse.choices(graph, weights);
    const weighted = await usefulWeights({ unweighted, counted }, tools, choices);
    const plain = unweighted.map((relation, d) => (weighted[d] === 1 ? counted[d] : relation));
    const union = await stage("union", () => (weighted.includes(1) ? unionOfCopies(plain) : undirectedUnion(graph)));
    const max = maxWidths(graph, dim);
    const degrees = await stage("degrees", () => degreeFacet(plain, max.degrees, tools.seed));
    const walk = await stage("walk", () => transitionMatrix(plain, numNodes));
    const diffusion = await diffusionDirections(walk, max.diffusion + numFineDirections(graph, dim), tools);
    const fromFeatures =
      features === undefined
        ? undefined
        : {
            infomax: await infomaxFacet(
              features,
              { relations: plain, normalize: (graphs) => normalized(graph, graphs) },
              max.infomax,
              tools,
            ),
            ...(await featureFacets(
              features,
              numNodes,
              smoothing(walk),
              { own: max.features, smoothed: max["smoothed features"] },
              tools,
            )),
            inputs: await neighborhoodDirections(features, normalized(graph, plain), numFeatureDirections(dim), tools),
          };

    // spectral directions and edges share the rest; how many columns the edges need depends on the significant directions
    const before = [
      degrees,
      ...(fromFeatures === undefined ? [] : [fromFeatures.infomax, fromFeatures.own, fromFeatures.smoothed]),
    ];
    const rest = before.reduce((sum, { width }) => sum - width, dim);
    const limits = edgeLimits(dim, rest);
    const facet = await spectralFacet(union, plain, limits.max, tools);
    const needed = Math.max(limits.min, Math.min(limits.max, facet.numDirections));
    // spectral directions that explain all structure leave nothing to the diffusion
    const diffused = facet.complete
      ? 0
      : Math.min(max.diffusion + numFineDirections(graph, dim), diffusion.width, rest - needed);
    const spectral = await facet.columns(rest - needed - diffused);
    const { numAssortative, numOpposed } = spectral;
    // the edges need a table unless the spectral columns explain all structure
    const table = features !== undefined || !facet.complete || numAssortative === 0 || numOpposed > 0;
    const edges =
      spectral.width === 0
        ? rest - diffused
        : table
          ? needed
          : Math.max(needed, Math.min(numAssortative, limits.max, rest - diffused - spectral.width));
    const widths = {
      diffusion: Math.min(max.diffusion, diffused),
      "fine diffusion": Math.max(0, diffused - max.diffusion),
      spectral: rest - diffused - edges,
      edges,
    };

    const opposed = lastColumns(scaledToLength(spectral, OPPOSED_LENGTH), numOpposed);
    const ofRelations = await relationColumns(plain, tools);
    return stage("sideBySide", () => {
      return {
        ...layOut(placedFacets({ degrees, diffusion, spectral, fromFeatures }, widths, tools.seed), edges),
        weighted,
        ...weightUse.forced(choices),
        ...(ofRelations.width === 0 ? {} : { relationColumns: ofRelations.data }),
        ...(fromFeatures === undefined
          ? {
              fixedColumns: opposed.data,
              ...(table ? {} : { featureInputs: scaledToLength(lastColumns(spectral, numAssortative), 1).data }),
            }
          : {
              fixedColumns: joinColumns(numNodes, [fromFeatures.infomax, opposed]).data,
              featureInputs: joinColumns(numNodes, [
                scaledToLength(fromFeatures.inputs, 1),
                scaledToLength(fromFeatures.infomax, INFOMAX_INPUT_LENGTH),
              ]).data,
            }),
      };
    });
  },

  prepare(graph, o, builder, arrays): Prepared {
    const { numNodes } = graph;
    const widths = widthsOf(graph, o, arrays);
    // without arrays a run is only estimated: as if all weights were used
    const plain = countedRelations(graph, arrays?.["weighted"] ?? graph.relations.map(hasWeights));
    const matrices = normalized(graph, plain);
    const constant = (name: string, width: number, rowsPerNode = 1) => {
      const numRows = numNodes * rowsPerNode;
      return builder.constant(arrays?.[name] ?? new Float32Array(numRows * width), numRows, width);
    };
    const numColumns = numRelationColumns(graph, arrays);
    const numFeatures = numFeatureInputs(graph, o, arrays);
    const numFixed = numFixedColumns(graph, widths, arrays);
    return {
      edges: prepareEdgeFacet(builder, plain, matrices, {
        relationColumns: numColumns === 0 ? undefined : constant("relationColumns", numColumns, plain.length),
        features: numFeatures === 0 ? undefined : constant("featureInputs", numFeatures),
        fixedColumns: numFixed === 0 ? undefined : constant("fixedColumns", numFixed),
      }),
      batch: batchOf(matrices, o.batch, hasTable(graph, arrays)),
      constants: (arrays === undefined
        ? UNTRAINED_FACETS.map((name) => ({ name, width: widths[name] }))
        : layoutOf(arrays)
      )
        .filter(({ name, width }) => name !== "edges" && width > 0)
        .map(({ name, width }) => constant(name, width)),
    };
  },

  init(parameter, graph, o, arrays): EdgeParameters {
    const widths = widthsOf(graph, o, arrays);
    return initEdgeFacet(parameter, graph.numNodes, graph.relations.length, {
      width: widths.edges,
      table: hasTable(graph, arrays),
      numFeatures: numFeatureInputs(graph, o, arrays),
      numFixed: numFixedColumns(graph, widths, arrays),
      relationColumns: numRelationColumns(graph, arrays) > 0,
    });
  },

  loss: (parameters, g, o) =>
    edgeLoss(parameters, g.edges, {
      ...o,
      batch: g.batch,
      dropout: g.edges.features === undefined ? o.dropout : o.dropout / 2,
    }),

  embed: (parameters, g) => concatColumns([...g.constants, ofLength(encodeEdges(parameters, g.edges), EDGE_LENGTH)]),

  // `views` is the name of the facets in the contract of models and in run.json
  views: (arrays) => (arrays === undefined ? [] : layoutOf(arrays)),

  findings: (graph, arrays) => [
    ...weightsInWords(
      graph.relations.map((relation) => (hasWeights(relation) ? relation.name : undefined)),
      arrays?.["weighted"] ?? [],
      arrays?.["forced"],
    ),
    ...(hasTable(graph, arrays)
      ? []
      : ["only a few directions are statistically significant, so links are predicted from them alone"]),
  ],

  relationBasis: (parameters, g) => edgeRelationBasis(parameters, g.edges),
  relationVectors: (parameters, g, _, relation, basis) => edgeRelationVectors(parameters, g.edges, relation, basis),
  relationScore: "dot",
});

/** Scaled so that the root mean square length of a row is `length`. */
function ofLength(x: Tensor, length: number): Tensor {
  const one = normalizeRows(reshape(x, 1, x.rows * x.cols));
  return scale(reshape(one, x.rows, x.cols), length * Math.sqrt(x.rows));
}

/** Normalised adjacencies of all relations, with the edges of `plain`. */
function normalized(graph: GraphInput, plain: readonly SimpleGraph[]): NormalizedOperator[] {
  const options = { selfLoop: SELF_LOOP, directed: false };
  return replaceEdges(graph.relations, plain).map((relation) => normalizedOperator(relation, graph.numNodes, options));
}
