/**
 * Seconds of an epoch on a GPU, next to PyTorch on the same GPU, on random graphs with the sizes of the paper's four data sets
 * (after npm run build):
 *
 *   node bench/gpu-epochs.mjs [SHAPES] [EPOCHS] [PYTHON]      default: biogrid,dblp,imdb,string 200 python3; PYTHON "none": ours alone
 *
 * Preset `reference` of hmge: one-hot input, shared input convolution, one convolution per relation, their mean, a learnt combination,
 * infomax, Adam. PyTorch runs the dense and the fastest sparse version of against-pytorch.py. All are warmed up; ours and theirs run in
 * turn, three times; the table shows the fastest turn. Prints one line of JSON for each graph.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SHAPES, shapeGraph } from "../dist/cli/bench/epochs.js";
import { createEngine } from "../dist/index.js";
import { hmge } from "../dist/models/index.js";
import { layOut } from "../dist/engine/webgpu/layout.js";
import { resolveTraining, startRun } from "../dist/train/train.js";
import { traceTraining } from "../dist/train/training-program.js";

const [shapes = "biogrid,dblp,imdb,string", epochText = "200", python = "python3"] = process.argv.slice(2);
const epochs = Number(epochText);
const TURNS = 3;

function startPython() {
  const child = spawn(python, [fileURLToPath(new URL("against-pytorch.py", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(job) {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${python} ended`);
      return JSON.parse(value);
    },
    end: () => child.stdin.end(),
  };
}

const engine = await createEngine("webgpu");
console.log(engine.description);
for (const shape of SHAPES.filter(({ name }) => shapes.split(",").includes(name.toLowerCase()))) {
  const graph = shapeGraph(shape);
  const folder = mkdtempSync(join(tmpdir(), "hmge-pytorch-"));
  graph.relations.forEach(({ rowStart, columns }, d) => {
    writeFileSync(join(folder, `rowStart.${d}`), rowStart);
    writeFileSync(join(folder, `columns.${d}`), columns);
  });
  const { options, training } = resolveTraining(hmge, { preset: "reference", dim: shape.dim });
  const job = {
    load: folder,
    nodes: graph.numNodes,
    relations: graph.relations.length,
    dim: shape.dim,
    threads: 4,
    tableWidth: null,
    sharedInput: options.sharedInput,
    selfLoop: options.selfLoop,
    learningRate: training.learningRate,
    weightDecay: training.weightDecay,
    device: "cuda",
  };
  const versions = python === "none" ? [] : ["dense", "sparse"];
  const traced = traceTraining(hmge, graph, options, { weightDecay: training.weightDecay });
  const stages = layOut(traced.program).segments.get("step");
  const dispatches = stages.reduce((sum, stage) => sum + stage.dispatches.length, 0);
  const processes = versions.map(startPython);
  const names = [];
  for (const [v, way] of versions.entries()) {
    names.push((await processes[v].ask({ ...job, way })).way);
    await processes[v].ask({ epoch: 5 });
  }
  const run = await startRun(graph, hmge, { preset: "reference", dim: shape.dim, engine, epochs: 1e7, patience: 1e7, seed: 1 });
  const iterator = run[Symbol.asyncIterator]();
  const ours = async (count) => {
    // epochs are queued and reported together, each with its share of the seconds
    let seconds = 0;
    for (let e = 0; e < count; e++) seconds += (await iterator.next()).value.seconds;
    return { seconds: seconds / count };
  };
  await ours(epochs);
  const seconds = { hmge: [], ...Object.fromEntries(versions.map((version) => [version, []])) };
  for (let turn = 0; turn < TURNS; turn++) {
    seconds.hmge.push((await ours(epochs)).seconds);
    for (const [v, version] of versions.entries()) {
      const count = Math.max(3, Math.round(epochs / 20));
      seconds[version].push((await processes[v].ask({ epoch: count })).seconds);
    }
  }
  const fastest = Object.fromEntries(Object.entries(seconds).map(([name, times]) => [name, Math.min(...times)]));
  const ratios = Object.fromEntries(versions.map((version) => [version, fastest[version] / fastest.hmge]));
  console.log(JSON.stringify({ graph: shape.name, fastest, ratios, names, seconds, dispatches, loss: run.losses.at(-1) }));
  await run.dispose();
  for (const { end } of processes) end();
  rmSync(folder, { recursive: true });
}
process.exit(0);
