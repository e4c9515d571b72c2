/** The commands, in the order of the help. Each is loaded when it is called, so that `hmge --help` starts quickly. */

import type { CommandEntry } from "./command.js";

export const commands: readonly CommandEntry[] = [
  {
    name: "embed",
    summary: "learn one vector per node",
    load: async () => (await import("./embed/embed.js")).embed,
  },
  {
    name: "explore",
    summary: "show vectors and edges on a page in the browser; without arguments the demo town",
    load: async () => (await import("./explore/explore.js")).explore,
  },
  {
    name: "inspect",
    summary: "describe a graph and estimate the time and memory of a run",
    load: async () => (await import("./inspect/inspect.js")).inspect,
  },
  {
    name: "predict",
    summary: "predict the labels of unlabelled nodes, with probabilities and the expected score",
    load: async () => (await import("./predict/predict.js")).predict,
  },
  {
    name: "predict-links",
    summary: "list the most probable missing edges of a relation, scored by the model's decoder",
    load: async () => (await import("./predict/predict-links.js")).predictLinks,
  },
  {
    name: "evaluate",
    summary: "score vectors on classification, link prediction, clustering or similarity search",
    load: async () => (await import("./evaluate/evaluate.js")).evaluate,
  },
  {
    name: "compare",
    summary: "compare models on several tasks and seeds in one table, with time and memory",
    load: async () => (await import("./compare/compare.js")).compare,
  },
  {
    name: "neighbors",
    summary: "list the nearest nodes by cosine, for some nodes or for all",
    load: async () => (await import("./neighbors/neighbors.js")).neighbors,
  },
  {
    name: "project",
    summary: "map the vectors to two dimensions by t-SNE or PCA",
    load: async () => (await import("./project/project.js")).project,
  },
  {
    name: "convert",
    summary: "write vectors in another format",
    load: async () => (await import("./convert/convert.js")).convert,
  },
  {
    name: "generate",
    summary:
      "write a synthetic multiplex: the HMGE paper's block model, groups with features, a random one, or a planted phenomenon",
    load: async () => (await import("./generate/generate.js")).generate,
  },
  {
    name: "reproduce",
    summary: "repeat one experiment of the HMGE paper, or all, and compare with the published numbers",
    load: async () => (await import("./reproduce/reproduce.js")).reproduce,
  },
  {
    name: "bench",
    summary: "measure the peak rates of this machine, its kernels and the time of an epoch",
    load: async () => (await import("./bench/bench.js")).bench,
  },
  {
    name: "models",
    summary:
      "list the models with their papers, inputs and costs, or all options of the named ones; FILE: your own model",
    load: async () => (await import("./models.js")).models,
  },
  {
    name: "demo",
    summary: "embed an invented town and explain the result; hmge without arguments does the same",
    load: async () => (await import("./demo/demo.js")).demo,
  },
];
