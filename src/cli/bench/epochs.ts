/** Measures the seconds of an epoch on random graphs of the paper's sizes, and on any graph. */

import type { Engine } from "../../engine/engine.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { generateRandom } from "../../graph/synthetic/random-multiplex.js";
import type { Model } from "../../nn/model.js";
import { estimateRun, type RunEstimate } from "../../train/estimate/estimate.js";
import type { EpochReport, Run } from "../../train/run.js";
import { startRun } from "../../train/train.js";
import type { ModelSettings } from "../options/model-options.js";

export interface Shape {
  readonly name: string;
  readonly nodes: number;
  readonly relations: number;
  readonly edges: number;
  readonly dim: number;
}

/** The paper's four graphs in their sizes; the edges are random, since the files are no longer public. */
export const SHAPES: readonly Shape[] = [
  { name: "BIOGRID", nodes: 4211, relations: 15, edges: 281_000, dim: 32 },
  { name: "DBLP", nodes: 5124, relations: 10, edges: 33_000, dim: 64 },
  { name: "IMDB", nodes: 3000, relations: 8, edges: 225_000, dim: 64 },
  { name: "STRING", nodes: 4083, relations: 7, edges: 4_920_000, dim: 64 },
];

export function shapeGraph({ nodes, relations, edges }: Shape): Multiplex {
  return generateRandom({ nodes, relations, edges, seed: 1 });
}

export interface EpochTimes {
  readonly name: string;
  /** Median seconds of an epoch for each engine. */
  readonly seconds: readonly number[];
  readonly engineBytes: number;
  readonly estimate: RunEstimate;
  /** Median seconds of an epoch of each part, for each engine. */
  readonly parts: Readonly<Record<string, readonly number[]>>;
}

/** Epochs before the measurement, in which code is optimised and memory is touched. */
const WARM_UP = 2;

/** Seconds before the measurement and of the measurement on a device, which takes many epochs at a time. */
const DEVICE_WARM_UP_SECONDS = 0.5;
const DEVICE_SECONDS = 1;
const MAX_DEVICE_EPOCHS = 100_000;

/** Trains `epochs` epochs with each engine in turn, on a device as many as it takes a second for. */
export async function timeEpochs(
  name: string,
  graph: Multiplex,
  model: Model,
  settings: ModelSettings,
  engines: readonly Engine[],
  epochs: number,
): Promise<EpochTimes> {
  const estimate = await estimateRun(graph, model, { ...settings, engine: engines[0] });
  const seconds: number[] = [];
  const parts: Record<string, number[]> = {};
  let engineBytes = 0;
  for (const engine of engines) {
    const ofParts = new Map<string, number[]>();
    const run = await startRun(graph, model, {
      ...settings,
      engine,
      epochs: engine.device === undefined ? epochs + WARM_UP : MAX_DEVICE_EPOCHS,
      onPart: (part: string, report: EpochReport) => ofParts.set(part, [...(ofParts.get(part) ?? []), report.seconds]),
    });
    for (const [part, all] of ofParts) (parts[part] ??= []).push(measuredMedian(all));
    try {
      const perEpoch = engine.device === undefined ? timeEach(run) : timeOnDevice(run, epochs);
      seconds.push(await perEpoch);
      engineBytes = run.memoryBytes;
    } finally {
      await run.dispose();
    }
  }
  return { name, seconds, engineBytes, estimate, parts };
}

async function timeEach(run: Run): Promise<number> {
  const seconds: number[] = [];
  for await (const report of run) seconds.push(report.seconds);
  return measuredMedian(seconds);
}

/** Mean seconds of at least `epochs` epochs. */
async function timeOnDevice(run: Run, epochs: number): Promise<number> {
  let total = 0;
  let measured: { readonly epochs: number; readonly seconds: number } | undefined;
  for await (const { epoch, seconds } of run) {
    total += seconds;
    if (measured === undefined) {
      if (epoch >= WARM_UP && total >= DEVICE_WARM_UP_SECONDS) measured = { epochs: epoch, seconds: total };
    } else if (epoch - measured.epochs >= epochs && total - measured.seconds >= DEVICE_SECONDS) {
      return (total - measured.seconds) / (epoch - measured.epochs);
    }
  }
  // it stopped before: by the patience of the model
  return run.seconds / run.numEpochs;
}

function measuredMedian(seconds: readonly number[]): number {
  const measured = seconds.slice(WARM_UP).sort((a, b) => a - b);
  return measured[measured.length >> 1];
}
