/**
 * Several views of one graph in one vector, each for what another throws away. Our own model; docs/default-model.md.
 *
 * edges       vectors that tell edges from other pairs, with a decoder per relation (nn/edge-view.ts).
 * spectral    directions of all relations together, and where there is room of single ones, that stand above noise
 *             (nn/spectral-view.ts). Nothing of it is trained.
 * attributes  with features only: features of a node and its neighbours, reduced (nn/feature-view.ts), and the vectors of an
 *             infomax encoder per relation, averaged, of unit length (as DMGI's, without its consensus).
 *
 * Width: half is for the attributes if there are features. Of the rest the edges have as many columns as the union of the
 * relations has directions above noise, between an eighth and a half of dim: their table sees the relations' mean only.
 * The spectral view has what remains, and each untrained view fills its columns by an isometry, so that a probe that
 * standardises columns weighs a direction by its variance. No label and no constant of a data set enters.
 *
 * Edges are read as undirected and without weight.
 */

import { int, number, type OptionValues } from "../core/options.js";
import { Rng } from "../core/rng.js";
import { add, concatColumns, normalizeRows, randomPermutation, relu, scale, spmm } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { type NormalizedOperator, normalizedOperator } from "../graph/normalize.js";
import { undirectedRelations, undirectedUnion } from "../graph/union.js";
import { meanOver } from "../nn/aggregate.js";
import { spread } from "../nn/columns.js";
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
import { spectralView } from "../nn/spectral-view.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  dropout: number(0.3, { min: 0, max: 0.95, doc: "dropout on the table of the edge view" }),
  negatives: int(2, { min: 1, max: 100, doc: "pairs drawn against each edge, of each of two kinds" }),
  batch: int(0, { min: 0, max: 1e7, doc: "edges a step; 0: as many as there are, at most 131072" }),
  featureDropout: number(0.5, { min: 0, max: 0.95, doc: "dropout on the features of the infomax view" }),
};

type Options = OptionValues<typeof options>;

const MOST_EDGES = 131_072;
const FEWEST_EDGES = 256;
/** Length of the part of a vector that a view other than the edges has: it must not drown their inner products. */
const SIDE = 0.5;
/** Singular directions of the features for each of their columns. */
const DIRECTIONS_PER_COLUMN = 0.75;
/** Their columns as a part of all, where there are features. */
const ATTRIBUTES = 1 / 2;
const SELF_LOOP = 1;
const INFOMAX_SELF_LOOP = 3;
/** Steps of the infomax weights as a part of the table's: under a scale c, Adam's steps are c times as long. */
const SLOW = 0.2;

/** Columns of each view; they add up to dim. */
interface Widths {
  readonly edges: number;
  readonly spectral: number;
  readonly features: number;
  readonly infomax: number;
}

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
  summary: "edges, directions and features side by side in one vector; for whatever comes after",
  cost: "2·nnz·dim + 14·negatives·batch·dim; with features dmgi's at a quarter of the width more",
  uses: ["features"],
  options,
  training: { epochs: 300, patience: 300, learningRate: 0.01, weightDecay: 0 },
  optimization: { finalRate: 0.02, keep: "last" },
  presets: { default: { doc: "all views", options: {} } },

  notes({ relations, directed }) {
    return [
      ...(relations.some(({ values }) => values !== undefined)
        ? ["multiview does not read the weights of edges."]
        : []),
      ...(directed ? ["multiview reads edges in both directions."] : []),
    ];
  },

  async precompute(graph, { dim }, tools) {
    const plain = undirectedRelations(graph);
    const most = widestViews(graph, dim);
    const [structure, attributes] = [most.edges + most.spectral, most.features + most.infomax];
    const view = await spectralView(undirectedUnion(graph), plain, most.edges, tools);
    const edges = Math.min(most.edges, Math.max(view.numCommon, Math.ceil(dim / 8)));
    const [spectral, features] = [structure - edges, most.features];
    const rng = (purpose: string) => new Rng(tools.seed, `spread.${purpose}`);
    const found =
      graph.features === undefined || features === 0
        ? undefined
        : await featureView(
            graph.features,
            normalized(graph, plain, SELF_LOOP),
            Math.ceil(DIRECTIONS_PER_COLUMN * features),
            tools,
          );
    return {
      widths: Uint32Array.of(edges, spectral, features, attributes - features),
      spectral: spread(await view.columns(spectral), spectral, SIDE, rng("spectral")).data,
      ...(found === undefined ? {} : { features: spread(found, features, SIDE, rng("features")).data }),
    };
  },

  prepare(graph, o, builder, arrays): Prepared {
    const { numNodes, features } = graph;
    const widths = widthsOf(graph, o, arrays);
    const plain = undirectedRelations(graph);
    const constant = (name: "spectral" | "features") =>
      widths[name] === 0
        ? []
        : [builder.constant(arrays?.[name] ?? new Float32Array(numNodes * widths[name]), numNodes, widths[name])];
    return {
      edges: prepareEdgeView(builder, plain, normalized(graph, plain, SELF_LOOP)),
      batch: batchOf(plain, o),
      constants: [...constant("spectral"), ...constant("features")],
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
      edges: initEdgeView(parameter, graph.numNodes, graph.relations.length, edges),
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
  if (arrays !== undefined) {
    const [edges, spectral, features, infomax] = arrays["widths"];
    return { edges, spectral, features, infomax };
  }
  return widestViews(graph, dim);
}

/** The columns when the edges take as many as they may. */
function widestViews({ features: given }: GraphInput, dim: number): Widths {
  const attributes = given === undefined ? 0 : Math.floor(ATTRIBUTES * dim);
  const structure = dim - attributes;
  const edges = given === undefined ? Math.ceil(structure / 2) : structure;
  const features = Math.floor(attributes / 2);
  return { edges, spectral: structure - edges, features, infomax: attributes - features };
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
  return relations.map((relation, d) =>
    relu(spmm(relation, projectInput(input, scale(weights[d], SLOW), pass, `infomax.${d}`))),
  );
}
