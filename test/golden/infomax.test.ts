/**
 * DMGI and HDMI against their formulas, written out with dense float64 matrices: the loss of one epoch and the embedding,
 * from given parameters and a given permutation, without dropout. Both with features and with the identity for features.
 */

import { describe, expect, test } from "vitest";
import { type OptionSchema, resolveOptions } from "../../src/core/options.js";
import { Rng } from "../../src/core/rng.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { multiplexFromEdges } from "../../src/graph/multiplex-from-edges.js";
import { dmgi } from "../../src/models/dmgi.js";
import { hdmi } from "../../src/models/hdmi.js";
import type { GraphInput, Model } from "../../src/nn/model.js";
import { traceTraining } from "../../src/train/training-program.js";
import {
  columnMeans,
  crossEntropy,
  dot,
  identity,
  type Matrix,
  map,
  multiply,
  normalize,
  sigmoid,
  weighted,
} from "../support/dense.js";

const NODES = 6;
const DIM = 3;
const PERMUTATION = [3, 0, 5, 2, 1, 4];
const EDGES: Record<string, [number, number][]> = {
  a: [
    [0, 1],
    [1, 2],
    [2, 3],
    [0, 4],
  ],
  b: [
    [0, 5],
    [1, 5],
    [3, 5],
    [3, 4],
  ],
};
const FEATURES: Matrix = [
  [1, 0, 2, 0],
  [0, 1, 0, 0],
  [0, 0, 0, 0],
  [3, 1, 0, 1],
  [0, 2, 2, 0],
  [1, 1, 1, 1],
];

const relations = Object.keys(EDGES);

function graph(withFeatures: boolean): GraphInput {
  const all = relations.flatMap((relation) => EDGES[relation].map(([i, j]) => ({ relation, i, j })));
  const multiplex = multiplexFromEdges(
    {
      source: all.map(({ i }) => `n${i}`),
      target: all.map(({ j }) => `n${j}`),
      relation: all.map(({ relation }) => relation),
    },
    { nodes: Array.from({ length: NODES }, (_, i) => `n${i}`) },
  );
  if (!withFeatures) return multiplex;
  const entries = FEATURES.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [{ value, column }])));
  const rowStart = [0];
  for (const row of entries) rowStart.push(rowStart[rowStart.length - 1] + row.length);
  const features = {
    numColumns: FEATURES[0].length,
    rowStart: Uint32Array.from(rowStart),
    columns: Uint32Array.from(entries.flat(), ({ column }) => column),
    values: Float32Array.from(entries.flat(), ({ value }) => value),
  };
  return { ...multiplex, features };
}

function adjacency(relation: string): Matrix {
  const out = map(identity(NODES), () => 0);
  for (const [i, j] of EDGES[relation]) out[i][j] = out[j][i] = 1;
  return out;
}

/** X with rows that sum to one, and its shuffled rows. */
function inputs(withFeatures: boolean): { x: Matrix; shuffled: Matrix } {
  const sums = FEATURES.map((row) => row.reduce((sum, value) => sum + value, 0));
  const x = withFeatures ? map(FEATURES, (value, i) => (sums[i] === 0 ? 0 : value / sums[i])) : identity(NODES);
  return { x, shuffled: PERMUTATION.map((from) => x[from]) };
}

interface Outcome {
  readonly loss: number;
  readonly embedding: Matrix;
  readonly parameters: ReadonlyMap<string, Matrix>;
}

/** Loss and embedding that the model computes from random parameters. */
async function run<S extends OptionSchema, P, G>(
  model: Model<S, P, G>,
  input: GraphInput,
  settings: Record<string, unknown>,
): Promise<Outcome> {
  const options = resolveOptions(model.options, model.name, { dim: DIM, ...settings } as never);
  const traced = traceTraining(model, input, options, { weightDecay: 0 });
  const executable = await referenceEngine.compile(traced.program);
  const parameters = new Map<string, Matrix>();
  for (const { name, tensor, kept } of traced.parameters) {
    const rng = new Rng(1, name);
    const values = Array.from({ length: tensor.rows }, () => Array.from({ length: tensor.cols }, () => rng.normal()));
    parameters.set(name, values);
    for (const place of [tensor, kept]) executable.write(place, (data) => data.set(values.flat()));
  }
  const [forward, inverse] = traced.program.randomInputs[0].tensors;
  executable.write(forward, (data) => data.set(PERMUTATION));
  executable.write(inverse, (data) => data.set(PERMUTATION.map((_, i) => PERMUTATION.indexOf(i))));
  executable.run("embed");
  const vectors = await executable.read(traced.embedding);
  executable.run("step");
  const embedding = Array.from({ length: NODES }, (_, i) => [...vectors.slice(i * DIM, (i + 1) * DIM)]);
  return { loss: (await executable.read(traced.loss))[0], embedding, parameters };
}

function expectClose(actual: Matrix, expected: Matrix): void {
  actual.flat().forEach((value, k) => {
    expect(value).toBeCloseTo(expected.flat()[k], 10);
  });
}

describe.each([true, false])("dmgi, features %s", (withFeatures) => {
  const { x, shuffled } = inputs(withFeatures);

  test.each(["mean", "attention"])("pooling by %s", async (pooling) => {
    const gamma = 0.3;
    const settings = { pooling, consensusWeight: gamma, dropout: 0 };
    const { loss, embedding, parameters } = await run(dmgi, graph(withFeatures), settings);
    const get = (name: string) => parameters.get(name)!;
    const encode = (rows: Matrix) =>
      relations.map((relation) => {
        const product = multiply(rows, get(`relation.${relation}.weight`));
        return map(multiply(normalize(adjacency(relation), 3), product), (value) => Math.max(value, 0));
      });
    const clean = encode(x);
    const other = encode(shuffled);
    let expected = 0;
    clean.forEach((h, d) => {
      const summary = columnMeans(h).map(sigmoid);
      const logit = (row: number[]) =>
        dot(multiply([row], get("discriminator.bilinear"))[0], summary) + get("discriminator.bias")[0][0];
      expected += crossEntropy(h.map(logit), other[d].map(logit));
    });
    const pool = (vectors: Matrix[]) =>
      weighted(vectors, (h, d) =>
        pooling === "mean"
          ? 0
          : dot(h, get(`attention.${relations[d]}.vector`).flat()) + get(`attention.${relations[d]}.bias`)[0][0],
      );
    const consensus = get("consensus");
    const squares = (pooled: Matrix) =>
      map(consensus, (value, i, k) => (value - pooled[i][k]) ** 2)
        .flat()
        .reduce((sum, value) => sum + value, 0);
    expected += gamma * (squares(pool(clean)) - squares(pool(other)));
    expect(loss).toBeCloseTo(expected, 10);
    const unit = consensus.map((row) => row.map((value) => value / Math.sqrt(dot(row, row))));
    expectClose(embedding, unit);
    const pooledRun = await run(dmgi, graph(withFeatures), { ...settings, vectors: "pooled", unitVectors: false });
    expectClose(pooledRun.embedding, pool(clean));
  });
});

describe.each([true, false])("hdmi, features %s", (withFeatures) => {
  const { x, shuffled } = inputs(withFeatures);

  test.each([true, false])("separate discriminator %s", async (separateDiscriminator) => {
    const weights = { extrinsic: 0.7, intrinsic: 1.3, joint: 0.4 };
    const fusedWeights = { extrinsic: 0.2, intrinsic: 0.5, joint: 0.9 };
    const { loss, embedding, parameters } = await run(hdmi, graph(withFeatures), {
      ...weights,
      fusedExtrinsic: fusedWeights.extrinsic,
      fusedIntrinsic: fusedWeights.intrinsic,
      fusedJoint: fusedWeights.joint,
      separateDiscriminator,
    });
    const get = (name: string) => parameters.get(name)!;
    const encode = (rows: Matrix) =>
      relations.map((relation) => {
        const product = multiply(rows, get(`relation.${relation}.weight`));
        const bias = get(`relation.${relation}.bias`)[0];
        return map(multiply(normalize(adjacency(relation), 3), product), (value, _, k) => Math.max(value + bias[k], 0));
      });
    const fuse = (vectors: Matrix[]) =>
      weighted(vectors, (h, d) => {
        const part = (name: string) => get(`attention.${relations[d]}.${name}`);
        return Math.tanh(dot(multiply([[...h]], part("matrix"))[0], part("vector").flat()) + part("bias")[0][0]);
      });

    const terms = (clean: Matrix, other: Matrix, name: string, by: typeof weights) => {
      const part = (suffix: string) => get(`${name}.${suffix}`);
      const bilinear = (left: number[], which: string, right: number[]) =>
        dot(multiply([left], part(`${which}.bilinear`))[0], right) + part(`${which}.bias`)[0][0];
      const dense = (row: number[], which: string) =>
        multiply([row], part(`${which}.weight`))[0].map((value, k) => sigmoid(value + part(`${which}.bias`)[0][k]));
      const summary = columnMeans(clean).map(sigmoid);
      const u = dense(summary, "joint.summary");
      const query = (row: number[]) => {
        const g = dense(row, "joint.features");
        const both = multiply(
          [[...u, ...g]],
          [...part("joint.fromSummary.weight"), ...part("joint.fromFeatures.weight")],
        )[0];
        return both.map((value, k) => sigmoid(value + part("joint.fromFeatures.bias")[0][k]));
      };
      const extrinsic = (h: number[]) => bilinear(h, "extrinsic", summary);
      return (
        by.extrinsic * crossEntropy(clean.map(extrinsic), other.map(extrinsic)) +
        by.intrinsic *
          crossEntropy(
            clean.map((h, i) => bilinear(x[i], "intrinsic", h)),
            other.map((h, i) => bilinear(x[i], "intrinsic", h)),
          ) +
        by.joint *
          crossEntropy(
            clean.map((h, i) => bilinear(query(x[i]), "joint", h)),
            clean.map((h, i) => bilinear(query(shuffled[i]), "joint", h)),
          )
      );
    };

    const clean = encode(x);
    const other = encode(shuffled);
    const fusedName = separateDiscriminator ? "fusedDiscriminator" : "discriminator";
    const expected =
      clean.reduce((sum, h, d) => sum + terms(h, other[d], "discriminator", weights), 0) +
      terms(fuse(clean), fuse(other), fusedName, fusedWeights);
    expect(loss).toBeCloseTo(expected, 10);
    expectClose(embedding, fuse(clean));
  });
});
