/**
 * Compares the time of an epoch with that in PyTorch, on random graphs with the sizes of the paper's four data sets.
 *
 *   node bench/run.mjs against-pytorch [--shapes biogrid,dblp,imdb,string] [--epochs 7] [--slow-epochs 2] [--threads 2]
 *                                      [--preset reference|paper] [--python /usr/bin/python3] [--json FILE]
 *
 * Four trainings run in turn, epoch by epoch, so that other load on the machine affects all of them: ours, and PyTorch with
 * dense matrices, with plain sparse products, and in its fastest version (against-pytorch.py). The table shows minimum and median
 * times, and a lower bound: the time that our epoch would take at the machine's peak rates. The dense and the plain version are
 * slow and run for fewer epochs; --slow-epochs 0 skips them. All train the same model: preset `reference` computes what the published code computes (one-hot input, shared input
 * convolution, one convolution per relation, their mean, a learnt combination, infomax, Adam); `paper` is our default. PyTorch
 * is Debian's python3-torch.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SHAPES, type Shape, shapeGraph } from "../src/cli/bench/epochs.js";
import { machineLimits, timeKernels } from "../src/cli/bench/kernels.js";
import { chooseEngine } from "../src/engine/create-engine.js";
import { hmge } from "../src/models/index.js";
import { formatSeconds, table } from "../src/report/terminal.js";
import { epochSecondsAtLimits, estimateRun } from "../src/train/estimate/estimate.js";
import { resolveTraining, startRun } from "../src/train/train.js";
import { textOption } from "./options.js";

const shapes = textOption("shapes", "biogrid,dblp,imdb,string").split(",");
const [epochs, slowEpochs] = [Number(textOption("epochs", "7")), Number(textOption("slow-epochs", "2"))];
const threads = Number(textOption("threads", String(availableParallelism())));
const [preset, python] = [textOption("preset", "reference"), textOption("python", "/usr/bin/python3")];

/** Starts a Python process that reads one line of JSON per job and answers with one line. */
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

/** Versions in PyTorch, in the order of the table; only the last one is fast. */
const VERSIONS = ["dense", "plain", "sparse"];

interface EpochTimes {
  readonly version: string;
  readonly minimum: number;
  readonly median: number;
  readonly epochs: number;
}

function summarize(version: string, seconds: readonly number[]): EpochTimes {
  const sorted = [...seconds].sort((a, b) => a - b);
  const median = sorted.at(sorted.length >> 1) ?? Infinity;
  return { version, minimum: sorted.at(0) ?? Infinity, median, epochs: sorted.length };
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
  const versions = VERSIONS.slice(slowEpochs === 0 ? -1 : 0);
  const processes = versions.map(() => startPython());
  const names: string[] = [];
  const firstLosses: number[] = [];
  for (const [v, version] of versions.entries()) {
    const { way: name, firstLoss } = await processes[v].ask({ ...job, way: version });
    names.push(String(name));
    firstLosses.push(Number(firstLoss));
  }
  if (Math.max(...firstLosses) - Math.min(...firstLosses) > 1e-5) {
    throw new Error(`${shape.name}: the first losses of the PyTorch versions differ: ${firstLosses.join(", ")}`);
  }
  const run = await startRun(graph, hmge, { preset, dim: shape.dim, engine, epochs: 1e6, patience: 1e6 });
  const iterator = run[Symbol.asyncIterator]();
  const ourEpoch = async () => (await iterator.next()).value!.seconds;
  for (let i = 0; i < 3; i++) await ourEpoch();
  const ourSeconds: number[] = [];
  const theirSeconds: number[][] = versions.map(() => []);
  for (let e = 0; e < epochs; e++) {
    // three in a row, because PyTorch's epochs push our data out of the caches
    for (let i = 0; i < 3; i++) ourSeconds.push(await ourEpoch());
    for (const [v, version] of versions.entries()) {
      if (version !== "sparse" && e >= slowEpochs) continue;
      for (let i = 0; i < (version === "sparse" ? 2 : 1); i++)
        theirSeconds[v].push(Number((await processes[v].ask({ epoch: 1 })).seconds));
    }
  }
  await run.dispose();
  for (const { end } of processes) end();
  return {
    shape,
    ours: summarize(engine.description, ourSeconds),
    lowerBound: epochSecondsAtLimits(await estimateRun(graph, hmge, { preset, dim: shape.dim }), limits),
    theirs: Object.fromEntries(versions.map((version, v) => [version, summarize(names[v], theirSeconds[v])])),
  };
}

const engine = await chooseEngine("wasm", { threads });
const limits = machineLimits(await timeKernels([engine], { limitsOnly: true, samples: 7, sampleSeconds: 0.05 }), 0);
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
const rows = results.map((result) => {
  const pytorch = Object.values(result.theirs);
  const fastest = (statistic: "minimum" | "median") => Math.min(...pytorch.map((times) => times[statistic]));
  // seconds of the fastest PyTorch version divided by ours
  return {
    ...result,
    ratio: fastest("minimum") / result.ours.minimum,
    medianRatio: fastest("median") / result.ours.median,
  };
});
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
const timesText = (times?: EpochTimes) =>
  times ? `${formatSeconds(times.minimum)} (${formatSeconds(times.median)})` : "–";
const ratioText = (times: EpochTimes | undefined, ours: EpochTimes) =>
  times ? (times.minimum / ours.minimum).toFixed(1) : "–";
console.log(`time of an epoch, minimum (median); preset ${preset}, ${threads} threads each, Node ${process.version}\n`);
console.log(
  table([
    [
      "graph",
      "hmge",
      "lower bound",
      "dense",
      "ratio",
      "plain",
      "ratio",
      "best",
      "ratio",
      "best / lower bound",
      "best sparse version",
    ],
    ...rows.map(({ shape, ours, lowerBound, theirs: { dense, plain, sparse }, ratio, medianRatio }) => [
      shape.name,
      timesText(ours),
      formatSeconds(lowerBound),
      timesText(dense),
      ratioText(dense, ours),
      timesText(plain),
      ratioText(plain, ours),
      timesText(sparse),
      `${ratio.toFixed(1)} (${medianRatio.toFixed(1)})`,
      ((ratio * ours.minimum) / lowerBound).toFixed(1),
      sparse.version.replace(/^sparse matrices \((.*)\)$/, "$1"),
    ]),
  ]),
);
