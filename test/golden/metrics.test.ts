/** Metrics and logistic regression against scikit-learn; `metrics.json` names the versions and the command. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decisionValues, fitLogistic } from "../../src/tasks/classification/logistic-regression.js";
import { fitLogisticProbe } from "../../src/tasks/classification/probe.js";
import {
  adjustedRandIndex,
  averagePrecision,
  classScores,
  clusteringAccuracy,
  multiLabelScores,
  normalizedMutualInformation,
  precisionRecallAuc,
  rightCountF1,
  rocAuc,
} from "../../src/tasks/metrics/index.js";
import { simAtK } from "../../src/tasks/neighbors/sim-at-k.js";

interface F1Case {
  readonly truth: number[];
  readonly predicted: number[];
  readonly macroF1: number;
  readonly microF1: number;
  readonly accuracy: number;
}

interface Fit {
  readonly strength: number;
  readonly coefficients: number[];
  readonly intercepts: number[];
}

interface LogisticCase {
  readonly name: string;
  readonly dim: number;
  readonly features: number[];
  readonly target: number[];
}

interface Golden {
  readonly versions: Record<string, string>;
  readonly ranking: readonly ({ readonly truth: number[]; readonly scores: number[] } & Record<
    "rocAuc" | "averagePrecision" | "precisionRecallAuc" | "precision" | "recall" | "f1",
    number
  >)[];
  readonly classification: readonly (F1Case & { readonly numClasses: number })[];
  readonly multiLabel: readonly (F1Case & { readonly numLabels: number })[];
  readonly clustering: readonly {
    readonly truth: number[];
    readonly found: number[];
    readonly nmi: number;
    readonly ari: number;
    readonly accuracy: number;
  }[];
  readonly similarity: {
    readonly dim: number;
    readonly truth: number[];
    readonly vectors: number[];
    readonly simAtK: Record<string, number>;
  };
  readonly logistic: readonly [
    LogisticCase & { readonly numClasses: number; readonly fits: readonly Fit[] },
    LogisticCase & { readonly numClasses: number; readonly fits: readonly Fit[] },
    LogisticCase & { readonly numLabels: number; readonly fits: readonly (readonly Fit[])[] },
  ];
}

const golden: Golden = JSON.parse(readFileSync(new URL("metrics.json", import.meta.url), "utf8"));

/** Tolerance of metrics: the two implementations round the last bits differently. */
const ROUNDING = 1e-12;
/** Tolerance of coefficients: both stop near the minimum, ours if no entry of the gradient exceeds 1e-7·max(1, C). */
const COEFFICIENTS = 1e-5;

function expectClose(found: number, expected: number, tolerance = ROUNDING): void {
  expect(Math.abs(found - expected), `${found} for ${expected}`).toBeLessThanOrEqual(tolerance);
}

describe(`scikit-learn ${golden.versions["scikit-learn"]}`, () => {
  it("has the same ranking metrics, ties included", () => {
    for (const { truth, scores, ...expected } of golden.ranking) {
      expectClose(rocAuc(truth, scores), expected.rocAuc);
      expectClose(averagePrecision(truth, scores), expected.averagePrecision);
      expectClose(precisionRecallAuc(truth, scores), expected.precisionRecallAuc);
      // the golden values predict all scores that are tied at the threshold
      if (expected.precision === expected.recall) expectClose(rightCountF1(truth, scores), expected.f1);
      else expect(rightCountF1(truth, scores)).toBeLessThan(expected.recall);
    }
    const tied = golden.ranking.filter(({ scores }) => new Set(scores).size < scores.length);
    expect(tied.length).toBeGreaterThanOrEqual(4);
  });

  it("has the same accuracy and F1", () => {
    const pairs = [
      ...golden.classification.map((c) => [classScores(c.truth, c.predicted, c.numClasses), c] as const),
      ...golden.multiLabel.map((c) => [multiLabelScores(c.truth, c.predicted, c.numLabels), c] as const),
    ];
    for (const [found, expected] of pairs) {
      expectClose(found.macroF1, expected.macroF1);
      expectClose(found.microF1, expected.microF1);
      expectClose(found.accuracy, expected.accuracy);
    }
  });

  it("has the same NMI, ARI and accuracy by assignment", () => {
    for (const { truth, found, nmi, ari, accuracy } of golden.clustering) {
      expectClose(normalizedMutualInformation(truth, found), nmi);
      expectClose(adjustedRandIndex(truth, found), ari);
      expectClose(clusteringAccuracy(truth, found), accuracy);
    }
  });

  it("has the same Sim@k", () => {
    const { dim, truth, vectors, simAtK: expected } = golden.similarity;
    const counts = Object.keys(expected).map(Number);
    const rows = { data: Float64Array.from(vectors), width: dim };
    const labels = truth.map((label) => [label]);
    const found = simAtK(
      rows,
      labels,
      truth.map((_, i) => i),
      counts,
    );
    counts.forEach((k, i) => {
      expectClose(found[i], expected[k]);
    });
  });

  it("has the same coefficients, binary and multinomial", () => {
    for (const { dim, features, target, numClasses, fits } of golden.logistic.slice(0, 2) as Golden["logistic"][0][]) {
      const rows = { data: Float64Array.from(features), width: dim };
      for (const { strength, coefficients, intercepts } of fits) {
        const model = fitLogistic(rows, target, numClasses, strength);
        expect(model.converged).toBe(true);
        const found = model.weights.flatMap((weights) => [...weights]);
        expect(found).toHaveLength(coefficients.length);
        for (let i = 0; i < found.length; i++) expectClose(found[i], coefficients[i], COEFFICIENTS);
        for (let c = 0; c < intercepts.length; c++) expectClose(model.intercepts[c], intercepts[c], COEFFICIENTS);
      }
    }
  });

  it("has the same decision values, one-vs-rest", () => {
    const { dim, features, target, numLabels, fits } = golden.logistic[2];
    const rows = { data: Float64Array.from(features), width: dim };
    const n = features.length / dim;
    const labels = Array.from({ length: n }, (_, i) => {
      return Array.from({ length: numLabels }, (_, c) => c).filter((c) => target[i * numLabels + c] === 1);
    });
    for (const models of fits) {
      const probe = fitLogisticProbe(rows, { labels, numLabels, multiLabel: true }, models[0].strength);
      const logits = probe.score(rows);
      models.forEach(({ coefficients, intercepts }, label) => {
        const model = {
          numClasses: 2,
          weights: [Float64Array.from(coefficients)],
          intercepts: Float64Array.from(intercepts),
          converged: true,
        };
        decisionValues(model, rows).forEach((value, i) => {
          expectClose(logits[i * numLabels + label], value, COEFFICIENTS);
        });
      });
    }
  });
});
