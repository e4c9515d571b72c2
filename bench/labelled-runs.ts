/** Reads the vectors, labels and splits of runs that benches name as DATASET:RUN. */

import { basename } from "node:path";
import type { Embedding } from "../src/core/embedding.js";
import { Rng } from "../src/core/rng.js";
import { readEmbeddings } from "../src/io/formats/embedding-files.js";
import { openDatasetFolder } from "../src/io/graph/dataset-folder.js";
import { loadLabels } from "../src/io/tables/labels.js";
import { loadNodeSplit } from "../src/io/tables/node-split.js";
import { type LabelledNodes, matchLabels } from "../src/tasks/labels/labelled-nodes.js";
import { drawSplit, matchSplit, type NodeSplit } from "../src/tasks/labels/node-split.js";

export interface LabelledRun {
  readonly name: string;
  /** Folder of the run. */
  readonly run: string;
  readonly embedding: Embedding;
  readonly nodes: LabelledNodes;
  /** The split of the dataset, or random splits with 10 % of the labels for training. */
  readonly splits: readonly NodeSplit[];
}

/** The runs in the arguments of the bench; ends the program if there are none. */
export function runArguments(bench: string): (readonly [dataset: string, run: string])[] {
  const pairs = process.argv.slice(2).filter((word) => word.includes(":"));
  if (pairs.length === 0) {
    console.error(`bench ${bench}: expected DATASET:RUN….`);
    process.exit(2);
  }
  return pairs.map((pair) => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)]);
}

export async function readLabelledRun(dataset: string, run: string, repeats: number): Promise<LabelledRun> {
  const folder = await openDatasetFolder(dataset);
  if (folder.labels === undefined) throw new Error(`${dataset}: the dataset has no labels.`);
  const embedding = await readEmbeddings(run);
  const nodes = matchLabels(embedding.ids, await loadLabels(folder.labels));
  const splits =
    folder.split === undefined
      ? Array.from({ length: repeats }, (_, r) => drawSplit(nodes, { train: 0.1 }, new Rng(1, "split", r)))
      : [matchSplit(nodes, await loadNodeSplit(folder.split)).split];
  return { name: basename(run), run, embedding, nodes, splits };
}
