/** The two ways to train: `startRun` gives the iterator, `train` drives it to its end. */

import { InputError, suggest } from "../core/errors.js";
import { type KeysOf, requireSignal, valueText } from "../core/given.js";
import { formatOption, type OptionSchema, type OptionValues, resolveOptions } from "../core/options.js";
import { VERSION } from "../core/version.js";
import { type Engine, requireEngine } from "../engine/engine.js";
import { classesHash, contentHash } from "../graph/content-hash.js";
import { localOrder } from "../graph/node-order.js";
import { reorderNodes } from "../graph/reorder-nodes.js";
import type { Model, NamedArrays, Part, StepListener } from "../nn/model.js";
import { chooseEngine, type EngineName } from "./create-engine.js";
import { type EpochReport, Run } from "./run.js";
import { describeOptimizer, type RunIdentity, requireSameRun, type Snapshot } from "./snapshot.js";
import { requireModel, requireTrainable, type TrainableGraph, visibleTo } from "./trainable.js";
import { traceTraining } from "./training-program.js";
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
  /** Default: as many as the machine runs at once. The result does not depend on it. */
  readonly threads?: number;
  /** Ends training after the current epoch. */
  readonly signal?: AbortSignal;
  /** Told after each epoch. A promise it returns is awaited before the next; where it fails, so does the training. */
  readonly onEpoch?: (report: EpochReport, run: Run) => void;
  /** The same of the trainings that come before this one, of at most `epochs`. */
  readonly onPart?: (part: string, report: EpochReport, epochs: number) => void;
  /** The same of the steps of other long work that comes before it. */
  readonly onStep?: StepListener;
  /** Makes `run.layers()` possible, at the cost of memory. Default: false. */
  readonly withLayers?: boolean;
  /** Makes `run.relationVectors()` possible. Default: false. */
  readonly withRelations?: boolean;
  /** Goes on from here. */
  readonly resume?: Snapshot;
}

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

type Ahead = Required<Pick<TrainSettings, "seed" | "epochs">> &
  Pick<TrainSettings, "signal" | "onPart" | "onStep"> & { readonly engine: Engine };

/** Trains the parts of a model, with at most as many epochs as itself, and works out its arrays. */
async function workAhead<S extends OptionSchema, P, G>(
  graph: TrainableGraph,
  model: Model<S, P, G>,
  options: OptionValues<S>,
  { engine, seed, epochs, signal, onPart, onStep }: Ahead,
): Promise<{ readonly arrays?: NamedArrays; readonly peakBytes: number }> {
  const parts: Float32Array[] = [];
  let peakBytes = 0;
  for (const part of model.parts?.(graph, options) ?? []) {
    const most = Math.min(epochs, resolveTraining(part.model, part.settings).training.epochs);
    const run = await train(graphOf(part, graph), part.model, {
      ...part.settings,
      epochs: most,
      seed,
      engine,
      signal,
      onEpoch: (report: EpochReport) => onPart?.(part.name, report, most),
    });
    signal?.throwIfAborted();
    parts.push(run.embedding.vectors);
    peakBytes = Math.max(peakBytes, run.memoryBytes);
  }
  return { arrays: await model.precompute?.(graph, options, { engine, seed, signal, onStep, parts }), peakBytes };
}

async function engineOf({ engine, threads }: Pick<TrainSettings, "engine" | "threads">): Promise<Engine> {
  if (typeof engine !== "object" || engine === null) return chooseEngine(engine, threads);
  requireEngine(engine, "train");
  return engine;
}

/**
 * Lays everything out and yields a run that has not begun; iterate it, then dispose of it. Where `signal` is aborted before
 * that, it rejects with the signal's reason, since there is no result to hold.
 */
export async function startRun<S extends OptionSchema, P, G>(
  given: TrainableGraph,
  model: Model<S, P, G>,
  settings: TrainOptions<S> = {},
): Promise<Run> {
  const { training, options } = resolveTraining(model, settings);
  requireTrainable(given);
  settings.signal?.throwIfAborted();
  const asGiven = visibleTo(model, given);
  // rows of parameters are given back in the order of the nodes, which rows of as many features are not in
  const alike = asGiven.features?.numColumns === asGiven.numNodes;
  const order = alike ? undefined : localOrder(asGiven.relations, asGiven.numNodes);
  const graph = order === undefined ? asGiven : reorderNodes(asGiven, order);
  model.check?.(graph, options);
  const engine = await engineOf(settings);
  const { weightDecay } = training;
  const { finalRate = 1 } = model.optimization ?? {};
  const { withLayers, withRelations, signal, onEpoch } = settings;
  const identity: RunIdentity = {
    version: VERSION,
    model: model.name,
    options: Object.entries(options)
      .map(([name, value]) => `${name}=${formatOption(value)}`)
      .join(" "),
    optimizer: describeOptimizer(training, finalRate),
    seed: String(training.seed),
    graph: contentHash(asGiven),
    labels: asGiven.labels === undefined ? "none" : classesHash(asGiven.labels),
    kernels: engine.kernels,
  };
  // before the work that comes ahead, which may take long
  if (settings.resume !== undefined) requireSameRun(settings.resume, identity);
  const begin = performance.now();
  const { arrays, peakBytes } = await workAhead(graph, model, options, { ...settings, ...training, engine });
  signal?.throwIfAborted();
  const secondsAhead = (performance.now() - begin) / 1000;
  const traced = traceTraining(model, graph, options, { weightDecay, withLayers, withRelations, arrays });
  const executable = await engine.compile(traced.program);
  try {
    const run: Run = new Run(
      identity,
      options,
      { ids: asGiven.ids, order },
      traced,
      executable,
      {
        ...training,
        finalRate,
        signal,
        onEpoch: (report) => onEpoch?.(report, run),
        ahead: { seconds: secondsAhead, peakBytes },
        views: model.views?.(arrays) ?? [],
        findings: model.findings?.(graph, arrays) ?? [],
      },
      (read) =>
        model.explain?.(
          (name) => read(name, true),
          (name) => read(name, false),
          graph,
          options,
        ) ?? [],
    );
    if (settings.resume !== undefined) run.restore(settings.resume);
    return run;
  } catch (error) {
    await executable.dispose();
    throw error;
  }
}

/** Trains a model to the end and ends its threads; `run.embedding` holds the vectors. */
export async function train<S extends OptionSchema, P, G>(
  graph: TrainableGraph,
  model: Model<S, P, G>,
  settings: TrainOptions<S> = {},
): Promise<Run> {
  const run = await startRun(graph, model, settings);
  try {
    for await (const _ of run);
  } finally {
    await run.dispose();
  }
  return run;
}
