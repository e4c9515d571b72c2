/**
 * Several views of one graph in one vector, each for what another throws away. Our own model; docs/default-model.md.
 *
 * edges     vectors that tell edges from other pairs, with a decoder per relation (nn/edge-view.ts).
 * spectral  directions of all relations together, and where there is room of single ones, that stand above noise
 *           (nn/spectral-view.ts). Nothing of it is trained, nor of the next two.
 * degrees   directions of the nodes' degrees over the relations that are more than chance (nn/degree-view.ts).
 * features  those of a node and its neighbours, reduced (nn/feature-view.ts); with features only.
 * infomax   an infomax encoder of the features per relation, averaged, of unit length (as DMGI's, without its consensus).
 *
 * Width: with features an eighth of the columns is for them and a quarter for infomax. Of the rest, degrees have one for each
 * direction they pass with, up to an eighth of dim (a sixteenth with features); the edges as many as the union of the
 * relations, or one of them, has directions above noise, at least an eighth of dim and at most three quarters. The spectral view has what
 * remains. Each untrained view fills its columns by an isometry, so that a probe that standardises columns weighs a
 * direction by its variance. No label and no constant of a data set enters.
 *
 * Edges are read as undirected and without weight.
 */

import { int, number, type OptionValues } from "../core/options.js";
import { Rng } from "../core/rng.js";
import { add, concatColumns, normalizeRows, randomPermutation, scale } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { type NormalizedOperator, normalizedOperator } from "../graph/normalize.js";
import { undirectedRelations, undirectedUnion } from "../graph/union.js";
import { meanOver } from "../nn/aggregate.js";
import { type Columns, leadingColumns, scaledToLength, spread } from "../nn/columns.js";
import { convolveWith } from "../nn/convolution.js";
import { degreeView } from "../nn/degree-view.js";
import {
  type Discriminator,
  infomaxLogits,
  infomaxLoss,
  infomaxTargets,
  initDiscriminator,
} from "../nn/discriminator.js";
import {
  type EdgeParameters,
  type EdgePrepared,
  edgeLoss,
  edgeRelationVectors,
  encodeEdges,
  initEdgeView,
  prepareEdgeView,
} from "../nn/edge-view.js";
import { featureView } from "../nn/feature-view.js";
import { xavierUniform } from "../nn/init.js";
import { defineModel, type GraphInput, type NamedArrays, type ParameterFactory } from "../nn/model.js";
import { featureMatrix, type NodeInput, type Pass, projectInput } from "../nn/node-input.js";
import { MOST_OF_RELATIONS, spectralView } from "../nn/spectral-view.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  dropout: number(0.4, { min: 0, max: 0.95, doc: "dropout on the table of the edge view" }),
  negatives: int(2, { min: 1, max: 100, doc: "pairs drawn against each edge, of each of two kinds" }),
  batch: int(0, { min: 0, max: 1e7, doc: "edges a step; 0: as many as there are, at most 131072" }),
  featureDropout: number(0.5, { min: 0, max: 0.95, doc: "dropout on the features of the infomax view" }),
};

type Options = OptionValues<typeof options>;

const MOST_EDGES = 131_072;
const FEWEST_EDGES = 256;
/** Length of the part of a vector that a view other than the edges has: it must not drown their inner products. */
const SIDE = 0.5;
/** Of the degrees, whose products are the least like edges. */
const DEGREE_SIDE = 0.25;
/** Columns of a view as a part of all. */
const MOST_EDGES_SHARE = 3 / 4;
const FEWEST_EDGES_SHARE = 1 / 8;
const FEATURES_SHARE = 1 / 8;
const INFOMAX_SHARE = 1 / 4;
const DEGREES_SHARE = 1 / 8;
/** Directions of the features that the edges' encoder reads, as a part of dim. */
const FEATURE_INPUTS_SHARE = 1 / 2;
const SELF_LOOP = 1;
const INFOMAX_SELF_LOOP = 3;
/** Steps of the infomax weights as a part of the table's: under a scale c, Adam's steps are c times as long. */
const SLOW = 1 / 15;

export const VIEWS = ["edges", "spectral", "degrees", "features", "infomax"] as const;

/** Columns of each view; they add up to dim. */
type Widths = Readonly<Record<(typeof VIEWS)[number], number>>;

interface Infomax {
  readonly weights: readonly Tensor[];
  readonly discriminator: Discriminator;
}

interface Parameters {
  readonly edges: EdgeParameters;
  readonly infomax?: Infomax;
}

interface InfomaxPrepared {
  readonly numNodes: number;
  readonly input: NodeInput;
  readonly relations: readonly SparseOperator[];
  readonly targets: Tensor;
}

interface Prepared {
  readonly edges: EdgePrepared;
  readonly batch: number;
  /** Untrained views, [n, width]. */
  readonly constants: readonly Tensor[];
  readonly infomax?: InfomaxPrepared;
}

export const multiview = defineModel({
  name: "multiview",
  paper: "ours, docs/default-model.md",
  year: 2026,
  summary: "edges, directions, degrees and features side by side in one vector; for whatever comes after",
  cost: "2·nnz·dim + 14·negatives·batch·dim; with features dmgi's at a quarter of the width more",
  uses: ["features"],
  options,
  training: { epochs: 300, patience: 300, learningRate: 0.03, weightDecay: 0 },
  optimization: { finalRate: 0.02, keep: "last" },
  presets: { default: { doc: "all views", options: {} } },

  notes({ relations, directed }) {
    return [
      ...(relations.some(({ values }) => values !== undefined)
        ? ["multiview does not read the weights of edges."]
        : []),
      ...(directed ? ["multiview reads edges in both directions."] : []),
      ...(relations.length > MOST_OF_RELATIONS
        ? [`multiview looks for directions of single relations in the first ${MOST_OF_RELATIONS} only.`]
        : []),
    ];
  },

  async precompute(graph, { dim }, tools) {
    const plain = undirectedRelations(graph);
    const most = widestViews(graph, dim);
    const degrees = degreeView(plain, most.degrees, tools.seed);
    const structure = dim - most.features - most.infomax - degrees.count;
    const mostEdges = Math.min(structure, Math.ceil(MOST_EDGES_SHARE * dim));
    const view = await spectralView(undirectedUnion(graph), plain, mostEdges, tools);
    const edges = Math.min(mostEdges, Math.max(view.numDirections, Math.ceil(FEWEST_EDGES_SHARE * dim)));
    const widths: Widths = { ...most, degrees: degrees.count, edges, spectral: structure - edges };
    const place = (columns: Columns, name: "spectral" | "degrees" | "features", length = SIDE) =>
      spread(columns, widths[name], length, new Rng(tools.seed, `spread.${name}`)).data;
    const found =
      graph.features === undefined
        ? undefined
        : await featureView(
            graph.features,
            normalized(graph, plain, SELF_LOOP),
            Math.max(widths.features, Math.ceil(FEATURE_INPUTS_SHARE * dim)),
            tools,
          );
    return {
      widths: Uint32Array.from(VIEWS, (name) => widths[name]),
      spectral: place(await view.columns(widths.spectral), "spectral"),
      degrees: place(degrees, "degrees", DEGREE_SIDE),
      ...(found === undefined
        ? {}
        : {
            features: place(leadingColumns(found, widths.features), "features"),
            featureInputs: scaledToLength(found, 1).data,
          }),
    };
  },

  prepare(graph, o, builder, arrays): Prepared {
    const { numNodes, features } = graph;
    const widths = widthsOf(graph, o, arrays);
    const plain = undirectedRelations(graph);
    const constant = (name: string, width: number) =>
      builder.constant(arrays?.[name] ?? new Float32Array(numNodes * width), numNodes, width);
    const numInputs = numFeatureInputs(graph, o, arrays);
    return {
      edges: prepareEdgeView(
        builder,
        plain,
        normalized(graph, plain, SELF_LOOP),
        numInputs === 0 ? undefined : constant("featureInputs", numInputs),
      ),
      batch: batchOf(plain, o),
      constants: (["spectral", "degrees", "features"] as const)
        .filter((name) => widths[name] > 0)
        .map((name) => constant(name, widths[name])),
      infomax:
        features === undefined || widths.infomax === 0
          ? undefined
          : {
              numNodes,
              input: { kind: "features", matrix: featureMatrix(features, numNodes, true) },
              relations: normalized(graph, plain, INFOMAX_SELF_LOOP),
              targets: infomaxTargets(builder, numNodes),
            },
    };
  },

  init(parameter, graph, o, arrays): Parameters {
    const { edges, infomax } = widthsOf(graph, o, arrays);
    return {
      edges: initEdgeView(parameter, graph.numNodes, graph.relations.length, {
        width: edges,
        numFeatures: numFeatureInputs(graph, o, arrays),
      }),
      infomax: infomax === 0 ? undefined : initInfomax(parameter, graph, infomax),
    };
  },

  loss(parameters, g, o, builder) {
    const edges = edgeLoss(parameters.edges, g.edges, { ...o, batch: g.batch });
    if (g.infomax === undefined || parameters.infomax === undefined) return edges;
    const permutation = randomPermutation(builder, "shuffle", g.infomax.numNodes);
    const { discriminator } = parameters.infomax;
    const { targets } = g.infomax;
    return infomaxVectors(parameters.infomax, g.infomax, { permutation, dropout: o.featureDropout })
      .map((h) => infomaxLoss(infomaxLogits(h, discriminator, "sigmoid"), targets))
      .reduce((sum, part) => add(sum, part), edges);
  },

  embed(parameters, g) {
    const e = encodeEdges(parameters.edges, g.edges);
    if (g.infomax === undefined || parameters.infomax === undefined) return concatColumns([e, ...g.constants]);
    const vectors = infomaxVectors(parameters.infomax, g.infomax, { dropout: 0 });
    const mean = meanOver(vectors.length, (d) => vectors[d]);
    return concatColumns([e, ...g.constants, scale(normalizeRows(mean), SIDE)]);
  },

  relationVectors: (parameters, g, _, relation) => edgeRelationVectors(parameters.edges, g.edges, relation),
  relationScore: "dot",
});

/** As found before training; to estimate a run, the widest there may be. */
function widthsOf(graph: GraphInput, { dim }: Options, arrays: NamedArrays | undefined): Widths {
  if (arrays === undefined) return widestViews(graph, dim);
  return Object.fromEntries(VIEWS.map((name, k) => [name, arrays["widths"][k]])) as Widths;
}

/** The columns when edges and degrees take as many as they may. */
function widestViews({ features: given, relations }: GraphInput, dim: number): Widths {
  const has = given !== undefined;
  const features = has ? Math.min(given.numColumns, Math.floor(FEATURES_SHARE * dim)) : 0;
  const infomax = has ? Math.floor(INFOMAX_SHARE * dim) : 0;
  const degrees = Math.min(relations.length, Math.floor((has ? DEGREES_SHARE / 2 : DEGREES_SHARE) * dim));
  const structure = dim - features - infomax - degrees;
  const edges = Math.min(structure, Math.ceil(MOST_EDGES_SHARE * dim));
  return { edges, spectral: structure - edges, degrees, features, infomax };
}

function numFeatureInputs(graph: GraphInput, { dim }: Options, arrays: NamedArrays | undefined): number {
  if (graph.features === undefined) return 0;
  if (arrays !== undefined) return arrays["featureInputs"].length / graph.numNodes;
  return Math.min(graph.features.numColumns, Math.ceil(FEATURE_INPUTS_SHARE * dim));
}

function normalized(graph: GraphInput, plain: readonly NormalizedOperator[], selfLoop: number): NormalizedOperator[] {
  return plain.map(({ rowStart, columns }, d) =>
    normalizedOperator({ ...graph.relations[d], rowStart, columns, values: undefined }, graph.numNodes, {
      selfLoop,
      directed: false,
    }),
  );
}

function batchOf(relations: readonly SparseOperator[], { batch }: Options): number {
  if (batch > 0) return batch;
  const numEdges = relations.reduce((sum, { columns }) => sum + columns.length / 2, 0);
  return Math.max(FEWEST_EDGES, Math.min(MOST_EDGES, Math.round(numEdges)));
}

function initInfomax(parameter: ParameterFactory, { relations, features }: GraphInput, width: number): Infomax {
  const numColumns = features?.numColumns ?? 0;
  const start = xavierUniform(numColumns, width);
  return {
    weights: relations.map(({ name }) =>
      parameter(`infomax.${name}`, numColumns, width, (data, rng) => {
        start(data, rng);
        for (let at = 0; at < data.length; at++) data[at] /= SLOW;
      }),
    ),
    discriminator: initDiscriminator(parameter, width, { name: "infomax.discriminator" }),
  };
}

/** ReLU(Â_d·X·W_d) for every relation; [n, width], or with the shuffled vectors beside them [n, 2·width]. */
function infomaxVectors({ weights }: Infomax, { input, relations }: InfomaxPrepared, pass: Pass): Tensor[] {
  return relations.map((relation, d) => {
    const weight = scale(weights[d], SLOW);
    return convolveWith(relation, projectInput(input, weight, pass, `infomax.${d}`), { weight });
  });
}
