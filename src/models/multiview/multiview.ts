/**
 * The default model: a vector whose columns are several facets of one graph, from coarse to fine. Each facet keeps information
 * that the others lose. Our own model, without a paper; docs/default-model.md describes it and lists the measurements.
 *
 * FACET_DOCS in facet-widths.ts says what each facet holds. All facets except the edges are computed before the training (prepare-facets.ts), without labels. constants.ts has their shares of
 * the columns and their lengths. Edges are read as undirected; edge weights are used unless edges alone show more structure.
 */

import { int, number } from "../../core/options.js";
import { bytesOfCopies, copiesByWeight, hasWeights } from "../../graph/counted-relations.js";
import { defineModel, type Model } from "../../nn/model.js";
import { SPECTRAL } from "./constants.js";
import { facetStages } from "./facet-stages.js";
import { FACET_DOCS } from "./facet-widths.js";
import { findCategories } from "./facets/category-facet.js";
import { shareWithoutTable } from "./facets/edge-batch.js";
import { edgeLoss, edgeRelationBasis, edgeRelationVectors, initEdgeFacet } from "./facets/edge-facet.js";
import { infomaxParts } from "./facets/infomax-facet.js";
import { facetWidths, findings } from "./findings.js";
import { readPreparation, writePreparation } from "./preparation.js";
import { prepareFacets } from "./prepare-facets.js";
import { allFacets, edgeShape, programInputs } from "./program-inputs.js";
import { weightUse } from "./weights/weight-use.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  dropout: number(0.4, {
    min: 0,
    max: 0.95,
    doc: "dropout on the node table of the edges facet; halved if this facet reads features",
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
      ...(relations.length > SPECTRAL.maxOfRelations
        ? [`multiview searches only the first ${SPECTRAL.maxOfRelations} relations for directions of single relations.`]
        : []),
    ];
  },

  parts: (graph, { dim, featureDropout }) =>
    findCategories(graph, dim) === undefined ? infomaxParts(graph, featureDropout) : [],

  hostBytes: bytesOfCopies,
  minEpochShare: ({ features, relations }, o) => (features === undefined ? shareWithoutTable(relations, o.batch) : 1),
  stages: (graph, { dim }) => facetStages(graph, dim, copiesByWeight(graph)),

  precompute: async (graph, o, tools) => writePreparation(await prepareFacets(graph, o, tools)),

  prepare: (graph, o, builder, arrays) => programInputs(graph, readPreparation(graph, o, arrays), o.batch, builder),

  init: (parameter, graph, o, arrays) =>
    initEdgeFacet(parameter, graph.numNodes, graph.relations.length, edgeShape(readPreparation(graph, o, arrays))),

  loss: (parameters, { edges, batch }, o) =>
    edgeLoss(parameters, edges, { ...o, batch, dropout: edges.features === undefined ? o.dropout : o.dropout / 2 }),

  embed: (parameters, inputs) => allFacets(parameters, inputs),

  // `views` is the name of the facets in the contract of models and in run.json
  viewDocs: FACET_DOCS,
  describe(graph, o, arrays) {
    const preparation = readPreparation(graph, o, arrays);
    return { views: facetWidths(preparation), findings: findings(graph, preparation) };
  },

  relationBasis: (parameters, { edges }) => edgeRelationBasis(parameters, edges),
  relationVectors: (parameters, { edges }, _, relation, basis) =>
    edgeRelationVectors(parameters, edges, relation, basis),
  relationScore: "dot",
});
