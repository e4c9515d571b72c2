/** `hmge evaluate classify`: a linear probe on vectors. */

import type { Command } from "../command.js";
import { strengthOption } from "../options/strength-option.js";
import { LABEL_OPTIONS } from "./evaluation-options.js";

export const command: Command = {
  name: "evaluate classify",
  usage: "DIR… --labels FILE [options]",
  summary: "score a linear probe that predicts labels from raw and from standardised vectors; validation chooses",
  options: [
    ...LABEL_OPTIONS,
    { name: "train", value: "SHARE", doc: "of the labelled nodes that train the probe", default: "0.1" },
    {
      name: "validation",
      value: "SHARE",
      doc: "of the labelled nodes that validate",
      default: "0; with --protocol paper 0.1",
    },
    { name: "stratify", doc: "every class in its share, and in training if it has two nodes" },
    {
      name: "split",
      value: "FILE",
      doc: "instead of shares: a table of node and split (train, val, test); given: that of the dataset folder",
    },
    strengthOption("1"),
    {
      name: "protocol",
      value: "NAME",
      doc: "logistic: L2-regularised logistic regression to convergence; paper: linear layer, Adam, 100 epochs, best on validation",
      default: "logistic",
    },
    { name: "repeats", value: "N", doc: "random splits, or starts", default: "10; with --protocol paper 50" },
    { name: "seed", value: "N", doc: "of splits and starts", default: "1" },
  ],
  examples: [
    "vectors --labels labels.csv",
    "seed1 seed2 seed3 --labels labels.csv --train 0.06 --stratify --repeats 20",
    "vectors --labels dataset --split given --strength validate --json",
    "vectors --labels dataset --split given --protocol paper",
  ],
  run: async (given, output) => (await import("./evaluate-classify-run.js")).runClassify(given, output),
};
