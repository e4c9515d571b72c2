/** `hmge reproduce`: the experiments of the HMGE paper, compared with the published numbers. */

import { largestOf } from "../../numeric/extremes.js";
import type { Command } from "../command.js";
import { ENGINE_OPTIONS } from "../options/model-options.js";

export const reproduce: Command = {
  name: "reproduce",
  usage: "NAME --out DIR [options]",
  summary: "repeat one experiment of the HMGE paper, or all, and compare with the published numbers",
  options: [
    {
      name: "out",
      value: "DIR",
      doc: "folder for NAME.json, NAME.md and NAME.svg; results stored there are not computed again",
    },
    { name: "quick", doc: "smaller graphs and fewer seeds: minutes instead of hours" },
    {
      name: "data",
      value: "DIR",
      doc: "a dataset folder, or a folder of dataset folders",
      default: "none: only generated graphs and the demo town",
    },
    {
      name: "models",
      value: "NAME,…",
      doc: "models in synthetic, classification and links, such as hmge,dmgi, or all",
      default: "the models of the scale",
    },
    { name: "seeds", value: "N,…", doc: "random seeds for every graph and model", default: "the seeds of the scale" },
    {
      name: "epochs",
      value: "N",
      doc: "maximum number of epochs of every model",
      default: "the model's, or the scale's",
    },
    {
      name: "scale",
      value: "NAME",
      doc: "full, quick, or tiny, which only checks that everything runs",
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
      `  ${"all".padEnd(width)}  all experiments, and index.html, one self-contained page`,
    ].join("\n");
  },
  run: async (given, output) => (await import("./reproduce-run.js")).runReproduce(given, output),
};
