/**
 * HMGE against the published implementation: embedding, logits, every gradient, five losses, parameters afterwards.
 *
 * The JSON files hold results of github.com/abdouskamel/HMGE (commit 5d726fd) in float64 with PyTorch 1.13, from stored initial
 * parameters and permutations.
 */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { resolveOptions } from "../../src/core/options.js";
import { gradients } from "../../src/engine/autograd.js";
import type { Engine, Executable } from "../../src/engine/engine.js";
import { ProgramBuilder, type Tensor } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { multiplexFromEdges } from "../../src/graph/multiplex-from-edges.js";
import { hmge } from "../../src/models/hmge.js";
import type { GraphInput } from "../../src/nn/model.js";
import { type TrainingProgram, traceTraining } from "../../src/train/training-program.js";
import { relativeError } from "../contract/check-op.js";

interface Golden {
  name: string;
  options: {
    dim: number;
    attention: boolean;
    sharedInputGcn: boolean;
    sharedRelationGcn: boolean;
    selfLoopWeight: number;
    learningRate: number;
    weightDecay: number;
  };
  numNodes: number;
  edges: [number, number][][];
  features: number[][] | null;
  initialParameters: Record<string, unknown>;
  permutations: number[][];
  embeddingBefore: number[][];
  logitsFirstEpoch: number[];
  gradientsFirstEpoch: Record<string, unknown>;
  losses: number[];
  embeddingAfter: number[][];
  parametersAfter: Record<string, unknown>;
  combinationWeightsAfter: number[];
}

const flat = (value: unknown): number[] => (Array.isArray(value) ? value.flatMap(flat) : [value as number]);

function readGolden(name: string): Golden {
  return JSON.parse(readFileSync(new URL(`./hmge-ref-${name}.json`, import.meta.url), "utf8")) as Golden;
}

function goldenGraph(golden: Golden): GraphInput {
  const id = (i: number) => `n${String(i).padStart(3, "0")}`;
  const source: string[] = [];
  const target: string[] = [];
  const relation: string[] = [];
  golden.edges.forEach((edges, d) => {
    for (const [a, b] of edges) {
      source.push(id(a));
      target.push(id(b));
      relation.push(`r${d}`);
    }
  });
  const nodes = Array.from({ length: golden.numNodes }, (_, i) => id(i));
  const graph = multiplexFromEdges({ source, target, relation }, { nodes });
  expect(graph.numNodes).toBe(golden.numNodes);
  if (golden.features === null) return graph;
  const numColumns = golden.features[0].length;
  const rowStart = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const row of golden.features) {
    row.forEach((value, j) => {
      if (value === 0) return;
      columns.push(j);
      values.push(value);
    });
    rowStart.push(columns.length);
  }
  const features = { numColumns, rowStart: Uint32Array.from(rowStart), columns: Uint32Array.from(columns) };
  return { ...graph, features: { ...features, values: Float32Array.from(values) } };
}

/** Name and values of a published tensor as ours; undefined for V, which the published code never uses. */
function translate(name: string, value: unknown): [string, number[]] | undefined {
  if (/^hier_layer\.V\./.test(name)) return undefined;
  const ours = name
    .replace(/^common_gcn/, "input")
    .replace(/^gcn/, "final")
    .replace(/^hier_layer\.one_gcn/, "level1.shared")
    .replace(/^hier_layer\.gcns\.(\d+)/, "level1.r$1")
    .replace(/^hier_layer\.Y\.(\d+)\.weight/, "level1.r$1.attention.vector")
    .replace(/^hier_layer\.Y\.(\d+)\.bias/, "level1.r$1.attention.bias")
    .replace("hier_layer.alphas", "combination1.scores")
    .replace("disc.bilinear.weight", "discriminator.bilinear")
    .replace("disc.bilinear.bias", "discriminator.bias")
    .replace(".fc.weight", ".weight");
  if (!name.endsWith(".fc.weight")) return [ours, flat(value)];
  const rows = value as number[][]; // out × in; ours is in × out
  return [ours, rows[0].flatMap((_, j) => rows.map((row) => row[j]))];
}

function translateAll(parameters: Record<string, unknown>): Map<string, number[]> {
  const pairs = Object.entries(parameters).map(([name, value]) => translate(name, value));
  return new Map(pairs.filter((pair) => pair !== undefined));
}

/**
 * Parameters of the same role over all relations: their errors are measured against the largest of them. One relation's
 * score bias is a single number whose gradient nearly cancels, so alone it would measure float32 itself.
 */
function byRole(parameters: Record<string, unknown>): Map<string, string[]> {
  const roles = new Map<string, string[]>();
  for (const name of translateAll(parameters).keys()) {
    const role = name.replace(/\.r\d+\./, ".");
    roles.set(role, [...(roles.get(role) ?? []), name]);
  }
  return roles;
}

function goldenOptions(golden: Golden) {
  const { dim, attention, sharedInputGcn, sharedRelationGcn, selfLoopWeight } = golden.options;
  return resolveOptions(hmge.options, "hmge", hmge.presets["reference"].options, {
    dim,
    aggregation: attention ? "attention" : "mean",
    sharedInput: sharedInputGcn,
    sharedWeights: sharedRelationGcn,
    selfLoop: selfLoopWeight,
  });
}

function writePermutation(executable: Executable, tensors: readonly Tensor[], permutation: number[]): void {
  const inverse: number[] = [];
  permutation.forEach((from, i) => {
    inverse[from] = i;
  });
  executable.write(tensors[0], (data) => data.set(permutation));
  executable.write(tensors[1], (data) => data.set(inverse));
}

async function firstEpoch(golden: Golden, engine: Engine) {
  const builder = new ProgramBuilder();
  const graph = goldenGraph(golden);
  const options = goldenOptions(golden);
  const tensors = new Map<string, Tensor>();
  const parameters = hmge.init(
    (name, rows, cols) => {
      const tensor = builder.parameter(name, rows, cols);
      tensors.set(name, tensor);
      return tensor;
    },
    graph,
    options,
  );
  const prepared = hmge.prepare(graph, options, builder);
  let logits!: Tensor;
  let found: (Tensor | undefined)[] = [];
  builder.segment("epoch", () => {
    const loss = hmge.loss(parameters, prepared, options, builder, []);
    logits = builder.producer(loss)!.inputs[0];
    found = gradients(loss, [...tensors.values()]);
    return [loss, logits, ...found.filter((g) => g !== undefined)];
  });
  const program = builder.finish();
  const executable = await engine.compile(program);
  for (const [name, values] of translateAll(golden.initialParameters)) {
    executable.write(tensors.get(name)!, (data) => data.set(values));
  }
  writePermutation(executable, program.randomInputs[0].tensors, golden.permutations[0]);
  executable.run("epoch");
  const outcome = {
    logits: await executable.read(logits),
    gradients: await readNamed(
      executable,
      [...tensors.keys()].map((name, i) => [name, found[i]!]),
    ),
  };
  await executable.dispose();
  return outcome;
}

async function readNamed(executable: Executable, tensors: readonly (readonly [string, Tensor])[]) {
  const found = new Map<string, Float32Array | Float64Array>();
  for (const [name, tensor] of tensors) found.set(name, await executable.read(tensor));
  return found;
}

async function readEmbedding(executable: Executable, traced: TrainingProgram): Promise<ArrayLike<number>> {
  executable.run("embed");
  return await executable.read(traced.embedding);
}

async function fiveEpochs(golden: Golden, engine: Engine) {
  const { learningRate, weightDecay } = golden.options;
  const traced = traceTraining(hmge, goldenGraph(golden), goldenOptions(golden), { weightDecay });
  const executable = await engine.compile(traced.program);
  const initial = translateAll(golden.initialParameters);
  expect([...initial.keys()].sort()).toEqual(traced.parameters.map(({ name }) => name).sort());
  for (const { name, tensor, kept } of traced.parameters) {
    for (const place of [tensor, kept]) executable.write(place, (data) => data.set(initial.get(name)!));
  }
  const before = await readEmbedding(executable, traced);
  const losses: number[] = [];
  for (const [t, permutation] of golden.permutations.entries()) {
    writePermutation(executable, traced.program.randomInputs[0].tensors, permutation);
    executable.write(traced.schedule, (data) => data.set([learningRate, 1 - 0.9 ** (t + 1), 1 - 0.999 ** (t + 1)]));
    executable.run("step");
    losses.push((await executable.read(traced.loss))[0]);
  }
  const after = await readNamed(
    executable,
    traced.parameters.map(({ name, tensor }) => [name, tensor]),
  );
  for (const { name, kept } of traced.parameters) executable.write(kept, (data) => data.set(after.get(name)!));
  const embeddingAfter = await readEmbedding(executable, traced);
  await executable.dispose();
  return { before, losses, after, embeddingAfter };
}

// float64 against float64: rounding only. float32: the tolerance asked of this engine.
const engines: [Engine, number][] = [
  [referenceEngine, 1e-9],
  [await createWasmEngine({ threads: 1 }), 2e-4],
  [await createWasmEngine({ threads: 2, relaxed: false }), 2e-4],
];

const names = ["mean-identity", "attention-features", "no-shared-input-features", "single-weight-attention-identity"];

describe.each(names)("%s", (name) => {
  const golden = readGolden(name);
  test.each(engines)("$description", async (engine, tolerance) => {
    const first = await firstEpoch(golden, engine);
    // stored as all clean logits, then all shuffled ones
    const n = golden.numNodes;
    const logits = golden.logitsFirstEpoch.map((_, i) => first.logits[i < n ? 2 * i : 2 * (i - n) + 1]);
    expect(relativeError(logits, golden.logitsFirstEpoch), "logits").toBeLessThan(tolerance);
    for (const [role, names] of byRole(golden.gradientsFirstEpoch)) {
      const expected = translateAll(golden.gradientsFirstEpoch);
      const error = relativeError(
        names.flatMap((parameter) => [...first.gradients.get(parameter)!]),
        names.flatMap((parameter) => expected.get(parameter)!),
      );
      expect(error, `gradient of ${role}`).toBeLessThan(tolerance);
    }
    const { before, losses, after, embeddingAfter } = await fiveEpochs(golden, engine);
    expect(relativeError(before, flat(golden.embeddingBefore)), "embedding before").toBeLessThan(tolerance);
    expect(relativeError(losses, golden.losses), "losses").toBeLessThan(tolerance);
    for (const [parameter, expected] of translateAll(golden.parametersAfter)) {
      expect(relativeError(after.get(parameter)!, expected), `${parameter} after`).toBeLessThan(tolerance);
    }
    expect(relativeError(embeddingAfter, flat(golden.embeddingAfter)), "embedding after").toBeLessThan(tolerance);
  });
});
