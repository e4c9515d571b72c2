/** `hmge bench`: this machine's limits, the kernels as a share of them, and seconds of an epoch. */

import type { Command } from "../command.js";
import { modelOptions } from "../options/model-options.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";

/** The method that others have measured too; epochs of several are compared with `--model`. */
export const BENCH_MODEL = "hmge";

export const bench: Command = {
  name: "bench",
  usage: "[SOURCE…] [options]",
  summary: "measure this machine, the kernels beside its limits, and seconds of an epoch",
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
  run: async (given, output) => (await import("./bench-run.js")).runBench(given, output),
};
