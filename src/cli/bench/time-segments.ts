/** Times the segments of compiled programs in turn, so that other load on the machine affects all of them alike. */

import { nextTurn } from "../../core/event-loop.js";
import type { Executable } from "../../engine/engine.js";

export interface Timed {
  /** Median seconds of one replay, and the fastest and slowest sample. */
  readonly seconds: number;
  readonly fastest: number;
  readonly slowest: number;
}

export interface TimeOptions {
  readonly samples: number;
  /** Minimum seconds of a sample; shorter segments are replayed several times. */
  readonly sampleSeconds: number;
}

export interface Candidate {
  readonly executable: Executable;
  readonly segment: string;
}

/** One result for each candidate, in their order. */
export async function timeSegments(
  candidates: readonly Candidate[],
  { samples, sampleSeconds }: TimeOptions,
): Promise<Timed[]> {
  const repeats = candidates.map((candidate) => {
    // the first replays run unoptimised code
    const warm = replay(candidate, 2);
    return Math.max(1, Math.ceil(sampleSeconds / Math.max(warm / 2, 1e-6)));
  });
  const found = candidates.map((): number[] => []);
  for (let s = 0; s < samples; s++) {
    for (const [c, candidate] of candidates.entries()) found[c].push(replay(candidate, repeats[c]) / repeats[c]);
    await nextTurn();
  }
  return found.map((seconds) => {
    const sorted = seconds.sort((a, b) => a - b);
    return {
      seconds: sorted[sorted.length >> 1],
      fastest: sorted[0],
      slowest: sorted[sorted.length - 1],
    };
  });
}

function replay({ executable, segment }: Candidate, times: number): number {
  const begin = performance.now();
  for (let i = 0; i < times; i++) executable.run(segment);
  return (performance.now() - begin) / 1000;
}
