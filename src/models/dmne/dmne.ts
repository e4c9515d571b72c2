/**
 * DMNE: one autoencoder per relation; the codes of different relations are pulled together.
 *
 * Ni, Chang, Liu, Cheng, Chen, Xu, Zhang, "Co-Regularized Deep Multi-Network Embedding", WWW 2018. Each relation is a network
 * over the nodes that have edges in it; nodes of different networks with the same id are the same node. Symbols: n_i
 * nodes of relation i, A_i the PPMI of its short walks (models/dmne/sparse-ppmi.ts), H_i codes, U_i ≥ 0 the vectors.
 *
 *   H = σ(σ(A·W1 + b1)·W2 + b2),  Â = σ(σ(H·W3 + b3)·W4 + b4)               (models/dmne/sparse-autoencoder.ts)
 *   Σ_i ‖A_i − Â_i‖²/n_i + β·Σ_i ‖U_i − H_i‖²/n_i + α·Σ_{i≠j} R_ij/(n_i·p)   (R: models/dmne/agreement.ts)
 *
 * A step first moves the autoencoders along the gradient with U fixed, then each U_i in turn by a multiplicative update.
 * No n × n matrix is formed. The vectors of a relation are the rows of U_i scaled to length one. The vectors of the graph are
 * their mean over all relations; a relation without the node contributes zero.
 *
 * Deviations from the paper and the published code:
 *  1. Only the `inputs` largest entries of each row of A_i are kept; the others count as zeros.
 *  2. The sum of all â² in ‖A − Â‖² is estimated from `zeros` random columns per row.
 *  3. No pre-training by Boltzmann machines: in the first `warmup` epochs the autoencoders learn without coupling, and U = H.
 *  4. Adam instead of momentum, and `sweeps` = 1 update of U per epoch instead of five. The update reads H from before the step.
 *  5. Each relation is coupled with at most `partners` p others, the nearest on the ring of relations: all pairs would
 *     cost D²·n·dim² per epoch.
 *  6. Layers of n → 200 → dim → 200 → n; the paper has dim = 100.
 */

import { choice, int, number } from "../../core/options.js";
import {
  add,
  assign,
  gatherRows,
  MISSING,
  matmul,
  multiply,
  normalizeRows,
  ones,
  relu,
  scale,
  scaleRows,
  stopGradient,
} from "../../engine/ops/index.js";
import type { Tensor } from "../../engine/program.js";
import { zeros } from "../../nn/init.js";
import { defineModel, type GraphInput, type Model, type NamedArrays } from "../../nn/model.js";
import type { WeightedCsr } from "../../numeric/csr.js";
import { agreeingVectors, agreementPartners, type Partner } from "./agreement.js";
import { type ConnectedNodes, connectedNodes } from "./connected-nodes.js";
import {
  type Autoencoder,
  encode,
  fullRows,
  initAutoencoder,
  inner,
  reconstructionLoss,
  type SparseInput,
  sparseInput,
} from "./sparse-autoencoder.js";
import { ppmiStages, sparsePpmi } from "./sparse-ppmi.js";

const options = {
  dim: int(64, { min: 1, max: 4096, doc: "width of the vectors" }),
  hidden: int(200, { min: 1, max: 4096, doc: "width of the hidden layers" }),
  variant: choice("proximity", ["proximity", "vectors"], {
    doc: "compare relations by products of vectors (PD) or by the vectors (ED)",
  }),
  agreement: number(1, { min: 0, doc: "α, weight of the agreement between relations" }),
  coupling: number(1, { min: 1e-6, doc: "β, weight of the squared distances between codes and vectors" }),
  walkSteps: int(3, { min: 1, max: 20, doc: "length of the walks that the inputs are computed from, in steps" }),
  continuation: number(0.98, { min: 0.01, max: 1, doc: "probability that such a walk continues" }),
  inputs: int(50, { min: 1, doc: "number of entries that are kept in each row of the inputs; the largest are kept" }),
  zeros: int(25, { min: 1, doc: "random columns per row that the reconstruction error is estimated from" }),
  warmup: int(20, { min: 1, doc: "epochs before codes and vectors are coupled" }),
  sweeps: int(1, { min: 1, max: 20, doc: "updates of all vectors per epoch" }),
  partners: int(8, { min: 2, doc: "maximum number of relations that each relation is coupled with" }),
};

/** A relation that has edges; `index` is its place among all relations. */
interface Network extends ConnectedNodes {
  readonly index: number;
}

interface Parameters {
  readonly autoencoders: readonly Autoencoder[];
  /** U of each network, [n_i, dim]; only `update` changes them. */
  readonly vectors: readonly Tensor[];
  /** Steps done, [1, 1]. */
  readonly clock: Tensor;
}

interface Prepared {
  readonly networks: readonly Network[];
  readonly numRelations: number;
  readonly inputs: readonly SparseInput[];
  readonly partners: readonly (readonly Partner[])[];
  /** Row of each node of the graph in the network of a relation, [n, 1]; MISSING if it has none. */
  places(relation: number): Tensor;
  /** −warmup, [1, 1]. */
  readonly minusWarmup: Tensor;
}

function networksOf({ relations, numNodes }: GraphInput): Network[] {
  return relations.flatMap((relation, index) =>
    relation.columns.length === 0 ? [] : [{ index, ...connectedNodes(relation, numNodes) }],
  );
}

/** Names of the stored arrays of relation d. */
const names = (d: number) => ({ rowStart: `${d}.rowStart`, columns: `${d}.columns`, values: `${d}.values` });

function readRows(arrays: NamedArrays, d: number): WeightedCsr {
  const { rowStart, columns, values } = names(d);
  return {
    rowStart: arrays[rowStart] as Uint32Array,
    columns: arrays[columns] as Uint32Array,
    values: arrays[values] as Float32Array,
  };
}

/** 0 while steps < warmup, 1 afterwards, [1, 1]. */
function isCoupled(clock: Tensor, { minusWarmup }: Prepared): Tensor {
  const since = add(clock, minusWarmup);
  const one = ones(clock.builder, 1, 1);
  return add(relu(add(since, one)), relu(since), -1);
}

/** s·X with s [1, 1]. */
function scaleBy(x: Tensor, factor: Tensor): Tensor {
  return scaleRows(x, matmul(ones(x.builder, x.rows, 1), factor));
}

export const dmne: Model<typeof options> = defineModel({
  name: "dmne",
  paper: "Ni, Chang, Liu, Cheng, Chen, Xu, Zhang 2018, doi 10.1145/3178876.3186113",
  year: 2018,
  summary: "one autoencoder per relation, with a loss that makes relations agree; gives a vector per node and relation",
  cost: "D·n·hidden·(6·dim + 5·inputs + 3·zeros) + 4·sweeps·partners·D·n·dim²; n: nodes with edges in a relation",
  options,
  training: { epochs: 100, patience: 100, learningRate: 0.005, weightDecay: 2e-4 },
  optimization: { optimizer: "adam", keep: "last" },
  presets: {
    proximity: { doc: "relations are compared by products of vectors, PD in the paper (the default)", options: {} },
    vectors: { doc: "relations are compared by vectors, ED in the paper", options: { variant: "vectors" } },
  },

  stages: (graph, { walkSteps }) =>
    networksOf(graph).flatMap(({ nodes, relation }) => ppmiStages(nodes.length, relation.columns.length, walkSteps)),

  async precompute(graph, { walkSteps, continuation, inputs }, tools) {
    const arrays: Record<string, Uint32Array | Float32Array> = {};
    for (const { index, nodes, relation } of networksOf(graph)) {
      const size = Math.min(inputs, nodes.length);
      const shape = { numNodes: nodes.length, directed: graph.directed };
      const rows = await sparsePpmi(relation, shape, { walkSteps, continuation, size }, tools);
      const { rowStart, columns, values } = names(index);
      arrays[rowStart] = rows.rowStart;
      arrays[columns] = rows.columns;
      arrays[values] = rows.values;
    }
    return arrays;
  },

  prepare(graph, o, builder, arrays): Prepared {
    const { numNodes, relations } = graph;
    const networks = networksOf(graph);
    const nowhere = new Uint32Array(numNodes).fill(MISSING);
    return {
      networks,
      numRelations: relations.length,
      inputs: networks.map(({ index, nodes: { length } }) => {
        const rows = arrays === undefined ? fullRows(length, Math.min(o.inputs, length)) : readRows(arrays, index);
        return sparseInput(builder, length, rows);
      }),
      partners: agreementPartners(builder, networks, o.partners),
      places(relation) {
        const place = networks.find(({ index }) => index === relation)?.place ?? nowhere;
        return builder.constant(place, numNodes, 1, "index");
      },
      minusWarmup: builder.constant([-o.warmup], 1, 1),
    };
  },

  init(parameter, graph, { dim, hidden }): Parameters {
    const networks = networksOf(graph);
    return {
      autoencoders: networks.map(({ index, nodes }) =>
        initAutoencoder(parameter, `${index}`, { numNodes: nodes.length, hidden, dim }),
      ),
      vectors: networks.map(({ index, nodes }) => parameter(`${index}.U`, nodes.length, dim, zeros)),
      clock: parameter("clock", 1, 1, zeros),
    };
  },

  /** H of each network: the update reads the codes from before the gradient step. */
  stepTensors: ({ autoencoders }, { inputs }) => autoencoders.map((autoencoder, i) => encode(autoencoder, inputs[i])),

  loss({ autoencoders, vectors, clock }, prepared, o, _builder, codes) {
    const coupled = isCoupled(clock, prepared);
    const parts = autoencoders.map((autoencoder, i) => {
      const code = codes[i];
      const purpose = `columns ${prepared.networks[i].index}`;
      const reconstruction = reconstructionLoss(autoencoder, code, prepared.inputs[i], { samples: o.zeros, purpose });
      const apart = add(code, stopGradient(vectors[i]), -1);
      return add(reconstruction, multiply(inner(apart, apart), stopGradient(coupled)), o.coupling / code.rows);
    });
    return parts.reduce((sum, part) => add(sum, part));
  },

  update({ vectors, clock }, prepared, o, builder, codes) {
    const coupled = isCoupled(clock, prepared);
    for (let sweep = 0; sweep < o.sweeps; sweep++) {
      vectors.forEach((u, i) => {
        const code = codes[i];
        const moved = agreeingVectors(vectors, i, code, prepared.partners[i], o);
        assign(u, add(code, scaleBy(add(moved, code, -1), coupled)));
      });
    }
    assign(clock, add(clock, ones(builder, 1, 1)));
  },

  embed({ vectors }, { networks, numRelations, places }) {
    const sum = vectors
      .map((u, i) => gatherRows(normalizeRows(u), places(networks[i].index)))
      .reduce((total, rows) => add(total, rows)); // [n, dim]
    return scale(sum, 1 / numRelations);
  },

  relationVectors({ vectors }, { networks, places }, _, relation) {
    const i = networks.findIndex(({ index }) => index === relation);
    return { source: gatherRows(normalizeRows(vectors[Math.max(i, 0)]), places(relation)) };
  },
  relationScore: "dot",
});
