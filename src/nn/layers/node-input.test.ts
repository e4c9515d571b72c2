import { expect, test } from "vitest";
import { multiplySparse } from "../../numeric/csr.js";
import { featureMatrix } from "./node-input.js";

test("rows of features are divided by the sum of their absolute values", () => {
  const features = {
    numColumns: 2,
    rowStart: Uint32Array.of(0, 2, 4, 6, 6),
    columns: Uint32Array.of(0, 1, 0, 1, 0, 1),
    values: Float32Array.of(1, 3, 2, -2, -1, 0.5),
  };
  const rows = new Float64Array(8);
  multiplySparse(featureMatrix(features, 4, true), Float64Array.of(1, 0, 0, 1), 2, rows);
  // signed values keep their signs, even if they add up to zero; a row of zeros stays zero
  expect([...rows].map((x) => Number(x.toFixed(6)))).toEqual([0.25, 0.75, 0.5, -0.5, -0.666667, 0.333333, 0, 0]);
});
