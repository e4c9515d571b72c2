/** The library as callers without types use it: wrong input throws an error with a message and never gives a number. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { referenceEngine } from "../src/engine/reference.js";
import * as hmge from "../src/index.js";
import { loadGraph, writeEmbeddings } from "../src/io/index.js";
import { add, type defineModel, int, matmul, meanRows, normal, stopGradient, sumSquares } from "../src/model.js";

const { graph } = hmge.generateSbm({ nodes: 60, relations: 2, pIn: 0.4, pOut: 0.05, seed: 1 });
const dim = 4;
const rng = new hmge.Rng(1, "vectors");
const embedding: hmge.Embedding = {
  ids: graph.ids,
  dim,
  vectors: Float32Array.from({ length: graph.numNodes * dim }, () => rng.normal()),
};
const labels = {
  byNode: new Map(graph.ids.map((id, i) => [id, [i % 2 === 0 ? "even" : "odd"]])),
  names: ["even", "odd"],
};
const split = { train: 0.3 };
const { metrics } = hmge;
const edges = { source: ["a", "b"], target: ["b", "c"] };

/** Without types. */
// biome-ignore lint/complexity/noBannedTypes: any function is called here with any words
const call = (work: Function, ...words: unknown[]) => Reflect.apply(work, undefined, words) as unknown;

const REFUSED: readonly [string, () => unknown, string][] = [
  [
    "one embedding for a list",
    () => call(hmge.classifyNodes, embedding, labels, { split }),
    "classify: found an object; expected a list",
  ],
  [
    "a run for its vectors",
    () => call(hmge.neighborsOf, { embedding }, "0"),
    "neighbors: an object is not an embedding",
  ],
  [
    "plain numbers for vectors",
    () => call(hmge.pca, { ...embedding, vectors: [...embedding.vectors] }),
    "is not an embedding",
  ],
  [
    "ids that are numbers",
    () => call(hmge.pca, { ...embedding, ids: graph.ids.map((_, i) => i) }),
    "id 0 is 0; expected a string",
  ],
  [
    "a protocol misspelt",
    () => call(hmge.classifyNodes, [embedding], labels, { split, protocol: "Logistic" }),
    'protocol is "Logistic"; did you mean "logistic"?',
  ],
  [
    "a share misspelt",
    () => call(hmge.classifyNodes, [embedding], labels, { split: { train: 0.3, stratified: true } }),
    'unknown option "stratified"; did you mean "stratify"?',
  ],
  [
    "a split of null",
    () => call(hmge.classifyNodes, [embedding], labels, { split: null }),
    "classify: the split is missing",
  ],
  [
    "labels in an object",
    () => call(hmge.classifyNodes, [embedding], { byNode: {}, names: [] }, { split }),
    "labels: expected { byNode, names }, where byNode is a Map",
  ],
  [
    "a label that is no list",
    () => call(hmge.matchLabels, ["a"], { byNode: new Map([["a", "x"]]), names: ["x"] }),
    'labels: node "a" has "x"; expected a list',
  ],
  [
    "no repeats",
    () => call(hmge.clusterNodes, [embedding], labels, { repeats: 0 }),
    "cluster: repeats is 0; expected integer ≥ 1.",
  ],
  ["no restarts", () => call(hmge.clusterNodes, [embedding], labels, { restarts: 0 }), "cluster: restarts is 0"],
  ["k for clusters", () => call(hmge.clusterNodes, [embedding], labels, { k: 5 }), 'cluster: unknown option "k"'],
  [
    "a seed that is a word",
    () => call(hmge.clusterNodes, [embedding], labels, { seed: "abc" }),
    'seed: found "abc"; expected a whole number',
  ],
  ["searches for none", () => call(hmge.searchSimilar, [embedding], labels, { counts: [0] }), "search: counts is 0"],
  ["no searches", () => call(hmge.searchSimilar, [embedding], labels, { counts: [] }), "search: counts is a list of 0"],
  ["searches by none", () => call(hmge.searchSimilar, [embedding], labels, { queries: -5 }), "search: queries is -5"],
  ["no neighbours", () => call(hmge.neighborsOf, embedding, "0", 0), "neighbors: count is 0"],
  [
    "a node that is a number",
    () => call(hmge.neighborsOf, embedding, 5),
    "neighbors: 5 is not an id; expected a string",
  ],
  ["half a component", () => call(hmge.pca, embedding, 1.5), "pca: count is 1.5"],
  [
    "a score that is missing",
    () => call(metrics.rocAuc, [1, 0, 1], [0.5, 0.2, undefined]),
    "scores: entry 2 is not a number",
  ],
  ["hits without k", () => call(metrics.hitsAtK, [1, 0], [0.5, 0.2]), "hits: k is undefined"],
  [
    "a class beyond the classes",
    () => call(metrics.classScores, [0, 1, 5], [0, 1, 5], 2),
    "truth: entry 2 is 5; expected a class from 0 to 1.",
  ],
  ["too few predictions", () => call(metrics.classScores, [0, 1, 1], [0, 1], 2), "predicted: 2 entries; expected 3"],
  [
    "part of a row of labels",
    () => call(metrics.multiLabelScores, [0, 1, 1], [0, 1, 1], 2),
    "truth: 3 entries; expected a multiple of 2",
  ],
  [
    "partitions of other nodes",
    () => call(metrics.normalizedMutualInformation, [0, 1, 1], [0, 1]),
    "found: 2 entries; expected 3",
  ],
  ["partitions of nothing", () => call(metrics.adjustedRandIndex, [], []), "truth: empty"],
  [
    "relations for relation",
    () => call(hmge.multiplexFromEdges, { ...edges, relations: ["x", "y"] }),
    'edges: unknown option "relations"; did you mean "relation"?',
  ],
  [
    "edges without ends",
    () => call(hmge.multiplexFromEdges, { target: ["a"] }),
    'edges: column "source" is undefined; expected a list.',
  ],
  [
    "a set for a column",
    () => call(hmge.multiplexFromEdges, { ...edges, source: new Set(["a", "b"]) }),
    'edges: column "source" is an object',
  ],
  ["direct for directed", () => call(hmge.multiplexFromEdges, edges, { direct: true }), 'did you mean "directed"?'],
  [
    "directed in words",
    () => call(hmge.multiplexFromEdges, edges, { directed: "false" }),
    'directed is "false"; expected true or false.',
  ],
  [
    "a weight of null",
    () => call(hmge.multiplexFromEdges, { ...edges, weight: [1, null] }),
    'row 2 of "weight" is null; expected a number.',
  ],
  [
    "negatives of no kind",
    () => call(hmge.holdOutLinks, graph, { negative: "degree" }),
    'links: unknown option "negative"; did you mean "negatives"?',
  ],
  ["scores without a decoder", () => call(hmge.decoderScorer, undefined), "links: no decoder; expected one"],
  ["scores of a run", () => call(hmge.dotScorer, { embedding }), "links: an object is not an embedding"],
  [
    "a word for a setting",
    () => call(hmge.train, graph, hmge.hmge, { thread: 1 }),
    'unknown option "thread"; did you mean "threads"?',
  ],
  [
    "a controller for its signal",
    () => call(hmge.train, graph, hmge.hmge, { signal: new AbortController() }),
    "expected an AbortSignal, as of controller.signal.",
  ],
  ["a preset of null", () => call(hmge.train, graph, hmge.hmge, { preset: null }), 'unknown preset "null"'],
  [
    "an engine by its name for a map",
    () => call(hmge.tsne, embedding, { engine: "wasm" }),
    'tsne: engine is "wasm"; expected an engine, such as',
  ],
  [
    "columns misspelt",
    () => call(loadGraph, "edges.csv", { columns: { relations: "kind" } }),
    'loadGraph: columns: unknown option "relations"',
  ],
  [
    "missing features misspelt",
    () => call(loadGraph, "edges.csv", { missingFeatures: "zeroes" }),
    'missingFeatures is "zeroes"; did you mean "zero"?',
  ],
  ["a URL for a path", () => call(loadGraph, new URL("file:///a.csv")), "source: found an object; expected a path"],
];

test.each(REFUSED)("%s: refused", async (_, work, message) => {
  const failure = await Promise.resolve()
    .then(work)
    .then(
      () => "nothing refused",
      (error: unknown) => error,
    );
  expect(failure).toBeInstanceOf(hmge.InputError);
  expect((failure as Error).message).toContain(message);
});

describe("files of vectors", () => {
  const folder = mkdtempSync(join(tmpdir(), "hmge-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (wrong: object) => call(writeEmbeddings, join(folder, "v.npy"), { ...embedding, ...wrong });

  it("are not written from another type of array, with an id twice, or with an empty id", async () => {
    await expect(write({ vectors: Float64Array.from(embedding.vectors) })).rejects.toThrow("is not an embedding");
    const ids = [...graph.ids];
    ids[3] = ids[2];
    await expect(write({ ids })).rejects.toThrow(`embedding: node "${ids[2]}" has two vectors`);
    ids[3] = "";
    await expect(write({ ids })).rejects.toThrow("embedding: a node has an empty id");
  });
});

describe("links", () => {
  const { tests } = hmge.holdOutLinks(graph);

  it("are not scored by vectors of other nodes or of the same nodes in another order", () => {
    const [first, second, ...rest] = graph.ids;
    const moved = hmge.dotScorer({ ...embedding, ids: [second, first, ...rest] });
    expect(() => hmge.scorePairs(tests, moved)).toThrow(/node 0 is .* expected the same nodes in the same order/);
    const fewer = hmge.cosineScorer({ ids: ["a"], dim, vectors: new Float32Array(dim) });
    expect(() => hmge.scorePairs(tests, fewer)).toThrow("the embedding has 1 nodes, the graph of the pairs 60");
    expect(hmge.scorePairs(tests, hmge.dotScorer(embedding))[0]).toHaveLength(tests[0].labels.length);
  });
});

describe("graphs made by hand", () => {
  it.each([-1, 0.5, -5e7])("are refused with a neighbour of %d before a kernel reads it", async (place) => {
    const relations = graph.relations.map((relation) => ({
      ...relation,
      columns: Float64Array.from(relation.columns, () => place),
    }));
    await expect(call(hmge.train, { ...graph, relations }, hmge.hmge, { epochs: 1 })).rejects.toThrow("do not fit");
  });

  it("are refused with class numbers out of range", async () => {
    const labelled = {
      numClasses: 2,
      rowStart: Uint32Array.from({ length: 61 }, (_, i) => i),
      columns: new Int32Array(60).fill(-1),
    };
    await expect(call(hmge.train, { ...graph, labels: labelled }, hmge.ssdcm, { epochs: 1 })).rejects.toThrow(
      "labels of ssdcm",
    );
  });
});

describe("a model of one's own", () => {
  const own = {
    name: "own",
    paper: "none",
    year: 2026,
    summary: "a table",
    cost: "little",
    options: { dim: int(dim, { min: 1, max: 64, doc: "width" }) },
    presets: { default: { doc: "as it is", options: {} } },
    training: { epochs: 3, patience: 3, learningRate: 0.05, weightDecay: 0 },
    prepare: () => ({}),
    init: (p: Parameters<Parameters<typeof defineModel>[0]["init"]>[0], { numNodes }: { numNodes: number }) => ({
      table: p("table", numNodes, dim, normal(0.1)),
      fixed: p("fixed", dim, 3, normal(1)),
    }),
    loss: ({ table }: { table: Parameters<typeof sumSquares>[0] }) => sumSquares(table),
  };
  type Values = ReturnType<(typeof own)["init"]>;
  const start = (parts: object, settings: object = {}) =>
    call(
      hmge.train,
      graph,
      { ...own, embed: ({ table }: Values) => table, ...parts },
      { threads: 1, ...settings },
    ) as Promise<hmge.Run>;

  it("keeps parameters that its loss does not reach", async () => {
    const embed = ({ table, fixed }: Values) => matmul(table, fixed);
    const best = (await start({ embed })).embedding.vectors;
    expect(best.some((value) => value !== 0)).toBe(true);
    expect(best.every((value) => Number.isFinite(value))).toBe(true);
    const stopped = await start({
      loss: ({ table, fixed }: Values) => add(sumSquares(table), stopGradient(sumSquares(fixed))),
      embed,
    });
    expect((await stopped.parameters()).find(({ name }) => name === "fixed")?.data.every((value) => value !== 0)).toBe(
      true,
    );
  });

  it("is refused with two parameters of one name, rows of other nodes, or options that are settings", async () => {
    const init = (p: Parameters<(typeof own)["init"]>[0]) => ({
      table: p("w", 60, 4, normal(1)),
      fixed: p("w", 60, 4, normal(1)),
    });
    await expect(start({ init })).rejects.toThrow('own: two parameters are called "w"');
    await expect(start({ embed: ({ table }: Values) => meanRows(table) })).rejects.toThrow(
      "own: embed gives 1 rows; expected one for each of 60 nodes.",
    );
    await expect(start({ loss: ({ table }: Values) => table })).rejects.toThrow(
      "own: loss gives 60 × 4 numbers; expected 1 × 1.",
    );
    await expect(start({ loss: () => undefined })).rejects.toThrow("own: loss gives undefined; expected a tensor.");
    const options = { ...own.options, epochs: int(3, { min: 1, doc: "its own" }) };
    await expect(start({ options })).rejects.toThrow('own: option "epochs" has the same name as a training setting');
  });
});

describe("a run", () => {
  it("refuses a second iteration at the same time, and reading after dispose()", async () => {
    const run = await hmge.startRun(graph, hmge.hmge, { dim: 4, epochs: 3, threads: 1, withLayers: true });
    const first = run[Symbol.asyncIterator]();
    await first.next();
    await expect(run[Symbol.asyncIterator]().next()).rejects.toThrow("run: another loop is iterating it");
    await first.return?.(undefined);
    for await (const { epoch } of run) expect(epoch).toBeGreaterThan(1);
    expect(run.numEpochs).toBe(3);
    await run.dispose();
    await expect(run.layers()).rejects.toThrow("run: it was disposed of");
  });

  it("calls onEpoch also when the caller iterates", async () => {
    const epochs: number[] = [];
    const run = await hmge.startRun(graph, hmge.hmge, {
      dim: 4,
      epochs: 2,
      threads: 1,
      onEpoch: ({ epoch }, same) => epochs.push(same === run ? epoch : -1),
    });
    for await (const { epoch } of run) expect(epochs.at(-1)).toBe(epoch);
    await run.dispose();
    expect(epochs).toEqual([1, 2]);
  });

  it("disposes of its program when it cannot start", async () => {
    let ended = 0;
    const engine: hmge.Engine = {
      ...referenceEngine,
      compile: async (program) => {
        const executable = await referenceEngine.compile(program);
        const end = executable.dispose.bind(executable);
        executable.dispose = () => end().then(() => void ended++);
        return executable;
      },
    };
    const begun = await hmge.startRun(graph, hmge.hmge, { engine: referenceEngine });
    const resume = { ...(await begun.snapshot()), tensors: [] };
    await expect(hmge.startRun(graph, hmge.hmge, { engine, resume })).rejects.toThrow(
      "is missing or has another shape",
    );
    expect(ended).toBe(1);
  });

  it("gives vectors within an epoch, and snapshots between epochs only", async () => {
    // each step takes at least a millisecond, so timers fire several times within an epoch
    const slow: hmge.Engine = {
      ...referenceEngine,
      compile: async (program) => {
        const executable = await referenceEngine.compile(program);
        const run = executable.run.bind(executable);
        executable.run = (segment) => {
          const end = performance.now() + 1;
          while (performance.now() < end);
          run(segment);
        };
        return executable;
      },
    };
    const settings = { dim, epochs: 3, engine: slow, seed: 1 };
    const run = await hmge.startRun(graph, hmge.gatne, settings);
    const refused: string[] = [];
    const allFinite: boolean[] = [];
    const timer = setInterval(async () => {
      await run.snapshot().catch((error: Error) => refused.push(error.message));
      if (run.numEpochs > 0) allFinite.push((await run.readEmbedding()).vectors.every(Number.isFinite));
    }, 1);
    for await (const _ of run);
    clearInterval(timer);
    expect(new Set(refused)).toEqual(
      new Set(["run: an epoch is under way; take snapshots between epochs, in the loop or in onEpoch."]),
    );
    // vectors that were read within an epoch are not reused as the final ones
    const undisturbed = await hmge.train(graph, hmge.gatne, { ...settings, engine: referenceEngine });
    expect(new Set(allFinite)).toEqual(new Set([true]));
    expect(await run.readEmbedding()).toEqual(undisturbed.embedding);
    await run.dispose();
  });
});
