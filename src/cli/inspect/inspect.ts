/** `hmge inspect`: what is in a graph, and what a run on it will need. Nothing is trained. */

import type { Command } from "../command.js";
import { listModels, MODEL_OPTIONS, TRAINING_OPTIONS } from "../options/model-options.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";

export const inspect: Command = {
  name: "inspect",
  usage: "SOURCE… [options]",
  summary: "show what is in a graph, and the time and memory a run will need",
  options: [
    ...SOURCE_OPTIONS,
    ...MODEL_OPTIONS,
    ...TRAINING_OPTIONS,
    { name: "memory-limit", value: "SIZE", doc: "refuse files that need more to be read, such as 2GB" },
    { name: "threads", value: "N", doc: "of the run", default: "as many as the machine runs at once" },
  ],
  examples: [
    "edges.csv",
    "- < edges.csv",
    "edges.csv --memory-limit 2GB",
    "edges.csv --model hmge --dim 128 --set tableWidth=64 --json",
  ],
  details: listModels,
  run: async (given, output) => (await import("./inspect-run.js")).runInspect(given, output),
};
