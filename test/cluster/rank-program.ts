/** The program of one rank, as a thread: runs all cases on its part and posts the hashes of their results. */

import { parentPort, workerData } from "node:worker_threads";
import { partitionedEngine } from "../../src/engine/partition/partitioned-engine.js";
import type { Ranks } from "../../src/engine/ranks.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { clusterCases } from "./cluster-cases.js";
import { modelRuns } from "./model-runs.js";
import { runCase } from "./op-runs.js";
import { ThreadRanks } from "./thread-ranks.js";

/** Hashes of the results of each case. */
export type RankResults = Record<string, string[]>;

async function runAll(ranks: Ranks, threads: number): Promise<RankResults> {
  const engine = partitionedEngine(await createWasmEngine({ threads }), ranks);
  const found: RankResults = {};
  for (const opCase of clusterCases) found[opCase.name] = await runCase(opCase, engine);
  for (const { name, run } of modelRuns) found[name] = await run(engine);
  return found;
}

const { rank, size, memory, threads } = workerData;
parentPort?.postMessage(await runAll(new ThreadRanks(rank, size, memory), threads));
