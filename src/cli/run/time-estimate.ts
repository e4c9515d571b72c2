/** Seconds of a run phase by phase, from counts of work (core/work.ts) and the rates of train/estimate/work-rates.ts. */

import { availableParallelism } from "node:os";
import type { Stage } from "../../core/work.js";
import { formatCount, formatSeconds, plural } from "../../report/format.js";
import { epochsWork } from "../../train/estimate/epoch-cost.js";
import type { RunEstimate } from "../../train/estimate/estimate.js";
import {
  addSeconds,
  ESTIMATE_TOLERANCE,
  NO_SECONDS,
  type SecondsRange,
  stageSeconds,
  workSeconds,
} from "../../train/estimate/work-rates.js";
import type { RankCounts } from "./memory-estimate.js";

/** Threads of all ranks that compute at the same time: the ranks of a machine share its CPUs. */
export function busyThreads(numThreads: number, { numRanks, localSize }: RankCounts): number {
  return numRanks * Math.min(numThreads, availableParallelism() / localSize);
}

export interface EpochShape {
  readonly threads: number;
  readonly numNodes: number;
  readonly dim: number;
}

/** Undefined on a GPU: the rates are those of CPUs. */
export function estimateEpochSeconds(
  estimate: RunEstimate,
  { threads, numNodes, dim }: EpochShape,
): number | undefined {
  if (estimate.device !== undefined) return undefined;
  return workSeconds(epochsWork(estimate, 1, numNodes, dim), threads);
}

/** Seconds to start and end the program, independent of the graph (bench/estimates.ts, 300 nodes). */
const START_SECONDS = 0.9;

/**
 * Preparation takes this many times as long as its work at the rates of an epoch, because each of its programs runs only a few
 * times, mostly before its kernels are optimised. Measured 1.2 to 1.5 on six graphs of 10³ to 10⁷ edges (bench/estimates.ts).
 */
const COLD_KERNELS = 1.35;

/** A part of a run; phases are listed in their order. */
export interface Phase extends SecondsRange {
  readonly name: "reading" | "preparation" | "epochs" | "report and files";
}

export interface RunTime extends SecondsRange {
  readonly phases: readonly Phase[];
}

/** The phases of a run; reading and the stages after training are included only if they are passed. Undefined on a GPU. */
export function estimateRunTime(
  estimate: RunEstimate,
  shape: EpochShape,
  {
    reading = NO_SECONDS,
    finalStages = [],
  }: { readonly reading?: SecondsRange; readonly finalStages?: readonly Stage[] } = {},
): RunTime | undefined {
  const sum = (stages: readonly Stage[]) => addSeconds(stages.map((stage) => stageSeconds(stage, shape.threads)));
  const prepared = sum(estimate.preparation);
  const perEpoch = estimateEpochSeconds(estimate, shape);
  if (perEpoch === undefined) return undefined;
  const phases: Phase[] = [
    { name: "reading", ...reading },
    {
      name: "preparation",
      least: prepared.least,
      usual: COLD_KERNELS * prepared.usual,
      most: COLD_KERNELS * prepared.most,
    },
    {
      name: "epochs",
      least: (estimate.minEpochShare * estimate.minEpochs * perEpoch) / ESTIMATE_TOLERANCE,
      usual: estimate.epochs * perEpoch,
      most: estimate.epochs * perEpoch * ESTIMATE_TOLERANCE,
    },
    { name: "report and files", ...sum(finalStages) },
  ];
  return { ...addSeconds(phases), phases };
}

/** The rest of a run that has trained for so many epochs. */
export function afterEpochs(estimate: RunEstimate, numEpochs: number): RunEstimate {
  const [epochs, minEpochs] = [estimate.epochs, estimate.minEpochs].map((count) => Math.max(0, count - numEpochs));
  return { ...estimate, epochs, minEpochs };
}

/** Seconds to read a graph again, from the seconds it took now; files may then come from the disk. */
export function readingSeconds(measured: number): SecondsRange {
  return {
    least: measured / 2,
    usual: measured + START_SECONDS,
    most: ESTIMATE_TOLERANCE * (measured + 2 * START_SECONDS),
  };
}

/** Seconds below which a phase is not mentioned. */
const SHORT_SECONDS = 0.05;

/** `preparation 3 min, 20 epochs 40 s, …`: the usual seconds of the phases. */
export function phasesInWords({ phases }: RunTime, epochs: number): string {
  const words = phases
    .filter(({ usual }) => usual >= SHORT_SECONDS)
    .map(({ name, usual }) => `${name === "epochs" ? plural(epochs, "epoch") : name} ${formatSeconds(usual)}`);
  return words.length === 0 ? `${formatCount(epochs)} epochs` : words.join(", ");
}

/** A run of at least this many seconds is announced with its phases. */
const LONG_SECONDS = 20;

/** The line that announces a long run: its total time and its phases. Empty for a short run, and if the time is unknown. */
export function longRunNotice(time: RunTime | undefined, { epochs }: { readonly epochs: number }): string[] {
  if (time === undefined || time.usual < LONG_SECONDS) return [];
  return [`about ${formatSeconds(time.usual)}, at most ${formatSeconds(time.most)}: ${phasesInWords(time, epochs)}`];
}
