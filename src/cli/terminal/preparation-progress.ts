/** One bar over work of several stages, such as the preparation of a training: the share done, the stage, the time left. */

import type { Stage } from "../../core/work.js";
import { formatSeconds } from "../../report/format.js";
import { StageProgress } from "../../train/estimate/stage-progress.js";
import type { EpochReport } from "../../train/run.js";
import { type Lines, type ProgressBar, showBar } from "./progress.js";

/** Steps of the bar. */
const STEPS = 1000;
/** Seconds and share done before a time left is worth saying. */
const MIN_SECONDS = 2;
const MIN_SHARE = 0.02;

/** Words for work of which `share` is done after so many seconds. */
export function stageWords(title: string, stage: string, share: number, seconds: number): string[] {
  const left = (seconds * (1 - share)) / share;
  return [
    `${title} ${Math.floor(100 * share)} %: ${stage}`,
    ...(seconds >= MIN_SECONDS && share >= MIN_SHARE && share < 1 ? [`about ${formatSeconds(left)} left`] : []),
  ];
}

export interface StageBar {
  /** The stage at work, the share of the whole that is done, and how far the stage is, where it has words for that. */
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
      // a new bar draws at once: a stage without steps may keep the line as it is for long
      if (stage !== current && terminal) bar = newBar();
      current = stage;
      const seconds = (performance.now() - begin) / 1000;
      bar.update(STEPS * share, () => stageWords(title, `${stage}${within}`, share, seconds));
    },
    end: () => bar.end(),
  };
}

/** The progress of what comes before the first epoch; `step` and `update` are listeners of a training. */
export function showPreparation(quiet: boolean, lines?: Lines) {
  const bar = showStageBar("preparation", quiet, lines);
  return {
    step: (stage: string, _done: number, _of: number, share: number): void => bar.update(stage, share),
    update: (part: string, { epoch }: EpochReport, epochs: number, share: number): void =>
      bar.update(part, share, `, epoch ${epoch}/${epochs}`),
    end: bar.end,
  };
}

/** The progress of stages that are known beforehand. */
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
