/** The options that choose a model and its training, derived from the definitions of the models. */

import { InputError, suggest } from "../../core/errors.js";
import { formatOption, int, optional } from "../../core/options.js";
import type { Model } from "../../nn/model.js";
import { trainingSchema } from "../../train/training-schema.js";
import { type Arguments, flagName } from "../command.js";
import { helpWidth, twoColumns, wrap } from "../terminal/help.js";
import { text, texts } from "./flag-kinds.js";
import { isModelPath, loadOwnModel } from "./own-model.js";

export const DEFAULT_MODEL = "multiview";

/** The default of options that each model sets. */
const MODELS_DEFAULT = "the model's";

/** The options that choose a model; `model` is the default. */
export function modelOptions(model: string) {
  return {
    model: text(model, {
      value: "NAME|FILE",
      doc: "name of a model (hmge models lists them), or a module that exports your own model, such as ./my-model.mjs",
    }),
    preset: text(undefined, {
      value: "NAME",
      doc: "named set of option values of the model",
      defaultText: "the model's first preset",
    }),
    dim: int(undefined, { min: 1, doc: "width of the vectors", defaultText: MODELS_DEFAULT }),
    set: texts({ value: "OPTION=VALUE", doc: "value of any option of the model" }),
  };
}

export const MODEL_OPTIONS = modelOptions(DEFAULT_MODEL);

const { seed, ...perModel } = trainingSchema({ epochs: 1, patience: 1, learningRate: 0, weightDecay: 0 });

/** The options of the training. Their defaults, except the seed, are the model's. */
export const TRAINING_OPTIONS = {
  seed,
  epochs: optional(perModel.epochs, MODELS_DEFAULT),
  patience: optional(perModel.patience, MODELS_DEFAULT),
  learningRate: optional(perModel.learningRate, MODELS_DEFAULT),
  weightDecay: optional(perModel.weightDecay, MODELS_DEFAULT),
} satisfies Record<keyof ReturnType<typeof trainingSchema>, unknown>;

/** Settings of `startRun` as text; the schemas of the model and of the training read and check them. */
export type ModelSettings = Readonly<Record<string, string>>;

export interface ModelRequest {
  readonly model: Model;
  readonly settings: ModelSettings;
}

/** All models, the default one first. */
export async function loadModels(): Promise<readonly Model[]> {
  const all: readonly Model[] = Object.values(await import("../../models/index.js"));
  return [...all].sort((a, b) => Number(b.name === DEFAULT_MODEL) - Number(a.name === DEFAULT_MODEL));
}

/** The model with this name, or the model that the module at this path exports. */
export async function findModel(name: string): Promise<Model> {
  const models = await loadModels();
  const model = models.find((candidate) => candidate.name === name);
  if (model !== undefined) return model;
  const names = models.map((candidate) => candidate.name);
  if (isModelPath(name)) return loadOwnModel(name, names);
  throw new InputError(`--model: unknown model "${name}"${suggest(name, names)}`);
}

/** Throws unless `name` is an option of the model or of its training, which --set can change. */
export async function requireSetting(model: Model, name: string): Promise<void> {
  const known = [...Object.keys(model.options), ...Object.keys(TRAINING_OPTIONS)];
  if (known.includes(name)) return;
  const others = (await loadModels()).filter(({ options }) => Object.hasOwn(options, name));
  const hint = others.length > 0 ? `; ${modelsInWords(others)} has it.` : suggest(name, known);
  throw new InputError(`--set: ${model.name} has no option "${name}"${hint}`);
}

/** The model and its settings, from the flags of `modelOptions` and, if the command has them, of `TRAINING_OPTIONS`. */
export async function readModelOptions(
  { values, flags }: Arguments<ReturnType<typeof modelOptions>>,
  { training = true } = {},
): Promise<ModelRequest> {
  const model = await findModel(values.model);
  const settings: Record<string, string> = {};
  const add = (setting: string, value: string, where: string) => {
    if (settings[setting] !== undefined) {
      throw new InputError(`${where}: ${setting} is given twice (${settings[setting]}, ${value}); expected once.`);
    }
    settings[setting] = value;
  };
  const { preset } = values;
  if (preset !== undefined) {
    const others = (await loadModels()).filter(({ presets }) => Object.hasOwn(presets, preset));
    if (model.presets[preset] === undefined && others.length > 0) {
      throw new InputError(`--preset: ${model.name} has no preset "${preset}"; ${modelsInWords(others)} has it.`);
    }
    add("preset", preset, "--preset");
  }
  for (const setting of [...(training ? Object.keys(TRAINING_OPTIONS) : []), "dim"]) {
    const typed = flags.get(flagName(setting))?.at(-1);
    if (typed !== undefined) add(setting, typed, `--${flagName(setting)}`);
  }
  for (const pair of values.set) {
    const equals = pair.indexOf("=");
    if (equals < 1) throw new InputError(`--set: found "${pair}"; expected OPTION=VALUE, such as dim=32.`);
    const name = pair.slice(0, equals).trim();
    await requireSetting(model, name);
    add(name, pair.slice(equals + 1).trim(), "--set");
  }
  return { model, settings };
}

/** The flags that choose these models: `--model dmgi or --model hdmi`. */
function modelsInWords(models: readonly Model[]): string {
  return models.map(({ name }) => `--model ${name}`).join(" or ");
}

/** Names and summaries of models for the help of a command; default: all models. */
export async function listModels(models?: readonly Model[]): Promise<string> {
  const listed = models ?? (await loadModels());
  return [
    "models (hmge models NAME lists the options of one):",
    ...twoColumns(listed.map(({ name, summary }) => [name, summary])),
  ].join("\n");
}

/** Paper, training, presets and options of some models. */
export function describeModels(models: readonly Model[]): string {
  return models.map(describeModel).join("\n\n");
}

/** Inputs and outputs of a model in addition to edges and vectors: features, labels, vectors per relation. */
export function modelTraits({ uses = [], relationVectors }: Model): string[] {
  return [
    ...(uses.includes("features") ? ["uses features"] : []),
    ...(uses.includes("labels") ? ["learns from training labels"] : []),
    ...(relationVectors === undefined ? [] : ["vectors per relation"]),
  ];
}

function describeModel(model: Model): string {
  const { epochs, patience, learningRate, weightDecay } = model.training;
  const { optimizer = "adam", keep = "best" } = model.optimization ?? {};
  const facts = {
    paper: model.paper,
    cost: `multiply-adds per epoch: ${model.cost}`,
    training: `epochs ${epochs}, patience ${patience}, ${optimizer}, learning rate ${learningRate}, weight decay ${weightDecay}; keeps the parameters of the ${keep} epoch`,
    "inputs, outputs": modelTraits(model).join(", "),
    ...Object.fromEntries(Object.entries(model.presets).map(([name, { doc }]) => [`preset ${name}`, doc])),
  };
  const options = Object.entries(model.options).map(([name, { default: fallback, doc, accepts }]) => [
    `${name}=${formatOption(fallback)}`,
    `${doc} (${accepts})`,
  ]);
  return [
    ...wrap(`model ${model.name}: ${model.summary}`, helpWidth()),
    ...twoColumns(Object.entries(facts).filter(([, text]) => text !== "")),
    "  options, for --set:",
    ...twoColumns(options, "  "),
  ].join("\n");
}
