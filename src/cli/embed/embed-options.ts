/** The options of `hmge embed`. */

import { flag, number } from "../../core/options.js";
import { embeddingFormats } from "../../io/formats/index.js";
import type { Arguments } from "../command.js";
import { ENGINE_OPTIONS } from "../options/engine-option.js";
import { byteSize, choiceList, text } from "../options/flag-kinds.js";
import { MODEL_OPTIONS, TRAINING_OPTIONS } from "../options/model-options.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";
import { RANKS_OPTION } from "../ranks/start-job.js";
import { MIN_SECONDS, WRITE_SHARE } from "../run/train-with-checkpoints.js";

/** The format that is always written. */
const MAIN_FORMAT = "parquet";
const FORMAT_NAMES = embeddingFormats.map(({ name }) => name);

export const EMBED_OPTIONS = {
  out: text(undefined, { value: "DIR", doc: "folder for the results" }),
  ...MODEL_OPTIONS,
  ...TRAINING_OPTIONS,
  trainLabels: text(undefined, {
    value: "FILE",
    doc: "table of node and label, for models that learn from labels; or the word given, for the labels of the training nodes in the dataset folder",
  }),
  ...SOURCE_OPTIONS,
  ...ENGINE_OPTIONS,
  ...RANKS_OPTION,
  format: choiceList([], FORMAT_NAMES, {
    value: "NAME,…",
    doc: `additional file formats for the vectors: ${FORMAT_NAMES.filter((name) => name !== MAIN_FORMAT).join(", ")}`,
    defaultText: `none; ${MAIN_FORMAT} is always written`,
  }),
  perRelation: flag(false, {
    doc: "for models with vectors per relation: also write embeddings.RELATION.parquet, and embeddings.RELATION.target.parquet if nodes have different vectors as source and as target; run.json lists the files of each relation",
  }),
  labels: text(undefined, {
    value: "FILE",
    doc: "table of node and label; colours the report and is not used in training",
    defaultText: "the labels of the dataset folder",
  }),
  modelFrom: text(undefined, {
    value: "DIR",
    doc: "do not train: compute vectors for nodes that are not in the run in DIR, from their edges to its nodes, their features, or both",
  }),
  withKnown: flag(false, { doc: "with --model-from: also write the vectors of DIR" }),
  noReport: flag(false, { doc: "write no report.html" }),
  resume: flag(false, { doc: "continue the run in DIR" }),
  allowOtherEngine: flag(false, {
    doc: "with --resume: continue a training of another engine; the vectors then differ from those of an unbroken run",
  }),
  overwrite: flag(false, { doc: "replace the run in DIR" }),
  checkpointEvery: number(undefined, {
    min: 0,
    value: "SECONDS",
    doc: "seconds between two checkpoints",
    defaultText: `${MIN_SECONDS}, or ${WRITE_SHARE} × the time of writing one if that is longer`,
  }),
  memoryLimit: byteSize({
    doc: "maximum memory, such as 2GB; the command stops before reading files, or before training, that would need more",
    defaultText: "the free memory",
  }),
  force: flag(false, { doc: "run even if the estimated memory is not available" }),
};

export type EmbedArguments = Arguments<typeof EMBED_OPTIONS>;

/** The names of all formats to write. */
export function readFormats({ format = [] }: EmbedArguments["values"]): string[] {
  return [...new Set([MAIN_FORMAT, ...format])];
}
