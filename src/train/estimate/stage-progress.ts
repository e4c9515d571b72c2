/** Progress over several stages, weighted by their estimated seconds. */

import type { Stage } from "../../core/work.js";
import { workSeconds } from "./work-rates.js";

/** A stage counts with at least this share of its largest possible work, so that a rare long stage moves the bar. Not tuned. */
const MIN_SHARE_OF_LARGEST = 0.1;

/**
 * Stages run in the order of the list; some may be skipped, and several may have the same name. A stage that is not later in
 * the list leaves the share unchanged. The share never decreases.
 */
export class StageProgress {
  readonly #stages: readonly Stage[];
  /** Seconds of each stage, and of all stages before it. */
  readonly #seconds: readonly number[];
  readonly #before: readonly number[];
  readonly #total: number;
  #place = -1;
  #inStage = 0;
  #share = 0;

  constructor(stages: readonly Stage[], threads: number) {
    this.#stages = stages;
    this.#seconds = stages.map(({ work, maxWork = work }) =>
      Math.max(workSeconds(work, threads), MIN_SHARE_OF_LARGEST * workSeconds(maxWork, threads)),
    );
    let sum = 0;
    this.#before = this.#seconds.map((seconds) => {
      sum += seconds;
      return sum - seconds;
    });
    this.#total = sum;
  }

  /** Finished share of all stages, from 0 to 1, when `done` of the `of` steps of a stage are finished. */
  reach(stage: string, done: number, of: number): number {
    const inStage = of > 0 ? Math.min(1, done / of) : 1;
    const isNext = this.#stages[this.#place]?.name !== stage || inStage < this.#inStage;
    const place = isNext ? this.#stages.findIndex(({ name }, at) => at > this.#place && name === stage) : this.#place;
    if (place < 0) return this.#share;
    this.#place = place;
    this.#inStage = inStage;
    const reached = this.#before[place] + inStage * this.#seconds[place];
    this.#share = Math.max(this.#share, this.#total > 0 ? Math.min(1, reached / this.#total) : 0);
    return this.#share;
  }
}
