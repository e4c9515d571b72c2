import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import {
  adjustedRandIndex,
  averagePrecision,
  classScores,
  clusteringAccuracy,
  hitsAtK,
  maximumAssignment,
  multiLabelScores,
  normalizedMutualInformation,
  precisionRecallAuc,
  rightCountF1,
  rocAuc,
  summarizeRepeats,
} from "./index.js";

const rng = new Rng(3, "metrics test");

describe("ranking metrics", () => {
  it("agree with naive counting", () => {
    for (let round = 0; round < 20; round++) {
      const n = 5 + rng.below(40);
      const truth = Array.from({ length: n }, (_, i) => (i === 0 ? 1 : i === 1 ? 0 : rng.below(2)));
      const scores = Array.from({ length: n }, () => rng.below(round % 2 === 0 ? 4 : 1000) - 2);
      const yes = scores.filter((_, i) => truth[i] === 1);
      const no = scores.filter((_, i) => truth[i] === 0);
      let won = 0;
      for (const a of yes) for (const b of no) won += a > b ? 1 : a === b ? 0.5 : 0;
      expect(rocAuc(truth, scores)).toBeCloseTo(won / (yes.length * no.length), 12);
      const thresholds = [...new Set(scores)].sort((a, b) => b - a);
      let before = 0;
      let sum = 0;
      for (const threshold of thresholds) {
        const hits = yes.filter((score) => score >= threshold).length;
        const all = scores.filter((score) => score >= threshold).length;
        sum += ((hits - before) / yes.length) * (hits / all);
        before = hits;
      }
      expect(averagePrecision(truth, scores)).toBeCloseTo(sum, 12);
      for (const k of [1, 3, 100]) {
        const bar = no.length < k ? -Infinity : no.sort((a, b) => b - a)[k - 1];
        expect(hitsAtK(truth, scores, k)).toBeCloseTo(yes.filter((score) => score > bar).length / yes.length, 12);
      }
    }
  });

  it("have known values for perfect, reversed and constant scores", () => {
    const truth = [1, 1, 0, 0];
    expect([rocAuc, averagePrecision, precisionRecallAuc].map((metric) => metric(truth, [4, 3, 2, 1]))).toEqual([
      1, 1, 1,
    ]);
    expect(rocAuc(truth, [1, 2, 3, 4])).toBe(0);
    expect([rocAuc(truth, [0, 0, 0, 0]), averagePrecision(truth, [7, 7, 7, 7])]).toEqual([0.5, 0.5]);
    expect(precisionRecallAuc(truth, [7, 7, 7, 7])).toBe(0.75);
    expect(rightCountF1(truth, [4, 1, 3, 0])).toBe(0.5);
    expect(rightCountF1(truth, [4, 1, 1, 0])).toBe(0.75);
    expect(rightCountF1(truth, [1, 1, 1, 1])).toBe(0.5);
    expect(hitsAtK(truth, [4, 2, 2, 1], 1)).toBe(0.5);
    expect(rocAuc([true, false], [Infinity, -Infinity])).toBe(1);
  });

  it("rightCountF1 with ties is the mean over all orders of the tied scores", () => {
    for (let round = 0; round < 20; round++) {
      const truth = Array.from({ length: 6 }, (_, i) => (i === 0 ? 1 : rng.below(2)));
      const scores = Array.from({ length: 6 }, () => rng.below(3));
      const positives = truth.filter((yes) => yes === 1).length;
      let [sum, orders] = [0, 0];
      const permute = (left: readonly number[], order: readonly number[]) => {
        for (const i of left) {
          permute(
            left.filter((j) => j !== i),
            [...order, i],
          );
        }
        if (left.length > 0) return;
        const sorted = [...order].sort((a, b) => scores[b] - scores[a]); // stable: the order breaks ties
        sum += sorted.slice(0, positives).filter((i) => truth[i] === 1).length / positives;
        orders++;
      };
      permute([0, 1, 2, 3, 4, 5], []);
      expect(rightCountF1(truth, scores)).toBeCloseTo(sum / orders, 12);
    }
  });

  it("are NaN where they are undefined, and refuse scores that are not numbers", () => {
    expect(rocAuc([1, 1], [1, 2])).toBeNaN();
    expect(averagePrecision([0, 0], [1, 2])).toBeNaN();
    expect(() => rocAuc([1, 0], [1, Number.NaN])).toThrow("not a number");
    expect(() => rocAuc([1, 0], [1])).toThrow("found 1 for 2");
  });
});

describe("F1", () => {
  it("is averaged over the classes that occur", () => {
    const truth = [0, 0, 1, 1, 3];
    const predicted = [0, 1, 1, 1, 0];
    // class 0: 1 of 2 and 2; class 1: 2 of 2 and 3; class 3: none; class 2 occurs nowhere
    const { macroF1, microF1, accuracy } = classScores(truth, predicted, 4);
    expect(macroF1).toBeCloseTo((2 / 4 + 4 / 5 + 0) / 3, 15);
    expect([microF1, accuracy]).toEqual([0.6, 0.6]);
  });

  it("counts a label that no node has and none is predicted to have as 0", () => {
    const found = multiLabelScores([1, 0, 0, 1, 1, 0], [1, 0, 0, 1, 0, 0], 3);
    expect(found).toEqual({ macroF1: (1 + 0 + 0) / 3, microF1: 4 / 5, accuracy: 0.5 });
  });
});

describe("agreement of partitions", () => {
  it("does not depend on the names of clusters, and is 1 for equal partitions", () => {
    const truth = [0, 0, 1, 1, 2, 2];
    const found = [5, 5, 9, 9, 1, 1];
    for (const metric of [normalizedMutualInformation, adjustedRandIndex, clusteringAccuracy]) {
      expect(metric(truth, found)).toBeCloseTo(1, 15);
    }
    expect(normalizedMutualInformation([0, 1, 0, 1], [0, 0, 1, 1])).toBe(0);
    expect(adjustedRandIndex([0, 1, 0, 1], [0, 0, 1, 1])).toBeCloseTo(-0.5, 15);
    expect(clusteringAccuracy([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2])).toBeCloseTo(4 / 6, 15);
  });

  it("uses the best assignment, as found by trying every order", () => {
    for (let round = 0; round < 30; round++) {
      const [rows, columns] = [1 + rng.below(5), 1 + rng.below(5)];
      const values = Array.from({ length: rows }, () => Array.from({ length: columns }, () => rng.below(10) - 3));
      const assigned = maximumAssignment(values);
      const used = assigned.filter((column) => column >= 0);
      expect(new Set(used).size).toBe(Math.min(rows, columns));
      const sum = assigned.reduce((total, column, row) => total + (column < 0 ? 0 : values[row][column]), 0);
      expect(sum).toBe(bestSum(values, 0, new Set(), Math.min(rows, columns)));
    }
  });
});

/** The largest sum of `left` entries from `row` on, no two in a row or column. */
function bestSum(values: readonly number[][], row: number, used: ReadonlySet<number>, left: number): number {
  if (left === 0) return 0;
  if (row === values.length) return -Infinity;
  let best = bestSum(values, row + 1, used, left);
  values[row].forEach((value, column) => {
    if (used.has(column)) return;
    best = Math.max(best, value + bestSum(values, row + 1, new Set([...used, column]), left - 1));
  });
  return best;
}

describe("summarizeRepeats", () => {
  it("returns separate deviations over repeats and over embeddings", () => {
    expect(
      summarizeRepeats([
        [1, 3],
        [5, 7],
      ]),
    ).toEqual({
      mean: 4,
      overRepeats: Math.SQRT2,
      overEmbeddings: Math.sqrt(8),
      values: [
        [1, 3],
        [5, 7],
      ],
    });
    expect(summarizeRepeats([[2]])).toMatchObject({ mean: 2, overRepeats: null, overEmbeddings: null });
  });
});
