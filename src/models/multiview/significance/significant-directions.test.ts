import { describe, expect, test } from "vitest";
import { countOutstanding, judgeScores } from "./significant-directions.js";

test("countOutstanding adds eigenvalues that stand out as far as the last significant one", () => {
  const values = Float64Array.of(0.194, 0.186, 0.182, 0.144, 0.141, 0.14, 0.139, 0.136);
  expect(countOutstanding(values, 2)).toBe(3);
  expect(countOutstanding(values, 3)).toBe(3);
  expect(countOutstanding(Float64Array.of(0.3, 0.29, 0.2, 0.19), 1)).toBe(2);
  expect(countOutstanding(Float64Array.of(0.3, 0.2, 0.19, 0.19), 1)).toBe(1);
});

describe("directions are significant", () => {
  const noise = [0.5, -1, 0.3, 1.2, -0.4, 0, 0.8, -0.6];

  test("from four deviations on", () => {
    const { numSignificant, others } = judgeScores(Float64Array.from([7, 5, 3.9, ...noise]));
    expect(numSignificant).toBe(2);
    expect(others).toBeCloseTo((3.9 + 0.8) / Math.sqrt(9), 9);
  });

  test("from three on if those below four are significant together and the rest is not", () => {
    const { numSignificant, others } = judgeScores(Float64Array.from([7, 5, 3.7, 3.7, 3.6, 3.5, 3.4, ...noise]));
    expect(numSignificant).toBe(7);
    expect(others).toBeCloseTo(0.8 / Math.sqrt(8), 9);
  });

  test("from four on if those below three are significant together, too", () => {
    const many = new Float64Array(16).fill(2.5);
    const { numSignificant, others } = judgeScores(Float64Array.from([7, 5, 3.7, ...many]));
    expect(numSignificant).toBe(2);
    expect(others).toBeCloseTo((3.7 + 40) / Math.sqrt(17), 9);
  });

  test("at the limit of one score, which cannot make up for many others", () => {
    expect(judgeScores(Float64Array.from([-100, 1, 1])).others).toBeCloseTo(-2 / Math.sqrt(3), 9);
  });
});
