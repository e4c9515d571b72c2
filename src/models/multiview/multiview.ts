/**
 * Several views of one graph in one vector, each for what another throws away. Our own model; docs/default-model.md.
 *
 * edges     vectors that tell edges from other pairs, with a decoder per relation (models/multiview/facets/edge-facet.ts). Where the spectral
 *           view holds all that stands above noise, they are made of it: the table of nodes they have else would learn noise.
 * spectral  directions of all relations together, and where there is room of single ones, that stand above noise; with them
 *           opposed ones, along which neighbours differ, which the edges know of since they cannot hold them
 *           (models/multiview/facets/spectral-facet.ts). Nothing of it is trained, nor of the next.
 * degrees   directions of the nodes' degrees over the relations that are more than chance (models/multiview/facets/degree-facet.ts).
 * infomax   where there are features: two trainings of HDMI that come before, relations averaged, features weighted by
 *           rarity; in one a vector must belong to the features of its node, in the other to the summary of the graph
 *           as well. Of both together, and of the groups that halves of features and edges agree on
 *           (models/multiview/facets/feature-groups.ts), the leading directions, rows of length one.
 *
 * Width: degrees have a column for each direction they pass with, up to an eighth of dim (a sixteenth with features); the edges
 * as many as the union of the relations, or one of them, has directions above noise, at least an eighth of dim and at
 * most three quarters (with features 7/16). The spectral view has what remains of the room for both, infomax
 * all the rest. Each view but the edges fills its columns by an isometry, so that a probe that standardises columns
 * weighs a direction by its variance. No label and no constant of a data set enters.
 *
 * Edges are read as undirected; their weights count unless edges alone tell of more structure (models/multiview/weights/edge-weights.ts), or as the
 * option weights says.
 */

import { InternalError } from "../../core/errors.js";
import { int, number } from "../../core/options.js";
import { Rng } from "../../core/rng.js";
import { concatColumns } from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import { bytesOfCopies, copiesByWeight, countedRelations, hasWeights } from "../../graph/counted-relations.js";
import { type NormalizedOperator, normalizedOperator } from "../../graph/normalize.js";
import { undirectedRelations, undirectedUnion } from "../../graph/union.js";
import { weightedInput } from "../../nn/feature-weights.js";
import { defineModel, type GraphInput, inStage, type Model, type Part } from "../../nn/model.js";
import { unitRows } from "../../numeric/rows.js";
import { hdmi } from "../hdmi.js";
import { besides, type Columns, lastColumns, scaledToLength, spread } from "./columns.js";
import { degreeView } from "./facets/degree-facet.js";
import { type SimpleGraph, unionOfCopies, withPatterns } from "./weights/edge-copies.js";
import {
  batchOf,
  type EdgeParameters,
  type EdgePrepared,
  edgeLoss,
  edgeRelationBasis,
  edgeRelationVectors,
  encodeEdges,
  initEdgeView,
  prepareEdgeView,
  shareWithoutTable,
} from "./facets/edge-facet.js";
import { weightsInWords, weightsThatTell } from "./weights/edge-weights.js";
import { featureView, quantityDirections } from "./facets/feature-directions.js";
import { groupsView } from "./facets/feature-groups.js";
import { principalColumns } from "./principal-columns.js";
import { MAX_OF_RELATIONS, spectralView } from "./facets/spectral-facet.js";
import { STAGES, viewStages } from "./facet-stages.js";
import {
  featureDirections,
  hasTable,
  numBeside,
  numDirections,
  numFeatureInputs,
  structureWidths,
  VIEWS,
  type Widths,
  widestViews,
  widthsOf,
} from "./facet-widths.js";
import { weightUse } from "./weights/weight-use.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  dropout: number(0.4, {
    min: 0,
    max: 0.95,
    doc: "dropout on the table of the edge view; half of it where features tell of a node too",
  }),
  negatives: int(2, { min: 1, max: 100, doc: "pairs drawn against each edge, of each of two kinds" }),
  batch: int(0, {
    min: 0,
    max: 1e7,
    doc: "edges a step; 0: as many as there are, at most 131072; without a table of nodes 16384",
  }),
  weights: weightUse.option,
  featureDropout: number(0.5, { min: 0, max: 0.95, doc: "dropout on the features of the infomax view" }),
};

/** Length of the part of a vector that a view other than the edges has: it must not drown their inner products. */
const SIDE = 0.5;
/** Of the degrees, whose products are the least like edges. */
const DEGREE_SIDE = 0.25;
/** Of the infomax view, which the edges know of. */
const INFOMAX_SIDE = 1;
/** Length of the infomax directions among them, which have 1. */
const INFOMAX_INPUT = 2;
const SELF_LOOP = 1;
/** Of each training of the infomax view: narrower ones know less, wider ones no more. */
const INFOMAX_WIDTH = 64;
const INFOMAX_EPOCHS = 300;
/** A training whose loss has had no new minimum for so long has converged. */
const INFOMAX_PATIENCE = 50;
/** Weights of the summary's term beside that of the features. */
const SUMMARY_WEIGHTS = { features: 0, summary: 3 };

interface Prepared {
  readonly edges: EdgePrepared;
  readonly batch: number;
  /** The other views, [n, width]. */
  readonly constants: readonly Tensor[];
}

export const multiview: Model<typeof options> = defineModel({
  name: "multiview",
  paper: "ours, docs/default-model.md",
  year: 2026,
  summary: "edges, directions, degrees and features side by side in one vector; for whatever comes after",
  cost: "2·nnz·dim + 14·negatives·batch·dim; with features two trainings of hdmi before",
  uses: ["features"],
  options,
  training: { epochs: 300, patience: 300, learningRate: 0.03, weightDecay: 0 },
  optimization: { finalRate: 0.02, keep: "last" },
  presets: { default: { doc: "all views", options: {} } },

  check(graph, o) {
    weightUse.choices(graph, o.weights); // refuses names that are no relations
  },

  notes(graph, { weights }) {
    const { relations, directed } = graph;
    return [
      ...weightUse.notes(graph, weights, relations.map(hasWeights)),
      ...(directed ? ["multiview reads edges in both directions; hmge keeps them apart."] : []),
      ...(relations.length > MAX_OF_RELATIONS
        ? [`multiview looks for directions of single relations in the first ${MAX_OF_RELATIONS} only.`]
        : []),
    ];
  },

  parts(graph, { featureDropout }): readonly Part[] {
    const { numNodes, features } = graph;
    if (features === undefined) return [];
    const relations = withPatterns(graph.relations, undirectedRelations(graph)); // whether weights tell is found out later
    const read: GraphInput = { numNodes, relations, directed: false, features: weightedInput(features, numNodes) };
    return Object.entries(SUMMARY_WEIGHTS).map(([name, extrinsic]) => ({
      name: `infomax, ${name}`,
      model: hdmi,
      graph: read,
      settings: {
        preset: "intrinsic",
        dim: INFOMAX_WIDTH,
        extrinsic,
        normalizeFeatures: false,
        dropout: featureDropout,
        epochs: INFOMAX_EPOCHS,
        patience: INFOMAX_PATIENCE,
      },
    }));
  },

  hostBytes: bytesOfCopies,
  minEpochShare: ({ features, relations }, o) => (features === undefined ? shareWithoutTable(relations, o.batch) : 1),
  stages: (graph, { dim }) =>
    viewStages(graph, dim, {
      copies: copiesByWeight(graph),
      directions: numDirections(widestViews(graph, dim), dim),
      trainedColumns: Object.keys(SUMMARY_WEIGHTS).length * INFOMAX_WIDTH,
      featureInputs: featureDirections(dim),
    }),

  async precompute(graph, { dim, weights }, tools) {
    const { numNodes, features } = graph;
    const stage = <T>(name: keyof typeof STAGES, work: () => T | Promise<T>) => inStage(tools, STAGES[name], work);
    const without = await stage("reading", () => undirectedRelations(graph));
    const counted = countedRelations(graph, graph.relations.map(hasWeights), without);
    const choices = weightUse.choices(graph, weights);
    const weighted = await weightsThatTell({ without, counted }, tools, choices);
    const plain = without.map((own, d) => (weighted[d] === 1 ? counted[d] : own));
    const union = await stage("union", () => (weighted.includes(1) ? unionOfCopies(plain) : undirectedUnion(graph)));
    const degrees = await stage("degrees", () => degreeView(plain, widestViews(graph, dim).degrees, tools.seed));
    const { structure, mostEdges, fewestEdges } = structureWidths(graph, dim, degrees.count);
    const view = await spectralView(union, plain, mostEdges, tools);
    const needed = Math.max(fewestEdges, Math.min(mostEdges, view.numDirections));
    const spectral = await view.columns(structure - needed);
    const { numAlike, numOpposed } = spectral;
    const table = features !== undefined || !view.complete || numAlike === 0 || numOpposed > 0;
    const edges = table ? needed : Math.max(needed, Math.min(numAlike, mostEdges, structure - spectral.count));
    const infomax = dim - structure - degrees.count;
    const widths: Widths = { edges, spectral: structure - edges, degrees: degrees.count, infomax };
    const opposed = lastColumns(scaledToLength(spectral, SIDE), numOpposed);
    const place = (columns: Columns, name: "spectral" | "degrees" | "infomax", length = SIDE) =>
      spread(columns, widths[name], length, new Rng(tools.seed, `spread.${name}`)).data;
    const common = () => ({
      widths: Uint32Array.from(VIEWS, (name) => widths[name]),
      weighted,
      ...weightUse.forced(choices),
      spectral: place(spectral, "spectral"),
      degrees: place(degrees, "degrees", DEGREE_SIDE),
      beside: opposed.data,
      ...(table ? {} : { featureInputs: scaledToLength(lastColumns(spectral, numAlike), 1).data }),
    });
    if (features === undefined) return stage("sideBySide", common);
    if (tools.parts === undefined) throw new InternalError("multiview: its parts were not trained");
    const trained = tools.parts.map((data) => ({ data, count: data.length / numNodes }));
    const groups = await groupsView({ features, relations: plain, normalize: (of) => normalized(graph, of) }, tools);
    const limit = numDirections(widths, dim);
    const all = await stage("principal", () => principalColumns([...trained, ...groups], numNodes, limit, tools));
    const most = Math.min(limit, infomax - all.count);
    const measured = await quantityDirections(features, numNodes, most, tools);
    const directions = besides(numNodes, [
      { ...all, data: unitRows(all.data, all.count) },
      scaledToLength(measured, 1),
    ]);
    const inputs = await featureView(features, normalized(graph, plain), featureDirections(dim), tools);
    return stage("sideBySide", () => ({
      ...common(),
      infomax: place(directions, "infomax", INFOMAX_SIDE),
      beside: besides(numNodes, [scaledToLength(directions, INFOMAX_SIDE), opposed]).data,
      featureInputs: besides(numNodes, [scaledToLength(inputs, 1), scaledToLength(directions, INFOMAX_INPUT)]).data,
    }));
  },

  prepare(graph, o, builder, arrays): Prepared {
    const { numNodes } = graph;
    const widths = widthsOf(graph, o, arrays);
    // to estimate a run, the most that may be read
    const plain = countedRelations(graph, arrays?.["weighted"] ?? graph.relations.map(hasWeights));
    const matrices = normalized(graph, plain);
    const constant = (name: string, width: number) =>
      builder.constant(arrays?.[name] ?? new Float32Array(numNodes * width), numNodes, width);
    const [numFeatures, beside] = [numFeatureInputs(graph, o, arrays), numBeside(graph, widths, o, arrays)];
    return {
      edges: prepareEdgeView(builder, plain, matrices, {
        features: numFeatures === 0 ? undefined : constant("featureInputs", numFeatures),
        beside: beside === 0 ? undefined : constant("beside", beside),
      }),
      batch: batchOf(matrices, o.batch, hasTable(graph, arrays)),
      constants: (["spectral", "degrees", "infomax"] as const)
        .filter((name) => widths[name] > 0)
        .map((name) => constant(name, widths[name])),
    };
  },

  init(parameter, graph, o, arrays): EdgeParameters {
    const widths = widthsOf(graph, o, arrays);
    return initEdgeView(parameter, graph.numNodes, graph.relations.length, {
      width: widths.edges,
      table: hasTable(graph, arrays),
      numFeatures: numFeatureInputs(graph, o, arrays),
      beside: numBeside(graph, widths, o, arrays),
    });
  },

  loss: (parameters, g, o) =>
    edgeLoss(parameters, g.edges, {
      ...o,
      batch: g.batch,
      dropout: g.edges.features === undefined ? o.dropout : o.dropout / 2,
    }),

  embed: (parameters, g) => concatColumns([encodeEdges(parameters, g.edges), ...g.constants]),

  views: (arrays) =>
    VIEWS.map((name, k) => ({ name, width: arrays?.["widths"][k] ?? 0 })).filter(({ width }) => width > 0),

  findings: (graph, arrays) => [
    ...weightsInWords(
      graph.relations.map((own) => (hasWeights(own) ? own.name : undefined)),
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

function normalized(graph: GraphInput, plain: readonly SimpleGraph[]): NormalizedOperator[] {
  const reading = { selfLoop: SELF_LOOP, directed: false };
  return withPatterns(graph.relations, plain).map((relation) => normalizedOperator(relation, graph.numNodes, reading));
}
