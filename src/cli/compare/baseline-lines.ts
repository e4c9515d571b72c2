/** Sentences about baselines that score higher than trained models, one for each task. */

import { mean } from "../../numeric/rows.js";
import { baselineLine } from "../../report/baseline-line.js";
import type { Scores, TaskName, TaskResult } from "./compare-table.js";

interface Comparison {
  /** Name of the compared score. */
  readonly metric: string;
  readonly ofModel: (scores: Scores) => number | undefined;
  readonly ofBaseline: (scores: Scores) => number | undefined;
}

const macroF1 = (scores: Scores) => scores["validatedTopKMacroF1"] ?? scores["validatedMacroF1"];

/** A model's links are scored by its decoder or, without a decoder, by the better of dot product and cosine. */
const COMPARISONS: Readonly<Record<TaskName, Comparison>> = {
  classify: { metric: "macro-F1", ofModel: macroF1, ofBaseline: macroF1 },
  links: {
    metric: "AUC",
    ofModel: ({ decoderAuc, auc, cosineAuc = auc }) => decoderAuc ?? Math.max(auc, cosineAuc),
    ofBaseline: ({ auc }) => auc,
  },
};

export function baselineLines(results: readonly TaskResult[], tasks: readonly TaskName[]): string[] {
  return tasks.flatMap((task) => {
    const { metric, ofModel, ofBaseline } = COMPARISONS[task];
    const scored = (baseline: boolean, scoreOf: Comparison["ofModel"]) =>
      results
        .filter((result) => result.task === task && result.baseline === baseline)
        .flatMap(({ name, subject, results: seeds }) => {
          const scores = seeds.map((seed) => scoreOf(seed.scores)).filter((score) => score !== undefined);
          return scores.length === 0 ? [] : [{ name, subject, score: mean(scores) }];
        });
    const line = baselineLine(scored(false, ofModel), scored(true, ofBaseline), metric, (score) =>
      (100 * score).toFixed(1),
    );
    return line === undefined ? [] : [tasks.length === 1 ? line : `${task}: ${line}`];
  });
}
