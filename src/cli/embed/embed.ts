/** `hmge embed`: from edges to vectors. */

import { InputError } from "../../core/errors.js";
import type { Command } from "../command.js";
import { claimFolder } from "../folder/claim-folder.js";
import { requireOutputFolder } from "../folder/output-folder.js";
import { listModels } from "../options/model-options.js";
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
  const { modelFrom, withKnown, out } = args.values;
  if (modelFrom === undefined && withKnown) {
    throw new InputError("--with-known: belongs to --model-from, which is not given.");
  }
  const release = await claimFolder(requireOutputFolder(out));
  try {
    return modelFrom !== undefined ? await embedNewNodes(args, output) : await embedGraph(args, output);
  } finally {
    await release();
  }
}
