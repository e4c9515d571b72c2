/**
 * Seconds of an epoch beside PyTorch's, on random graphs in the sizes of the paper's four.
 *
 *   node bench/run.mjs against-pytorch [--shapes biogrid,dblp,imdb,string] [--epochs 7] [--dense-epochs 2] [--threads 2]
 *                                      [--preset reference|paper] [--python /usr/bin/python3] [--json FILE]
 *
 * The three trainings (ours, dense PyTorch, sparse PyTorch; see against-pytorch.py) take turns, epoch by epoch, in one
 * run, so that what else the machine does meets all of them; minimum and median are told. --dense-epochs 0 leaves the dense
 * one out. The model is the same: preset
 * `reference` is what the published code computes (one-hot input, shared input convolution, one convolution a relation,
 * their mean, a learnt combination, infomax, Adam), `paper` our default. PyTorch is Debian's python3-torch.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SHAPES, type Shape, shapeGraph } from "../src/cli/bench/epochs.js";
import { hmge } from "../src/models/index.js";
import { formatSeconds, table } from "../src/report/terminal.js";
import { chooseEngine, resolveTraining, startRun } from "../src/train/train.js";
import { textOption } from "./options.js";

const shapes = textOption("shapes", "biogrid,dblp,imdb,string").split(",");
const [epochs, denseEpochs] = [Number(textOption("epochs", "7")), Number(textOption("dense-epochs", "2"))];
const threads = Number(textOption("threads", String(availableParallelism())));
const [preset, python] = [textOption("preset", "reference"), textOption("python", "/usr/bin/python3")];

/** One Python process that answers a line with a line. */
function startPython() {
  const script = join(dirname(fileURLToPath(import.meta.url)), "against-pytorch.py");
  const child = spawn(python, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(job: object): Promise<Record<string, unknown>> {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${python} ended; is python3-torch installed?`);
      return JSON.parse(value);
    },
    end: () => child.stdin.end(),
  };
}

interface Measured {
  readonly way: string;
  readonly minimum: number;
  readonly median: number;
  readonly epochs: number;
}

function summarize(way: string, seconds: readonly number[]): Measured {
  const sorted = [...seconds].sort((a, b) => a - b);
  const median = sorted.at(sorted.length >> 1) ?? Infinity;
  return { way, minimum: sorted.at(0) ?? Infinity, median, epochs: sorted.length };
}

async function measure(shape: Shape, folder: string) {
  const graph = shapeGraph(shape);
  graph.relations.forEach(({ rowStart, columns }, d) => {
    writeFileSync(join(folder, `rowStart.${d}`), rowStart);
    writeFileSync(join(folder, `columns.${d}`), columns);
  });
  const { options, training } = resolveTraining(hmge, { preset, dim: shape.dim });
  const job = {
    load: folder,
    nodes: graph.numNodes,
    relations: graph.relations.length,
    dim: shape.dim,
    threads,
    tableWidth: options.input === "table" ? options.tableWidth : null,
    sharedInput: options.sharedInput,
    selfLoop: options.selfLoop,
    learningRate: training.learningRate,
    weightDecay: training.weightDecay,
  };
  const ways = ["dense", "sparse"];
  const processes = ways.map(() => startPython());
  const names: string[] = [];
  const firstLosses: number[] = [];
  for (const [w, way] of ways.entries()) {
    if (way === "dense" && denseEpochs === 0) {
      names.push("not measured");
      continue;
    }
    const { way: name, firstLoss } = await processes[w].ask({ ...job, way });
    names.push(String(name));
    firstLosses.push(Number(firstLoss));
  }
  if (Math.abs(firstLosses[0] - firstLosses[1]) > 1e-5) {
    throw new Error(`${shape.name}: the two PyTorch ways disagree: ${firstLosses.join(", ")}`);
  }
  const engine = await chooseEngine("wasm", threads);
  const run = await startRun(graph, hmge, { preset, dim: shape.dim, engine, epochs: 1e6, patience: 1e6 });
  const iterator = run[Symbol.asyncIterator]();
  const ours = async () => (await iterator.next()).value!.seconds;
  for (let i = 0; i < 3; i++) await ours();
  const found: number[][] = [[], [], []];
  for (let e = 0; e < epochs; e++) {
    // a burst of three: PyTorch's epochs push ours out of the caches
    for (let i = 0; i < 3; i++) found[0].push(await ours());
    for (const [w] of ways.entries()) {
      if (w === 0 && e >= denseEpochs) continue;
      for (let i = 0; i < (w === 0 ? 1 : 2); i++)
        found[w + 1].push(Number((await processes[w].ask({ epoch: 1 })).seconds));
    }
  }
  await run.dispose();
  for (const { end } of processes) end();
  return {
    shape,
    ways: [summarize(engine.description, found[0]), ...names.map((name, w) => summarize(name, found[w + 1]))],
  };
}

const folder = mkdtempSync(join(tmpdir(), "hmge-pytorch-"));
const results = [];
try {
  for (const shape of SHAPES.filter(({ name }) => shapes.includes(name.toLowerCase()))) {
    console.error(`${shape.name} …`);
    results.push(await measure(shape, folder));
  }
} finally {
  rmSync(folder, { recursive: true });
}
const rows = results.map(({ shape, ways: [ours, dense, sparse] }) => ({
  shape,
  ours,
  dense,
  sparse,
  /** The better PyTorch over ours, by the minima and by the medians. */
  ratio: Math.min(dense.minimum, sparse.minimum) / ours.minimum,
  medianRatio: Math.min(dense.median, sparse.median) / ours.median,
}));
const record = {
  command: `node bench/run.mjs against-pytorch --preset ${preset} --threads ${threads}`,
  date: new Date().toISOString(),
  machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version, load: loadavg() },
  preset,
  threads,
  rows,
};
const path = textOption("json", "");
if (path !== "") writeFileSync(path, `${JSON.stringify(record, undefined, 2)}\n`);
const both = ({ minimum, median }: Measured) => `${formatSeconds(minimum)} (${formatSeconds(median)})`;
console.log(
  `seconds of an epoch, minimum (median); preset ${preset}, ${threads} threads each, Node ${process.version}\n`,
);
console.log(
  table([
    ["graph", "hmge", "PyTorch dense", "PyTorch sparse", "ratio to the better", "sparse by"],
    ...rows.map(({ shape, ours, dense, sparse, ratio, medianRatio }) => [
      shape.name,
      both(ours),
      both(dense),
      both(sparse),
      `${ratio.toFixed(1)} (${medianRatio.toFixed(1)})`,
      sparse.way.replace(/^sparse matrices /, ""),
    ]),
  ]),
);
