/** `hmge reproduce`: the experiments of the HMGE paper, beside the published numbers. */

import { largestOf } from "../../numeric/extremes.js";
import type { Command } from "../command.js";
import { ENGINE_OPTIONS } from "../options/model-options.js";

export const reproduce: Command = {
  name: "reproduce",
  usage: "NAME --out DIR [options]",
  summary: "one experiment of the HMGE paper, or all of them, beside the published numbers",
  options: [
    { name: "out", value: "DIR", doc: "folder for NAME.json, NAME.md and NAME.svg; finished cells are not repeated" },
    { name: "quick", doc: "smaller graphs and fewer seeds: minutes instead of hours" },
    {
      name: "data",
      value: "DIR",
      doc: "a dataset folder, or a folder of them",
      default: "none: the generated graphs and the demo town only",
    },
    {
      name: "models",
      value: "NAME,…",
      doc: "models of synthetic, classification and links, such as hmge,dmgi; all",
      default: "those of the scale",
    },
    { name: "seeds", value: "N,…", doc: "instead of the seeds of the scale, for every graph and model" },
    { name: "epochs", value: "N", doc: "most epochs of every model", default: "the model's, or the scale's" },
    {
      name: "scale",
      value: "NAME",
      doc: "full, quick, or tiny, which only shows that everything runs",
      default: "full",
    },
    ...ENGINE_OPTIONS,
  ],
  examples: ["synthetic --quick --out reproduced", "all --data datasets --out reproduced"],
  async details() {
    const { experiments } = await import("../../experiments/paper/experiments.js");
    const width = largestOf(experiments.map(({ name }) => name.length));
    return [
      "NAME:",
      ...experiments.map(({ name, doc }) => `  ${name.padEnd(width)}  ${doc}`),
      `  ${"all".padEnd(width)}  all of them, and index.html, one page that needs nothing else`,
    ].join("\n");
  },
  run: async (given, output) => (await import("./reproduce-run.js")).runReproduce(given, output),
};
