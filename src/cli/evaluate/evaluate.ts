/** `hmge evaluate`: what vectors can be shown to do. Its parts are commands of their own, one file each. */

import { InputError } from "../../core/errors.js";
import type { Command } from "../command.js";

const TASKS: Readonly<Record<string, () => Promise<Command>>> = {
  classify: async () => (await import("./evaluate-classify.js")).command,
  links: async () => (await import("./evaluate-links.js")).command,
  cluster: async () => (await import("./evaluate-cluster.js")).command,
  search: async () => (await import("./evaluate-search.js")).command,
};

export const evaluate: Command = {
  name: "evaluate",
  usage: "classify|links|cluster|search … [options]",
  summary: "what vectors can be shown to do: classes, links, clusters, similar nodes",
  options: [],
  subcommands: TASKS,
  examples: [
    "classify vectors --labels labels.csv --train 0.1",
    "links edges.csv --holdout 0.1",
    "cluster vectors --labels labels.csv",
    "search vectors --labels labels.csv",
  ],
  async details() {
    const lines = Object.entries(TASKS).map(async ([name, load]) => `  ${name.padEnd(8)}  ${(await load()).summary}`);
    return ["tasks, each with options of its own (hmge evaluate TASK --help):", ...(await Promise.all(lines))].join(
      "\n",
    );
  },
  run: async () => {
    throw new InputError("evaluate: no task given; expected classify, links, cluster or search.");
  },
};
