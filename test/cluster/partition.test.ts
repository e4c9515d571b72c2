/** The bits of every op and model on several ranks, which are threads here, against those of one process. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { clusterCases } from "./cluster-cases.js";
import { modelRuns } from "./model-runs.js";
import { runCase } from "./op-runs.js";
import type { RankResults } from "./rank-program.js";
import { sharedMemory } from "./thread-ranks.js";

const folder = mkdtempSync(join(tmpdir(), "hmge-ranks-"));
const program = join(folder, "rank-program.mjs");
const expected: RankResults = {};

beforeAll(async () => {
  const input = fileURLToPath(new URL("rank-program.ts", import.meta.url));
  const bundle = await rolldown({ input, platform: "node", logLevel: "silent" });
  await bundle.write({ file: program, format: "esm", codeSplitting: false });
  const engine = await createWasmEngine({ threads: 1 });
  for (const opCase of clusterCases) expected[opCase.name] = await runCase(opCase, engine);
  for (const { name, run } of modelRuns) expected[name] = await run(engine);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The results of every rank. */
function runRanks(size: number, threads: number): Promise<RankResults[]> {
  const memory = sharedMemory(size);
  return Promise.all(
    Array.from({ length: size }, (_, rank) => {
      const worker = new Worker(program, { workerData: { rank, size, memory, threads } });
      return new Promise<RankResults>((resolve, reject) => worker.once("message", resolve).once("error", reject));
    }),
  );
}

describe.each([
  { size: 1, threads: 1 },
  { size: 2, threads: 2 },
  { size: 3, threads: 1 },
  { size: 5, threads: 1 },
])("$size ranks with $threads threads each", ({ size, threads }) => {
  test("compute the bits of one process", async () => {
    for (const found of await runRanks(size, threads)) expect(found).toEqual(expected);
  });
});
