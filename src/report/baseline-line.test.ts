import { expect, test } from "vitest";
import { baselineLine } from "./baseline-line.js";

const percent = (score: number) => (100 * score).toFixed(1);

test("the line names the best baseline and only the models below it", () => {
  const models = [
    { name: "multiview", score: 0.748 },
    { name: "hmge", score: 0.902 },
    { name: "dmgi", score: 0.6 },
  ];
  const degrees = { name: "degree profile", score: 0.8, subject: "The degrees alone score" };
  const features = { name: "features only", score: 0.901, subject: "The features alone score" };
  expect(baselineLine(models, [degrees, features], "macro-F1", percent)).toBe(
    "The features alone score higher: macro-F1 90.1 (multiview 74.8, dmgi 60.0).",
  );
  expect(baselineLine(models.slice(1, 2), [{ name: "Adamic–Adar", score: 0.95 }], "AUC", percent)).toBe(
    'The baseline "Adamic–Adar" scores higher: AUC 95.0 (hmge 90.2).',
  );
});

test("there is no line if no model is below, equal scores after rounding included", () => {
  const model = [{ name: "hmge", score: 0.9 }];
  expect(baselineLine(model, [{ name: "features only", score: 0.9004 }], "macro-F1", percent)).toBeUndefined();
  expect(baselineLine(model, [], "macro-F1", percent)).toBeUndefined();
});
