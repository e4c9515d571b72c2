/**
 * Decides how many points and edges are drawn while the map moves: on a fast machine all; where frames are slow every k-th, so that
 * moving stays smooth. When the map rests all are drawn.
 */

/** A frame that takes longer than this, in milliseconds, is slow: fewer than 20 per second. */
const SLOW_FRAME = 50;
/** A frame that takes longer than this is too slow to wait for a second one. */
const VERY_SLOW_FRAME = 200;
/** The duration of a frame that is aimed at: 40 per second. */
const TARGET_FRAME = 25;
/** Maximum step between the points that are drawn: WebGL allows 255 bytes between values, and a position has 8. */
const MAX_STEP = 31;
/** Points and edges that are always drawn, if there are as many; not tuned. */
const MIN_POINTS = 20_000;
const MIN_EDGES = 2_000;

/** Every k-th point and every k-th edge is drawn; 1: all. */
export interface Steps {
  readonly points: number;
  readonly edges: number;
}

export const ALL: Steps = { points: 1, edges: 1 };

export class FrameBudget {
  #step = 1;
  /** Time of the last frame of this movement. */
  #last: number | undefined;
  /** The longest frame since the step changed; 0: none. */
  #longest = 0;
  #numSlow = 0;

  /** Called for each frame of a movement with its time in milliseconds. */
  steps(now: number, numPoints: number, numEdges: number): Steps {
    if (this.#last !== undefined) this.#learn(now - this.#last);
    this.#last = now;
    const limited = (count: number, min: number) => Math.max(1, Math.min(this.#step, Math.floor(count / min)));
    return { points: limited(numPoints, MIN_POINTS), edges: limited(numEdges, MIN_EDGES) };
  }

  /** The movement is over. If all its frames were fast, the next one draws twice as many points and edges. */
  rest(): void {
    if (this.#longest > 0 && this.#longest < TARGET_FRAME) this.#step = Math.ceil(this.#step / 2);
    this.#last = undefined;
    this.#longest = 0;
    this.#numSlow = 0;
  }

  #learn(duration: number): void {
    this.#longest = Math.max(this.#longest, duration);
    this.#numSlow = duration > SLOW_FRAME ? this.#numSlow + 1 : 0;
    // a single slow frame may be an accident of the machine
    if (this.#numSlow < 2 && duration < VERY_SLOW_FRAME) return;
    this.#step = Math.min(MAX_STEP, Math.ceil((this.#step * duration) / TARGET_FRAME));
    this.#longest = 0;
    this.#numSlow = 0;
  }
}
