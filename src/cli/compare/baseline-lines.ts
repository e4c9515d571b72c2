/** Sentences about baselines that score higher than trained models, one for each task. */

import { mean } from "../../numeric/rows.js";
import { baselineLine } from "../../report/baseline-line.js";
import type { TaskName, TaskResult } from "./compare-table.js";

interface Comparison {
  /** Names of the compared score in the sentence, by the metric of the baselines. The first metric that a baseline has is compared. */
  readonly metrics: Readonly<Record<string, string>>;
  /** Other scores of models for the same metric, by metric, and how they are computed; a model is compared by its best one in the table. */
  readonly ways?: Readonly<Record<string, string>>;
}

const COMPARISONS: Readonly<Record<TaskName, Comparison>> = {
  classify: { metrics: { validatedTopKMacroF1: "macro-F1, top k", validatedMacroF1: "macro-F1" } },
  links: { metrics: { auc: "AUC" }, ways: { auc: "dot product", cosineAuc: "cosine", decoderAuc: "decoder" } },
};

export function baselineLines(results: readonly TaskResult[], tasks: readonly TaskName[]): string[] {
  return tasks.flatMap((task) => {
    const ofTask = results.filter((result) => result.task === task);
    const [models, baselines] = [false, true].map((isBaseline) => ofTask.filter((one) => one.baseline === isBaseline));
    const { metrics, ways } = COMPARISONS[task];
    const metric = Object.keys(metrics).find((name) => baselines.some((one) => meanScore(one, name) !== undefined));
    if (metric === undefined) return [];
    const line = baselineLine(
      models.flatMap((model) => bestScore(model, Object.entries(ways ?? { [metric]: undefined })) ?? []),
      baselines.flatMap((baseline) => {
        const score = meanScore(baseline, metric);
        return score === undefined ? [] : [{ name: baseline.name, subject: baseline.subject, score }];
      }),
      metrics[metric],
      (score) => (100 * score).toFixed(1),
    );
    return line === undefined ? [] : [tasks.length === 1 ? line : `${task}: ${line}`];
  });
}

/** The best mean score of a model, and how it was computed; undefined if the model has none. */
function bestScore(model: TaskResult, ways: readonly (readonly [metric: string, by: string | undefined])[]) {
  const scores = ways
    .flatMap(([metric, by]) => {
      const score = meanScore(model, metric);
      return score === undefined ? [] : [{ name: model.name, score, by }];
    })
    .sort((a, b) => b.score - a.score);
  return scores.at(0);
}

/** The mean of a score over the seeds, as in the table. */
function meanScore({ results }: TaskResult, metric: string): number | undefined {
  const scores = results.map((seed) => seed.scores[metric]).filter((score) => score !== undefined);
  return scores.length === 0 ? undefined : mean(scores);
}
