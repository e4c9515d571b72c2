/** Measures the seconds of an epoch on random graphs of the paper's sizes, and on any graph. */

import type { Engine } from "../../engine/engine.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { generateRandom } from "../../graph/synthetic/random-multiplex.js";
import type { Model } from "../../nn/model.js";
import { estimateRun, type RunEstimate } from "../../train/estimate/estimate.js";
import type { EpochReport } from "../../train/run.js";
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

/** Trains `epochs` epochs with each engine in turn. */
export async function timeEpochs(
  name: string,
  graph: Multiplex,
  model: Model,
  settings: ModelSettings,
  engines: readonly Engine[],
  epochs: number,
): Promise<EpochTimes> {
  const estimate = await estimateRun(graph, model, settings);
  const seconds: number[] = [];
  const parts: Record<string, number[]> = {};
  let engineBytes = 0;
  for (const engine of engines) {
    const ofParts = new Map<string, number[]>();
    const run = await startRun(graph, model, {
      ...settings,
      engine,
      epochs: epochs + WARM_UP,
      onPart: (part: string, report: EpochReport) => ofParts.set(part, [...(ofParts.get(part) ?? []), report.seconds]),
    });
    for (const [part, all] of ofParts) (parts[part] ??= []).push(measuredMedian(all));
    try {
      const epochSeconds: number[] = [];
      for await (const report of run) epochSeconds.push(report.seconds);
      engineBytes = run.memoryBytes;
      seconds.push(measuredMedian(epochSeconds));
    } finally {
      await run.dispose();
    }
  }
  return { name, seconds, engineBytes, estimate, parts };
}

function measuredMedian(seconds: readonly number[]): number {
  const measured = seconds.slice(WARM_UP).sort((a, b) => a - b);
  return measured[measured.length >> 1];
}
