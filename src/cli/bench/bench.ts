/** `hmge bench`: measures the limits of this machine, the speed of the kernels relative to them, and the time of an epoch. */

import { adapt, flag, int } from "../../core/options.js";
import { chooseEngine, describeAdapter, isSoftware, listAdapters } from "../../engine/create-engine.js";
import type { Engine } from "../../engine/engine.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { formatBytes, formatSeconds, plural } from "../../report/format.js";
import { table } from "../../report/terminal.js";
import { epochSecondsAtLimits, type MachineLimits } from "../../train/estimate/estimate.js";
import { resolveTraining } from "../../train/train.js";
import type { Arguments, Command } from "../command.js";
import { recordHead } from "../folder/machine-facts.js";
import { ENGINE_OPTIONS, readEngine, readThreads, THREADS_OPTION } from "../options/engine-option.js";
import { choiceList } from "../options/flag-kinds.js";
import { modelOptions, readModelOptions } from "../options/model-options.js";
import { readSourceOptions, SOURCE_OPTIONS } from "../options/source-options.js";
import { graphNotes, loadSource } from "../run/load-source.js";
import { type Output, tableLayout } from "../terminal/output.js";
import { type EpochTimes, SHAPES, shapeGraph, timeEpochs } from "./epochs.js";
import { type KernelTimes, machineLimits, rate, timeKernels } from "./kernels.js";

/** Default model; published timings are available for it. */
const BENCH_MODEL = "hmge";

const NO_SHAPES = "none";

const OPTIONS = {
  shapes: choiceList(undefined, [...SHAPES.map(({ name }) => name.toLowerCase()), NO_SHAPES], {
    value: "NAME,…",
    doc: "random graphs with the sizes of biogrid, dblp, imdb or string; or none",
    defaultText: "all, or none with SOURCE",
  }),
  epochs: int(5, { min: 1, doc: "epochs measured for each graph" }),
  samples: int(7, { min: 1, doc: "measurements of each kernel" }),
  ...ENGINE_OPTIONS,
  threads: adapt(THREADS_OPTION.threads, {
    doc: "number of threads of the second measurement of wasm; the first uses one thread",
  }),
  noKernels: flag(false, { doc: "measure only the machine's limits and the epochs" }),
  ...modelOptions(BENCH_MODEL),
  ...SOURCE_OPTIONS,
};

export const bench: Command<typeof OPTIONS> = {
  usage: "[SOURCE…] [options]",
  options: OPTIONS,
  examples: ["", "--engine webgpu --shapes biogrid,imdb", "edges.csv --model multiview --dim 32 --json"],
  run: runBench,
};

/** Minimum duration of one measurement of a kernel, in seconds; shorter kernels are replayed several times. */
const SAMPLE_SECONDS = 0.03;
/** The same on a device, where the host learns of the end of the work about a millisecond later. */
const DEVICE_SAMPLE_SECONDS = 0.1;

async function runBench(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const { values } = args;
  const hasSource = args.words.length > 0 || values.sql !== undefined;
  const shapes = values.shapes ?? (hasSource ? [] : (OPTIONS.shapes.choices ?? []));
  // --epochs is the number of measured epochs here, not a setting of the training
  const { model, settings } = await readModelOptions(args, { training: false });
  resolveTraining(model, settings);
  const source = hasSource ? readSourceOptions(args) : undefined;
  const engines = await measuredEngines(values, output);
  const used = engines[engines.length - 1];
  const adapters = used.device === undefined ? [] : await describeAdapters(used);
  const graph = source === undefined ? undefined : await loadSource(source, output.quiet);
  for (const note of graph === undefined ? [] : graphNotes(graph)) output.note(`note: ${note}`);

  output.note("kernels …");
  const kernels = await timeKernels(engines, {
    limitsOnly: values.noKernels,
    onGpu: adapters.some(({ used, software }) => used && !software),
    samples: values.samples,
    sampleSeconds: used.device === undefined ? SAMPLE_SECONDS : DEVICE_SAMPLE_SECONDS,
  });
  const limits = engines.map((_, e) => machineLimits(kernels, e));
  const measured: (EpochTimes & { readonly dim: number; readonly graph: string })[] = [];
  const measure = async (name: string, measuredGraph: Multiplex, dim?: number) => {
    output.note(`${name} …`);
    const graphSettings =
      dim === undefined || settings["dim"] !== undefined ? settings : { ...settings, dim: String(dim) };
    const times = await timeEpochs(name, measuredGraph, model, graphSettings, engines, values.epochs);
    measured.push({
      ...times,
      dim: Number(resolveTraining(model, graphSettings).options["dim"]),
      graph: sizes(measuredGraph),
    });
  };
  for (const shape of SHAPES) {
    if (shapes.includes(shape.name.toLowerCase())) await measure(shape.name, shapeGraph(shape), shape.dim);
  }
  if (graph !== undefined && source !== undefined) await measure(source.sources[0] ?? "query", graph);

  const rows = measured.map((times) => ({
    ...times,
    floor: limits.map((limit) => epochSecondsAtLimits(times.estimate, limit)),
  }));
  const threadCounts = engines.map(({ numThreads }) => numThreads);
  output.document({
    ...recordHead("bench", args, used),
    engines: engines.map(({ description }) => description),
    adapters,
    threads: threadCounts,
    limits,
    kernels: kernels.map(({ times, ...kernel }) => ({
      ...kernel,
      times: times.map((time, e) => ({
        threads: threadCounts[e],
        ...time,
        share: shareOfLimit({ ...kernel, times }, e, limits),
      })),
    })),
    epochs: rows,
  });
  if (adapters.length > 0) output.print(`${adapterText(adapters)}\n`);
  output.print(kernelText(kernels, engines, limits, output));
  if (rows.length > 0) output.print(`\n${epochText(rows, engines, output)}`);
  return 0;
}

/** For wasm: one thread and all. Otherwise: wasm with all threads, and the engine. */
async function measuredEngines(values: Arguments<typeof OPTIONS>["values"], output: Output): Promise<Engine[]> {
  const engine = await readEngine(values, output);
  const threads = engine.name === "wasm" ? engine.numThreads : readThreads(values, { note: () => {} });
  const wasm = await chooseEngine("wasm", { threads });
  if (engine.name !== "wasm") return [wasm, engine];
  return wasm.numThreads === 1 ? [wasm] : [await chooseEngine("wasm", { threads: 1 }), wasm];
}

interface AdapterFacts {
  readonly name: string;
  readonly software: boolean;
  readonly used: boolean;
}

/** The adapters that the platform offers. */
async function describeAdapters({ device }: Engine): Promise<AdapterFacts[]> {
  return (await listAdapters()).map((adapter) => {
    const name = describeAdapter(adapter);
    return { name, software: isSoftware(adapter), used: name === device };
  });
}

function adapterText(adapters: readonly AdapterFacts[]): string {
  return adapters
    .map(({ name, software, used }, i) => {
      const facts = [...(software ? ["computes on the CPU"] : []), ...(used ? ["used here"] : [])];
      return `${(i === 0 ? "adapters" : "").padEnd(10)}${name}${facts.length === 0 ? "" : `: ${facts.join(", ")}`}`;
    })
    .join("\n");
}

/** Head of the columns of an engine. */
function engineTitle({ name, numThreads }: Engine): string {
  return name === "wasm" ? plural(numThreads, "thread") : name;
}

/** Rate of a kernel divided by the machine's limit: peak for arithmetic, triad for memory. */
function shareOfLimit(kernel: KernelTimes, e: number, limits: readonly MachineLimits[]): number {
  return rate(kernel, e) / (kernel.multiplyAdds === undefined ? limits[e].bytes : limits[e].multiplyAdds);
}

function sizes({ numNodes, relations }: Multiplex): string {
  const edges = relations.reduce((sum, { numEdges }) => sum + numEdges, 0);
  return `${plural(numNodes, "node")}, ${plural(relations.length, "relation")}, ${plural(edges, "edge")}`;
}

function kernelText(
  kernels: readonly KernelTimes[],
  engines: readonly Engine[],
  limits: readonly MachineLimits[],
  output: Output,
): string {
  const titles = engines.flatMap((engine) => [engineTitle(engine), "% of limit"]);
  const rows = kernels.map((kernel) => [
    kernel.name,
    kernel.shape,
    ...kernel.times.flatMap((_, e) => {
      const unit = kernel.multiplyAdds === undefined ? "GB/s" : "G/s";
      return [
        `${(rate(kernel, e) / 1e9).toFixed(1)} ${unit}`,
        `${(100 * shareOfLimit(kernel, e, limits)).toFixed(0)} %`,
      ];
    }),
  ]);
  return table([["kernel", "", ...titles], ...rows], tableLayout(output));
}

function epochText(
  rows: readonly (EpochTimes & { readonly dim: number; readonly graph: string; readonly floor: readonly number[] })[],
  engines: readonly Engine[],
  output: Output,
): string {
  const last = engines.length - 1;
  const header = [
    "one epoch",
    "graph",
    "dim",
    ...engines.map(engineTitle),
    ...(last > 0 ? ["speed-up"] : []),
    "lower bound",
    "memory",
  ];
  const times = (seconds: readonly number[]) => [
    ...seconds.map(formatSeconds),
    ...(last > 0 ? [`${(seconds[0] / seconds[last]).toFixed(2)}`] : []),
  ];
  const cells = rows.flatMap(({ name, graph, dim, seconds, floor, engineBytes, parts }) => [
    ...Object.entries(parts).map(([part, partSeconds]) => [`${name}: ${part}`, "", "", ...times(partSeconds), "", ""]),
    [name, graph, String(dim), ...times(seconds), formatSeconds(floor[last]), formatBytes(engineBytes)],
  ]);
  return table([header, ...cells], tableLayout(output));
}
