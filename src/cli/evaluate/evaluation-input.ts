/** The input of `hmge evaluate classify`, `cluster` and `search`: vectors, labels and an optional split. */

import type { Embedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import type { OptionValues } from "../../core/options.js";
import { firstNames } from "../../core/text.js";
import { readEmbeddings } from "../../io/formats/embedding-files.js";
import { openDatasetFolder } from "../../io/graph/dataset-folder.js";
import { type Labels, loadLabels } from "../../io/tables/labels.js";
import { loadNodeSplit } from "../../io/tables/node-split.js";
import { isFolder } from "../folder/is-folder.js";
import { labelColumns } from "../options/source-options.js";
import { likeLabels, likeNote } from "../run/label-leakage.js";
import { learntFromLabels, readVectorsRecord } from "../run/train-labels.js";
import type { LABEL_OPTIONS } from "./evaluation-options.js";

export interface EvaluationInput {
  readonly embeddings: readonly Embedding[];
  readonly labels: Labels;
  /** Part of each node. */
  readonly split?: ReadonlyMap<string, string>;
  /** Notes about the vectors. */
  readonly notes: readonly string[];
  /** The files, for the record. */
  readonly paths: { readonly embeddings: readonly string[]; readonly labels: string; readonly split: string | null };
}

interface InputValues extends OptionValues<typeof LABEL_OPTIONS> {
  readonly split?: string;
}

export async function readEvaluationInput(
  { words, values }: { readonly words: readonly string[]; readonly values: InputValues },
  task: string,
): Promise<EvaluationInput> {
  const { labels: from } = values;
  if (words.length === 0) {
    throw new InputError(
      `evaluate ${task}: expected the folder or file of an embedding, such as: hmge evaluate ${task} vectors --labels labels.csv`,
    );
  }
  const twice = words.find((word, i) => words.indexOf(word) < i);
  if (twice !== undefined) throw new InputError(`evaluate ${task}: ${twice} is given twice; expected each once.`);
  if (from === undefined) {
    throw new InputError("--labels: not given; expected a table of node and label, or a dataset folder.");
  }
  const paths = await findFiles(from, values.split);
  const columns = labelColumns(values, { alone: true });
  const labels = await loadLabels(paths.labels, undefined, columns);
  const split = paths.split === undefined ? undefined : await loadNodeSplit(paths.split);
  const embeddings: Embedding[] = [];
  const notes: string[] = [];
  const models = new Set<string>();
  for (const word of words) {
    embeddings.push(await readEmbeddings(word));
    const record = await readVectorsRecord(word);
    notes.push(...[learntFromLabels(word, record)].filter((note) => note !== undefined));
    if (typeof record.model === "string") models.add(record.model);
    const seen = likeLabels(record.graph?.featureNames ?? [], { names: labels.names, column: columns.label });
    if (seen !== undefined) notes.push(`${word}: ${likeNote(seen)}`);
  }
  if (models.size > 1) {
    notes.push(
      `the vectors are of ${models.size} models (${firstNames([...models], 3)}), and the scores are the mean over all of them. To compare models, score each one separately or use hmge compare.`,
    );
  }
  return {
    embeddings,
    labels,
    split,
    notes,
    paths: { embeddings: words, labels: paths.labels, split: paths.split ?? null },
  };
}

/** The files of labels and split; in a dataset folder both have known names. */
async function findFiles(from: string, split: string | undefined): Promise<{ labels: string; split?: string }> {
  if (!(await isFolder(from))) {
    if (split === "given") {
      throw new InputError(
        `--split given: ${from} is no dataset folder; expected --labels to name one, or --split FILE.`,
      );
    }
    return { labels: from, split };
  }
  const folder = await openDatasetFolder(from);
  if (folder.labels === undefined) throw new InputError(`${from}: the dataset folder has no labels file.`);
  if (split === "given" && folder.split === undefined) {
    throw new InputError(`${from}: the dataset folder has no split file; expected one with --split given.`);
  }
  return { labels: folder.labels, split: split === "given" ? folder.split : split };
}
