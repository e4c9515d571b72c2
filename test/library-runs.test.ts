/** Runs started by a program: asynchronous callbacks, engines that several runs share, and refusals before the work. */

import { describe, expect, it } from "vitest";
import { referenceEngine } from "../src/engine/reference.js";
import * as hmge from "../src/index.js";
import { call } from "./support/untyped.js";

const { graph } = hmge.generateSbm({ nodes: 60, relations: 2, pIn: 0.4, pOut: 0.05, seed: 1 });
const settings = { dim: 4, epochs: 3, threads: 1 };

/** The reference engine, with a count of its programs that are not disposed yet. */
function countingEngine() {
  const counts = { compiled: 0, held: 0 };
  const engine: hmge.Engine = {
    ...referenceEngine,
    compile: async (program) => {
      counts.compiled++;
      counts.held++;
      const executable = await referenceEngine.compile(program);
      const end = executable.dispose.bind(executable);
      executable.dispose = () => end().then(() => void counts.held--);
      return executable;
    },
  };
  return { engine, counts };
}

describe("callbacks that return promises", () => {
  const failing = async () => {
    throw new Error("said by the callback");
  };

  const failingWithin = async (stage: string, done: number) => {
    if (done > 0 && stage.startsWith("directions")) throw new Error("said by the callback");
  };

  it.each([
    ["onEpoch", hmge.hmge, failing],
    ["onStep", hmge.multiview, failingWithin],
  ] as const)("fail the training when %s rejects, and dispose of its program", async (name, model, listener) => {
    const { engine, counts } = countingEngine();
    const training = hmge.train<hmge.OptionSchema, unknown, unknown>(graph, model, {
      ...settings,
      engine,
      [name]: listener,
    });
    await expect(training).rejects.toThrow("said by the callback");
    expect(counts).toEqual({ compiled: 1, held: 0 });
  });

  it("fail the run when onPart rejects", async () => {
    const { engine, counts } = countingEngine();
    const names = ["a", "b"];
    const features = {
      names,
      numColumns: 2,
      rowStart: Uint32Array.from({ length: 61 }, (_, i) => i),
      columns: Uint32Array.from({ length: 60 }, (_, i) => i % 2),
    };
    const training = hmge.train({ ...graph, features }, hmge.multiview, { ...settings, engine, onPart: failing });
    await expect(training).rejects.toThrow("said by the callback");
    expect(counts.compiled).toBeGreaterThan(0);
    expect(counts.held).toBe(0);
  });

  it("are awaited before the next epoch", async () => {
    const heard: string[] = [];
    const run = await hmge.train(graph, hmge.hmge, {
      ...settings,
      onEpoch: async ({ epoch }, { numEpochs }) => {
        heard.push(`${epoch} of ${numEpochs}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        heard.push("end");
      },
    });
    expect(heard).toEqual(["1 of 1", "end", "2 of 2", "end", "3 of 3", "end"]);
    expect(run.embedding).toEqual((await hmge.train(graph, hmge.hmge, settings)).embedding);
  });

  it("fail a t-SNE map when they reject", async () => {
    const run = await hmge.train(graph, hmge.hmge, settings);
    await expect(hmge.tsne(run.embedding, { onProgress: failing })).rejects.toThrow("said by the callback");
  });

  it("are refused by synchronous functions", async () => {
    const { embedding } = await hmge.train(graph, hmge.hmge, settings);
    const labels = { byNode: new Map(graph.ids.map((id, i) => [id, [`${i % 2}`]])), names: ["0", "1"] };
    const classify = () => hmge.classifyNodes([embedding], labels, { split: { train: 0.5 }, onProgress: failing });
    expect(classify).toThrow("classify: onProgress: it returned a promise");
  });

  it("are refused unless they are functions", async () => {
    await expect(call(hmge.train, graph, hmge.hmge, { onEpoch: 5 })).rejects.toThrow(
      "hmge: onEpoch is 5; expected a function.",
    );
  });
});

it("Symbol.asyncDispose disposes of a run, for `await using`", async () => {
  const { engine, counts } = countingEngine();
  const run = await hmge.startRun(graph, hmge.hmge, { ...settings, engine });
  expect(counts.held).toBe(1);
  await run[Symbol.asyncDispose]();
  expect(counts.held).toBe(0);
});

describe("engines", () => {
  it("are created by name and shared by several runs and maps", async () => {
    const engine = await hmge.createEngine("wasm", 1);
    expect([engine.name, engine.numThreads]).toEqual(["wasm", 1]);
    const first = await hmge.train(graph, hmge.hmge, { dim: 4, epochs: 3, engine });
    const second = await hmge.train(graph, hmge.hmge, { dim: 4, epochs: 3, engine });
    expect(second.embedding).toEqual(first.embedding);
    expect((await hmge.tsne(first.embedding, { engine, iterations: 5 })).iterations).toBe(5);
    expect((await hmge.createEngine("reference")).name).toBe("reference");
  });
});

describe("a run with wrong settings", () => {
  it("is refused before its preparation: a snapshot of another run, an aborted signal", async () => {
    const { engine, counts } = countingEngine();
    const begun = await hmge.startRun(graph, hmge.multiview, { ...settings, engine });
    const resume = await begun.snapshot();
    await begun.dispose();
    const before = counts.compiled;
    await expect(hmge.train(graph, hmge.multiview, { ...settings, seed: 2, engine, resume })).rejects.toThrow(
      "checkpoint: made with another seed",
    );
    const signal = AbortSignal.abort(new Error("not now"));
    await expect(hmge.train(graph, hmge.multiview, { ...settings, engine, signal })).rejects.toThrow("not now");
    expect(counts.compiled).toBe(before);
    const run = await hmge.train(graph, hmge.multiview, { ...settings, engine, resume });
    expect(run.numEpochs).toBe(3);
  });

  it.each([
    ["no losses", { progress: { epoch: 0, losses: {}, bestEpoch: 0, sinceBest: 0, seconds: 0 } }],
    ["a best epoch beyond the last", { progress: { epoch: 0, losses: [], bestEpoch: 4, sinceBest: 0, seconds: 0 } }],
    ["no progress", { progress: undefined }],
    ["tensors without numbers", { tensors: [{ name: "w", rows: 1, cols: 1, data: { 0: 1 } }] }],
  ])("is refused with a snapshot of %s", async (_, wrong) => {
    const begun = await hmge.startRun(graph, hmge.hmge, settings);
    const resume = { ...(await begun.snapshot()), ...wrong };
    await begun.dispose();
    await expect(call(hmge.train, graph, hmge.hmge, { ...settings, resume })).rejects.toThrow(
      "checkpoint: the value is not a snapshot",
    );
  });
});

describe("nodes that are new after training", () => {
  const { graph: known, communities } = hmge.generateSbm({ nodes: 200, relations: 1, pIn: 0.2, pOut: 0.01, seed: 1 });
  const arrivals = (group: number) => {
    const friends = known.ids.filter((_, node) => communities[0][node] === group).slice(0, 5);
    return hmge.multiplexFromEdges({
      source: friends.map(() => "new"),
      target: friends,
      relation: friends.map(() => known.relations[0].name),
    });
  };

  it("are placed near the group of their neighbours", async () => {
    const trained = (await hmge.train(known, hmge.multiview, { dim: 8, epochs: 30, threads: 1 })).embedding;
    const neighbors = hmge.fitNeighborMap(known, trained);
    if (neighbors === undefined) throw new Error("no map");
    for (const group of [0, 1]) {
      const placed = hmge.placeNewNodes({ neighbors }, trained, arrivals(group));
      expect([placed.embedding.ids, placed.numKnown, placed.unplaced]).toEqual([["new"], 5, []]);
      const all = {
        ids: [...trained.ids, "new"],
        dim: trained.dim,
        vectors: Float32Array.from([...trained.vectors, ...placed.embedding.vectors]),
      };
      const near = hmge.neighborsOf(all, "new", 10);
      const same = near.filter(({ node: id }) => communities[0][known.ids.indexOf(id)] === group).length;
      // the groups are ten times denser within than across
      expect(same).toBeGreaterThanOrEqual(9);
    }
    expect(() => hmge.fitNeighborMap(graph, trained)).toThrow("the graph has 60 nodes, the embedding 200");
    expect(() => call(hmge.placeNewNodes, {}, trained, known)).toThrow("expected the map that fitNeighborMap returned");
    expect(() => call(hmge.placeNewNodes, { neighbors }, trained, {})).toThrow(
      "placeNewNodes: an object is not a graph",
    );
  });
});

const { metrics } = hmge;
const embedding: hmge.Embedding = { ids: ["a", "b", "c"], dim: 2, vectors: Float32Array.of(1, 2, 3, 4, 5, 7) };
const edges = { source: ["a", "b"], target: ["b", "c"] };
const { tests } = hmge.holdOutLinks(graph);
const decoder = { score: "dot", directed: false, vectors: () => undefined };

it.each<[string, () => unknown, string]>([
  ["an empty id", () => call(hmge.multiplexFromEdges, { ...edges, source: ["a", ""] }), 'row 2 of "source" is empty'],
  [
    "an empty relation",
    () => call(hmge.multiplexFromEdges, { ...edges, relation: ["x", ""] }),
    'row 2 of "relation" is empty',
  ],
  ["a count for nodes", () => call(hmge.multiplexFromEdges, edges, { nodes: 5 }), "edges: nodes is 5; expected a list"],
  ["a word for nodes", () => call(hmge.multiplexFromEdges, edges, { nodes: "abc" }), 'edges: nodes is "abc"; expected'],
  ["no graph to describe", () => call(hmge.describeGraph, {}), "describeGraph: an object is not a graph"],
  ["no graph to hash", () => call(hmge.contentHash, {}), "contentHash: an object is not a graph"],
  ["a graph that was JSON", () => call(hmge.contentHash, JSON.parse(JSON.stringify(graph))), "is not a graph"],
  ["an engine that is none", () => call(hmge.train, graph, hmge.hmge, { engine: {} }), "train: engine is an object"],
  [
    "a function for an engine",
    () => call(hmge.train, graph, hmge.hmge, { engine: () => {} }),
    "engine is a function; expected an Engine object or one of the names auto",
  ],
  [
    "no engine for a map",
    () => call(hmge.tsne, embedding, { engine: {} }),
    'such as the result of await createEngine("wasm")',
  ],
  [
    "a relation that a decoder lacks",
    () => hmge.scorePairs(tests, call(hmge.decoderScorer, decoder) as hmge.PairScorer),
    "links: the decoder has no relation 0",
  ],
  [
    "hits misspelt",
    () => call(hmge.evaluateLinks, tests, [], { hitsat: 3 }),
    'links: unknown option "hitsat"; did you mean "hitsAt"?',
  ],
  ["more components than columns", () => hmge.pca(embedding, 3), "pca: count is 3; expected at most 2"],
  ["scores of nothing", () => metrics.rocAuc([], []), "truth: found no entries"],
])("%s: refused", async (_, work, message) => {
  const failure = await Promise.resolve()
    .then(work)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(hmge.InputError);
  expect((failure as Error).message).toContain(message);
});
