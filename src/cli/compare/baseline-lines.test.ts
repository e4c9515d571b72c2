import { expect, test } from "vitest";
import { baselineLines } from "./baseline-lines.js";
import type { Scores, TaskResult } from "./compare-table.js";

/** The result of a model, or with `subject` of a baseline; one entry of `scores` for each seed. */
function result(task: string, name: string, scores: readonly Scores[], subject?: string): TaskResult {
  const results = scores.map((of, at) => ({ seed: at + 1, scores: of }));
  return { task, name, baseline: subject !== undefined, subject, results };
}

const f1 = (validatedMacroF1: number): Scores => ({ validatedMacroF1 });

test("each task with a better baseline has a line; models are compared by the mean over their seeds", () => {
  const results = [
    result("classify", "rival", [f1(0.5), f1(0.7)]),
    result("classify", "multiview", [f1(0.9)]),
    result("classify", "degree profile", [f1(0.8)], "The degrees alone score"),
    result("links", "rival", [{ auc: 0.6, cosineAuc: 0.7 }]),
    result("links", "multiview", [{ auc: 0.5, decoderAuc: 0.8 }]),
    result("links", "degree product", [{ auc: 0.75 }], "The degree products score"),
  ];
  expect(baselineLines(results, ["classify", "links"])).toEqual([
    "classify: The degrees alone score higher: macro-F1 80.0 (rival 60.0).",
    "links: The degree products score higher: AUC 75.0 (rival 70.0).",
  ]);
  expect(baselineLines(results.slice(1, 3), ["classify"])).toEqual([]);
});
