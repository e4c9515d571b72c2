/** How a training is set up: its settings, the options of its model, and the parts that come before it. */

import { InputError, suggest } from "../core/errors.js";
import { type OptionSchema, type OptionValues, resolveOptions } from "../core/options.js";
import { type KeysOf, requireSignal, valueText } from "../core/validation.js";
import type { Engine } from "../engine/engine.js";
import type { Model, Part } from "../nn/model.js";
import type { EngineName } from "./create-engine.js";
import type { EpochReport, Run } from "./run.js";
import type { Snapshot } from "./snapshot.js";
import { requireModel, type TrainableGraph } from "./trainable.js";
import { trainingSchema } from "./training-schema.js";

/** How a model is trained, whichever it is. */
export interface TrainSettings {
  /** Default: 1. */
  readonly seed?: number;
  /** Most epochs; default: the model's. */
  readonly epochs?: number;
  /** Epochs without a new smallest loss before training stops; default: the model's. */
  readonly patience?: number;
  readonly learningRate?: number;
  readonly weightDecay?: number;
  /** Named option values of the model. */
  readonly preset?: string;
  /** Default: auto, the fastest there is. */
  readonly engine?: EngineName | Engine;
  /** Default and maximum: as many as the machine runs at once. The result does not depend on it. */
  readonly threads?: number;
  /** Ends training after the current epoch. */
  readonly signal?: AbortSignal;
  /** Told after each epoch. A promise it returns is awaited before the next; where it fails, so does the training. */
  readonly onEpoch?: (report: EpochReport, run: Run) => void;
  /**
   * The same of the trainings that come before this one, of at most `epochs`. `share` is the part of the whole preparation
   * that is done, from 0 to 1; it never falls.
   */
  readonly onPart?: (part: string, report: EpochReport, epochs: number, share: number) => void;
  /** The same when a stage of the preparation begins, `done` 0, and after each of its steps. The last call has `share` 1. */
  readonly onStep?: PreparationListener;
  /** Makes `run.layers()` possible, at the cost of memory. Default: false. */
  readonly withLayers?: boolean;
  /** Makes `run.relationVectors()` possible. Default: false. */
  readonly withRelations?: boolean;
  /** Goes on from here. */
  readonly resume?: Snapshot;
}

/** Hears which stage of the preparation is at work, how many of its steps are done, and how much of the whole preparation. */
export type PreparationListener = (stage: string, done: number, of: number, share: number) => void;

/** Settings of the training, and any option of the model. */
export type TrainOptions<S extends OptionSchema> = TrainSettings & Partial<OptionValues<S>>;

const OTHER_SETTINGS: KeysOf<Omit<TrainSettings, keyof ReturnType<typeof trainingSchema>>> = {
  preset: true,
  engine: true,
  threads: true,
  signal: true,
  onEpoch: true,
  onPart: true,
  onStep: true,
  withLayers: true,
  withRelations: true,
  resume: true,
};

/** Everything decided before the first epoch. */
export function resolveTraining<S extends OptionSchema, P, G>(model: Model<S, P, G>, options: TrainOptions<S>) {
  requireModel(model);
  if (typeof options !== "object" || options === null) {
    throw new InputError(`${model.name}: the options are ${valueText(options)}; expected an object.`);
  }
  const { signal, preset: presetName = Object.keys(model.presets)[0] } = options;
  requireSignal(signal, "signal");
  for (const name of ["onEpoch", "onPart", "onStep"] as const) {
    if (options[name] === undefined || typeof options[name] === "function") continue;
    throw new InputError(`${model.name}: ${name} is ${valueText(options[name])}; expected a function.`);
  }
  const preset =
    typeof presetName === "string" && Object.hasOwn(model.presets, presetName) ? model.presets[presetName] : undefined;
  if (preset === undefined) {
    throw new InputError(
      `${model.name}: unknown preset "${presetName}"${suggest(String(presetName), Object.keys(model.presets))}`,
    );
  }
  const schema = trainingSchema(model.training);
  const taken = Object.keys(model.options).find(
    (name) => Object.hasOwn(schema, name) || Object.hasOwn(OTHER_SETTINGS, name),
  );
  if (taken !== undefined) {
    throw new InputError(`${model.name}: its option "${taken}" has the name of a setting of every training.`);
  }
  const given = Object.entries(options).filter(([name]) => !Object.hasOwn(OTHER_SETTINGS, name));
  const isTraining = ([name]: [string, unknown]) => Object.hasOwn(schema, name);
  const training = resolveOptions(
    schema,
    model.name,
    preset.training ?? {},
    Object.fromEntries(given.filter(isTraining)),
  );
  const modelOptions = Object.fromEntries(given.filter((entry) => !isTraining(entry)));
  for (const name of Object.keys(modelOptions)) {
    if (!Object.hasOwn(model.options, name)) {
      const known = [...Object.keys(model.options), ...Object.keys(schema), ...Object.keys(OTHER_SETTINGS)];
      throw new InputError(`${model.name}: unknown option "${name}"${suggest(name, known)}`);
    }
  }
  return {
    preset: presetName,
    training,
    options: resolveOptions(model.options, model.name, preset.options, modelOptions),
  };
}

/** What a part is trained on, under the ids of the graph. */
export function graphOf({ graph: read }: Part, graph: TrainableGraph): TrainableGraph {
  const { relations, directed, features } = read;
  const named = features && graph.features && { ...graph.features, ...features };
  return { ...graph, relations, directed, features: named, labels: undefined };
}
