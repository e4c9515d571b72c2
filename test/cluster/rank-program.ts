/**
 * The program of one rank: runs all cases on its part and returns the hashes of their results. As a thread it posts them; started by
 * mpirun, with a folder, a number of threads and "ops" or "models" as arguments, it runs one of the two parts and writes the file RANK.json into the folder.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { MpiRanks } from "../../src/cluster/mpi.js";
import { loadMpiLibrary } from "../../src/cluster/mpi-library.js";
import { type PartitionedEngine, partitionedEngine } from "../../src/engine/partition/partitioned-engine.js";
import type { Ranks } from "../../src/engine/ranks.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { clusterCases } from "./cluster-cases.js";
import { CopiedSharing } from "./copied-sharing.js";
import { gatherCases } from "./gather-cases.js";
import { modelRuns } from "./model-runs.js";
import { runCase } from "./op-runs.js";
import { preparationRuns } from "./preparation-runs.js";
import { runRows } from "./row-runs.js";
import { ThreadRanks } from "./thread-ranks.js";

/** Hashes of the results of each case. */
export type RankResults = Record<string, string[]>;

/**
 * Largest halo of a product in one piece, in bytes, by number of ranks; others: the usual limit. 1: every product is cut into slices of
 * one tile. 350,000: products of 1,300 nodes and 100 columns are cut into slices of two tiles.
 */
const MAX_HALO_BYTES: Record<number, number> = { 3: 1, 5: 350_000 };

async function engineOf(ranks: Ranks, threads: number): Promise<PartitionedEngine> {
  return partitionedEngine(await createWasmEngine({ threads }), ranks, MAX_HALO_BYTES[ranks.size]);
}

async function runOps(ranks: Ranks, threads: number): Promise<RankResults> {
  const engine = await engineOf(ranks, threads);
  const found: RankResults = {};
  for (const opCase of [...clusterCases, ...gatherCases]) found[opCase.name] = await runCase(opCase, engine);
  return found;
}

async function runModels(ranks: Ranks, threads: number): Promise<RankResults> {
  const engine = await engineOf(ranks, threads);
  const found: RankResults = {};
  for (const { name, run } of modelRuns) found[name] = await run(engine);
  found["rows"] = await runRows(engine, engine.lead, ranks.rank === 0);
  return found;
}

async function prepareAll(ranks: Ranks): Promise<RankResults> {
  const engine = await engineOf(ranks, 1);
  const found: RankResults = {};
  for (const { name, run } of preparationRuns) found[name] = await run(engine, new CopiedSharing(ranks));
  return found;
}

if (parentPort !== null) {
  const { rank, size, memory } = workerData;
  const ranks = new ThreadRanks(rank, size, memory);
  parentPort.postMessage({
    ...(await runOps(ranks, 1)),
    ...(await runModels(ranks, 1)),
    ...(await prepareAll(ranks)),
  });
} else {
  const [, , folder, threads, part] = process.argv;
  const run = part === "ops" ? runOps : runModels;
  const ranks = new MpiRanks(await loadMpiLibrary());
  writeFileSync(join(folder, `${ranks.rank}.json`), JSON.stringify(await run(ranks, Number(threads))));
  ranks.finalize();
}
