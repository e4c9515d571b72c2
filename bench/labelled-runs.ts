/** Reads the vectors, labels and splits of runs that benches name as DATASET:RUN. */

import { basename } from "node:path";
import type { Embedding } from "../src/core/embedding.js";
import { Rng } from "../src/core/rng.js";
import { readEmbeddings } from "../src/io/formats/embedding-files.js";
import { openDatasetFolder } from "../src/io/graph/dataset-folder.js";
import { loadLabels } from "../src/io/tables/labels.js";
import { loadNodeSplit } from "../src/io/tables/node-split.js";
import { countLabels, type LabelledNodes, matchLabels } from "../src/tasks/labels/labelled-nodes.js";
import { drawSplit, matchSplit, type NodeSplit } from "../src/tasks/labels/node-split.js";

export interface LabelledRun {
  readonly name: string;
  /** Folder of the run. */
  readonly run: string;
  readonly embedding: Embedding;
  readonly nodes: LabelledNodes;
  /** The split of the dataset, or random splits with 10 % of the labels or `perClass` labels a class for training. */
  readonly splits: readonly NodeSplit[];
}

export interface SplitOptions {
  /** Number of random splits. */
  readonly repeats: number;
  /** Training nodes of each class, also if the dataset has a split; 0: the split of the dataset or 10 % of the labels. */
  readonly perClass?: number;
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

export async function readLabelledRun(
  dataset: string,
  run: string,
  { repeats, perClass = 0 }: SplitOptions,
): Promise<LabelledRun> {
  const folder = await openDatasetFolder(dataset);
  if (folder.labels === undefined) throw new Error(`${dataset}: the dataset has no labels.`);
  const embedding = await readEmbeddings(run);
  const nodes = matchLabels(embedding.ids, await loadLabels(folder.labels));
  const drawn = (draw: (rng: Rng) => NodeSplit) =>
    Array.from({ length: repeats }, (_, r) => draw(new Rng(1, "split", r)));
  const splits =
    perClass > 0
      ? drawn((rng) => splitPerClass(nodes, perClass, rng))
      : folder.split === undefined
        ? drawn((rng) => drawSplit(nodes, { train: 0.1 }, rng))
        : [matchSplit(nodes, await loadNodeSplit(folder.split)).split];
  return { name: basename(run), run, embedding, nodes, splits };
}

/** `perClass` random training nodes of each class, but at most half of its nodes; the others are test nodes. */
function splitPerClass(nodes: LabelledNodes, perClass: number, rng: Rng): NodeSplit {
  if (nodes.multiLabel) throw new Error(`--per-class ${perClass}: nodes have several labels; expected one per node.`);
  const order = new Uint32Array(nodes.ids.length);
  rng.permutation(order);
  const left = Array.from(countLabels(nodes, order), (count) => Math.min(perClass, Math.floor(count / 2)));
  const isTrain = new Uint8Array(order.length);
  for (const place of order) if (left[nodes.labels[place][0]]-- > 0) isTrain[place] = 1;
  const places = order.slice().sort();
  return {
    train: Int32Array.from(places.filter((place) => isTrain[place] === 1)),
    validation: new Int32Array(0),
    test: Int32Array.from(places.filter((place) => isTrain[place] === 0)),
  };
}
