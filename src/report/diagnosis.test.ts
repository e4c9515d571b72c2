import { describe, expect, it } from "vitest";
import { allInWords, diagnosisInWords, divergenceInWords, movementInWords, recoveryInWords } from "./diagnosis.js";

const recovery = (...values: (number | null)[]) => {
  return { relations: values.map((r2, i) => ({ relation: `r${i}`, eigenvalue: 0.5, r2 })) };
};

describe("diagnostics in words", () => {
  it("reports collapsed vectors, constant columns and vectors that are alike", () => {
    const vectors = { effectiveRank: 1.2, deadUnits: 3, meanCosineToMean: 0.99 };
    expect(diagnosisInWords(vectors, { dim: 64, nodes: 100 })).toMatch(/1\.2 of 64; 3 of 64 columns are.*COLLAPSED/);
    expect(diagnosisInWords({ ...vectors, effectiveRank: 20 }, { dim: 64, nodes: 100 })).toMatch(
      /20\.0 of 64.*subtract the mean vector/,
    );
    expect(diagnosisInWords({ ...vectors, effectiveRank: 3 }, { dim: 64, nodes: 100 })).not.toContain("COLLAPSED");
    expect(diagnosisInWords(vectors, { dim: 2, nodes: 100 })).not.toContain("COLLAPSED");
    expect(diagnosisInWords(vectors, { dim: 64, nodes: 3 })).toMatch(/^effective rank 1\.2 of 3(?!.*COLLAPSED)/);
  });

  it("reports whether weights changed", () => {
    expect(movementInWords({ name: "combination", max: 0.01, mean: 0.004 })).toContain("hardly changed in training");
    expect(movementInWords({ name: "combination", max: 0.5, mean: 0.05 })).toBe(
      "the combination weights changed by 5.0 % of an equal share on average, by 50 % at most",
    );
  });

  it("names the relations that the vectors have lost", () => {
    expect(recoveryInWords(recovery(0.9, 0.5, null))).toBe(
      `the vectors predict the relations' leading directions with R² 0.70 on average; lowest for "r1" (0.50)`,
    );
    expect(recoveryInWords(recovery(0.999, 0.998))).toBe(
      "the vectors predict the relations' leading directions with R² 1.00 each",
    );
    expect(recoveryInWords(recovery(0.9, 0.01, 0, 0, 0))).toContain(
      'almost nothing is left of "r1", "r2", "r3" and 1 more',
    );
    expect(recoveryInWords(recovery(0.01, 0))).toContain("almost nothing of any relation");
    expect(recoveryInWords(recovery(null))).toBeUndefined();
    expect(recoveryInWords({ relations: [], note: "too large" })).toContain("too large");
  });

  it("writes one sentence for each diagnostic", () => {
    const diagnostics = {
      effectiveRank: 9,
      deadUnits: 0,
      meanCosineToMean: 0.1,
      weightMovement: [{ name: "combination", max: 0.3, mean: 0.1 }],
      spectralRecovery: recovery(0.4),
    };
    const sentences = allInWords(diagnostics, { dim: 16, nodes: 100 });
    expect(sentences).toHaveLength(4);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});

it("a loss that rose is reported; a loss that fell or hardly changed is not", () => {
  expect(divergenceInWords({ losses: [2.7, 80, 9e9], bestEpoch: 3 })).toBe(
    "the loss rose from 2.70 to 9.00e+9: the training has DIVERGED and its vectors are useless",
  );
  expect(divergenceInWords({ losses: [2.7, 6], bestEpoch: 2 })).toContain("DIVERGED");
  expect(divergenceInWords({ losses: [2.7, 80, 9e9], bestEpoch: 1 })).toBeUndefined();
  expect(divergenceInWords({ losses: [2.7, 2.9, 1], bestEpoch: 2 })).toBeUndefined();
  expect(divergenceInWords({ losses: [], bestEpoch: 0 })).toBeUndefined();
});
