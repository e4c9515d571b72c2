/** The input of `hmge evaluate classify`, `cluster` and `search`: vectors, labels and an optional split. */

import type { Embedding, VectorRows } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import type { OptionValues } from "../../core/options.js";
import { firstNames } from "../../core/text.js";
import { openEmbeddings } from "../../io/formats/embedding-files.js";
import { openDatasetFolder } from "../../io/graph/dataset-folder.js";
import { type Labels, loadLabels } from "../../io/tables/labels.js";
import { loadNodeSplit } from "../../io/tables/node-split.js";
import { isFolder } from "../folder/is-folder.js";
import { labelColumns } from "../options/source-options.js";
import { findLabelFeature, possibleLeakageNote } from "../run/label-leakage.js";
import { readVectorsRecord, trainingLabelsNote } from "../run/train-labels.js";
import type { LABEL_OPTIONS } from "./evaluation-options.js";

export interface EvaluationInput {
  readonly embeddings: readonly (Embedding | VectorRows)[];
  readonly labels: Labels;
  /** Part of each node in the split: train, val or test. */
  readonly split?: ReadonlyMap<string, string>;
  /** Names of the models that the vectors come from, as far as they are recorded. */
  readonly models: readonly string[];
  /** Notes about the vectors. */
  readonly notes: readonly string[];
  /** Paths of the files that were read, for `--json`. */
  readonly paths: { readonly embeddings: readonly string[]; readonly labels: string; readonly split: string | null };
}

interface InputValues extends OptionValues<typeof LABEL_OPTIONS> {
  readonly split?: string;
}

export async function readEvaluationInput(
  { words, values }: { readonly words: readonly string[]; readonly values: InputValues },
  task: string,
): Promise<EvaluationInput> {
  const { labels: labelsPath } = values;
  if (words.length === 0) {
    throw new InputError(
      `evaluate ${task}: expected the folder or file of an embedding, such as: hmge evaluate ${task} vectors --labels labels.csv`,
    );
  }
  const repeated = words.find((word, i) => words.indexOf(word) < i);
  if (repeated !== undefined)
    throw new InputError(`evaluate ${task}: ${repeated} is given twice; expected each embedding once.`);
  if (labelsPath === undefined) {
    throw new InputError("--labels: missing; expected a table of node and label, or a dataset folder.");
  }
  const paths = await findFiles(labelsPath, values.split);
  const columns = labelColumns(values, { labelsOnly: true });
  const labels = await loadLabels(paths.labels, undefined, columns);
  const split = paths.split === undefined ? undefined : await loadNodeSplit(paths.split);
  const embeddings: (Embedding | VectorRows)[] = [];
  const notes: string[] = [];
  const models = new Set<string>();
  for (const word of words) {
    embeddings.push(await openEmbeddings(word));
    const record = await readVectorsRecord(word);
    notes.push(...[trainingLabelsNote(word, record)].filter((note) => note !== undefined));
    if (typeof record.model === "string") models.add(record.model);
    const leak = findLabelFeature(record.graph?.featureNames ?? [], { names: labels.names, column: columns.label });
    if (leak !== undefined) notes.push(`${word}: ${possibleLeakageNote(leak)}`);
  }
  if (models.size > 1) {
    notes.push(
      `the vectors come from ${models.size} models (${firstNames([...models], 3)}); each score is the mean over all of them. To compare models, score each one separately or use hmge compare.`,
    );
  }
  return {
    embeddings,
    labels,
    split,
    models: [...models],
    notes,
    paths: { embeddings: words, labels: paths.labels, split: paths.split ?? null },
  };
}

/** Paths of the labels and of the split. `path` is a labels file, or a dataset folder that contains both. */
async function findFiles(path: string, split: string | undefined): Promise<{ labels: string; split?: string }> {
  if (!(await isFolder(path))) {
    if (split === "given") {
      throw new InputError(
        `--split given: ${path} is not a dataset folder. Set --labels to a dataset folder, or use --split FILE.`,
      );
    }
    return { labels: path, split };
  }
  const folder = await openDatasetFolder(path);
  if (folder.labels === undefined) throw new InputError(`${path}: the dataset folder has no labels file.`);
  if (split === "given" && folder.split === undefined) {
    throw new InputError(
      `${path}: the dataset folder has no split file, which --split given needs. Use --split FILE, or remove --split.`,
    );
  }
  return { labels: folder.labels, split: split === "given" ? folder.split : split };
}
