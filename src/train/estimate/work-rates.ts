/** Converts counted work to seconds. On another machine only these rates need a new fit: `node bench/run.mjs estimates --fit`. */

import { type Stage, WORK_KINDS, type Work } from "../../core/work.js";

/** Operations or bytes per second: of one engine thread, of the JavaScript thread, or of the disk. */
export type Rates = Readonly<Record<keyof Work, number>>;

/*
 * The rates of the engine were fitted to epochs of `embed` with two threads on 2 × Neoverse-N1, Node 20, relaxed SIMD: block
 * models of 300 and 20,000 nodes and seven real graphs of 2,000 to 28,000 nodes. bench/estimates.ts fitted the others.
 */
export const RATES: Rates = {
  sparse: 5e9,
  sparseUncached: 0.9e9,
  dense: 11e9,
  gathered: 0.85e9,
  streamed: 9e9,
  entries: 60e6,
  sharedEntries: 60e6,
  loops: 0.7e9,
  fileBytes: 100e6,
  programs: 50,
};

/** Kinds of work that are divided among the threads. */
const SHARED: ReadonlySet<keyof Work> = new Set([
  "sparse",
  "sparseUncached",
  "dense",
  "gathered",
  "streamed",
  "sharedEntries",
]);

export function workSeconds(work: Work, threads: number, rates: Rates = RATES): number {
  return WORK_KINDS.reduce(
    (sum, kind) => sum + (work[kind] ?? 0) / (rates[kind] * (SHARED.has(kind) ? threads : 1)),
    0,
  );
}

/** Estimated seconds: minimum, usual, maximum. */
export interface SecondsRange {
  readonly least: number;
  readonly usual: number;
  readonly most: number;
}

export const NO_SECONDS: SecondsRange = { least: 0, usual: 0, most: 0 };

/**
 * Largest factor between a measured time and its estimate, on the idle machine that the rates were fitted on; caches and pages
 * differ from graph to graph.
 */
export const ESTIMATE_TOLERANCE = 1.5;

export function stageSeconds({ work, minWork = work, maxWork = work }: Stage, threads: number): SecondsRange {
  return {
    least: workSeconds(minWork, threads) / ESTIMATE_TOLERANCE,
    usual: workSeconds(work, threads),
    most: workSeconds(maxWork, threads) * ESTIMATE_TOLERANCE,
  };
}

export function addSeconds(ranges: readonly SecondsRange[]): SecondsRange {
  return ranges.reduce(
    (sum, { least, usual, most }) => ({ least: sum.least + least, usual: sum.usual + usual, most: sum.most + most }),
    NO_SECONDS,
  );
}
