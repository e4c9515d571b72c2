import { describe, expect, it } from "vitest";
import { predictClasses } from "../../../test/support/predict-classes.js";
import { Rng } from "../../core/rng.js";
import { minimizeLbfgs } from "../../numeric/lbfgs.js";
import type { Rows } from "../../numeric/rows.js";
import { decisionValues, fitLogistic, logisticLoss } from "./logistic-regression.js";

function random(n: number, width: number, numClasses: number) {
  const rng = new Rng(7, "regression");
  const classes = Int32Array.from({ length: n }, (_, i) => (i < numClasses ? i : rng.below(numClasses)));
  const data = Float64Array.from({ length: n * width }, (_, i) => {
    return rng.normal() + (classes[Math.floor(i / width)] === i % width ? 1 : 0);
  });
  return { rows: { data, width }, classes };
}

/** Largest entry of the gradient of C·Σ loss + ½‖W‖² at a fit. */
function slopeAt(rows: Rows, classes: Int32Array, numClasses: number, strength: number) {
  const model = fitLogistic(rows, classes, numClasses, strength);
  const x = Float64Array.from(model.weights.flatMap((weights, c) => [...weights, model.intercepts[c]]));
  const gradient = new Float64Array(x.length);
  logisticLoss(rows, classes, model.weights.length, strength)(x, gradient);
  const slopes = gradient.map((value, i) => Math.abs(value + (i % (rows.width + 1) === rows.width ? 0 : x[i])));
  return { largest: Math.max(...slopes), converged: model.converged };
}

describe("logistic regression", () => {
  it("returns the gradient of its loss", () => {
    for (const [n, width, numClasses, outputs] of [
      [7, 3, 2, 1],
      [9, 4, 3, 3],
      [4, 2, 2, 2],
    ]) {
      const { rows, classes } = random(n, width, numClasses);
      const loss = logisticLoss(rows, classes, outputs, 0.7);
      const x = Float64Array.from({ length: outputs * (width + 1) }, (_, i) => Math.sin(i));
      const gradient = new Float64Array(x.length);
      loss(x, gradient);
      x.forEach((value, i) => {
        const at = (shift: number) => loss(x.with(i, value + shift), new Float64Array(x.length));
        expect(gradient[i]).toBeCloseTo((at(1e-5) - at(-1e-5)) / 2e-5, 7);
      });
    }
  });

  it("converges to the minimum, even with dependent columns, separable classes and many features", () => {
    const plain = random(101, 5, 3);
    const dependent = {
      data: plain.rows.data.map((value, i) => (i % 5 === 4 ? plain.rows.data[i - 1] : value)),
      width: 5,
    };
    const wide = random(60, 300, 2);
    const far = random(200, 8, 2);
    // columns far from zero, whose differences float32 rounds coarsely
    const offset = { data: far.rows.data.map((value) => Math.fround(1e4 + value)), width: 8 };
    const separable = { data: Float64Array.of(-2, -1, 1, 2), width: 1 };
    const cases = [
      slopeAt(plain.rows, plain.classes, 3, 1),
      slopeAt(dependent, plain.classes, 3, 1),
      slopeAt(dependent, plain.classes, 3, 0.001),
      slopeAt(wide.rows, wide.classes, 2, 1),
    ];
    for (const { largest, converged } of cases) {
      expect(converged).toBe(true);
      expect(largest).toBeLessThanOrEqual(1e-7);
    }
    const shifted = slopeAt(offset, far.classes, 2, 1);
    expect(shifted.converged).toBe(true);
    // the intercept contains 1e4 times the weights, so every logit is rounded
    expect(shifted.largest).toBeLessThanOrEqual(1e-4);
    const strong = slopeAt(separable, Int32Array.of(0, 0, 1, 1), 2, 1000);
    expect(strong.converged).toBe(true);
    expect(strong.largest).toBeLessThanOrEqual(1e-4);
  });

  it("predicts the side of the boundary", () => {
    const rows = { data: Float64Array.of(-2, -1, 1, 2), width: 1 };
    const model = fitLogistic(rows, [0, 0, 1, 1], 2, 1);
    expect([...predictClasses(model, rows)]).toEqual([0, 0, 1, 1]);
    const values = decisionValues(model, rows);
    expect(values[0]).toBeCloseTo(-values[3], 6);
  });
});

describe("minimizeLbfgs", () => {
  it("finds the minimum of an ill-conditioned quadratic, with and without a preconditioner", () => {
    const scales = Array.from({ length: 12 }, (_, i) => 10 ** (i / 3));
    const bowl = (x: Float64Array, gradient: Float64Array) => {
      let value = 0;
      scales.forEach((scale, i) => {
        gradient[i] = scale * (x[i] - i);
        value += (scale * (x[i] - i) ** 2) / 2;
      });
      return value;
    };
    const precondition = (vector: Float64Array) => {
      for (let i = 0; i < vector.length; i++) vector[i] /= scales[i];
    };
    const plain = minimizeLbfgs(bowl, new Float64Array(12));
    const helped = minimizeLbfgs(bowl, new Float64Array(12), { precondition });
    for (const { x, converged } of [plain, helped]) {
      expect(converged).toBe(true);
      x.forEach((value, i) => {
        expect(value).toBeCloseTo(i, 7);
      });
    }
    expect(helped.iterations).toBeLessThanOrEqual(2);
    expect(plain.iterations).toBeGreaterThan(5);
  });

  it("stops at the maximum number of steps and reports that it did not converge", () => {
    const steep = (x: Float64Array, gradient: Float64Array) => {
      gradient[0] = 4 * (x[0] - 1) ** 3 + 1e-3 * x[0];
      return (x[0] - 1) ** 4 + 5e-4 * x[0] ** 2;
    };
    expect(minimizeLbfgs(steep, new Float64Array([50]), { maxIterations: 2 })).toMatchObject({
      iterations: 2,
      converged: false,
    });
  });
});
