import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import { addRow, meanRows, scale, spmm } from "../../../engine/ops/index.js";
import type { Tensor } from "../../../engine/program.js";
import { referenceEngine } from "../../../engine/reference.js";
import { leadingDirections } from "../../../nn/leading-directions.js";
import { FEATURES } from "../constants.js";
import { sparseOf } from "../test-graphs.js";
import { columnVariances, varianceOfMap } from "./feature-variance.js";

const N = 30;
const tools = { engine: referenceEngine, seed: 1 };

/** Rows with an offset and a direction that dominates; every fourth entry is zero. */
function denseRows(numColumns: number): number[][] {
  const rng = new Rng(5, "rows");
  const strong = Array.from({ length: numColumns }, () => rng.normal());
  return Array.from({ length: N }, () => {
    const along = 4 * rng.normal();
    return strong.map((x, c) => (rng.below(4) === 0 ? 0 : 1 + (c % 3) + along * x + rng.normal()));
  });
}

/** The mean square minus the squared mean of each column. */
function plainVariances(rows: readonly (readonly number[])[]): number[] {
  const mean = (f: (row: readonly number[]) => number) => rows.reduce((sum, row) => sum + f(row), 0) / rows.length;
  return rows[0].map((_, c) => mean((row) => row[c] ** 2) - mean((row) => row[c]) ** 2);
}

const plainVariance = (rows: readonly (readonly number[])[]) => plainVariances(rows).reduce((sum, x) => sum + x, 0);

describe("variance of all columns", () => {
  test("of a sparse matrix is that of its dense rows", () => {
    const rows = denseRows(9);
    const expected = plainVariances(rows);
    columnVariances(sparseOf(rows)).forEach((variance, c) => {
      expect(variance).toBeCloseTo(expected[c], 10);
    });
  });

  test("of columns with one value is zero, up to rounding", () => {
    expect([...columnVariances(sparseOf(new Array(N).fill([0.1, 0, 0.7])))]).toEqual([0, 0, 0]);
  });

  test.each([
    // more columns than one block; exact up to the rounding of 32-bit inputs
    ["exact with few columns", FEATURES.probeBlock + 7, 1e-5],
    // three standard errors with four directions: 3·√(1/(2·4·128))
    ["estimated with many columns", FEATURES.varianceProbes + 60, 0.094],
  ])("of a map is %s", async (_, numColumns, tolerance) => {
    const rows = denseRows(numColumns);
    const matrix = sparseOf(rows);
    const transposed = sparseOf(rows[0].map((_, c) => rows.map((row) => row[c])));
    const centred = (x: Tensor) => addRow(x, scale(meanRows(x), -1));
    const map = (x: Tensor) => centred(spmm(matrix, x));
    const gram = (x: Tensor) => scale(map(spmm(transposed, x)), 1 / N);
    const options = { numNodes: N, count: 4, eigenvalues: "positive" as const, purpose: "test", stageName: "test" };
    const [leading] = await leadingDirections([gram], options, tools);
    const found = await varianceOfMap(map, { numNodes: N, numColumns }, leading, tools);
    expect(Math.abs(found / plainVariance(rows) - 1)).toBeLessThan(tolerance);
  });
});
