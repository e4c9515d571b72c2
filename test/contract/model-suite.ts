/**
 * The contract of every model: the same seed gives the same bits with any number of threads; the fast engine agrees with the
 * reference; every parameter receives a gradient; a resumed run equals an uninterrupted one; a probe reads planted
 * communities from the vectors; relabelling the nodes permutes the vectors.
 *
 * A model needs no entry anywhere: its presets are tested, and its vectors must reach a default accuracy. model-extras.ts
 * adds settings and measured accuracies of single models.
 */

import { describe, expect, test } from "vitest";
import { resolveOptions } from "../../src/core/options.js";
import { Rng } from "../../src/core/rng.js";
import type { Executable } from "../../src/engine/engine.js";
import { MISSING } from "../../src/engine/ops/index.js";
import type { Tensor } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import type { Multiplex } from "../../src/graph/multiplex.js";
import { multiplexFromEdges } from "../../src/graph/multiplex-from-edges.js";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import type { Model } from "../../src/nn/model.js";
import { startRun, train } from "../../src/train/train.js";
import type { TrainableGraph } from "../../src/train/trainable.js";
import { type TrainingProgram, traceTraining } from "../../src/train/training-program.js";
import { probeAccuracy } from "../support/probe-accuracy.js";
import { relativeError } from "./check-op.js";
import { type Draw, fillRandomInputs, watchDraws } from "./draws.js";
import { MODEL_EXTRAS, type ModelExtras, plantedFloor } from "./model-extras.js";

const small = generateSbm({ nodes: 90, relations: 3, pIn: 0.3, pOut: 0.03, seed: 4 });
/** For comparisons of engines and threads, which take most of the time. */
export const tiny = generateSbm({ nodes: 60, relations: 3, pIn: 0.4, pOut: 0.04, seed: 4 });

/** Two planted communities of equal size in three relations; 160 of the 200 nodes are held out from the probe. */
const communities = generateSbm({ nodes: 200, relations: 3, pIn: 0.2, pOut: 0.02, seed: 2 });
const SEEDS = [1, 2, 3];

/** Every preset of a model, the first as its default settings, unless the extra variants contain it. */
function variantsOf(model: Model, { variants = [] }: ModelExtras): Record<string, unknown>[] {
  const [first, ...others] = Object.keys(model.presets);
  const covered = new Set(variants.map(({ preset = first }) => preset));
  return [
    ...(covered.has(first) ? [] : [{}]),
    ...variants,
    ...others.filter((preset) => !covered.has(preset)).map((preset) => ({ preset })),
  ];
}

/** The settings for which the model has an option. */
export function fitting(model: Model, settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(model.options, name)));
}

/** A graph with weights, an isolated node, a node without edges in one relation, and an empty relation. */
export function awkwardGraph(directed: boolean): Multiplex {
  const rng = new Rng(9, "awkward");
  const source: string[] = [];
  const target: string[] = [];
  const relation: string[] = [];
  const weight: number[] = [];
  for (let k = 0; k < 120; k++) {
    source.push(`v${rng.below(25)}`);
    target.push(`v${rng.below(25)}`);
    relation.push(["a", "b"][rng.below(2)]);
    weight.push(0.25 + rng.uniform());
  }
  source.push("v1");
  target.push("v1");
  relation.push("loops only");
  weight.push(1);
  return multiplexFromEdges({ source, target, relation, weight }, { directed, nodes: ["alone"] });
}

export function withFeatures(graph: TrainableGraph, numColumns: number): TrainableGraph {
  const rng = new Rng(2, "features");
  const rowStart = [0];
  const columns: number[] = [];
  for (let i = 0; i < graph.numNodes; i++) {
    for (let j = 0; j < numColumns; j++) if (rng.uniform() < 0.3) columns.push(j);
    rowStart.push(columns.length);
  }
  return {
    ...graph,
    features: {
      names: Array.from({ length: numColumns }, (_, j) => `f${j}`),
      numColumns,
      rowStart: Uint32Array.from(rowStart),
      columns: Uint32Array.from(columns),
    },
  };
}

/** Labels for every third node, at most `max` per node. */
function withLabels(graph: TrainableGraph, max: unknown): TrainableGraph {
  if (typeof max !== "number") return graph;
  const rows = graph.ids.map((_, i) =>
    i % 3 > 0 ? [] : [0, 1, 2].filter((c) => (i + 3 * c) % 9 < 3 * (1 + (i % max))),
  );
  return {
    ...graph,
    labels: {
      numClasses: 3,
      rowStart: Uint32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]),
      columns: Uint32Array.from(rows.flat()),
    },
  };
}

const bytes = (vectors: Float32Array) => Buffer.from(vectors.buffer, vectors.byteOffset, vectors.byteLength);

/** `graph` with node i renamed so that its index is order[i]. */
function relabel(graph: Multiplex, order: Uint32Array): Multiplex {
  const id = (i: number) => `w${String(i).padStart(4, "0")}`;
  const source: string[] = [];
  const target: string[] = [];
  const relation: string[] = [];
  for (const { name, rowStart, columns } of graph.relations) {
    for (let i = 0; i < graph.numNodes; i++) {
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        if (columns[e] < i) continue;
        source.push(id(order[i]));
        target.push(id(order[columns[e]]));
        relation.push(name);
      }
    }
  }
  const nodes = Array.from({ length: graph.numNodes }, (_, i) => id(i));
  return multiplexFromEdges({ source, target, relation }, { nodes });
}

/** Whether random inputs are a permutation of the nodes and its inverse. */
function isPermutation(tensors: readonly Tensor[], numNodes: number): boolean {
  return tensors.length === 2 && tensors.every(({ rows, cols }) => rows * cols === numNodes);
}

async function trainTraced(
  graph: Multiplex,
  model: Model,
  rename: (data: Float64Array, rows: number, cols: number) => Float64Array,
  permutation: (epoch: number) => Uint32Array,
  onDraw: (draw: Draw) => void,
): Promise<Float64Array> {
  const options = resolveOptions(model.options, model.name, fitting(model, { dim: 6, tableWidth: 9, dropout: 0 }));
  const traced: TrainingProgram = traceTraining(model, graph, options, { weightDecay: 1e-5 });
  const executable: Executable = await referenceEngine.compile(watchDraws(traced.program, onDraw));
  for (const { name, tensor, initializer } of traced.parameters) {
    const start = new Float64Array(tensor.rows * tensor.cols);
    initializer(start, new Rng(1, name));
    executable.write(tensor, (data) => data.set(rename(start, tensor.rows, tensor.cols)));
  }
  for (let epoch = 0; epoch < 4; epoch++) {
    fillRandomInputs(traced.program, executable, 1, epoch);
    for (const { tensors } of traced.program.randomInputs) {
      if (!isPermutation(tensors, graph.numNodes)) continue;
      const order = permutation(epoch);
      executable.write(tensors[0], (data) => data.set(order));
      executable.write(tensors[1], (data) => {
        order.forEach((from, i) => {
          data[from] = i;
        });
      });
    }
    executable.write(traced.schedule, (data) => data.set([0.01, 1 - 0.9 ** (epoch + 1), 1 - 0.999 ** (epoch + 1)]));
    executable.run("step");
  }
  executable.run("embed");
  return (await executable.read(traced.embedding)) as Float64Array;
}

/** Registers the tests of one model. */
export function describeModel(model: Model, extras: ModelExtras = MODEL_EXTRAS[model.name] ?? {}): void {
  describe(model.name, () => {
    for (const [place, variant] of variantsOf(model, extras).entries()) {
      const { labels, ...settings } = variant;
      const labelled = withLabels(tiny.graph, labels);
      test(`same seed, same bits for 1, 2 and 3 threads: ${JSON.stringify(variant)}`, async () => {
        const common = { ...fitting(model, { dim: 16, tableWidth: 24 }), epochs: 4, seed: 3, ...settings };
        const engines = await Promise.all([1, 2, 3].map((threads) => createWasmEngine({ threads })));
        const runs = await Promise.all(engines.map((engine) => train(labelled, model, { ...common, engine })));
        for (const run of runs) {
          expect(run.losses).toEqual(runs[0].losses);
          expect(bytes(run.embedding.vectors).equals(bytes(runs[0].embedding.vectors))).toBe(true);
        }
        const other = await train(labelled, model, { ...common, seed: 4, threads: 1 });
        expect(bytes(other.embedding.vectors).equals(bytes(runs[0].embedding.vectors))).toBe(false);
      });

      test(`wasm agrees with the reference for five epochs: ${JSON.stringify(variant)}`, async () => {
        // the first settings on all graphs, the others without the undirected awkward graph
        const directions = place === 0 ? [false, true] : [true];
        const awkward = directions.map((directed) => withLabels(awkwardGraph(directed), labels));
        for (const graph of [labelled, ...awkward, withFeatures(labelled, 20)]) {
          const common = { ...fitting(model, { dim: 5, tableWidth: 7 }), epochs: 5, ...settings };
          // two threads on one graph: they give the same bits as one, by the test above, and take four times the CPU time
          const threads = place === 0 && graph === awkward[0] ? 2 : 1;
          const wasm = await train(graph, model, { ...common, threads });
          const reference = await train(graph, model, { ...common, engine: "reference" });
          // float32 against float64 over five steps of Adam, whose first steps follow the sign of small gradients
          expect(relativeError(wasm.losses, reference.losses)).toBeLessThan(1e-4);
          expect(wasm.losses.every(Number.isFinite)).toBe(true);
        }
      });

      test(`every parameter receives a gradient: ${JSON.stringify(variant)}`, async () => {
        const run = await startRun(withLabels(small.graph, labels), model, {
          ...fitting(model, { dim: 8, tableWidth: 8 }),
          epochs: 3,
          weightDecay: 0,
          ...settings,
          threads: 1,
        });
        const before = new Map((await run.snapshot()).tensors.map(({ name, data }) => [name, data]));
        for await (const _ of run);
        for (const { name, data } of (await run.snapshot()).tensors) {
          // without weight decay only a gradient changes a parameter
          if (!name.startsWith("parameter.")) continue;
          expect(
            data.some((x, i) => x !== before.get(name)?.[i]),
            name,
          ).toBe(true);
        }
        await run.dispose();
      });
    }

    test("a resumed run equals an uninterrupted one, bit for bit", async () => {
      const settings = { ...fitting(model, { dim: 16, tableWidth: 24 }), seed: 5, threads: 2 };
      const whole = await train(tiny.graph, model, { ...settings, epochs: 8 });
      const first = await startRun(tiny.graph, model, { ...settings, epochs: 8 });
      for await (const { epoch } of first) if (epoch === 3) break;
      const snapshot = await first.snapshot();
      await first.dispose();
      const rest = await train(tiny.graph, model, { ...settings, epochs: 8, threads: 1, resume: snapshot });
      expect(rest.losses).toEqual(whole.losses);
      expect(bytes(rest.embedding.vectors).equals(bytes(whole.embedding.vectors))).toBe(true);
      const elsewhere = generateSbm({ nodes: 60, relations: 3, pIn: 0.4, pOut: 0.04, seed: 6 }).graph;
      const again = { ...settings, epochs: 8, threads: 1, resume: snapshot };
      await expect(train(elsewhere, model, again)).rejects.toThrow(/another graph/);
      // if the learning rate decreases until the last epoch, it depends on the number of epochs
      if ((model.optimization?.finalRate ?? 1) < 1) {
        await expect(train(tiny.graph, model, { ...again, epochs: 9 })).rejects.toThrow(
          /made for 8 epochs, this run is for 9/,
        );
      }
      await expect(train(tiny.graph, model, { ...again, seed: 6 })).rejects.toThrow(/another seed/);
    });

    test("a probe reads planted communities from the vectors", async () => {
      const classes = communities.labels.map((label) => (label === "c1" ? 1 : 0));
      const settings = { dim: 32, threads: 1, ...extras.planted?.settings };
      for (const seed of SEEDS) {
        const { embedding } = await train(communities.graph, model, { ...settings, seed });
        expect(probeAccuracy(embedding, classes, 5), `seed ${seed}`).toBeGreaterThan(plantedFloor(extras));
      }
    });

    // `precompute` draws nodes by index; after relabelling it draws other nodes, so the vectors cannot be compared
    if (model.precompute !== undefined) return;
    test("relabelling the nodes permutes the vectors", async () => {
      const { graph } = small;
      const order = new Uint32Array(graph.numNodes);
      new Rng(1, "relabel").permutation(order);
      const shuffles = (epoch: number) => {
        const out = new Uint32Array(graph.numNodes);
        new Rng(2, "shuffle", epoch).permutation(out);
        return out;
      };
      const drawn: number[][] = [];
      const original = await trainTraced(
        graph,
        model,
        (data) => data,
        shuffles,
        ({ outputs }) => drawn.push(...outputs.map(({ data }) => [...data])),
      );
      // rows of node tables move with their nodes, and the permutation is renamed
      const moveRows = (data: Float64Array, rows: number, cols: number) => {
        if (rows !== graph.numNodes) return data;
        const moved = new Float64Array(data.length);
        for (let i = 0; i < rows; i++) moved.set(data.subarray(i * cols, (i + 1) * cols), order[i] * cols);
        return moved;
      };
      const renamedShuffles = (epoch: number) => {
        const out = new Uint32Array(graph.numNodes);
        shuffles(epoch).forEach((from, i) => {
          out[order[i]] = order[from];
        });
        return out;
      };
      // drawn nodes are renamed too, because the same random stream would draw other nodes
      let next = 0;
      const renamed = await trainTraced(
        relabel(graph, order),
        model,
        moveRows,
        renamedShuffles,
        ({ outputs, nodes }) => {
          for (const output of outputs) {
            const rename = (node: number) => (node === MISSING ? MISSING : order[node]);
            output.data.set(nodes.includes(output) ? drawn[next].map(rename) : drawn[next]);
            next++;
          }
        },
      );
      expect(next).toBe(drawn.length);
      const expected = moveRows(original, graph.numNodes, original.length / graph.numNodes);
      expect(original.some((x) => x !== 0)).toBe(true);
      // float64 with another order of summation
      expect(relativeError(renamed, expected)).toBeLessThan(1e-9);
    });
  });
}

/** Registers every `count`-th model of src/models/index.ts, starting with number `first`: the share of one test file. */
export async function describeShare(first: number, count: number): Promise<void> {
  const all: readonly Model[] = Object.values(await import("../../src/models/index.js"));
  for (let m = first; m < all.length; m += count) describeModel(all[m]);
}
