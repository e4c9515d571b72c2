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
import { modelRuns } from "./model-runs.js";
import { mpiInstallations, runRanks } from "./mpi-run.js";
import { runCase } from "./op-runs.js";
import { preparationRuns } from "./preparation-runs.js";
import type { RankResults } from "./rank-program.js";
import { runRows } from "./row-runs.js";
import { sharedMemory } from "./thread-ranks.js";

// in node_modules, so that the program finds koffi
const folder = mkdtempSync(join(root, "node_modules", ".hmge-ranks-"));
const program = join(folder, "rank-program.mjs");
const expected: Record<"ops" | "models", RankResults> = { ops: {}, models: {} };
/** Waiting ranks of Open MPI let others use their core. */
const YIELD = { OMPI_MCA_mpi_yield_when_idle: "1" };

beforeAll(async () => {
  const input = fileURLToPath(new URL("rank-program.ts", import.meta.url));
  const bundle = await rolldown({ input, platform: "node", external: ["koffi"], logLevel: "silent" });
  await bundle.write({ file: program, format: "esm", codeSplitting: false });
  const engine = await createWasmEngine({ threads: 1 });
  for (const opCase of [...clusterCases, ...gatherCases]) expected.ops[opCase.name] = await runCase(opCase, engine);
  for (const { name, run } of modelRuns) expected.models[name] = await run(engine);
  expected.models["rows"] = await runRows(engine, (work) => work(), true);
});

afterAll(() => rmSync(folder, { recursive: true }));

test("three threads as ranks compute the bits of one process, the preparation of multiview too", async () => {
  const size = 3;
  const engine = await createWasmEngine({ threads: 1 });
  const prepared: RankResults = {};
  for (const { name, run } of preparationRuns) prepared[name] = await run(engine);
  const memory = sharedMemory(size);
  const found = await Promise.all(
    Array.from({ length: size }, (_, rank) => {
      const worker = new Worker(program, { workerData: { rank, size, memory } });
      return new Promise<RankResults>((resolve, reject) => worker.once("message", resolve).once("error", reject));
    }),
  );
  for (const results of found) expect(results).toEqual({ ...expected.ops, ...expected.models, ...prepared });
});

describe.each(mpiInstallations)("ranks of $family compute the bits of one process:", (installation) => {
  const { family, missing } = installation;
  beforeEach((context) => context.skip(missing !== undefined, missing));
  // waiting ranks of MPICH keep their cores busy, so more ranks than cores take minutes
  const sizes = family === "MPICH" ? [[2, 1]] : [1, 2, 3, 4, 5].map((size) => [size, size === 2 ? 2 : 1]);
  const cases = sizes.flatMap(([size, threads]) =>
    (["ops", "models"] as const).map((part) => ({ size, threads, part })),
  );

  test.each(cases)("$part on $size ranks with $threads threads each", async ({ size, threads, part }) => {
    const results = join(folder, `${family} ${size} ${part}`);
    mkdirSync(results);
    const { code, stderr } = await runRanks(installation, size, [program, results, String(threads), part], YIELD);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    for (let rank = 0; rank < size; rank++) {
      expect(JSON.parse(readFileSync(join(results, `${rank}.json`), "utf8"))).toEqual(expected[part]);
    }
  });
});
