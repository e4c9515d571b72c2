/** `hmge neighbors`: the nodes whose vectors point most nearly the same way. */

import { InputError } from "../../core/errors.js";
import type { Command } from "../command.js";

export const neighbors: Command = {
  name: "neighbors",
  usage: "DIR NODE… | DIR --all|--nodes FILE|--vector NUMBERS [options]",
  summary: "nearest nodes by cosine, of some nodes or of all",
  options: [
    { name: "k", value: "N", doc: "neighbours of each node", default: "10" },
    { name: "count", value: "N", doc: "another name of --k" },
    { name: "all", doc: "of every node; with --out" },
    { name: "nodes", value: "FILE", doc: "of these nodes: one id a line, or a table with a node column" },
    {
      name: "vector",
      value: "NUMBERS|FILE",
      doc: "of a vector: numbers separated by commas, or a file with one such vector a line",
    },
    {
      name: "among",
      value: "FILE|PREFIX",
      doc: "only these nodes as neighbours: a file as of --nodes, or the beginning of their ids, such as item:",
    },
    {
      name: "known",
      value: "DIR",
      doc: "neighbours are the nodes of this embedding: for the new nodes of DIR, from embed --model-from",
    },
    { name: "center", doc: "cosine of vectors less their mean, as in report.html; this is the default" },
    { name: "raw", doc: "cosine of the vectors as they are" },
    { name: "exact", doc: "compare all pairs, however long it takes" },
    {
      name: "approximate",
      doc: "compare likely pairs only and report the recall",
      default: "where all pairs would take more than about a minute on two cores",
    },
    {
      name: "out",
      value: "FILE",
      doc: "a table of node, neighbor, rank and cosine, by its extension: .parquet, .csv or .tsv",
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
    "vectors TP53",
    "vectors/embeddings.parquet TP53 BRCA1 --k 5 --json",
    "vectors --all --k 20 --out neighbors.parquet",
    "vectors --nodes users.txt --among item: --out items.csv",
    "new-vectors --all --known vectors --out places.tsv",
    "vectors --vector 0.1,0.2,-0.3,0.4",
  ],
  async run(given, output) {
    if (given.words.length === 0) {
      throw new InputError(
        "neighbors: expected the folder or file of an embedding and at least one node, such as: hmge neighbors vectors NODE",
      );
    }
    return (await import("./neighbors-run.js")).runNeighbors(given, output);
  },
};
