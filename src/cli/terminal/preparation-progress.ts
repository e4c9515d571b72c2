/** A progress bar over several stages, such as the preparation of a training: share done, stage, time left. */

import type { Stage } from "../../core/work.js";
import { formatSeconds } from "../../report/format.js";
import { StageProgress } from "../../train/estimate/stage-progress.js";
import type { EpochReport } from "../../train/run.js";
import { type Lines, type ProgressBar, showBar } from "./progress.js";

/** Steps of the bar. */
const STEPS = 1000;
/** Seconds and share done before a remaining time is shown; estimates before are unreliable. */
const MIN_SECONDS = 2;
const MIN_SHARE = 0.02;

/** The text of the bar when `share` of the work is done after `seconds`. */
export function stageWords(title: string, stage: string, share: number, seconds: number): string[] {
  const left = (seconds * (1 - share)) / share;
  return [
    `${title} ${Math.floor(100 * share)} %: ${stage}`,
    ...(seconds >= MIN_SECONDS && share >= MIN_SHARE && share < 1 ? [`about ${formatSeconds(left)} left`] : []),
  ];
}

export interface StageBar {
  /** Current stage, share of all work that is done, and the progress within the stage in words. */
  update(stage: string, share: number, within?: string): void;
  end(): void;
}

export function showStageBar(title: string, quiet: boolean, lines?: Lines): StageBar {
  const begin = performance.now();
  const terminal = process.stderr.isTTY === true;
  const newBar = (): ProgressBar => showBar(STEPS, quiet, { ...lines, last: false });
  let bar = newBar();
  let current = "";
  return {
    update(stage, share, within = "") {
      // a new bar is drawn immediately; a stage without steps may not update for long
      if (stage !== current && terminal) bar = newBar();
      current = stage;
      const seconds = (performance.now() - begin) / 1000;
      bar.update(STEPS * share, () => stageWords(title, `${stage}${within}`, share, seconds));
    },
    end: () => bar.end(),
  };
}

/** Progress of the preparation of a training; `step` and `update` are its listeners. */
export function showPreparation(quiet: boolean, lines?: Lines) {
  const bar = showStageBar("preparation", quiet, lines);
  return {
    step: (stage: string, _done: number, _of: number, share: number): void => bar.update(stage, share),
    update: (part: string, { epoch }: EpochReport, epochs: number, share: number): void =>
      bar.update(part, share, `, epoch ${epoch}/${epochs}`),
    end: bar.end,
  };
}

/** Progress of stages whose work is known beforehand. */
export function showStages(
  title: string,
  stages: readonly Stage[],
  { quiet, threads }: { quiet: boolean; threads: number },
) {
  const bar = showStageBar(title, quiet);
  const progress = new StageProgress(stages, threads);
  return {
    step: (stage: string, done = 0, of = 1): void => bar.update(stage, progress.reach(stage, done, of)),
    end: bar.end,
  };
}

export type ShownStages = ReturnType<typeof showStages>;
