/** Times segments of compiled programs in alternation, so that other load on the machine affects all of them equally. */

import { nextTurn } from "../../core/event-loop.js";
import type { Executable } from "../../engine/engine.js";
import type { Tensor } from "../../engine/program.js";

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
  /** A small tensor of the program that can be read. */
  readonly last: Tensor;
}

/** One result for each segment, in the order of the segments. */
export async function timeSegments(
  segments: readonly CompiledSegment[],
  { samples, sampleSeconds }: TimeOptions,
): Promise<SegmentTime[]> {
  const repeats: number[] = [];
  for (const compiled of segments) repeats.push(await countRepeats(compiled, sampleSeconds));
  const samplesOf = segments.map((): number[] => []);
  for (let s = 0; s < samples; s++) {
    for (const [c, compiled] of segments.entries())
      samplesOf[c].push((await replay(compiled, repeats[c])) / repeats[c]);
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

/** Largest factor between two tries: the first replays run unoptimised code, or wait longer than they work. */
const MAX_GROWTH = 20;

/** Replays that take `sampleSeconds`. */
async function countRepeats(compiled: CompiledSegment, sampleSeconds: number): Promise<number> {
  let times = 2;
  for (;;) {
    const seconds = await replay(compiled, times);
    if (seconds >= sampleSeconds) return Math.max(1, Math.ceil((times * sampleSeconds) / seconds));
    times = Math.ceil(times * Math.min(MAX_GROWTH, (1.2 * sampleSeconds) / Math.max(seconds, 1e-6)));
  }
}

/** Replays that are handed to a device at a time, so that it computes while the next are recorded. */
const SUBMITTED_TOGETHER = 32;

/** Seconds until the last replay is done. A device is asked for one small tensor at the end, which takes it about a millisecond. */
async function replay({ executable, segment, last }: CompiledSegment, times: number): Promise<number> {
  const begin = performance.now();
  for (let i = 1; i <= times; i++) {
    executable.run(segment);
    // an engine submits at the end of a turn
    if (i % SUBMITTED_TOGETHER === 0) await undefined;
  }
  await executable.read(last);
  return (performance.now() - begin) / 1000;
}
