/** `hmge evaluate`: scores vectors. Each task is a subcommand in its own file. */

import { InputError } from "../../core/errors.js";
import type { Command, CommandEntry } from "../command.js";

const TASKS: readonly CommandEntry[] = [
  {
    name: "classify",
    summary: "score linear probes on the vectors and on baselines; validation chooses raw or standardised vectors",
    load: async () => (await import("./evaluate-classify.js")).evaluateClassify,
  },
  {
    name: "links",
    summary: "hold out edges, train on the rest, predict the held-out edges, and compare with baselines",
    load: async () => (await import("./evaluate-links.js")).evaluateLinks,
  },
  {
    name: "cluster",
    summary: "cluster the vectors with k-means and compare the clusters with the classes",
    load: async () => (await import("./evaluate-cluster.js")).evaluateCluster,
  },
  {
    name: "search",
    summary: "Sim@k: the share of a node's k nearest nodes by cosine that have a label in common with it",
    load: async () => (await import("./evaluate-search.js")).evaluateSearch,
  },
];

export const evaluate: Command = {
  usage: "classify|links|cluster|search … [options]",
  options: {},
  subcommands: TASKS,
  examples: [
    "classify vectors --labels labels.csv --train 0.1",
    "links edges.csv --holdout 0.1",
    "cluster vectors --labels labels.csv",
    "search vectors --labels labels.csv",
  ],
  async details() {
    return [
      "tasks, each with its own options (hmge evaluate TASK --help):",
      ...TASKS.map(({ name, summary }) => `  ${name.padEnd(8)}  ${summary}`),
    ].join("\n");
  },
  run: async () => {
    throw new InputError("evaluate: the task is missing; expected classify, links, cluster or search.");
  },
};
