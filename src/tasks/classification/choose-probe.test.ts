import { describe, expect, it } from "vitest";
import type { Embedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import { matchLabels } from "../labels/labelled-nodes.js";
import { CHOICE_RULE, chooseProbe, smoothed } from "./choose-probe.js";
import { centredRows, LogisticPath } from "./logistic-path.js";
import { fitLogistic } from "./logistic-regression.js";
import { classifyByValidation, classifyNodes } from "./node-classification.js";
import { ProbeRows } from "./probe-rows.js";

interface Planted {
  readonly n: number;
  readonly dim: number;
  /** Mean of column k for the class of a node; classes are 0, 1 and 2. */
  readonly signal: (k: number, label: number) => number;
  /** Standard deviation of column k. */
  readonly noise: (k: number) => number;
}

function planted({ n, dim, signal, noise }: Planted) {
  const rng = new Rng(3, "planted");
  const ids = Array.from({ length: n }, (_, i) => `v${i}`);
  const vectors = Float32Array.from({ length: n * dim }, (_, at) => {
    const [i, k] = [Math.floor(at / dim), at % dim];
    return signal(k, i % 3) + noise(k) * rng.normal();
  });
  const byNode = new Map(ids.map((id, i): [string, string[]] => [id, [`c${i % 3}`]]));
  const embedding: Embedding = { ids, dim, vectors };
  return { embedding, labels: { byNode, names: ["c0", "c1", "c2"] } };
}

const prefixCase = () =>
  planted({ n: 200, dim: 64, signal: (k, label) => (k < 8 && k % 3 === label ? 1.4 : 0), noise: () => 1 });

describe("the choice of a probe by validation", () => {
  it("takes the first 8 of 64 columns if the others are noise and labels are few", () => {
    const { embedding, labels } = prefixCase();
    const options = { split: { train: 0.2, stratify: true }, repeats: 3 };
    const [row] = classifyByValidation(embedding, labels, { ...options, prefix: "validate" }).results;
    expect(row.choices[0].map(({ columns }) => columns)).toEqual([8, 8, 8]);
    const [all] = classifyByValidation(embedding, labels, { ...options, prefix: "all" }).results;
    expect(all.choices[0][0].columns).toBe(64);
    expect(row.macroF1.mean).toBeGreaterThan(all.macroF1.mean + 0.1);
    const [fixed] = classifyByValidation(embedding, labels, { ...options, prefix: 16 }).results;
    expect(fixed.choices[0].map(({ columns }) => columns)).toEqual([16, 16, 16]);
  });

  it("takes standardised vectors if only small columns hold the label, and raw ones if small columns are noise", () => {
    // the large columns are noise, so large that no C of the grid lets a raw probe use the small ones
    const small = planted({
      n: 240,
      dim: 12,
      signal: (k, label) => (k === label ? 2e-5 : 0),
      noise: (k) => (k < 3 ? 1e-5 : 1),
    });
    const options = { split: { train: 0.3 }, repeats: 3, scaling: "validate" } as const;
    const scalings = ({ embedding, labels }: typeof small) =>
      classifyByValidation(embedding, labels, options).results[0].choices[0].map(({ scaling }) => scaling);
    expect(scalings(small)).toEqual(["standardised", "standardised", "standardised"]);
    const large = planted({
      n: 120,
      dim: 60,
      signal: (k, label) => (k === label ? 1.5 : 0),
      noise: (k) => (k < 3 ? 1 : 0.01),
    });
    expect(scalings(large)).toEqual(["raw", "raw", "raw"]);
  });

  it("chooses by the cross-entropy among settings with the same macro-F1", () => {
    // classes far apart: every C predicts all validation nodes, and a larger C finds their labels more probable
    const { embedding, labels } = planted({
      n: 60,
      dim: 4,
      signal: (k, label) => (k === label ? 9 : 0),
      noise: () => 1,
    });
    const strengthsOf = (lossWeight: number) => {
      const nodes = matchLabels(embedding.ids, labels);
      const split = {
        train: Int32Array.from({ length: 30 }, (_, i) => i),
        validation: new Int32Array(),
        test: Int32Array.of(31),
      };
      const grid = {
        scaling: "raw",
        prefix: "all",
        strengths: [0.01, 1, 100],
        rule: { ...CHOICE_RULE, lossWeight, maxDivisions: 2 },
      } as const;
      return chooseProbe(nodes, new ProbeRows(embedding, nodes.rows), split, grid, new Rng(1, "folds"));
    };
    expect(strengthsOf(0)).toMatchObject([{ strength: 0.01, validation: 1 }]);
    expect(strengthsOf(0.03)).toMatchObject([{ strength: 100, validation: 1 }]);
  });

  it("takes the smallest C whose merit is nearly the best one", () => {
    const { embedding, labels } = planted({ n: 151, dim: 12, signal: (k, l) => (k === l ? 1 : 0), noise: () => 1 });
    const nodes = matchLabels(embedding.ids, labels);
    const rows = new ProbeRows(embedding, nodes.rows);
    const strengths = [0.001, 0.01, 0.1, 1];
    const chosen = Array.from({ length: 5 }, (_, k) => {
      const train = Int32Array.from({ length: 30 }, (_, i) => 30 * k + i);
      const split = { train, validation: new Int32Array(), test: Int32Array.of(150) };
      const choose = (tried: readonly number[], tolerance: number) => {
        const rule = { ...CHOICE_RULE, lossWeight: 0, tolerance };
        const grid = { scaling: "raw", prefix: "all", strengths: tried, rule } as const;
        return chooseProbe(nodes, rows, split, grid, new Rng(k, "folds"))[0];
      };
      // without the cross-entropy the merit is the validation score; two folds of the 30 nodes fit, one is predicted
      const merits = strengths.map((strength) => choose([strength], 0).validation ?? Number.NaN);
      const best = Math.max(...merits);
      const standardError = Math.sqrt((best * (1 - best)) / 30);
      return [0, 0.5].map((tolerance) => {
        const { strength } = choose(strengths, tolerance);
        expect(strength).toBe(strengths[merits.findIndex((merit) => merit >= best - tolerance * standardError)]);
        return strength;
      });
    });
    expect(chosen.some(([exact, tolerant]) => tolerant < exact)).toBe(true);
  });

  it("takes the prefix whose validation score is best on average with the next shorter and the next longer prefix", () => {
    // every column holds a little, so chance decides which prefix has the best score
    const weak = (k: number, label: number) => (k % 3 === label ? 0.3 : 0);
    const { embedding, labels } = planted({ n: 121, dim: 64, signal: weak, noise: () => 1 });
    const nodes = matchLabels(embedding.ids, labels);
    const rows = new ProbeRows(embedding, nodes.rows);
    const chosen = Array.from({ length: 5 }, (_, k) => {
      const split = {
        train: Int32Array.from({ length: 24 }, (_, i) => 24 * k + i),
        validation: new Int32Array(),
        test: Int32Array.of(120),
      };
      const choose = (prefix: number | "validate", smoothPrefixes: boolean) => {
        const rule = { ...CHOICE_RULE, lossWeight: 0, maxDivisions: 1, smoothPrefixes };
        const grid = { scaling: "raw", prefix, strengths: [0.1], rule } as const;
        return chooseProbe(nodes, rows, split, grid, new Rng(k, "folds"))[0];
      };
      // without the cross-entropy the merit is the validation score
      const [a, b, c, d] = [8, 16, 32, 64].map((prefix) => choose(prefix, false).validation ?? Number.NaN);
      const averages = [2 * a + b, a + b + c, b + c + d, c + 2 * d];
      const expected = 8 * 2 ** averages.indexOf(Math.max(...averages));
      const { columns, validation } = choose("validate", true);
      expect(columns).toBe(expected);
      expect(validation).toBe([a, b, c, d][Math.log2(expected / 8)]);
      const plain = choose("validate", false);
      expect(plain.validation).toBe(Math.max(a, b, c, d));
      return [columns, plain.columns];
    });
    expect(chosen.some(([columns, plain]) => columns !== plain)).toBe(true);
  });

  it("averages each value with its neighbours and counts the ends twice", () => {
    expect(smoothed([3, 6, 0, 9])).toEqual([4, 3, 5, 6]);
    expect(smoothed([1, 4])).toEqual([2, 3]);
    expect(smoothed([7])).toEqual([7]);
  });

  it("does not depend on the length of the vectors", () => {
    const { embedding, labels } = prefixCase();
    const options = { split: { train: 0.2 }, repeats: 1, scaling: "raw", prefix: "validate" } as const;
    const [short, long] = [1e-3, 3].map((factor) => {
      const scaled = { ...embedding, vectors: embedding.vectors.map((value) => factor * value + factor) };
      return classifyByValidation(scaled, labels, options).results[0].choices[0];
    });
    const settings = (choices: typeof short) => choices.map(({ columns, strength }) => [columns, strength]);
    expect(settings(short)).toEqual(settings(long));
  });

  it("does not depend on the labels of test nodes, and is the same for the same seed", () => {
    const { embedding, labels } = prefixCase();
    const byNode = new Map(
      [...labels.byNode].map(([id, names], i): [string, readonly string[]] => [id, i < 50 ? names : [`c${i % 2}`]]),
    );
    const choicesFor = (parts: (i: number) => string) =>
      [labels, { ...labels, byNode }].map((each) => {
        const split = new Map(embedding.ids.map((id, i) => [id, parts(i)]));
        const options = { split, scaling: "validate", prefix: "validate" } as const;
        return classifyByValidation(embedding, each, options).results[0];
      });
    for (const parts of [
      (i: number) => (i < 50 ? "train" : "test"),
      (i: number) => (i < 30 ? "train" : i < 50 ? "val" : "test"),
    ]) {
      const [a, b] = choicesFor(parts);
      expect(a.choices).toEqual(b.choices);
      expect(a.macroF1.mean).toBeGreaterThan(b.macroF1.mean + 0.1);
      expect(choicesFor(parts)[0]).toEqual(a);
    }
  });

  it("uses all columns, C = 1 and no validation score if there are too few training nodes", () => {
    const { embedding, labels } = prefixCase();
    const options = { split: { train: 0.03 }, repeats: 1, prefix: "validate" } as const;
    const { byValidation, notes } = classifyNodes([embedding], labels, options);
    expect(byValidation?.results[0].choices[0][0]).toMatchObject({ columns: 64, strength: 1, validation: null });
    expect(notes.join(" ")).toContain("too few training nodes");
    expect(byValidation).toEqual(classifyByValidation(embedding, labels, options));
  });

  it("chooses apart for labels above the threshold and for the true number of labels", () => {
    const { embedding, labels } = prefixCase();
    const byNode = new Map(
      [...labels.byNode].map(([id, names], i) => [id, i % 4 === 0 ? [...names, "extra"] : [...names]]),
    );
    const several = { byNode, names: [...labels.names, "extra"] };
    const options = { split: { train: 0.2 }, repeats: 2, strength: 10, scaling: "standardised" } as const;
    const { results } = classifyByValidation(embedding, several, options);
    expect(results.map(({ decision }) => decision)).toEqual(["threshold", "top-k"]);
    for (const { choices } of results) {
      expect(choices[0].map(({ strength, scaling }) => [strength, scaling])).toEqual([
        [10, "standardised"],
        [10, "standardised"],
      ]);
    }
  });
});

describe("LogisticPath", () => {
  it.each([2, 3])("finds the coefficients of fitLogistic for every C, with %i classes", (numClasses) => {
    const { embedding } = prefixCase();
    const rows = { data: Float64Array.from(embedding.vectors, (value) => value + 2).subarray(0, 50 * 64), width: 64 };
    const classes = Int32Array.from({ length: 50 }, (_, i) => i % numClasses);
    const path = new LogisticPath(centredRows(rows), classes, numClasses);
    for (const strength of [0.001, 0.1, 10]) {
      const [quick, exact] = [path.fit(strength, 1e-9), fitLogistic(rows, classes, numClasses, strength)];
      expect(quick.converged).toBe(true);
      quick.weights.forEach((weights, c) => {
        weights.forEach((weight, k) => {
          expect(weight).toBeCloseTo(exact.weights[c][k], 5);
        });
        // only differences between the intercepts of several classes are determined
        expect(quick.intercepts[c] - quick.intercepts[0]).toBeCloseTo(exact.intercepts[c] - exact.intercepts[0], 4);
      });
    }
  });
});
