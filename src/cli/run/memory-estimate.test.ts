import { expect, test } from "vitest";
import { knn, ones } from "../../engine/ops/index.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { hmge } from "../../models/index.js";
import { defineModel } from "../../nn/model.js";
import { estimateRun } from "../../train/estimate/estimate.js";
import {
  estimateMachineBytes,
  estimateProcessBytes,
  neededRanks,
  rankNotes,
  requireEngineMemory,
} from "./memory-estimate.js";

const edges = { source: ["a", "b", "c", "d"], target: ["b", "c", "d", "a"] };
const graph = { ...multiplexFromEdges(edges), files: [], notes: [] };

/** A model with an op that cannot be divided among ranks. */
const undividable = defineModel({
  ...hmge,
  name: "undividable",
  embed(parameters, prepared, options) {
    const vectors = hmge.embed(parameters, prepared, options);
    return knn(vectors, ones(vectors.builder, 1, 1), vectors.rows, 1).distances;
  },
});

/** Bytes of WebAssembly memory: 65,536 pages of 64 KiB. */
const engineLimit = 2 ** 32;

test("a run that does not fit into one memory is refused with the number of ranks, if its model can be divided", async () => {
  const request = { model: hmge, settings: {} };
  await requireEngineMemory(graph, request, { engineBytes: 4e9, engineLimit });
  await expect(requireEngineMemory(graph, request, { engineBytes: 10e9, engineLimit })).rejects.toThrow(
    /^memory: the engine would need 10 GB, and its memory ends at 4\.3 GB\. Divide it among processes with --ranks 3, or use a smaller --dim\.$/,
  );
  await requireEngineMemory(graph, request, { engineBytes: 12e9, engineLimit }, { numRanks: 4 });
  await expect(
    requireEngineMemory(graph, request, { engineBytes: 20e9, engineLimit }, { numRanks: 4 }),
  ).rejects.toThrow(/need 5\.0 GB on each rank, and about 1\.3 GB for .* --ranks 6, or use a smaller --dim\.$/);
  await expect(
    requireEngineMemory(graph, { model: undividable, settings: {} }, { engineBytes: 10e9, engineLimit }),
  ).rejects.toThrow(/ends at 4\.3 GB\. --set/);
});

test("a share that fits only without the rows of other ranks is refused before the preparation, unless it is forced", async () => {
  const request = { model: hmge, settings: {} };
  const tight = { engineBytes: 16e9, engineLimit };
  await expect(requireEngineMemory(graph, request, tight, { numRanks: 4 })).rejects.toThrow(
    /need 4\.0 GB on each rank, and about 1\.0 GB for rows of others, and its memory ends at 4\.3 GB\. .*--ranks 5, .* --force tries it anyway\.$/,
  );
  await requireEngineMemory(graph, request, tight, { numRanks: 4, force: true });
  await expect(
    requireEngineMemory(graph, request, { engineBytes: 20e9, engineLimit }, { numRanks: 4, force: true }),
  ).rejects.toThrow(/need 5\.0 GB on each rank, and its memory ends at 4\.3 GB\. .* smaller --dim\.$/);
});

test("the ranks of a machine share one graph and divide the engine", async () => {
  // 6 M nodes and 100 M edges in 5 relations, width 64: sizes as `estimateRun` returns them
  const engineBytes = 15.7e9;
  const estimate = { ...(await estimateRun(graph, hmge, {})), engineBytes, graphBytes: 1.1e9, numParameters: 96e6 };
  const sizes = { rows: 100e6, vectorEntries: 6e6 * 64 };
  const one = estimateProcessBytes(estimate, sizes);
  expect(neededRanks({ model: hmge, settings: {} }, estimate)).toBe(5);
  expect(estimateMachineBytes(estimate, sizes, { numRanks: 1, localSize: 1 })).toBe(one);
  const base = 135e6;
  expect(estimateMachineBytes(estimate, sizes, { numRanks: 5, localSize: 5 })).toBeCloseTo(one + 4 * base, -3);
  const half = one - engineBytes + 2 * (engineBytes / 4) + base;
  expect(estimateMachineBytes(estimate, sizes, { numRanks: 4, localSize: 2 })).toBeCloseTo(half, -3);
  // while one rank reads, the others wait
  const many = { rows: 1e9, vectorEntries: 1 };
  expect(estimateMachineBytes(estimate, many, { numRanks: 5, localSize: 5 })).toBeCloseTo(
    estimateProcessBytes({ ...estimate, engineBytes: 0 }, many) + 4 * base,
    -3,
  );
});

test("inspect notes a run that does not fit into the machine, or cannot be divided", () => {
  const run = { model: "hmge", ranks: 5, engineBytes: 16e9, engineLimit, memoryBytes: 30e9, availableBytes: 20e9 };
  expect(neededRanks({ model: undividable, settings: {} }, { engineBytes: 16e9, engineLimit })).toBeUndefined();
  expect(neededRanks({ model: undividable, settings: {} }, { engineBytes: 4e9, engineLimit })).toBe(1);
  expect(rankNotes(run)).toEqual([
    expect.stringMatching(/^5 ranks need about 30 GB on one machine, and 20 GB are free/),
  ]);
  expect(rankNotes({ ...run, availableBytes: 31e9 })).toEqual([]);
  expect(rankNotes({ ...run, ranks: 1 })).toEqual([]);
  expect(rankNotes({ ...run, model: "own", ranks: null })).toEqual([
    expect.stringMatching(/^the engine needs 16 GB, more than the 4\.3 GB of one process, and own cannot be divided/),
  ]);
});
