/** The options of `hmge compare`. */

import { adapt, choice, flag, int, optional } from "../../core/options.js";
import { SHARE_OPTION } from "../../graph/split.js";
import { CLASSIFICATION_OPTIONS, REPEATS } from "../../tasks/classification/node-classification.js";
import { ENGINE_OPTIONS } from "../options/engine-option.js";
import { choiceList, duration, seedList, text, texts, wordList } from "../options/flag-kinds.js";
import { DEFAULT_MODEL, MODEL_OPTIONS, TRAINING_OPTIONS } from "../options/model-options.js";
import { SOURCE_OPTIONS } from "../options/source-options.js";
import { strengthOption } from "../options/strength-option.js";
import { TASK_NAMES } from "./compare-table.js";

/** Models and seeds of a comparison on one graph. */
export const DEFAULT_MODELS = [DEFAULT_MODEL, "hmge"];
export const DEFAULT_SEEDS = [1, 2, 3];
/** Seeds and maximum epochs of the rivals with --regret: few, because thirteen models are trained on every graph. */
export const RIVAL_SEEDS = [1];
export const RIVAL_EPOCHS = 200;

/** Options that only --regret has. */
export const REGRET_OPTIONS = {
  own: text(DEFAULT_MODEL, { value: "MODEL", doc: "with --regret: the model that all others are rivals of" }),
  ownSeeds: seedList([1, 2, 3, 4, 5], {
    value: "N,…",
    doc: "with --regret: random seeds of --own, and of the draws of held-out edges for baselines",
  }),
  limit: duration(600, {
    doc: "with --regret: time of one training, such as 90s or 10min; a rival that takes longer is left out and named",
    defaultText: "10min",
  }),
  fill: optional(
    choice("models", ["models", "baselines"], {
      doc: "with --regret: only store the results of --models, or of the baselines, and write no table; so several processes can fill one --out",
    }),
  ),
};

export const COMPARE_OPTIONS = {
  models: wordList(undefined, {
    value: "NAME,…",
    doc: "models, optionally with a preset, such as hmge:reference; all: all models",
    defaultText: `${DEFAULT_MODELS.join(",")}; with --regret all`,
  }),
  regret: flag(false, {
    doc: "every SOURCE is a graph of its own, best a dataset folder; one table of all graphs: score of the best rival minus score of --own",
  }),
  ...REGRET_OPTIONS,
  tasks: choiceList(undefined, TASK_NAMES, {
    value: "NAME,…",
    doc: TASK_NAMES.join(", "),
    defaultText: "links, and classify if there are labels",
  }),
  seeds: seedList(undefined, {
    value: "N,…",
    doc: "random seeds; each seed means one training and one draw of held-out edges",
    defaultText: `${DEFAULT_SEEDS.join(",")}; with --regret ${RIVAL_SEEDS.join(",")}`,
  }),
  out: text(undefined, {
    value: "DIR",
    doc: "folder for the table and for the result of each training; finished results are not computed again",
  }),
  labels: text(undefined, {
    value: "FILE",
    doc: "table of node and label",
    defaultText: "the labels of the dataset folder",
  }),
  train: optional(
    CLASSIFICATION_OPTIONS.train,
    `the split of the dataset folder, or ${CLASSIFICATION_OPTIONS.train.default}`,
  ),
  repeats: int(REPEATS.logistic, { min: 1, doc: "random splits of the labels" }),
  strength: strengthOption("validate"),
  scaling: CLASSIFICATION_OPTIONS.scaling,
  prefix: CLASSIFICATION_OPTIONS.prefix,
  holdout: SHARE_OPTION,
  strict: flag(false, { doc: "remove a held-out pair from every relation" }),
  set: texts({ value: "MODEL.OPTION=VALUE", doc: "value of an option of one model" }),
  dim: adapt(MODEL_OPTIONS.dim, { doc: "width of the vectors of every model" }),
  epochs: adapt(TRAINING_OPTIONS.epochs, {
    doc: "maximum epochs of every model; with --regret of every model except --own",
    defaultText: `the model's; with --regret ${RIVAL_EPOCHS}`,
  }),
  ...SOURCE_OPTIONS,
  ...ENGINE_OPTIONS,
  force: flag(false, { doc: "run even if the memory seems too small" }),
};
