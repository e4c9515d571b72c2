/** `hmge compare`: several models, tasks and seeds in one table. */

import type { Command } from "../command.js";
import { DEFAULT_MODEL, ENGINE_OPTIONS } from "../options/model-options.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";
import { strengthOption } from "../options/strength-option.js";

/** The default beside the paper's method. */
export const COMPARED: readonly string[] = [DEFAULT_MODEL, "hmge"];

export const compare: Command = {
  name: "compare",
  usage: "SOURCE… --out DIR [options]",
  summary: "models × tasks × seeds in one table, with times and memory",
  options: [
    {
      name: "models",
      value: "NAME,…",
      doc: "models, each with a preset if one is meant, as in hmge:reference; all",
      default: COMPARED.join(","),
    },
    {
      name: "tasks",
      value: "NAME,…",
      doc: "classify, links",
      default: "links, and classify where there are labels",
    },
    { name: "seeds", value: "N,…", doc: "a training for each; also of the held-out edges", default: "1,2,3" },
    { name: "out", value: "DIR", doc: "folder for the table and its cells; a finished cell is not worked out again" },
    { name: "labels", value: "FILE", doc: "labels of nodes: node, label", default: "those of the dataset folder" },
    { name: "train", value: "SHARE", doc: "of the labels that train the probe", default: "the data's split, else 0.1" },
    { name: "repeats", value: "N", doc: "random splits of the labels", default: "10" },
    strengthOption("validate"),
    { name: "holdout", value: "SHARE", doc: "of the edges of every relation that are held out", default: "0.1" },
    { name: "strict", doc: "remove a held-out pair from every relation" },
    { name: "set", value: "MODEL.OPTION=VALUE", repeatable: true, doc: "an option of one of the models" },
    { name: "dim", value: "N", doc: "width of the vectors of every model", default: "the model's" },
    { name: "epochs", value: "N", doc: "most epochs of every model", default: "the model's" },
    ...SOURCE_OPTIONS,
    ...ENGINE_OPTIONS,
    { name: "force", doc: "run even if the memory seems too small" },
  ],
  examples: [
    "dataset --out comparison",
    "edges.csv --models all --tasks links --seeds 1 --out comparison",
    "edges.csv --labels labels.csv --models hmge --tasks classify --seeds 1,2,3,4,5 --set hmge.dim=32 --out comparison",
  ],
  run: async (given, output) => (await import("./compare-run.js")).runCompare(given, output),
};
