/** The loss of SSDCM against its definition, written out with dense matrices, an n × n kernel and all pairs of relations. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import type { FeatureInput, LabelInput } from "../../nn/model.js";
import { startRun } from "../../train/train.js";
import type { TrainableGraph } from "../../train/trainable.js";
import { ssdcm } from "./ssdcm.js";

type Matrix = number[][];

const SEED = 7;
const ids = ["a", "b", "c", "d", "e", "f", "g"];
const n = ids.length;
const graph = multiplexFromEdges(
  {
    source: ["a", "a", "b", "d", "e", "a", "c", "d", "f"],
    target: ["b", "c", "c", "e", "f", "d", "f", "f", "g"],
    relation: ["x", "x", "x", "x", "x", "y", "y", "y", "y"],
    weight: [1, 2, 1, 0.5, 1, 1, 3, 1, 1],
  },
  {},
);

const featureRows: Matrix = [
  [1, 0, 2, 0],
  [0, 1, 0, 0],
  [3, 1, 0, 0],
  [0, 0, 0, 0],
  [0, 0, 1, 1],
  [1, 1, 1, 1],
  [0, 2, 0, 1],
];

function sparseRows(rows: Matrix): { rowStart: Uint32Array; columns: Uint32Array; values: Float32Array } {
  const entries = rows.flatMap((row, i) => row.flatMap((value, j) => (value === 0 ? [] : [{ i, j, value }])));
  return {
    rowStart: Uint32Array.from({ length: rows.length + 1 }, (_, i) => entries.filter((entry) => entry.i < i).length),
    columns: Uint32Array.from(entries, ({ j }) => j),
    values: Float32Array.from(entries, ({ value }) => value),
  };
}

const features: FeatureInput & { names: string[] } = {
  ...sparseRows(featureRows),
  numColumns: 4,
  names: ["p", "q", "r", "s"],
};

/** Classes of each node; none for nodes that do not train. */
const single: Matrix = [[1, 0, 0], [1, 0, 0], [], [0, 1, 0], [], [0, 0, 1], [0, 1, 0]];
const several: Matrix = [[1, 0, 1], [1, 0, 0], [], [0, 1, 0], [], [1, 1, 1], []];

function labelInput(classes: Matrix): LabelInput {
  const { rowStart, columns } = sparseRows(classes.map((row) => (row.length === 0 ? [0, 0, 0] : row)));
  return { numClasses: 3, rowStart, columns };
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const multiply = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
const transpose = (a: Matrix): Matrix => a[0].map((_, j) => a.map((row) => row[j]));
const combine = (a: Matrix, b: Matrix, f: (x: number, y: number) => number): Matrix =>
  a.map((row, i) => row.map((value, j) => f(value, b[i][j])));
const each = (a: Matrix, f: (x: number) => number): Matrix => a.map((row) => row.map(f));
const squares = (a: Matrix): number => a.flat().reduce((sum, value) => sum + value * value, 0);
const squaredDistance = (a: Matrix, b: Matrix): number => squares(combine(a, b, (x, y) => x - y));
const softmax = (row: number[]): number[] => {
  const powers = row.map(Math.exp);
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
};
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const rowsBySum = (a: Matrix): Matrix =>
  a.map((row) => {
    const sum = row.reduce((x, y) => x + y, 0);
    return row.map((value) => (sum === 0 ? 0 : value / sum));
  });

/** A + c·I of relation r. */
function looped(r: number, selfLoop: number): Matrix {
  const { rowStart, columns, values } = graph.relations[r];
  return range(n).map((i) => {
    const row = range(n).map((j) => (i === j ? selfLoop : 0));
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) row[columns[e]] += values?.[e] ?? 1;
    return row;
  });
}

interface Case {
  readonly name: string;
  readonly settings: Record<string, unknown>;
  readonly classes?: Matrix;
  readonly withFeatures?: boolean;
}

/** The loss of the first epoch. */
function expectedLoss(
  parameter: (name: string) => Matrix,
  permutation: Uint32Array,
  o: Readonly<Record<string, unknown>>,
  { classes, withFeatures = true }: Case,
): number {
  const weight = (name: string) => Number(o[`${name}Weight`]);
  const names = graph.relations.map(({ name }) => name);
  const act = (a: Matrix, name: string) => {
    const slope = o["activation"] === "prelu" ? parameter(`${name}.slope`)[0][0] : 0;
    return each(a, (x) => (x > 0 ? x : slope * x));
  };
  const encode = (name: string, r: number, shuffled: boolean): Matrix => {
    const a = looped(r, Number(o["selfLoop"]));
    const roots = a.map((row) => 1 / Math.sqrt(row.reduce((x, y) => x + y, 0)));
    const normalized = a.map((row, i) => row.map((value, j) => roots[i] * value * roots[j]));
    const rows = rowsBySum(withFeatures ? featureRows : a);
    let h = shuffled ? range(n).map((i) => rows[permutation[i]]) : rows;
    const layers = Number(o["layers"]);
    if (layers === 1)
      return act(multiply(normalized, multiply(h, parameter(`relation.${name}.weight`))), `relation.${name}`);
    for (let l = 1; l <= layers; l++) {
      const layer = `relation.${name}.layer${l}`;
      const through = multiply(normalized, multiply(h, parameter(`${layer}.weight`)));
      const around = multiply(h, parameter(`${layer}.residual`));
      h = act(
        combine(through, around, (x, y) => 0.8 * x + 0.2 * y),
        layer,
      );
    }
    return h;
  };
  const clean = names.map((name, r) => encode(name, r, false));
  const shuffled = names.map((name, r) => encode(name, r, true));
  const memberships = names.map((name, r) => multiply(clean[r], transpose(parameter(`centres.${name}`))).map(softmax));

  let loss = 0;
  const phi = { "log-sigmoid": (x: number) => Math.log(sigmoid(x)), sigmoid, none: (x: number) => x };
  names.forEach((name, r) => {
    const summaries = each(
      multiply(memberships[r], parameter(`centres.${name}`)),
      phi[o["summary"] as keyof typeof phi],
    );
    const logit = (u: number[], i: number) =>
      multiply(multiply([u], parameter("discriminator.bilinear")), transpose([summaries[i]]))[0][0] +
      parameter("discriminator.bias")[0][0];
    for (const i of range(n)) {
      loss -= Math.log(sigmoid(logit(clean[r][i], i))) / (2 * n);
      loss -= Math.log(sigmoid(-logit(shuffled[r][i], i))) / (2 * n);
    }
    const p = memberships[r];
    if (o["assignment"] === "hard") {
      for (const row of p) loss -= (weight("assignment") * Math.log(sigmoid(squares([row])))) / n;
    } else {
      const identity = range(p[0].length).map((i) => range(p[0].length).map((j) => (i === j ? 1 : 0)));
      loss += weight("assignment") * squaredDistance(multiply(transpose(p), p), identity);
    }
    if (classes !== undefined) {
      const y = classes.map((row) => (row.length === 0 ? [0, 0, 0] : row));
      const kernel = multiply(y, transpose(y));
      const laplacian = kernel.map((row, i) =>
        row.map((value, j) => (i === j ? row.reduce((a, b) => a + b, 0) : 0) - value),
      );
      const inner = multiply(multiply(transpose(p), laplacian), p);
      loss += weight("learning") * inner.reduce((sum, row, k) => sum + row[k], 0);
    }
  });
  for (const r of range(names.length)) {
    for (const other of range(names.length)) {
      if (r === other) continue;
      loss += weight("cross") * squaredDistance(clean[r], clean[other]);
      loss += weight("cross") * squaredDistance(memberships[r], memberships[other]);
    }
  }

  const pool = (vectors: Matrix[]): Matrix => {
    const heads = o["pooling"] === "mean" ? 0 : Number(o["heads"]);
    return range(n).map((i) => {
      const shares = range(Math.max(1, heads)).map((head) =>
        heads === 0
          ? names.map(() => 1 / names.length)
          : softmax(
              names.map((name, r) => {
                const score = multiply([vectors[r][i]], parameter(`attention${head + 1}.${name}.vector`))[0][0];
                return score + parameter(`attention${head + 1}.${name}.bias`)[0][0];
              }),
            ),
      );
      return range(vectors[0][0].length).map(
        (k) =>
          shares.reduce((sum, own) => sum + own.reduce((part, share, r) => part + share * vectors[r][i][k], 0), 0) /
          shares.length,
      );
    });
  };
  const consensus = parameter("consensus");
  loss += weight("consensus") * squaredDistance(consensus, pool(clean));
  if (o["consensus"] === "contrast") loss -= weight("consensus") * squaredDistance(consensus, pool(shuffled));

  if (classes !== undefined) {
    const trained = range(n).filter((i) => classes[i].length > 0);
    const logits = multiply(consensus, parameter("classifier.weight")).map((row) =>
      row.map((value, c) => value + parameter("classifier.bias")[0][c]),
    );
    const one = classes.every((row) => squares([row]) < 2);
    for (const i of trained) {
      const shares = one ? softmax(logits[i]) : logits[i].map(sigmoid);
      classes[i].forEach((has, c) => {
        if (has === 1) loss -= (weight("supervision") * Math.log(shares[c])) / trained.length;
        else if (!one) loss -= (weight("supervision") * Math.log(1 - shares[c])) / trained.length;
      });
    }
  }
  return loss;
}

const cases: Case[] = [
  { name: "the default", settings: {}, classes: single },
  { name: "the defaults of the published code", settings: { preset: "defaults" }, classes: single },
  { name: "the paper", settings: { preset: "paper" }, classes: single },
  { name: "several labels a node", settings: { consensusWeight: 0.3 }, classes: several },
  { name: "no labels", settings: { crossWeight: 0.1 } },
  { name: "no features", settings: { consensusWeight: 0.2 }, classes: single, withFeatures: false },
  {
    name: "two layers, two heads, other clusters",
    settings: { layers: 2, heads: 2, clusters: 5, consensusWeight: 0.5, summary: "none" },
    classes: single,
  },
  {
    name: "mean, fit, ReLU",
    settings: { pooling: "mean", consensus: "fit", activation: "relu", selfLoop: 1, consensusWeight: 0.4 },
    classes: single,
  },
];

describe("the loss of ssdcm", () => {
  test.each(cases)("is the published sum: $name", async (one) => {
    const { settings, classes, withFeatures = true } = one;
    const trainable: TrainableGraph = {
      ...graph,
      features: withFeatures ? features : undefined,
      labels: classes && labelInput(classes),
    };
    const run = await startRun(trainable, ssdcm, {
      ...settings,
      dim: 3,
      dropout: 0,
      seed: SEED,
      epochs: 1,
      engine: "reference",
    });
    const stored = new Map((await run.snapshot()).tensors.map((tensor) => [tensor.name, tensor]));
    const parameter = (name: string): Matrix => {
      const tensor = stored.get(`parameter.${name}`);
      if (tensor === undefined) throw new Error(`no parameter ${name}`);
      return range(tensor.rows).map((i) => [...tensor.data.subarray(i * tensor.cols, (i + 1) * tensor.cols)]);
    };
    const permutation = new Uint32Array(n);
    new Rng(SEED, "shuffle", 1).permutation(permutation);
    const expected = expectedLoss(parameter, permutation, run.options, one);
    for await (const _ of run);
    expect(Math.abs(run.losses[0] / expected - 1)).toBeLessThan(1e-12);
    await run.dispose();
  });
});
