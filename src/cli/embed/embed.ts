/** `hmge embed`: from edges to vectors. */

import { readLaunch } from "../../cluster/launch.js";
import { InputError } from "../../core/errors.js";
import { inputName, isUnnamed } from "../../io/spool.js";
import { requirePartitionableModel } from "../../train/partitionable.js";
import type { Command } from "../command.js";
import { claimFolder } from "../folder/claim-folder.js";
import { requireOutputFolder } from "../folder/output-folder.js";
import { requireEngineOfRanks } from "../options/engine-option.js";
import { listModels, readModelOptions } from "../options/model-options.js";
import { joinJob } from "../ranks/job.js";
import { startJob } from "../ranks/start-job.js";
import type { Output } from "../terminal/output.js";
import { embedGraph } from "./embed-graph.js";
import { embedNewNodes } from "./embed-new-nodes.js";
import { EMBED_OPTIONS, type EmbedArguments } from "./embed-options.js";

export const embed: Command<typeof EMBED_OPTIONS> = {
  usage: "SOURCE… --out DIR [options]",
  options: EMBED_OPTIONS,
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

async function runEmbed(args: EmbedArguments, output: Output): Promise<number | undefined> {
  const { modelFrom, withKnown, out, ranks } = args.values;
  if (modelFrom === undefined && withKnown) {
    throw new InputError("--with-known: belongs to --model-from, which is not given.");
  }
  const folder = requireOutputFolder(out);
  const numRanks = readLaunch()?.size ?? ranks ?? 1;
  if (numRanks > 1) await requireRanksPossible(args);
  if (numRanks > 1 && readLaunch() === undefined) return startJob("embed", args, numRanks, folder);
  if (ranks === 1) output.note("note: --ranks 1 is one process, as without --ranks.");
  const job = await joinJob(ranks, output);
  const release = job.leads ? await claimFolder(folder) : undefined;
  try {
    return modelFrom !== undefined ? await embedNewNodes(args, output) : await embedGraph(args, job);
  } finally {
    await release?.();
  }
}

/** Throws if several ranks cannot run this command. */
async function requireRanksPossible(args: EmbedArguments): Promise<void> {
  const { words, values } = args;
  const { modelFrom, features, nodes, labels, trainLabels } = values;
  if (modelFrom !== undefined) {
    throw new InputError("--model-from: it trains nothing, so several ranks cannot share the work; start one process.");
  }
  requireEngineOfRanks(values);
  const { model, settings } = await readModelOptions(args);
  requirePartitionableModel(model, settings);
  const unnamed = [...words, features, nodes, labels, trainLabels].find(
    (path) => path !== undefined && isUnnamed(path),
  );
  if (unnamed === undefined) return;
  throw new InputError(
    `${inputName(unnamed)}: only one of several ranks can read a pipe; write its content to a file first.`,
  );
}
