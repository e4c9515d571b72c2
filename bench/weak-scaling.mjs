/**
 * Seconds of an epoch on several ranks, for the table of docs/cluster.md (after npm run build):
 *
 *   node bench/weak-scaling.mjs GRAPH MODEL [EPOCHS] [NAME=VALUE …]          one process, one thread
 *   mpirun -n 4 node bench/weak-scaling.mjs GRAPH MODEL [EPOCHS] [NAME=VALUE …]    ranks of one thread each
 *
 * GRAPH: a file, or "groups:NODES" for a graph with 4 edges a node in 3 relations, of which 90 % lie within groups of 1,000 nodes; the nodes
 * have random numbers.
 *
 * Trains twice EPOCHS epochs (default: 4) after one that is not counted, and writes no files. Prints one line of JSON: the median seconds of an epoch
 * in both halves; rows of other ranks that an operation reads, per own node; bytes that a rank sends an epoch; and the share of time in exchanges.
 * NAME=VALUE: options of the model.
 */
import { joinJob } from "../dist/cli/ranks/job.js";
import { gatherTexts } from "../dist/cluster/agreement.js";
import { partitionedEngine } from "../dist/engine/partition/partitioned-engine.js";
import { Rng } from "../dist/core/rng.js";
import { buildMultiplex } from "../dist/graph/build-multiplex.js";
import * as models from "../dist/models/index.js";
import { chooseEngine } from "../dist/engine/create-engine.js";
import { startRun } from "../dist/train/train.js";

const [file, name, numEpochs = "4", ...settings] = process.argv.slice(2);
const epochs = Number(numEpochs);
const nothing = () => {};
const job = await joinJob(undefined, { json: false, quiet: true, print: nothing, document: nothing, note: nothing });
const size = job.ranks?.size ?? 1;
const begin = performance.now();
const graph = await job.sharing.once(() => readGraph(file));
const loaded = performance.now();
const plain = await chooseEngine("wasm", { threads: 1 });
const engine = job.ranks === undefined ? plain : partitionedEngine(plain, job.ranks);
const options = Object.fromEntries(settings.map((text) => text.split("=")).map(([key, value]) => [key, Number(value)]));
const run = await startRun(graph, models[name], {
  ...{ dim: 64, ...options, epochs: 2 * epochs + 1, patience: 2 * epochs + 1, seed: 1 },
  ...{ engine, processes: job.sharing },
});
job.freeMemory();
const started = performance.now();
const times = [];
let before = started;
let warm;
for await (const _ of run) {
  const now = performance.now();
  times.push((now - before) / 1000);
  before = now;
  warm ??= job.ranks && engine.exchanged();
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const last = job.ranks && engine.exchanged();
const own = last && {
  rows: last.haloRows / last.ownRows,
  bytes: (last.bytesSent - warm.bytesSent) / (2 * epochs),
  share: (last.seconds - warm.seconds) / times.slice(1).reduce((sum, time) => sum + time, 0),
};
const all = job.ranks === undefined ? [] : gatherTexts(job.ranks, JSON.stringify(own)).map((text) => JSON.parse(text));
const mean = (key) => (all.length === 0 ? 0 : all.reduce((sum, rank) => sum + rank[key], 0) / all.length);
if (job.leads) {
  const halves = [times.slice(1, epochs + 1), times.slice(epochs + 1)].map(median);
  const seconds = { load: (loaded - begin) / 1000, start: (started - loaded) / 1000, epoch: halves };
  const exchanges = { rows: mean("rows"), bytes: mean("bytes"), share: mean("share") };
  console.log(JSON.stringify({ model: name, ranks: size, nodes: graph.numNodes, seconds, exchanges }));
}
await run.dispose();
job.leave();
process.exit(0);

async function readGraph(name) {
  if (name.startsWith("groups:")) return groupedGraph(Number(name.slice("groups:".length)));
  // not imported above: DuckDB may be missing where graphs are generated
  const { loadGraph } = await import("../dist/io/index.js");
  return loadGraph(name);
}

function groupedGraph(numNodes) {
  const [group, numRelations, numEdges, strayShare] = [1000, 3, 4 * numNodes, 0.1];
  const rng = new Rng(1, "bench/weak-scaling");
  const number = Uint32Array.from({ length: numNodes }, (_, i) => i);
  rng.permutation(number);
  const [source, target, relation] = [0, 1, 2].map(() => new Uint32Array(numEdges));
  for (let e = 0; e < numEdges; e++) {
    const node = rng.below(numNodes);
    const first = node - (node % group);
    const other = rng.uniform() < strayShare ? rng.below(numNodes) : Math.min(numNodes - 1, first + rng.below(group));
    source[e] = number[node];
    target[e] = number[other];
    relation[e] = rng.below(numRelations);
  }
  const ids = Array.from({ length: numNodes }, (_, i) => String(i));
  return buildMultiplex({ source, target, relation, ids, relationNames: ["a", "b", "c"] });
}
