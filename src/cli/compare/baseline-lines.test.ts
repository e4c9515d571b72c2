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
    "links: The degree products score higher: AUC 75.0 (rival 70.0 by cosine).",
  ]);
  expect(baselineLines(results.slice(1, 3), ["classify"])).toEqual([]);
});

test("a model is compared by its best score of the table, which the line names", () => {
  const baseline = result("links", "FastRP", [{ auc: 0.852 }]);
  const results = [
    result("links", "multiview", [{ auc: 0.853, cosineAuc: 0.8, decoderAuc: 0.818 }]),
    // the best score of each seed is another one, but the table shows means
    result("links", "hmge", [
      { auc: 0.9, cosineAuc: 0.7, decoderAuc: 0.6 },
      { auc: 0.5, cosineAuc: 0.7, decoderAuc: 0.9 },
    ]),
    { ...baseline, baseline: true },
  ];
  expect(baselineLines(results, ["links"])).toEqual([
    'The baseline "FastRP" scores higher: AUC 85.2 (hmge 75.0 by decoder).',
  ]);
});

test("nodes with several labels are compared by the rule top k, and the line says so", () => {
  const results = [
    result("classify", "hmge", [{ validatedMacroF1: 0.9, validatedTopKMacroF1: 0.5 }]),
    result(
      "classify",
      "degree profile",
      [{ validatedMacroF1: 0.4, validatedTopKMacroF1: 0.6 }],
      "The degrees alone score",
    ),
  ];
  expect(baselineLines(results, ["classify"])).toEqual([
    "The degrees alone score higher: macro-F1, top k 60.0 (hmge 50.0).",
  ]);
});
