/** Two ways to train: `startRun` returns a run to iterate, `train` iterates it to its end. */

import { formatOption, type OptionSchema, type OptionValues } from "../core/options.js";
import { ALONE, type Sharing } from "../core/sharing.js";
import { VERSION } from "../core/version.js";
import { engineOf } from "../engine/create-engine.js";
import type { Engine } from "../engine/engine.js";
import { classesHash, contentHash } from "../graph/content-hash.js";
import { localOrder } from "../graph/order/node-order.js";
import { reorderTables } from "../graph/order/reorder-nodes.js";
import type { Model, NamedArrays } from "../nn/model.js";
import { LAYOUT, ORDER, PreparationProgress, preparationStages } from "./estimate/preparation.js";
import { type EpochReport, Run } from "./run.js";
import { describeOptimizer, type RunIdentity, requireSameRun } from "./snapshot.js";
import { graphOfPart, resolveTraining, type TrainOptions, type TrainSettings } from "./train-settings.js";
import { hideUnusedLabels, requireTrainable, type TrainableGraph } from "./trainable.js";
import { traceTraining } from "./training-program.js";

export { resolveTraining, type TrainOptions, type TrainSettings } from "./train-settings.js";

type PreparationSettings = Required<Pick<TrainSettings, "seed" | "epochs">> &
  Pick<TrainSettings, "signal"> & {
    readonly engine: Engine;
    readonly progress: PreparationProgress;
    readonly sharing: Sharing;
  };

/** Trains the parts of a model, none for more epochs than the model itself, and computes the arrays that the model needs. */
async function prepareModel<S extends OptionSchema, P, G>(
  graph: TrainableGraph,
  model: Model<S, P, G>,
  options: OptionValues<S>,
  { engine, seed, epochs, signal, progress, sharing }: PreparationSettings,
): Promise<{ readonly arrays?: NamedArrays; readonly peakBytes: number }> {
  const parts: Float32Array[] = [];
  let peakBytes = 0;
  for (const part of model.parts?.(graph, options) ?? []) {
    const maxEpochs = Math.min(epochs, resolveTraining(part.model, part.settings).training.epochs);
    const run = await train(graphOfPart(part, graph), part.model, {
      ...part.settings,
      epochs: maxEpochs,
      seed,
      engine,
      signal,
      processes: sharing,
      onEpoch: (report: EpochReport) => progress.part(part.name, report, maxEpochs),
    });
    signal?.throwIfAborted();
    parts.push(run.embedding.vectors);
    peakBytes = Math.max(peakBytes, run.memoryBytes);
  }
  const tools = { engine, seed, signal, onStep: progress.step, parts, sharing };
  const arrays = await model.precompute?.(graph, options, tools);
  return { arrays, peakBytes };
}

/**
 * Prepares a run whose first epoch has not begun; iterate it, then dispose of it. If `signal` is aborted during the
 * preparation, the promise rejects with the signal's reason.
 */
export async function startRun<S extends OptionSchema, P, G>(
  input: TrainableGraph,
  model: Model<S, P, G>,
  settings: TrainOptions<S> = {},
): Promise<Run> {
  const { training, options } = resolveTraining(model, settings);
  const { processes: sharing = ALONE } = settings;
  await sharing.once(() => requireTrainable(input));
  settings.signal?.throwIfAborted();
  const visible = hideUnusedLabels(model, input);
  model.check?.(visible, options);
  const engine = await engineOf(settings, "train");
  const progress = new PreparationProgress(settings, engine.numThreads, () =>
    preparationStages(visible, model, options, training),
  );
  await progress.step(ORDER, 0, 1);
  const begin = performance.now();
  // parameters with one row per node are returned in the caller's order; with as many features as nodes, a row per feature
  // could not be distinguished from a row per node
  const oneFeaturePerNode = visible.features?.numColumns === visible.numNodes;
  const { order, tables, hash } = await sharing.once(() => {
    const order = oneFeaturePerNode ? undefined : localOrder(visible.relations, visible.numNodes);
    const tables = order === undefined ? undefined : reorderTables(visible, order);
    return { order, tables, hash: contentHash(visible) };
  });
  // ids keep the caller's order: models see no ids, and the vectors of parts are read by row
  const graph = { ...visible, ...tables };
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
    graph: hash,
    labels: visible.labels === undefined ? "none" : classesHash(visible.labels),
    kernels: engine.kernels,
  };
  // checked before the preparation, which may take long
  const { resume, allowOtherEngine = false } = settings;
  if (resume !== undefined) requireSameRun(resume, identity, { anyEngine: allowOtherEngine });
  const preparation = { seed: training.seed, epochs: training.epochs, signal, engine, progress, sharing };
  const { arrays, peakBytes } = await prepareModel(graph, model, options, preparation);
  signal?.throwIfAborted();
  await progress.step(LAYOUT, 0, 1);
  const seconds = (performance.now() - begin) / 1000;
  const { patience } = training;
  const traceOptions = { weightDecay, patience, withLayers, withRelations, arrays };
  const { program, ...tensors } = traceTraining(model, graph, options, traceOptions);
  const executable = await engine.compile(program);
  try {
    const run: Run = new Run(
      identity,
      options,
      { ids: visible.ids, order },
      tensors,
      executable,
      {
        ...training,
        finalRate,
        signal,
        allowOtherEngine,
        onEpoch: (report) => onEpoch?.(report, run),
        preparation: { seconds, peakBytes },
        ...(model.describe?.(graph, options, arrays) ?? { views: [], findings: [] }),
      },
      (read) =>
        model.explain?.(
          (name) => read(name, true),
          (name) => read(name, false),
          graph,
          options,
        ) ?? [],
    );
    if (resume !== undefined) run.restore(resume);
    await progress.end();
    return run;
  } catch (error) {
    await executable.dispose();
    throw error;
  }
}

/** Trains a model to the end and stops its threads; `run.embedding` holds the vectors. */
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
