/** `hmge predict`: labels of unlabelled nodes. */

import { InputError } from "../../core/errors.js";
import type { Command } from "../command.js";
import { LABEL_OPTIONS } from "../evaluate/evaluation-options.js";
import { GRAPH_OPTIONS } from "../folder/run-graph.js";

export const predict: Command = {
  name: "predict",
  usage: "DIR --labels FILE --out FILE [options]",
  summary: "predict the labels of unlabelled nodes, with probabilities and the score to expect",
  options: [
    ...LABEL_OPTIONS,
    {
      name: "out",
      value: "FILE",
      doc: "table of node, label and probability; by its extension .csv, .tsv, .jsonl or .parquet",
    },
    { name: "overwrite", doc: "replace the file of --out if it exists" },
    {
      name: "top",
      value: "K",
      doc: "write the K likeliest labels of each node, and in the column predicted whether it gets the label",
      default: "predicted labels only",
    },
    {
      name: "all",
      doc: "write labelled nodes too, each predicted by a probe that did not see its label; the column given has their labels",
    },
    { name: "folds", value: "K", doc: "of the cross-validation", default: "10; 5 above 1000 labelled nodes" },
    { name: "repeats", value: "N", doc: "draws of the folds", default: "3; 1 above 300 labelled nodes" },
    { name: "no-baselines", doc: "do not score the trivial baselines" },
    ...GRAPH_OPTIONS,
    { name: "no-graph", doc: "no baselines that need the graph: neighbour vote, degrees, features" },
    { name: "seed", value: "N", doc: "of folds and bootstrap samples", default: "1" },
  ],
  examples: [
    "vectors --labels labels.csv --out predicted.csv",
    "vectors --labels labels.csv --out predicted.parquet --top 3",
    "vectors --labels labels.csv --out predicted.tsv --graph edges.csv --all",
  ],
  async run(given, output) {
    if (given.words.length !== 1) {
      throw new InputError(
        `predict: ${given.words.length} names given; expected one, the folder or file of an embedding, such as: hmge predict vectors --labels labels.csv --out predicted.csv`,
      );
    }
    return (await import("./predict-run.js")).runPredict(given, output);
  },
};
