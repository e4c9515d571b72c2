/**
 * HMGE: hierarchical multiplex graph embedding.
 *
 * Abdous, Mrabah, Bouguessa, "Hierarchical Aggregations for High-Dimensional Multiplex Graph Embedding", IEEE TKDE 36(4),
 * 2024. Symbols: D relations with adjacencies A_d, H vectors, α combination scores, Q discriminator.
 *
 * Presets: `reference` is the published code, `text` the text of the paper; `paper` (default) follows the code where
 * the text fails to train, else the text. Each difference is an option. Deviations of the default from the text (6–8: docs/hmge.md):
 *  1. Attention is normalised by softmax(tanh ·). The text's ratio of tanh values is undefined if their sum is zero.
 *  2. The negative log-likelihood is minimised. The text writes a likelihood "to be minimised".
 *  3. The ReLU on a combined adjacency is omitted: it has no effect on non-negative weights. Every combination is therefore
 *     Σ_d c_d·A_d with c a product of softmax matrices, and no union graph is formed.
 *  4. Without features all relations share one trainable table (`input=one-hot` is the literal reading).
 *  5. Biases, the final convolution and the discriminator are trained; the text lists only α, W, V and y.
 *  6. Relations are averaged, because attention collapses the vectors to one direction.
 *  7. Normalised adjacencies are combined, as in the code. Their self-loops and the +I of the second normalisation keep half of
 *     a node's own vector; the raw combination smooths nearly all of it away.
 *  8. The summary is the sigmoid of the mean, as in the code. With the mean itself both factors of the score start near zero,
 *     and the loss stays at log 2.
 */

import { InputError } from "../core/errors.js";
import { choice, flag, int, intList, number, type OptionValues } from "../core/options.js";
import { matmul, randomPermutation, reshape, softmaxRows } from "../engine/ops/index.js";
import type { Tensor } from "../engine/program.js";
import type { SparseOperator } from "../engine/sparse.js";
import { normalizedOperator, rawOperator } from "../graph/normalize.js";
import { normal, xavierUniform, zeros } from "../nn/init.js";
import { type AttentionScore, attend, initAttention, meanOver, uniformAttention } from "../nn/layers/aggregate.js";
import { activate, type Convolution, convolveMean, convolveWith, initConvolution } from "../nn/layers/convolution.js";
import {
  type Discriminator,
  infomaxLogits,
  infomaxLoss,
  infomaxTargets,
  initDiscriminator,
} from "../nn/layers/discriminator.js";
import {
  featureMatrix,
  fittingTableWidth,
  type NodeInput,
  type Pass,
  projectInput,
  projectVectors,
} from "../nn/layers/node-input.js";
import {
  type CombinationBasis,
  combinationBasis,
  mixtureWeights,
  propagateCombination,
} from "../nn/layers/propagate.js";
import { defineModel, type EncoderLayer, type Model } from "../nn/model.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  input: choice("table", ["table", "one-hot"], {
    doc: "input of a graph without features: one trainable table for all relations, or a one-hot code (one row per node and relation)",
  }),
  tableWidth: int(256, { min: 1, max: 4096, doc: "width of the shared table" }),
  tableMemory: int(1280, { min: 1, doc: "maximum MiB of the shared table in training; it is made narrower if needed" }),
  normalizeFeatures: flag(true, { doc: "divide each row of the features by the sum of its absolute values" }),
  sharedInput: flag(false, { doc: "begin with one convolution whose weight matrix all relations share" }),
  sharedWeights: flag(false, { doc: "share one weight matrix among all relations of a level" }),
  bias: flag(true, { doc: "use biases in the convolutions" }),
  selfLoop: number(1, { min: 0, doc: "self-loop weight added to each relation before normalisation" }),
  sizes: intList([1], { min: 1, doc: "graphs after each level of the hierarchy, the last 1; none: no hierarchy" }),
  aggregation: choice("mean", ["mean", "attention"], { doc: "how the vectors of the relations are aggregated" }),
  attentionScore: choice("projected", ["projected", "linear"], { doc: "projected tanh(yᵀVh), linear tanh(yᵀh + c)" }),
  combine: choice("normalized", ["raw", "normalized"], { doc: "combine raw or normalised adjacencies" }),
  combinationWeights: choice("learned", ["learned", "uniform"], { doc: "learn the combination, or fix it at 1/D" }),
  combinationInit: choice("zero", ["zero", "normal"], { doc: "initial values of the combination scores α" }),
  combinationSelfLoop: number(1, { min: 1e-6, doc: "self-loop weight added to a combination before normalisation" }),
  finalConvolution: flag(true, { doc: "end with a convolution over the last combination" }),
  summary: choice("sigmoid", ["mean", "sigmoid"], { doc: "summary of the graph: mean vector, or its sigmoid" }),
  discriminatorBias: flag(true, { doc: "use a bias in the discriminator" }),
  reduction: choice("mean", ["mean", "sum"], { doc: "loss over the 2n logits: mean or sum" }),
  dropout: number(0, { min: 0, max: 0.95, doc: "dropout on the input of every convolution" }),
};

type Options = OptionValues<typeof options>;
type EncoderPass = Pass & { readonly onLayer?: (name: string, h: Tensor) => void };

interface Level {
  readonly convolutions: readonly Convolution[];
  readonly attention: readonly AttentionScore[];
}

interface Parameters {
  readonly table?: Tensor;
  readonly sharedInput?: Convolution;
  readonly levels: readonly Level[];
  /** α of each combination, [graphs after, graphs before]. */
  readonly scores: readonly Tensor[];
  readonly final?: Convolution;
  readonly discriminator: Discriminator;
}

interface Prepared {
  readonly numNodes: number;
  readonly relations: readonly SparseOperator[];
  readonly basis: CombinationBasis;
  readonly features?: SparseOperator;
  readonly targets: Tensor;
  readonly uniform: Tensor;
  /** The unit row e_j, which selects one of several graphs from a weight matrix. */
  select(graphs: number, j: number): Tensor;
}

/** Number of graphs before and after each combination: (D, D_1), …, (D_{L−1}, 1); at least one pair. */
function combinations(numRelations: number, sizes: readonly number[]): [before: number, after: number][] {
  const steps = sizes.length === 0 ? [1] : sizes;
  return steps.map((after, level) => [level === 0 ? numRelations : steps[level - 1], after]);
}

export const hmge: Model<typeof options> = defineModel({
  name: "hmge",
  paper: "Abdous, Mrabah, Bouguessa 2024, doi 10.1109/TKDE.2023.3305809",
  year: 2024,
  summary: "learns a combination of the relations by infomax; for structure that many relations share",
  cost: "6·nnz·dim + 6·D·n·dim²",
  uses: ["features"],
  options,
  training: { epochs: 2000, patience: 30, learningRate: 1e-3, weightDecay: 1e-5 },
  presets: {
    paper: { doc: "the text of the paper, except for parts with which training fails (the default)", options: {} },
    text: {
      doc: "the literal text of the paper: combination of raw adjacencies, mean summary, attention, no biases",
      options: { combine: "raw", summary: "mean", aggregation: "attention", bias: false, discriminatorBias: false },
      training: { patience: 100 },
    },
    reference: {
      doc: "the published code",
      options: {
        input: "one-hot",
        sharedInput: true,
        selfLoop: 3,
        combinationInit: "normal",
        attentionScore: "linear",
      },
      training: { patience: 20 },
    },
  },

  check(graph, o) {
    const { sizes } = o;
    const descending = combinations(graph.relations.length, sizes).every(([before, after]) => after <= before);
    if (!descending || (sizes.length > 0 && sizes[sizes.length - 1] !== 1)) {
      throw new InputError(
        `hmge: sizes is ${sizes.join(",")} for ${graph.relations.length} relations; expected numbers that do not grow and end in 1.`,
      );
    }
  },

  notes({ numNodes, features }, o) {
    const width = fittingTableWidth(numNodes, o);
    return features !== undefined || o.input !== "table" || width === o.tableWidth
      ? []
      : [`the table has ${width} columns, not ${o.tableWidth}, to fit ${o.tableMemory} MiB in training (tableMemory)`];
  },

  prepare(graph, o, builder): Prepared {
    const { numNodes, directed } = graph;
    const relations = graph.relations.map((r) => normalizedOperator(r, numNodes, { selfLoop: o.selfLoop, directed }));
    return {
      numNodes,
      relations,
      // raw: B_d = A_d; the normalisation of the combination adds self-loops
      basis: combinationBasis(
        builder,
        o.combine === "raw" ? graph.relations.map((r) => rawOperator(r, numNodes, directed)) : relations,
      ),
      features: graph.features && featureMatrix(graph.features, numNodes, o.normalizeFeatures),
      targets: infomaxTargets(builder, numNodes),
      uniform: builder.constant(new Float64Array(relations.length).fill(1 / relations.length), 1, relations.length),
      select: (graphs, j) =>
        builder.constant(
          Array.from({ length: graphs }, (_, i) => (i === j ? 1 : 0)),
          1,
          graphs,
        ),
    };
  },

  init(parameter, graph, o): Parameters {
    const { dim } = o;
    const { numNodes, relations, features } = graph;
    const table = features === undefined && o.input === "table";
    const inputWidth = features?.numColumns ?? (table ? fittingTableWidth(numNodes, o) : numNodes);
    const steps = combinations(relations.length, o.sizes);
    const attentionStart = uniformAttention(dim, o.attentionScore);
    const levels = o.sizes.map((_, level): Level => {
      const graphs = steps[level][0];
      const width = level > 0 || o.sharedInput ? dim : inputWidth;
      const label = (d: number) => `level${level + 1}.${level === 0 ? relations[d].name : `graph${d + 1}`}`;
      const shared = o.sharedWeights ? initConvolution(parameter, `level${level + 1}.shared`, width, o) : undefined;
      const each = <T>(make: (d: number) => T) => Array.from({ length: graphs }, (__, d) => make(d));
      return {
        convolutions: each((d) => shared ?? initConvolution(parameter, label(d), width, o)),
        attention:
          o.aggregation === "attention"
            ? each((d) => initAttention(parameter, `${label(d)}.attention`, dim, attentionStart))
            : [],
      };
    });
    const scoreInit = ([before, after]: [number, number]) =>
      o.combinationInit === "zero" ? zeros : normal(Math.sqrt(2 / (before + after)));
    return {
      table: table ? parameter("table", numNodes, inputWidth, xavierUniform(numNodes, inputWidth)) : undefined,
      sharedInput: o.sharedInput ? initConvolution(parameter, "input", inputWidth, o) : undefined,
      levels,
      scores:
        o.combinationWeights === "learned"
          ? (o.finalConvolution ? steps : steps.slice(0, -1)).map((step, level) =>
              parameter(`combination${level + 1}.scores`, step[1], step[0], scoreInit(step)),
            )
          : [],
      final: o.finalConvolution
        ? initConvolution(parameter, "final", o.sizes.length > 0 || o.sharedInput ? dim : inputWidth, o)
        : undefined,
      discriminator: initDiscriminator(parameter, dim, { withBias: o.discriminatorBias }),
    };
  },

  loss(parameters, prepared, o, builder) {
    const permutation = randomPermutation(builder, "shuffle", prepared.numNodes);
    const z = encode(parameters, prepared, o, { permutation, dropout: o.dropout }); // [n, 2·dim]
    return infomaxLoss(infomaxLogits(z, parameters.discriminator, o.summary), prepared.targets, o.reduction);
  },

  embed: (parameters, prepared, o) => encode(parameters, prepared, o, { dropout: 0 }),

  layers(parameters, prepared, o) {
    const found: EncoderLayer[] = parameters.table === undefined ? [] : [{ name: "input", tensor: parameters.table }];
    const z = encode(parameters, prepared, o, { dropout: 0, onLayer: (name, tensor) => found.push({ name, tensor }) });
    return o.finalConvolution ? [...found, { name: "final", tensor: z }] : found;
  },

  explain(initial, final, graph, o) {
    if (o.combinationWeights === "uniform" || !o.finalConvolution) return [];
    const steps = combinations(graph.relations.length, o.sizes);
    const weights = (read: (name: string) => ArrayLike<number>) =>
      mixtureWeights(steps.map(([before], level) => ({ before, scores: read(`combination${level + 1}.scores`) })));
    return [{ name: "combination", initial: weights(initial), final: weights(final) }];
  },
});

/** Z: [n, dim], or with a permutation [n, 2·dim], the vectors of the shuffled input to the right of the others. */
function encode(parameters: Parameters, g: Prepared, o: Options, pass: EncoderPass): Tensor {
  const sides = pass.permutation === undefined ? 1 : 2;
  const input: NodeInput =
    g.features !== undefined
      ? { kind: "features", matrix: g.features }
      : parameters.table === undefined
        ? { kind: "oneHot" }
        : { kind: "table", table: parameters.table };

  const project = (h: Tensor | undefined, weight: Tensor, purpose: string) =>
    h === undefined ? projectInput(input, weight, pass, purpose) : projectVectors(h, weight, pass, purpose);
  const overCombination = (weights: Tensor, y: Tensor) =>
    propagateCombination(g.basis, weights, o.combinationSelfLoop, y);

  let h: Tensor | undefined;
  const { sharedInput } = parameters;
  if (sharedInput !== undefined) {
    // without dropout X·W₀ is computed once for all relations
    const once = pass.dropout === 0 ? project(undefined, sharedInput.weight, "input") : undefined;
    const projected = (d: number) => once ?? project(undefined, sharedInput.weight, `input.${d}`);
    h = convolveMean(g.relations, projected, () => sharedInput);
    pass.onLayer?.("shared input", h);
  }

  const mixtures = parameters.scores.map((scores) => softmaxRows(scores)); // A_j = Σ_i softmax_i(α_ij)·A_i
  let combined = mixtures[0]; // [graphs, D]
  parameters.levels.forEach(({ convolutions, attention }, level) => {
    if (level > 1 && mixtures.length > 0) combined = matmul(mixtures[level - 1], combined);
    const graphs = convolutions.length;
    const current = h;
    const projected = (d: number) => project(current, convolutions[d].weight, `level${level + 1}.${d}`);
    const make = (d: number) => {
      if (level === 0) return convolveWith(g.relations[d], projected(d), convolutions[d]);
      const weights = combined === undefined ? g.uniform : matmul(g.select(graphs, d), combined);
      return activate(overCombination(weights, projected(d)), convolutions[d]);
    };
    if (attention.length === 0) {
      h = level === 0 ? convolveMean(g.relations, projected, (d) => convolutions[d]) : meanOver(graphs, make);
    } else {
      const rows = Array.from({ length: graphs }, (_, d) => reshape(make(d), g.numNodes * sides, o.dim));
      h = reshape(attend(rows, attention), g.numNodes, o.dim * sides);
    }
    pass.onLayer?.(`level ${level + 1}`, h);
  });
  if (parameters.final === undefined) {
    if (h === undefined)
      throw new InputError("hmge: sizes is none and finalConvolution false; nothing is left to train.");
    return h;
  }
  if (parameters.levels.length > 1 && mixtures.length > 0) combined = matmul(mixtures[mixtures.length - 1], combined);
  const y = project(h, parameters.final.weight, "final");
  return activate(overCombination(combined ?? g.uniform, y), parameters.final);
}
