/** `hmge evaluate links`: how well vectors tell edges from other pairs. */

import type { Command } from "../command.js";
import { ENGINE_OPTIONS, listModels, MODEL_OPTIONS, TRAINING_OPTIONS } from "../options/model-options.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";

export const command: Command = {
  name: "evaluate links",
  usage: "SOURCE… [options]",
  summary: "hold out edges, train on the rest, and predict them beside the trivial baselines",
  options: [
    { name: "holdout", value: "SHARE", doc: "of the edges of every relation", default: "0.1" },
    {
      name: "strict",
      doc: "remove a held-out pair from all relations and both directions; with --drop-leaks, drop also leaks from other relations",
      default: "from its own relation only",
    },
    {
      name: "negatives",
      value: "KIND",
      doc: "pairs that are no edges: uniform, or degree for pairs of the same degrees as the edges; of the kinds of nodes that the relation joins; with --pairs, where FILE has none",
      default: "uniform",
    },
    {
      name: "pairs",
      value: "FILE",
      doc: "instead of holding out: a table of relation, source, target, label (1 or 0) and split; given for the links file of the dataset folder",
    },
    { name: "split", value: "NAME", doc: "the rows of FILE that are scored", default: "test" },
    { name: "drop-leaks", doc: "score also without the given edges that are training edges of the same relation" },
    { name: "split-seed", value: "N", doc: "the draw of edges and other pairs", default: "as --seed" },
    { name: "hits", value: "K", doc: "the k of hits@k", default: "50" },
    { name: "per-relation", doc: "a table for each relation too" },
    { name: "no-train", doc: "the baselines only" },
    ...MODEL_OPTIONS,
    ...TRAINING_OPTIONS,
    ...SOURCE_OPTIONS,
    ...ENGINE_OPTIONS,
    { name: "force", doc: "train even if the memory seems too small" },
  ],
  examples: [
    "edges.csv",
    "edges.csv --strict --negatives degree --per-relation",
    "dataset --pairs given --drop-leaks --dim 128",
    "edges.csv --no-train --json",
  ],
  details: listModels,
  run: async (given, output) => (await import("./evaluate-links-run.js")).runEvaluateLinks(given, output),
};
