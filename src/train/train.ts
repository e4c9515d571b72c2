/** The two ways to train: `startRun` gives the iterator, `train` drives it to its end. */

import { formatOption, type OptionSchema, type OptionValues } from "../core/options.js";
import { VERSION } from "../core/version.js";
import { type Engine, requireEngine } from "../engine/engine.js";
import { classesHash, contentHash } from "../graph/content-hash.js";
import { localOrder } from "../graph/order/node-order.js";
import { reorderNodes } from "../graph/order/reorder-nodes.js";
import type { Model, NamedArrays } from "../nn/model.js";
import { chooseEngine } from "./create-engine.js";
import { LAYOUT, ORDER, PreparationProgress, preparationStages } from "./estimate/preparation.js";
import { type EpochReport, Run } from "./run.js";
import { describeOptimizer, type RunIdentity, requireSameRun } from "./snapshot.js";
import { graphOf, resolveTraining, type TrainOptions, type TrainSettings } from "./train-settings.js";
import { requireTrainable, type TrainableGraph, visibleTo } from "./trainable.js";
import { traceTraining } from "./training-program.js";

export { resolveTraining, type TrainOptions, type TrainSettings } from "./train-settings.js";

type Ahead = Required<Pick<TrainSettings, "seed" | "epochs">> &
  Pick<TrainSettings, "signal"> & { readonly engine: Engine; readonly progress: PreparationProgress };

/** Trains the parts of a model, with at most as many epochs as itself, and works out its arrays. */
async function workAhead<S extends OptionSchema, P, G>(
  graph: TrainableGraph,
  model: Model<S, P, G>,
  options: OptionValues<S>,
  { engine, seed, epochs, signal, progress }: Ahead,
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
      onEpoch: (report: EpochReport) => progress.part(part.name, report, most),
    });
    signal?.throwIfAborted();
    parts.push(run.embedding.vectors);
    peakBytes = Math.max(peakBytes, run.memoryBytes);
  }
  const arrays = await model.precompute?.(graph, options, { engine, seed, signal, onStep: progress.step, parts });
  return { arrays, peakBytes };
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
  model.check?.(asGiven, options);
  const engine = await engineOf(settings);
  const progress = new PreparationProgress(settings, engine.numThreads, () =>
    preparationStages(asGiven, model, options, training),
  );
  await progress.step(ORDER, 0, 1);
  const beginning = performance.now();
  // rows of parameters are given back in the order of the nodes, which rows of as many features are not in
  const alike = asGiven.features?.numColumns === asGiven.numNodes;
  const order = alike ? undefined : localOrder(asGiven.relations, asGiven.numNodes);
  const graph = order === undefined ? asGiven : reorderNodes(asGiven, order);
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
  const ahead = { seed: training.seed, epochs: training.epochs, signal, engine, progress };
  const { arrays, peakBytes } = await workAhead(graph, model, options, ahead);
  signal?.throwIfAborted();
  await progress.step(LAYOUT, 0, 1);
  const secondsAhead = (performance.now() - beginning) / 1000;
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
    await progress.end();
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
