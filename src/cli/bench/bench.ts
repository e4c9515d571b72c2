/** `hmge bench`: this machine's limits, the kernels as a share of them, and seconds of an epoch. */

import { type Command, type Arguments, switchOption, textOption } from "../command.js";
import { modelOptions, readModelOptions } from "../options/model-options.js";
import { SOURCE_OPTIONS, readSourceOptions } from "../options/source-options.js";
import { availableParallelism } from "node:os";
import type { Engine } from "../../engine/engine.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { formatBytes, formatSeconds, plural } from "../../report/format.js";
import { table } from "../../report/terminal.js";
import { chooseEngine } from "../../train/create-engine.js";
import { floorSeconds, type MachineLimits } from "../../train/estimate/estimate.js";
import { resolveTraining } from "../../train/train.js";
import { recordHead } from "../folder/machine-facts.js";
import { readThreads } from "../options/engine-option.js";
import { readChoices } from "../options/list-options.js";
import { readCount } from "../options/number-options.js";
import { graphNotes, loadSource } from "../run/load-source.js";
import { type Output, tableLayout } from "../terminal/output.js";
import { type EpochTimes, SHAPES, shapeGraph, timeEpochs } from "./epochs.js";
import { type KernelTimes, machineLimits, rate, timeKernels } from "./kernels.js";

/** The method that others have measured too; epochs of several are compared with `--model`. */
export const BENCH_MODEL = "hmge";

export const bench: Command = {
  usage: "[SOURCE…] [options]",
  options: [
    {
      name: "shapes",
      value: "NAME,…",
      doc: "biogrid, dblp, imdb, string, or none",
      default: "all, or none with SOURCE",
    },
    { name: "epochs", value: "N", doc: "epochs measured of each graph", default: "5" },
    { name: "samples", value: "N", doc: "measurements of each kernel", default: "7" },
    { name: "threads", value: "N", doc: "beside one thread", default: "as many as the machine runs at once" },
    { name: "no-kernels", doc: "epochs only; the limits are still measured" },
    ...modelOptions(BENCH_MODEL),
    ...SOURCE_OPTIONS,
  ],
  examples: ["", "--shapes biogrid,imdb --epochs 10", "edges.csv --model multiview --dim 32 --json"],
  run: runBench,
};

const EPOCHS = 5;
const SAMPLES = 7;
const SAMPLE_SECONDS = 0.03;
const NO_SHAPES = "none";

async function runBench(given: Arguments, output: Output): Promise<number> {
  const hasSource = given.words.length > 0 || textOption(given, "sql") !== undefined;
  const names = [...SHAPES.map(({ name }) => name.toLowerCase()), NO_SHAPES];
  const shapes = readChoices(given, "shapes", names) ?? (hasSource ? [] : names);
  const epochs = readCount(given, "epochs", 1) ?? EPOCHS;
  const { model, settings } = await readModelOptions(withoutEpochs(given), BENCH_MODEL);
  resolveTraining(model, settings);
  const source = hasSource ? readSourceOptions(given) : undefined;
  const threads = readThreads(given, output) ?? availableParallelism();
  const engines = await Promise.all([...new Set([1, threads])].map((count) => chooseEngine("wasm", count)));
  const graph = source === undefined ? undefined : await loadSource(source, output.quiet);
  for (const note of graph === undefined ? [] : graphNotes(graph)) output.note(`note: ${note}`);

  output.note("kernels …");
  const kernels = await timeKernels(engines, {
    limitsOnly: switchOption(given, "no-kernels"),
    samples: readCount(given, "samples", 1) ?? SAMPLES,
    sampleSeconds: SAMPLE_SECONDS,
  });
  const limits = engines.map((_, e) => machineLimits(kernels, e));
  const measured: (EpochTimes & { readonly dim: number; readonly graph: string })[] = [];
  const measure = async (name: string, measuredGraph: Multiplex, dim?: number) => {
    output.note(`${name} …`);
    const own = dim === undefined || settings["dim"] !== undefined ? settings : { ...settings, dim: String(dim) };
    const times = await timeEpochs(name, measuredGraph, model, own, engines, epochs);
    measured.push({ ...times, dim: Number(resolveTraining(model, own).options["dim"]), graph: sizes(measuredGraph) });
  };
  for (const shape of SHAPES) {
    if (shapes.includes(shape.name.toLowerCase())) await measure(shape.name, shapeGraph(shape), shape.dim);
  }
  if (graph !== undefined && source !== undefined) await measure(source.sources[0] ?? "query", graph);

  const rows = measured.map((times) => ({
    ...times,
    floor: limits.map((limit) => floorSeconds(times.estimate, limit)),
  }));
  const threadsOf = engines.map(({ numThreads }) => numThreads);
  output.document({
    ...recordHead("bench", given, engines[engines.length - 1]),
    threads: threadsOf,
    limits,
    kernels: kernels.map(({ times, ...kernel }) => ({
      ...kernel,
      times: times.map((time, e) => ({
        threads: threadsOf[e],
        ...time,
        share: share({ ...kernel, times }, e, limits),
      })),
    })),
    epochs: rows,
  });
  output.print(kernelText(kernels, engines, limits, output));
  if (rows.length > 0) output.print(`\n${epochText(rows, engines, output)}`);
  return 0;
}

/** `--epochs` counts what is measured; it is no setting of the model here. */
function withoutEpochs(given: Arguments): Arguments {
  const options = new Map(given.options);
  options.delete("epochs");
  return { ...given, options };
}

/** Of the peak for arithmetic, of the triad for streams. */
function share(kernel: KernelTimes, e: number, limits: readonly MachineLimits[]): number {
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
  const titles = engines.flatMap(({ numThreads }) => [plural(numThreads, "thread"), "of the limit"]);
  const rows = kernels.map((kernel) => [
    kernel.name,
    kernel.shape,
    ...kernel.times.flatMap((_, e) => {
      const unit = kernel.multiplyAdds === undefined ? "GB/s" : "G/s";
      return [`${(rate(kernel, e) / 1e9).toFixed(1)} ${unit}`, `${(100 * share(kernel, e, limits)).toFixed(0)} %`];
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
    "epoch of",
    "graph",
    "dim",
    ...engines.map(({ numThreads }) => plural(numThreads, "thread")),
    ...(last > 0 ? ["speed-up"] : []),
    "at the limits",
    "memory",
  ];
  const times = (seconds: readonly number[]) => [
    ...seconds.map(formatSeconds),
    ...(last > 0 ? [`${(seconds[0] / seconds[last]).toFixed(2)}`] : []),
  ];
  const cells = rows.flatMap(({ name, graph, dim, seconds, floor, engineBytes, parts }) => [
    ...Object.entries(parts).map(([part, own]) => [`${name}: ${part}`, "", "", ...times(own), "", ""]),
    [name, graph, String(dim), ...times(seconds), formatSeconds(floor[last]), formatBytes(engineBytes)],
  ]);
  return table([header, ...cells], tableLayout(output));
}
