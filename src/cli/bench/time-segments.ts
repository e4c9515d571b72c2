/** Times segments of compiled programs in alternation, so that other load on the machine affects all of them equally. */

import { nextTurn } from "../../core/event-loop.js";
import type { Executable } from "../../engine/engine.js";

export interface SegmentTime {
  /** Seconds of one replay: median, minimum and maximum over the samples. */
  readonly seconds: number;
  readonly fastest: number;
  readonly slowest: number;
}

export interface TimeOptions {
  /** Samples per segment. */
  readonly samples: number;
  /** Minimum seconds of a sample; shorter segments are replayed several times. */
  readonly sampleSeconds: number;
}

export interface CompiledSegment {
  readonly executable: Executable;
  readonly segment: string;
}

/** One result for each segment, in the order of the segments. */
export async function timeSegments(
  segments: readonly CompiledSegment[],
  { samples, sampleSeconds }: TimeOptions,
): Promise<SegmentTime[]> {
  const repeats = segments.map((compiled) => {
    // the first two replays run unoptimised code, so they only choose the number of repeats
    const warmUpSeconds = replay(compiled, 2);
    return Math.max(1, Math.ceil(sampleSeconds / Math.max(warmUpSeconds / 2, 1e-6)));
  });
  const samplesOf = segments.map((): number[] => []);
  for (let s = 0; s < samples; s++) {
    for (const [c, compiled] of segments.entries()) samplesOf[c].push(replay(compiled, repeats[c]) / repeats[c]);
    await nextTurn();
  }
  return samplesOf.map((seconds) => {
    const sorted = seconds.sort((a, b) => a - b);
    return {
      seconds: sorted[sorted.length >> 1],
      fastest: sorted[0],
      slowest: sorted[sorted.length - 1],
    };
  });
}

function replay({ executable, segment }: CompiledSegment, times: number): number {
  const begin = performance.now();
  for (let i = 0; i < times; i++) executable.run(segment);
  return (performance.now() - begin) / 1000;
}
