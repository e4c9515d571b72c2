/** The bits of every op and model on several ranks against those of one process. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { root } from "../support/repository.js";
import { clusterCases } from "./cluster-cases.js";
import { gatherCases } from "./gather-cases.js";
import { modelRuns, presetRuns } from "./model-runs.js";
import { mpiInstallations, runRanks } from "./mpi-run.js";
import { runCase } from "./op-runs.js";
import { preparationRuns } from "./preparation-runs.js";
import type { Kind, RankResults } from "./rank-program.js";
import { runRows } from "./row-runs.js";
import { sharedMemory } from "./thread-ranks.js";

// in node_modules, so that the program finds koffi
const folder = mkdtempSync(join(root, "node_modules", ".hmge-ranks-"));
const program = join(folder, "rank-program.mjs");
const expected: Record<Kind, RankResults> = { ops: {}, models: {}, presets: {}, preparations: {} };
/** Waiting ranks of Open MPI let others use their core. */
const YIELD = { OMPI_MCA_mpi_yield_when_idle: "1" };
/** Ranks wait for each other at every exchange, so they need many times longer if other programs keep the cores busy. */
const MAX_MILLISECONDS = 600_000;

const resultsOf = (kinds: readonly Kind[]): RankResults => Object.assign({}, ...kinds.map((kind) => expected[kind]));

beforeAll(async () => {
  const input = fileURLToPath(new URL("rank-program.ts", import.meta.url));
  const bundle = await rolldown({ input, platform: "node", external: ["koffi"], logLevel: "silent" });
  await bundle.write({ file: program, format: "esm", codeSplitting: false });
  const engine = await createWasmEngine({ threads: 1 });
  for (const opCase of [...clusterCases, ...gatherCases]) expected.ops[opCase.name] = await runCase(opCase, engine);
  for (const { name, run } of modelRuns) expected.models[name] = await run(engine);
  for (const { name, run } of presetRuns) expected.presets[name] = await run(engine);
  expected.models["rows"] = await runRows(engine, (work) => work(), true);
  for (const { name, run } of preparationRuns) expected.preparations[name] = await run(engine);
});

afterAll(() => rmSync(folder, { recursive: true }));

const canRunMpi = mpiInstallations.every(({ missing }) => missing === undefined);
const threadKinds: readonly Kind[] = canRunMpi ? ["preparations"] : ["ops", "models", "presets", "preparations"];

test(`three threads as ranks compute the bits of one process: ${threadKinds.join(", ")}`, async () => {
  const size = 3;
  const memory = sharedMemory(size);
  const found = await Promise.all(
    Array.from({ length: size }, (_, rank) => {
      const worker = new Worker(program, { workerData: { rank, size, memory, kinds: threadKinds } });
      return new Promise<RankResults>((resolve, reject) => worker.once("message", resolve).once("error", reject));
    }),
  );
  for (const results of found) expect(results).toEqual(resultsOf(threadKinds));
});

describe.each(mpiInstallations)("ranks of $family compute the bits of one process:", (installation) => {
  const { family, missing } = installation;
  beforeEach((context) => context.skip(missing !== undefined, missing));
  /** Number of ranks, threads of each, and what they compute. */
  const jobs: readonly (readonly [number, number, readonly Kind[]])[] =
    family === "MPICH"
      ? // waiting ranks of MPICH keep their cores busy, so more ranks than cores take minutes
        [[2, 1, ["ops"]]]
      : [
          // two threads of one rank: threads of several ranks would wait for each other on busy cores
          [1, 2, ["ops", "models"]],
          // a preset calls other ops than the first one, not other exchanges: one size is enough, and two ranks do not share cores
          [2, 1, ["ops", "models", "presets"]],
          // the last rank has a few rows
          [3, 1, ["ops", "models"]],
          [4, 1, ["ops", "models"]],
          [5, 1, ["ops"]],
        ];

  test.each(jobs)("%i ranks with %i threads each: %j", { timeout: MAX_MILLISECONDS }, async (size, threads, kinds) => {
    const results = join(folder, `${family} ${size}`);
    mkdirSync(results);
    const words = [program, results, String(threads), ...kinds];
    const { code, stderr } = await runRanks(installation, size, words, YIELD);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    for (let rank = 0; rank < size; rank++) {
      expect(JSON.parse(readFileSync(join(results, `${rank}.json`), "utf8"))).toEqual(resultsOf(kinds));
    }
  });
});
