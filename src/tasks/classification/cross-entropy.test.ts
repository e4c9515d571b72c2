import { describe, expect, it } from "vitest";
import { crossEntropy } from "./cross-entropy.js";

const log = Math.log;

describe("crossEntropy", () => {
  it("is the mean of −log p(label) with one label per node", () => {
    const logits = Float64Array.from([log(0.7), log(0.2), log(0.1), 5 + log(0.3), 5 + log(0.3), 5 + log(0.4)]);
    const targets = { numLabels: 3, multiLabel: false, labels: [[0], [2]] };
    expect(crossEntropy(logits, targets)).toBeCloseTo(-(log(0.7) + log(0.4)) / 2, 12);
  });

  it("is the mean over nodes and labels if nodes have several labels", () => {
    const logit = (p: number) => log(p / (1 - p));
    const logits = Float64Array.from([logit(0.9), logit(0.2), logit(0.6), logit(0.5)]);
    const targets = { numLabels: 2, multiLabel: true, labels: [[0], [0, 1]] };
    expect(crossEntropy(logits, targets)).toBeCloseTo(-(log(0.9) + log(0.8) + log(0.6) + log(0.5)) / 4, 12);
  });

  it("stays finite if a true label has probability zero", () => {
    const one = { numLabels: 2, multiLabel: false, labels: [[1], [0]] };
    expect(crossEntropy(Float64Array.from([0, -Infinity, 0, -Infinity]), one)).toBeCloseTo(10, 12);
    const several = { numLabels: 2, multiLabel: true, labels: [[1], [0]] };
    const logits = Float64Array.from([-Infinity, -Infinity, Infinity, -Infinity]);
    expect(crossEntropy(logits, several)).toBeCloseTo(5, 12);
  });
});
