/**
 * The program of one rank: runs cases on its part and returns the hashes of their results. As a thread it posts them; started by
 * mpirun, with a folder, a number of threads and the kinds of cases as arguments, it writes the file RANK.json into the folder.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { MpiRanks } from "../../src/cluster/mpi.js";
import { loadMpiLibrary } from "../../src/cluster/mpi-library.js";
import type { ExchangeLimits } from "../../src/engine/partition/exchanges.js";
import { type PartitionedEngine, partitionedEngine } from "../../src/engine/partition/partitioned-engine.js";
import type { Ranks } from "../../src/engine/ranks.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { clusterCases } from "./cluster-cases.js";
import { CopiedSharing } from "./copied-sharing.js";
import { gatherCases } from "./gather-cases.js";
import { type ModelRun, modelRuns, presetRuns } from "./model-runs.js";
import { runCase } from "./op-runs.js";
import { preparationRuns } from "./preparation-runs.js";
import { runRows } from "./row-runs.js";
import { ThreadRanks } from "./thread-ranks.js";

/** Hashes of the results of each case. */
export type RankResults = Record<string, string[]>;

/**
 * Limits of the exchanges by number of ranks; others: the usual ones. `maxHaloBytes` 1: every product is cut into slices of one tile.
 * 350,000: products of 1,300 nodes and 100 columns are cut into slices of two tiles. `maxRoundRows`: rows are sent in several rounds.
 */
const LIMITS: Record<number, Partial<ExchangeLimits>> = {
  2: { maxRoundRows: 100 },
  3: { maxHaloBytes: 1, maxRoundRows: 30 },
  5: { maxHaloBytes: 350_000 },
};

async function runOps({ engine }: Rank): Promise<RankResults> {
  const found: RankResults = {};
  for (const opCase of [...clusterCases, ...gatherCases]) found[opCase.name] = await runCase(opCase, engine);
  return found;
}

async function runAll(runs: readonly ModelRun[], { engine, ranks }: Rank): Promise<RankResults> {
  const found: RankResults = {};
  for (const { name, run } of runs) found[name] = await run(engine, new CopiedSharing(ranks));
  return found;
}

async function runModels(rank: Rank): Promise<RankResults> {
  const { engine, ranks } = rank;
  return { ...(await runAll(modelRuns, rank)), rows: await runRows(engine, engine.lead, ranks.rank === 0) };
}

const KINDS = {
  ops: runOps,
  models: runModels,
  presets: (rank: Rank) => runAll(presetRuns, rank),
  preparations: (rank: Rank) => runAll(preparationRuns, rank),
};
export type Kind = keyof typeof KINDS;

interface Rank {
  readonly engine: PartitionedEngine;
  readonly ranks: Ranks;
}

async function runKinds(ranks: Ranks, threads: number, kinds: readonly Kind[]): Promise<RankResults> {
  const engine = partitionedEngine(await createWasmEngine({ threads }), ranks, LIMITS[ranks.size]);
  const found: RankResults = {};
  for (const kind of kinds) Object.assign(found, await KINDS[kind]({ engine, ranks }));
  return found;
}

if (parentPort !== null) {
  const { rank, size, memory, kinds } = workerData;
  parentPort.postMessage(await runKinds(new ThreadRanks(rank, size, memory), 1, kinds));
} else {
  const [, , folder, threads, ...kinds] = process.argv;
  const ranks = new MpiRanks(await loadMpiLibrary());
  const found = await runKinds(ranks, Number(threads), kinds as Kind[]);
  writeFileSync(join(folder, `${ranks.rank}.json`), JSON.stringify(found));
  ranks.finalize();
}
