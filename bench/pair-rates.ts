/**
 * Measures how many positive pairs a second models train on, next to the number of random pairs for each: the figure that other programs
 * report as edges a second.
 *
 *   node bench/run.mjs pair-rates GRAPH [--threads 2] [--epochs 3] [--dim 64]
 *
 * Each model is prepared and trained with several batches and numbers of random pairs; the epoch after the first is measured, the fastest counts. A pair of
 * `multiview` and `crossmna` is an edge, a pair of `pmne` is two nodes of a walk.
 */

import { loadavg } from "node:os";
import { pairsPerWalk } from "../src/engine/ops/index.js";
import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { undirectedUnion } from "../src/graph/union.js";
import { loadGraph } from "../src/io/graph/load-graph.js";
import { crossmna, multiview, pmne } from "../src/models/index.js";
import { countStarts } from "../src/nn/walks/walk-plan.js";
import { formatCount, table } from "../src/report/terminal.js";
import { startRun } from "../src/train/train.js";
import { numberOption } from "./options.js";

const graph = await loadGraph(process.argv[2]);
const threads = numberOption("threads", 2);
const epochs = numberOption("epochs", 3);
const dim = numberOption("dim", 64);
const engine = await createWasmEngine({ threads });
const entries = graph.relations.reduce((sum, { columns }) => sum + columns.length, 0);

/** Seconds of the fastest epoch after the first. */
async function fastestEpoch(
  model: Parameters<typeof startRun>[1],
  settings: Readonly<Record<string, number>>,
): Promise<number> {
  const run = await startRun(graph, model, { ...settings, dim, epochs, patience: epochs, seed: 1, engine });
  const seconds: number[] = [];
  for await (const report of run) seconds.push(report.seconds);
  await run.discard();
  return Math.min(...seconds.slice(1));
}

const rows: string[][] = [];
function add(model: string, batch: string, random: string, pairs: number, seconds: number): void {
  rows.push([model, batch, random, formatCount(pairs), seconds.toFixed(2), formatCount(Math.round(pairs / seconds))]);
  console.log(rows.at(-1)?.join("  "));
}

const batch = 2 ** 20;
for (const negatives of [1, 10]) {
  const seconds = await fastestEpoch(crossmna, { batch, negatives });
  add("crossmna", formatCount(batch), `${negatives}`, Math.ceil(entries / batch) * batch, seconds);
}
const walks = countStarts([undirectedUnion(graph)])[0];
add("pmne", "a tenth of the walks", "5 for each node", walks * pairsPerWalk(10, 5), await fastestEpoch(pmne, {}));
for (const edges of [2 ** 17, 2 ** 20]) {
  add("multiview", formatCount(edges), "2 + 2", edges, await fastestEpoch(multiview, { batch: edges }));
}
const sizes = `${formatCount(graph.numNodes)} nodes, ${formatCount(entries)} entries`;
console.log(`\n${sizes}, dim ${dim}, ${threads} threads, load ${loadavg()[0].toFixed(1)}`);
console.log(table([["model", "batch", "random pairs", "pairs an epoch", "s an epoch", "pairs a second"], ...rows]));
