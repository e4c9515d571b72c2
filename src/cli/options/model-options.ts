/** The options that choose a model and how it is trained; all derived from the definitions of the models. */

import { InputError, suggest } from "../../core/errors.js";
import { formatOption } from "../../core/options.js";
import type { Model } from "../../nn/model.js";
import { trainingSchema } from "../../train/training-schema.js";
import { type Arguments, type CommandOption, textOption } from "../command.js";
import { besideHeads, helpWidth, wrap } from "../terminal/help.js";
import { isModelPath, loadOwnModel } from "./own-model.js";

export const DEFAULT_MODEL = "multiview";

export const ENGINE_OPTIONS: readonly CommandOption[] = [
  { name: "engine", value: "NAME", doc: "auto, wasm or reference", default: "auto" },
  {
    name: "threads",
    value: "N",
    doc: "at most as many as the machine runs at once; the result does not depend on it",
    default: "as many as the machine runs at once",
  },
];

export const MODEL_OPTIONS: readonly CommandOption[] = modelOptions(DEFAULT_MODEL);

export function modelOptions(model: string): readonly CommandOption[] {
  return [
    {
      name: "model",
      value: "NAME|FILE",
      doc: "the method; hmge models lists them; or a module that exports one of your own, such as ./my-model.mjs",
      default: model,
    },
    { name: "preset", value: "NAME", doc: "named option values of the model", default: "its first" },
    { name: "dim", value: "N", doc: "width of the vectors", default: "the model's" },
    { name: "set", value: "OPTION=VALUE", repeatable: true, doc: "any option of the model" },
  ];
}

/** Flags of the training and the settings they stand for. */
const TRAINING_FLAGS: readonly (CommandOption & { setting: string })[] = Object.entries(
  trainingSchema({ epochs: 1, patience: 1, learningRate: 0, weightDecay: 0 }),
).map(([setting, { doc, accepts, default: value }]) => ({
  name: setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  setting,
  value: accepts.startsWith("integer") ? "N" : "X",
  doc,
  default: setting === "seed" ? String(value) : "the model's",
}));

export const TRAINING_OPTIONS: readonly CommandOption[] = TRAINING_FLAGS;

/** Settings of `startRun` as text; the schemas read and check them. */
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

/** The model of that name, or the one that the module at that path exports. */
export async function findModel(name: string): Promise<Model> {
  const models = await loadModels();
  const model = models.find((candidate) => candidate.name === name);
  if (model !== undefined) return model;
  const names = models.map((candidate) => candidate.name);
  if (isModelPath(name)) return loadOwnModel(name, names);
  throw new InputError(`--model: unknown model "${name}"${suggest(name, names)}`);
}

/** Fails unless --set can change it: an option of the model, or one of its training. */
export async function requireSetting(model: Model, name: string): Promise<void> {
  const known = [...Object.keys(model.options), ...TRAINING_FLAGS.map(({ setting }) => setting)];
  if (known.includes(name)) return;
  const others = (await loadModels()).filter(({ options }) => Object.hasOwn(options, name));
  const hint = others.length > 0 ? `; ${modelsInWords(others)} has it.` : suggest(name, known);
  throw new InputError(`--set: ${model.name} has no option "${name}"${hint}`);
}

export async function readModelOptions(given: Arguments, otherwise = DEFAULT_MODEL): Promise<ModelRequest> {
  const model = await findModel(textOption(given, "model") ?? otherwise);
  const settings: Record<string, string> = {};
  const add = (setting: string, value: string, where: string) => {
    if (settings[setting] !== undefined) {
      throw new InputError(`${where}: ${setting} is given twice (${settings[setting]}, ${value}); expected once.`);
    }
    settings[setting] = value;
  };
  const preset = textOption(given, "preset");
  if (preset !== undefined) {
    const others = (await loadModels()).filter(({ presets }) => Object.hasOwn(presets, preset));
    if (model.presets[preset] === undefined && others.length > 0) {
      throw new InputError(`--preset: ${model.name} has no preset "${preset}"; ${modelsInWords(others)} has it.`);
    }
    add("preset", preset, "--preset");
  }
  for (const { name, setting } of TRAINING_FLAGS) {
    const value = textOption(given, name);
    if (value !== undefined) add(setting, value, `--${name}`);
  }
  const dim = textOption(given, "dim");
  if (dim !== undefined) add("dim", dim, "--dim");
  for (const pair of given.options.get("set") ?? []) {
    const equals = pair.indexOf("=");
    if (equals < 1) throw new InputError(`--set: found "${pair}"; expected OPTION=VALUE, such as dim=32.`);
    const name = pair.slice(0, equals).trim();
    await requireSetting(model, name);
    add(name, pair.slice(equals + 1).trim(), "--set");
  }
  return { model, settings };
}

/** The options that choose them: `--model dmgi or --model hdmi`. */
function modelsInWords(models: readonly Model[]): string {
  return models.map(({ name }) => `--model ${name}`).join(" or ");
}

/** Names and summaries, for the help of a command; by default of all models. */
export async function listModels(models?: readonly Model[]): Promise<string> {
  const listed = models ?? (await loadModels());
  return [
    "models, whose options hmge models NAME lists:",
    ...besideHeads(listed.map(({ name, summary }) => [name, summary])),
  ].join("\n");
}

/** Everything about some models: paper, training, presets, options. */
export function describeModels(models: readonly Model[]): string {
  return models.map(describeModel).join("\n\n");
}

/** What a model reads and what it gives beside one vector per node. */
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
    cost: `${model.cost} multiply-adds an epoch`,
    training: `epochs ${epochs}, patience ${patience}, ${optimizer}, learning rate ${learningRate}, weight decay ${weightDecay}; keeps the ${keep} parameters`,
    also: modelTraits(model).join(", "),
    ...Object.fromEntries(Object.entries(model.presets).map(([name, { doc }]) => [`preset ${name}`, doc])),
  };
  const options = Object.entries(model.options).map(([name, { default: fallback, doc, accepts }]) => [
    `${name}=${formatOption(fallback)}`,
    `${doc} (${accepts})`,
  ]);
  return [
    ...wrap(`model ${model.name}: ${model.summary}`, helpWidth()),
    ...besideHeads(Object.entries(facts).filter(([, text]) => text !== "")),
    "  options, for --set:",
    ...besideHeads(options, "  "),
  ].join("\n");
}
