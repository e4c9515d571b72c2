/**
 * Measures the effect of the node order on speed. The graph has groups of nodes; in its original order the nodes of a group have
 * random indices. It is compared with the same graph in the order that graph/order/node-order.ts computes.
 *
 *   node bench/run.mjs node-order [--nodes 400000] [--relations 4] [--group 400] [--stray 0.2] [--epochs 5] [--threads 2]
 *
 * --group: nodes per group; --stray: share of the edges whose target is any node instead of a node of the group. The two orders are
 * measured alternately; the fastest step of each is reported.
 */

import { availableParallelism, cpus, loadavg } from "node:os";
import { resolveOptions } from "../src/core/options.js";
import { Rng } from "../src/core/rng.js";
import { chooseEngine } from "../src/engine/create-engine.js";
import type { Executable } from "../src/engine/engine.js";
import { multiplexFromEdges } from "../src/graph/multiplex-from-edges.js";
import { localOrder } from "../src/graph/order/node-order.js";
import { reorderTables } from "../src/graph/order/reorder-nodes.js";
import { hmge } from "../src/models/index.js";
import { formatSeconds, table } from "../src/report/terminal.js";
import { type TrainingProgram, traceTraining } from "../src/train/training-program.js";
import { numberOption } from "./options.js";

const [numNodes, numRelations, group] = [
  numberOption("nodes", 400_000),
  numberOption("relations", 4),
  numberOption("group", 400),
];
const [stray, epochs, threads] = [
  numberOption("stray", 0.2),
  numberOption("epochs", 5),
  numberOption("threads", availableParallelism()),
];
const DEGREE = 6;

function scatteredGroups() {
  const rng = new Rng(1, "bench/node-order");
  const shuffledIndex = new Uint32Array(numNodes);
  rng.permutation(shuffledIndex);
  const edges: { source: string[]; target: string[]; relation: string[] } = { source: [], target: [], relation: [] };
  for (let d = 0; d < numRelations; d++) {
    for (let e = 0; e < (numNodes * DEGREE) / 2; e++) {
      const a = rng.below(numNodes);
      const firstOfGroup = a - (a % group);
      const b =
        rng.uniform() < stray
          ? rng.below(numNodes)
          : firstOfGroup + rng.below(Math.min(group, numNodes - firstOfGroup));
      edges.source.push(`n${shuffledIndex[a]}`);
      edges.target.push(`n${shuffledIndex[b]}`);
      edges.relation.push(`r${d}`);
    }
  }
  return multiplexFromEdges(edges, { directed: false });
}

/** Runs one step and returns its seconds. The parameters are not initialised, because the time does not depend on them. */
function timeStep(executable: Executable, { program }: TrainingProgram): number {
  for (const input of program.randomInputs) {
    const arrays = input.tensors.map((tensor) => new Uint32Array(tensor.rows * tensor.cols));
    input.fill(arrays, new Rng(1, input.purpose));
    for (const [k, tensor] of input.tensors.entries()) executable.write(tensor, (data) => data.set(arrays[k]));
  }
  const begin = performance.now();
  executable.run("step");
  return (performance.now() - begin) / 1000;
}

const graph = scatteredGroups();
const begin = performance.now();
const order = localOrder(graph.relations, graph.numNodes);
const orderSeconds = (performance.now() - begin) / 1000;
if (order === undefined) throw new Error("found no better order for this graph");
const engine = await chooseEngine("wasm", { threads });
const options = resolveOptions(hmge.options, hmge.name, { dim: 64 });
interface Case {
  readonly name: string;
  readonly traced: TrainingProgram;
  readonly executable: Executable;
  seconds: number;
}

const cases: Case[] = [];
for (const [name, ordered] of [
  ["original order", graph],
  ["local order", { ...graph, ...reorderTables(graph, order) }],
] as const) {
  const traced = traceTraining(hmge, ordered, options, { weightDecay: 0 });
  cases.push({ name, traced, executable: await engine.compile(traced.program), seconds: Infinity });
}
for (let e = -1; e < epochs; e++) {
  for (const measured of cases) {
    const seconds = timeStep(measured.executable, measured.traced);
    if (e >= 0) measured.seconds = Math.min(measured.seconds, seconds);
  }
}
for (const { executable } of cases) await executable.dispose();
console.log(
  `${numNodes} nodes, ${numRelations} relations with ${DEGREE} edges per node, groups of ${group}, ${100 * stray} % of the edges lead to a random node`,
);
console.log(`${cpus()[0].model}, Node ${process.version}, ${threads} threads, load ${loadavg()[0].toFixed(1)}\n`);
console.log(
  table([
    ["node order", "epoch", "speedup"],
    ...cases.map(({ name, seconds }) => [name, formatSeconds(seconds), (cases[0].seconds / seconds).toFixed(2)]),
  ]),
);
console.log(`\nComputing the order takes ${formatSeconds(orderSeconds)}.`);
