/** `hmge predict-links`: the likeliest missing edges. */

import { InputError } from "../../core/errors.js";
import type { Command } from "../command.js";
import { GRAPH_OPTIONS } from "../folder/run-graph.js";

export const predictLinks: Command = {
  name: "predict-links",
  usage: "DIR --relation NAME [options]",
  summary: "list the likeliest missing edges of a relation by the model's decoder",
  options: [
    { name: "relation", value: "NAME", doc: "relation of the missing edges; may be left out if there is one only" },
    { name: "node", value: "ID", doc: "only pairs of this node; with --directed those that start at it" },
    { name: "top", value: "K", doc: "pairs to list", default: "20" },
    {
      name: "out",
      value: "FILE",
      doc: "table of all K pairs; by its extension .csv, .tsv, .jsonl or .parquet",
      default: "standard output only",
    },
    { name: "overwrite", doc: "replace the file of --out if it exists" },
    ...GRAPH_OPTIONS,
    {
      name: "check",
      doc: "train again without a tenth of the edges, and print how well decoder and baselines find them (ROC-AUC)",
    },
    {
      name: "threads",
      value: "N",
      doc: "the result does not depend on it",
      default: "as many as the machine runs at once",
    },
  ],
  examples: [
    "vectors --relation works-with",
    "vectors --relation works-with --node Ada --top 5",
    "vectors --relation works-with --top 1000 --out missing.csv --graph edges.csv",
  ],
  async run(given, output) {
    if (given.words.length !== 1) {
      throw new InputError(
        `predict-links: ${given.words.length} names given; expected one, the folder of a run, such as: hmge predict-links vectors --relation NAME`,
      );
    }
    return (await import("./predict-links-run.js")).runPredictLinks(given, output);
  },
};
