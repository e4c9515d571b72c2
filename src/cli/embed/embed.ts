/** `hmge embed`: from edges to vectors. */

import { InputError } from "../../core/errors.js";
import type { Arguments, Command } from "../command.js";
import { claimFolder } from "../folder/claim-folder.js";
import { readOutputFolder } from "../folder/output-folder.js";
import { ENGINE_OPTIONS, listModels, MODEL_OPTIONS, TRAINING_OPTIONS } from "../options/model-options.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";
import type { Output } from "../terminal/output.js";
import { embedGraph } from "./embed-graph.js";
import { embedNewNodes } from "./embed-new-nodes.js";

export const embed: Command = {
  usage: "SOURCE… --out DIR [options]",
  options: [
    { name: "out", value: "DIR", doc: "folder for the results" },
    ...MODEL_OPTIONS,
    ...TRAINING_OPTIONS,
    {
      name: "train-labels",
      value: "FILE",
      doc: "table of node and label to learn from, for models that do; given: those of the dataset folder, of the nodes its split trains on",
    },
    ...SOURCE_OPTIONS,
    ...ENGINE_OPTIONS,
    {
      name: "format",
      value: "NAME,…",
      doc: "further files of vectors: npy, tsv, csv, word2vec, projector",
      default: "parquet, always written",
    },
    {
      name: "per-relation",
      doc: "also write embeddings.RELATION.parquet, for models that have vectors per relation, and embeddings.RELATION.target.parquet where its two ends have their own; run.json says which file is whose",
    },
    {
      name: "labels",
      value: "FILE",
      doc: "table of node and label: colours of the report, never seen in training",
      default: "those of a dataset folder",
    },
    {
      name: "model-from",
      value: "DIR",
      doc: "train nothing: place nodes that the run in DIR does not have by their edges to those it has, by their features, or by both",
    },
    { name: "with-known", doc: "with --model-from: write the vectors of DIR too, beside the new ones" },
    { name: "no-report", doc: "write no report.html" },
    { name: "resume", doc: "go on with the run in DIR" },
    { name: "overwrite", doc: "replace the run in DIR" },
    { name: "checkpoint-every", value: "SECONDS", doc: "how often the state is saved", default: "5, or 20 × a save" },
    {
      name: "memory-limit",
      value: "SIZE",
      doc: "refuse files or a run that need more, such as 2GB; checked before files are read and before the run",
      default: "what is free",
    },
    { name: "force", doc: "run even if the memory seems too small" },
  ],
  examples: [
    "edges.csv --out vectors",
    "coauthors.tsv citations.tsv --out vectors --dim 128 --seed 7 --format npy,word2vec",
    "--sql \"SELECT a AS source, b AS target, kind AS relation FROM 'log/*.parquet'\" --out vectors",
    "- --out vectors < edges.csv",
    "calls.csv --count-repeats --set weights=on --out vectors",
    "edges.csv --out vectors --resume",
    "dataset --model ssdcm --train-labels given --out vectors",
    "edges.csv --model ./my-model.mjs --out vectors",
    "new-edges.csv --model-from vectors --out new-vectors",
    "--features new-features.csv --model-from vectors --out new-vectors",
  ],
  details: listModels,
  run: runEmbed,
};

async function runEmbed(given: Arguments, output: Output): Promise<number | undefined> {
  const placing = given.options.has("model-from");
  if (!placing && given.options.has("with-known")) {
    throw new InputError("--with-known: belongs to --model-from, which is not given.");
  }
  const release = await claimFolder(readOutputFolder(given));
  try {
    return placing ? await embedNewNodes(given, output) : await embedGraph(given, output);
  } finally {
    await release();
  }
}
