/** Settings of a training: their types, defaults and checks, and the graph of each part. */

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

/** Settings that every model has. */
export interface TrainSettings {
  /** Default: 1. */
  readonly seed?: number;
  /** Maximum number of epochs; default: the model's. */
  readonly epochs?: number;
  /** Epochs without a new smallest loss before training stops; default: the model's. */
  readonly patience?: number;
  readonly learningRate?: number;
  readonly weightDecay?: number;
  /** Named option values of the model. */
  readonly preset?: string;
  /** Default: auto, the fastest available. */
  readonly engine?: EngineName | Engine;
  /** Default and maximum: as many as the machine runs at once. The result does not depend on it. */
  readonly threads?: number;
  /** Ends training after the current epoch. */
  readonly signal?: AbortSignal;
  /** Called after each epoch. Training waits for a promise it returns, and fails if that promise rejects. */
  readonly onEpoch?: (report: EpochReport, run: Run) => void;
  /**
   * Called after each epoch of a part, which has at most `epochs` of them. `share` is the finished share of the whole
   * preparation, from 0 to 1; it never falls.
   */
  readonly onPart?: (part: string, report: EpochReport, epochs: number, share: number) => void;
  /** Called when a stage of the preparation begins, with `done` 0, and after each of its steps. The last call has `share` 1. */
  readonly onStep?: PreparationListener;
  /** Makes `run.layers()` possible, at the cost of memory. Default: false. */
  readonly withLayers?: boolean;
  /** Makes `run.relationVectors()` possible. Default: false. */
  readonly withRelations?: boolean;
  /** Continues from this snapshot. */
  readonly resume?: Snapshot;
}

/** Receives the stage of the preparation, how many of its steps are done, and the finished share of the whole preparation. */
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

/** Preset, settings and options of a training, complete and checked. */
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
    throw new InputError(
      `${model.name}: its option "${taken}" has the name of a setting that every training has. Give it another name.`,
    );
  }
  const entries = Object.entries(options).filter(([name]) => !Object.hasOwn(OTHER_SETTINGS, name));
  const isTraining = ([name]: [string, unknown]) => Object.hasOwn(schema, name);
  const training = resolveOptions(
    schema,
    model.name,
    preset.training ?? {},
    Object.fromEntries(entries.filter(isTraining)),
  );
  const modelOptions = Object.fromEntries(entries.filter((entry) => !isTraining(entry)));
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

/** The graph that a part is trained on, with the ids of the whole graph. */
export function graphOf({ graph: partGraph }: Part, graph: TrainableGraph): TrainableGraph {
  const { relations, directed, features } = partGraph;
  const named = features && graph.features && { ...graph.features, ...features };
  return { ...graph, relations, directed, features: named, labels: undefined };
}
