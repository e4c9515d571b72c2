/** Settings of a training: types, defaults and validation. Also builds the graph on which a part is trained. */

import { InputError, suggest } from "../core/errors.js";
import { type OptionSchema, type OptionValues, resolveOptions } from "../core/options.js";
import type { Sharing } from "../core/sharing.js";
import { type KeysOf, requireSignal, type StopSignal, valueText } from "../core/validation.js";
import type { EngineName } from "../engine/create-engine.js";
import type { Engine } from "../engine/engine.js";
import type { Model, Part } from "../nn/model.js";
import type { EpochReport, Run } from "./run.js";
import type { Snapshot, StoredSnapshot } from "./snapshot.js";
import { requireModel, type TrainableGraph } from "./trainable.js";
import { trainingSchema } from "./training-schema.js";

/** Settings of a training, the same for every model. */
export interface TrainSettings {
  /** Default: 1. */
  readonly seed?: number;
  /** Maximum number of epochs; default: the model's. */
  readonly epochs?: number;
  /** Epochs without a new smallest loss before training stops; default: the model's. */
  readonly patience?: number;
  readonly learningRate?: number;
  readonly weightDecay?: number;
  /** Name of one of the model's presets; default: its first preset. */
  readonly preset?: string;
  /** Default: in Node the variable HMGE_ENGINE, otherwise wasm. */
  readonly engine?: EngineName | Engine;
  /** Number of threads; default and maximum: one per available CPU. The result does not depend on it. */
  readonly threads?: number;
  /** Ends training after the current epoch. */
  readonly signal?: StopSignal;
  /** Called after each epoch. If it returns a promise, training awaits it, and fails if it rejects. */
  readonly onEpoch?: (report: EpochReport, run: Run) => void;
  /**
   * Called after each epoch of a part. `epochs` is the maximum number of epochs of the part. `share` is the finished share of
   * the whole preparation, from 0 to 1; it never decreases.
   */
  readonly onPart?: (part: string, report: EpochReport, epochs: number, share: number) => void;
  /** Called when a stage of the preparation begins, with `done` 0, and after each of its steps. The last call has `share` 1. */
  readonly onStep?: PreparationListener;
  /** Makes `run.layers()` possible, at the cost of memory. Default: false. */
  readonly withLayers?: boolean;
  /** Makes `run.relationVectors()` possible. Default: false. */
  readonly withRelations?: boolean;
  /** Continues from this snapshot. */
  readonly resume?: Snapshot | StoredSnapshot;
  /** Accept a snapshot of another engine in `resume`: the bits then differ from those of an unbroken run. Default: false. */
  readonly allowOtherEngine?: boolean;
  /**
   * The processes that train this run together. All of them call `train` with the same arguments; the preparation is computed once on
   * each machine. Default: this process alone.
   */
  readonly processes?: Sharing;
}

/** Receives a stage of the preparation, how many of its `steps` are done, and the finished share of the whole preparation. */
export type PreparationListener = (stage: string, done: number, steps: number, share: number) => void;

/** Settings of the training, and any option of the model. */
export type TrainOptions<S extends OptionSchema> = TrainSettings & Partial<OptionValues<S>>;

/** Settings that `trainingSchema` does not contain. */
const SETTINGS_OUTSIDE_SCHEMA: KeysOf<Omit<TrainSettings, keyof ReturnType<typeof trainingSchema>>> = {
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
  allowOtherEngine: true,
  processes: true,
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
  const reserved = Object.keys(model.options).find(
    (name) => Object.hasOwn(schema, name) || Object.hasOwn(SETTINGS_OUTSIDE_SCHEMA, name),
  );
  if (reserved !== undefined) {
    throw new InputError(
      `${model.name}: option "${reserved}" has the same name as a training setting. Rename the option.`,
    );
  }
  const entries = Object.entries(options).filter(([name]) => !Object.hasOwn(SETTINGS_OUTSIDE_SCHEMA, name));
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
      const known = [...Object.keys(model.options), ...Object.keys(schema), ...Object.keys(SETTINGS_OUTSIDE_SCHEMA)];
      throw new InputError(`${model.name}: unknown option "${name}"${suggest(name, known)}`);
    }
  }
  return {
    preset: presetName,
    training,
    options: resolveOptions(model.options, model.name, preset.options, modelOptions),
  };
}

/** The graph on which a part is trained: the part's relations and features, and the ids and feature names of `graph`. */
export function graphOfPart({ graph: partGraph }: Part, graph: TrainableGraph): TrainableGraph {
  const { relations, directed, features } = partGraph;
  const namedFeatures = features && graph.features && { ...graph.features, ...features };
  return { ...graph, relations, directed, features: namedFeatures, labels: undefined };
}
