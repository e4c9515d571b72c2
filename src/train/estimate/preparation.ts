/** The preparation of a training: its stages with their work, and its progress. */

import type { OptionSchema, OptionValues } from "../../core/options.js";
import type { Stage } from "../../core/work.js";
import { MIN_NODES } from "../../graph/order/node-order.js";
import type { Model, StepListener } from "../../nn/model.js";
import type { EpochReport } from "../run.js";
import { graphOfPart, resolveTraining, type TrainSettings } from "../train-settings.js";
import { hideUnusedLabels, type TrainableGraph } from "../trainable.js";
import { traceTraining } from "../training-program.js";
import { epochCost, epochsWork } from "./epoch-cost.js";
import { StageProgress } from "./stage-progress.js";

/** Names of the stages that every training has. */
export const ORDER = "order of the nodes";
export const LAYOUT = "layout of the training";

/** All stages in their order. Computes nothing except the programs of the parts, whose operations are counted. */
export function preparationStages<S extends OptionSchema, P, G>(
  graph: TrainableGraph,
  model: Model<S, P, G>,
  options: OptionValues<S>,
  { epochs }: { readonly epochs: number },
): Stage[] {
  const entries = graph.relations.reduce((sum, { columns }) => sum + columns.length, 0);
  const features = graph.features?.columns.length ?? 0;
  const hash = { entries: (entries + features + graph.numNodes) / 4 };
  // a large graph is hashed, read twice, and searched for groups of nodes: about as long as ten rounds over the edges that are read
  const isLarge = graph.numNodes >= MIN_NODES;
  const rounds = Math.min(entries, 16 * graph.numNodes);
  const search = (numRounds: number) => ({ entries: hash.entries + 6 * entries + numRounds * rounds });
  return [
    {
      name: ORDER,
      work: isLarge ? search(10) : hash,
      minWork: hash,
      maxWork: isLarge ? { entries: search(10).entries + 2 * (entries + features) } : hash,
    },
    ...(model.parts?.(graph, options) ?? []).map((part): Stage => {
      const { training, options: own } = resolveTraining(part.model, part.settings);
      const visible = hideUnusedLabels(part.model, graphOfPart(part, graph));
      const traced = traceTraining(part.model, visible, own, { weightDecay: training.weightDecay });
      const cost = epochCost(traced.program, traced.steps);
      const numEpochs = Math.min(epochs, training.epochs);
      const work = (count: number) => epochsWork(cost, count, graph.numNodes, Number(own["dim"] ?? 0));
      return { name: part.name, work: work(numEpochs), minWork: work(Math.min(numEpochs, training.patience + 1)) };
    }),
    ...(model.stages?.(graph, options) ?? []),
    { name: LAYOUT, work: { entries: 8 * entries + 4 * features + 20 * graph.numNodes, programs: 1 } },
  ];
}

type Listeners = Pick<TrainSettings, "onPart" | "onStep">;

/** Reports the progress of the preparation to the listeners. */
export class PreparationProgress {
  readonly #listeners: Listeners;
  readonly #progress: StageProgress;

  /** `stages` is called only if there is a listener. */
  constructor(listeners: Listeners, threads: number, stages: () => readonly Stage[]) {
    const hasListener = listeners.onStep !== undefined || listeners.onPart !== undefined;
    this.#listeners = listeners;
    this.#progress = new StageProgress(hasListener ? stages() : [], threads);
  }

  readonly step: StepListener = (stage, done, steps) =>
    this.#listeners.onStep?.(stage, done, steps, this.#progress.reach(stage, done, steps));

  readonly part = (name: string, report: EpochReport, epochs: number) =>
    this.#listeners.onPart?.(name, report, epochs, this.#progress.reach(name, report.epoch, epochs));

  /** Reports that everything is done, including stages that were not needed. */
  readonly end = () => this.#listeners.onStep?.(LAYOUT, 1, 1, 1);
}
