/** The options of `hmge embed`. */

import { flag, number } from "../../core/options.js";
import { embeddingFormats } from "../../io/formats/index.js";
import type { Arguments } from "../command.js";
import { ENGINE_OPTIONS } from "../options/engine-option.js";
import { byteSize, choiceList, text } from "../options/flag-kinds.js";
import { MODEL_OPTIONS, TRAINING_OPTIONS } from "../options/model-options.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";
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
    doc: "table of node and label to learn from, for models that do; given: those of the dataset folder, of the nodes its split trains on",
  }),
  ...SOURCE_OPTIONS,
  ...ENGINE_OPTIONS,
  format: choiceList([], FORMAT_NAMES, {
    value: "NAME,…",
    doc: `further files of vectors: ${FORMAT_NAMES.filter((name) => name !== MAIN_FORMAT).join(", ")}`,
    defaultText: `${MAIN_FORMAT}, always written`,
  }),
  perRelation: flag(false, {
    doc: "also write embeddings.RELATION.parquet, for models that have vectors per relation, and embeddings.RELATION.target.parquet if its two ends have different ones; run.json names the files of each relation",
  }),
  labels: text(undefined, {
    value: "FILE",
    doc: "table of node and label: colours of the report, never seen in training",
    defaultText: "those of a dataset folder",
  }),
  modelFrom: text(undefined, {
    value: "DIR",
    doc: "train nothing: place nodes that the run in DIR does not have by their edges to those it has, by their features, or by both",
  }),
  withKnown: flag(false, { doc: "with --model-from: write the vectors of DIR too" }),
  noReport: flag(false, { doc: "write no report.html" }),
  resume: flag(false, { doc: "continue the run in DIR" }),
  overwrite: flag(false, { doc: "replace the run in DIR" }),
  checkpointEvery: number(undefined, {
    min: 0,
    value: "SECONDS",
    doc: "seconds between two saved states",
    defaultText: `${MIN_SECONDS}, or ${WRITE_SHARE} × the time of a save`,
  }),
  memoryLimit: byteSize({
    doc: "refuse files or a run that need more, such as 2GB; checked before files are read and before the run",
    defaultText: "the free memory",
  }),
  force: flag(false, { doc: "run even if the memory seems too small" }),
};

export type EmbedArguments = Arguments<typeof EMBED_OPTIONS>;

/** The names of all formats to write. */
export function readFormats({ format = [] }: EmbedArguments["values"]): string[] {
  return [...new Set([MAIN_FORMAT, ...format])];
}
