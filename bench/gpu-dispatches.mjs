/**
 * Microseconds of each dispatch of an epoch on a GPU (after npm run build):
 *
 *   node bench/gpu-dispatches.mjs [GRAPH] [MODEL] [REPEATS]      default: imdb hmge 200
 *
 * GRAPH: the name of a shape of bench/gpu-epochs.mjs, or a file or folder with edges. `hmge` has its preset `reference` on a shape.
 *
 * Records the dispatches of one epoch and repeats each of them REPEATS times in one pass; the time of a pass is the fastest of three. A dispatch waits
 * for the one before it, so its time includes its start. The repeated results mean nothing, but take as long as those of a training.
 * Prints a table of the dispatches in their order, then the sums by kernel.
 */
import { SHAPES, shapeGraph } from "../dist/cli/bench/epochs.js";
import { createEngine } from "../dist/index.js";
import { findAdapter, requestDevice } from "../dist/engine/webgpu/adapter.js";
import { layOut } from "../dist/engine/webgpu/layout.js";
import * as models from "../dist/models/index.js";
import { resolveTraining, startRun } from "../dist/train/train.js";

const [name = "imdb", modelName = "hmge", repeatText = "200"] = process.argv.slice(2);
const repeats = Number(repeatText);
const shape = SHAPES.find((other) => other.name.toLowerCase() === name);
const graph = shape === undefined ? await loadedGraph(name) : shapeGraph(shape);
const model = models[modelName];
const settings = shape !== undefined && modelName === "hmge" ? { preset: "reference", dim: shape.dim } : {};

const adapter = await findAdapter();
const device = await requestDevice(adapter);
const dispatches = [];
let isRecording = false;
const createCommandEncoder = device.createCommandEncoder.bind(device);
device.createCommandEncoder = (...args) => {
  const encoder = createCommandEncoder(...args);
  const beginComputePass = encoder.beginComputePass.bind(encoder);
  encoder.beginComputePass = (...options) => recorded(beginComputePass(...options));
  return encoder;
};

const engine = await createEngine("webgpu", { adapter, device });
console.log(engine.description);
const compiled = [];
const compile = engine.compile.bind(engine);
engine.compile = (program, ...rest) => {
  compiled.push(program);
  return compile(program, ...rest);
};
const run = await startRun(graph, model, { ...settings, engine, epochs: 1000, patience: 1000, seed: 1 });
const iterator = run[Symbol.asyncIterator]();
await iterator.next();
await device.queue.onSubmittedWorkDone();
const program = compiled.findLast(({ segments }) => segments.has("step"));
const stages = layOut(program).segments.get("step");
const names = stages.flatMap(({ op, outputs, dispatches: own }) =>
  own.map(({ entry, width, height }) => ({
    ...{ op, entry, groups: width * height },
    size: outputs.length === 0 ? "" : `${outputs.length} × ${outputs[0].tensor.rows}×${outputs[0].tensor.cols}`,
  })),
);
isRecording = true;
while (dispatches.length < names.length) await iterator.next();
isRecording = false;
dispatches.length = names.length;
await device.queue.onSubmittedWorkDone();

const seconds = [];
for (const dispatch of dispatches) {
  let fastest = Infinity;
  for (let turn = 0; turn < 3; turn++) fastest = Math.min(fastest, await timed([dispatch], repeats));
  seconds.push(fastest / repeats);
}
const whole = (await timed(dispatches, repeats)) / repeats;
const micros = (time) => (1e6 * time).toFixed(1).padStart(8);
names.forEach(({ op, entry, groups, size }, at) => {
  const word = entry === "run" ? "" : ` (${entry})`;
  console.log(`${micros(seconds[at])} µs  ${`${op}${word}`.padEnd(36)}${String(groups).padStart(8)} workgroups  ${size}`);
});
const byKernel = new Map();
names.forEach(({ op }, at) => {
  const { count = 0, time = 0 } = byKernel.get(op) ?? {};
  byKernel.set(op, { count: count + 1, time: time + seconds[at] });
});
console.log();
for (const [op, { count, time }] of [...byKernel].toSorted(([, a], [, b]) => b.time - a.time)) {
  console.log(`${micros(time)} µs  ${op.padEnd(28)}${String(count).padStart(3)} dispatches`);
}
const sum = seconds.reduce((total, time) => total + time, 0);
console.log(`${micros(sum)} µs  all ${names.length} dispatches, each by itself; in turn ${micros(whole).trim()} µs`);
process.exit(0);

/** Seconds in which the GPU runs these dispatches so many times. */
async function timed(chosen, times) {
  const encoder = createCommandEncoder();
  const pass = encoder.beginComputePass();
  for (let time = 0; time < times; time++) {
    for (const { pipeline, bindGroup, size } of chosen) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      pass.dispatchWorkgroups(...size);
    }
  }
  pass.end();
  const commands = encoder.finish();
  await device.queue.onSubmittedWorkDone();
  const start = performance.now();
  device.queue.submit([commands]);
  await device.queue.onSubmittedWorkDone();
  return (performance.now() - start) / 1000;
}

/** The pass, which also notes its dispatches while an epoch is recorded. */
function recorded(pass) {
  const now = {};
  const [setPipeline, setBindGroup, dispatch] = ["setPipeline", "setBindGroup", "dispatchWorkgroups"].map((method) =>
    pass[method].bind(pass),
  );
  pass.setPipeline = (pipeline) => setPipeline((now.pipeline = pipeline));
  pass.setBindGroup = (index, bindGroup) => setBindGroup(index, (now.bindGroup = bindGroup));
  pass.dispatchWorkgroups = (...size) => {
    if (isRecording) dispatches.push({ ...now, size });
    dispatch(...size);
  };
  return pass;
}

async function loadedGraph(path) {
  // not imported above: DuckDB may be missing where shapes are measured
  const { loadGraph } = await import("../dist/io/index.js");
  return loadGraph(path);
}
