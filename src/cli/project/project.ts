/** `hmge project`: vectors to points of the plane, as a table or a picture. */

import { InputError } from "../../core/errors.js";
import type { Command } from "../command.js";

export const project: Command = {
  name: "project",
  usage: "DIR [options]",
  summary: "points of the plane for the vectors, by t-SNE or PCA",
  options: [
    { name: "method", value: "NAME", doc: "tsne or pca", default: "tsne" },
    {
      name: "perplexity",
      value: "P",
      doc: "t-SNE: effective number of neighbours; at most a third of the nodes is used",
      default: "30",
    },
    {
      name: "iterations",
      value: "N",
      doc: "t-SNE: steps, the first quarter (at most 250) exaggerated",
      default: "1000",
    },
    { name: "seed", value: "N", doc: "t-SNE: of the noise that moves equal vectors apart", default: "1" },
    {
      name: "sample",
      value: "N",
      doc: "t-SNE: nodes that are mapped; of more, a random sample is, and each other node is placed by its nearest sampled ones",
      default: "100000",
    },
    { name: "labels", value: "FILE", doc: "table of node and label: a column of the result, colours of the picture" },
    { name: "columns", value: "ROLE=COLUMN,…", repeatable: true, doc: "columns of FILE, for the roles node and label" },
    {
      name: "out",
      value: "FILE",
      doc: "by its extension: a table (.tsv, .csv), .json, or a picture (.svg, .png)",
      default: "projection.tsv in DIR",
    },
    { name: "overwrite", doc: "replace the file of --out if it exists" },
    {
      name: "threads",
      value: "N",
      doc: "the result does not depend on it",
      default: "as many as the machine runs at once",
    },
  ],
  examples: [
    "vectors",
    "vectors --labels labels.tsv --out map.svg",
    "vectors/embeddings.parquet --perplexity 50 --out map.csv",
    "vectors --labels labels.tsv --out map.png",
    "vectors --method pca --out pca.svg",
    "vectors --sample 20000 --iterations 500",
  ],
  async run(given, output) {
    if (given.words.length !== 1) {
      throw new InputError(
        `project: ${given.words.length} names given; expected one, the folder or file of an embedding, such as: hmge project vectors`,
      );
    }
    return (await import("./project-run.js")).runProject(given, output);
  },
};
