import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { referenceEngine } from "../../engine/reference.js";
import { createWasmEngine } from "../../engine/wasm/wasm-engine.js";
import { symmetricEigen } from "../../numeric/eigen/symmetric-eigen.js";
import { principalColumns } from "./principal-columns.js";

const numRows = 40;

function randomColumns(count: number, scale: number, seed: number) {
  const rng = new Rng(seed, "columns");
  return { data: Float32Array.from({ length: numRows * count }, () => scale * (1 + rng.normal())), width: count };
}

test("the columns are principal components of the unit rows of all matrices", async () => {
  const kinds = [randomColumns(5, 1, 1), randomColumns(3, 100, 2)];
  // plain loops in double precision
  const rows = Array.from({ length: numRows }, (_, i) =>
    kinds.flatMap(({ data, width }) => {
      const row = [...data.subarray(i * width, (i + 1) * width)];
      const length = Math.hypot(...row);
      return row.map((x) => x / length);
    }),
  );
  const mean = rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / numRows);
  const centred = rows.map((row) => row.map((x, c) => x - mean[c]));
  const gram = Float64Array.from({ length: 64 }, (_, at) =>
    centred.reduce((sum, row) => sum + row[Math.floor(at / 8)] * row[at % 8], 0),
  );
  const { values, vectors } = symmetricEigen(gram, 8);

  for (const engine of [referenceEngine, await createWasmEngine({ threads: 2 })]) {
    const { data, width } = await principalColumns(kinds, numRows, 3, { engine, seed: 1 });
    expect(width).toBe(3);
    for (let k = 0; k < 3; k++) {
      const column = Array.from({ length: numRows }, (_, i) => data[i * 3 + k]);
      const expected = centred.map((row) => row.reduce((sum, x, c) => sum + x * vectors[k][c], 0));
      const along = column.reduce((sum, x, i) => sum + x * expected[i], 0);
      // up to its sign
      expect(Math.abs(along) / values[k]).toBeCloseTo(1, 5);
      expect(column.reduce((sum, x) => sum + x * x, 0) / values[k]).toBeCloseTo(1, 5);
    }
  }
});

test("there are at most as many columns as the matrices have", async () => {
  const { width } = await principalColumns([randomColumns(2, 1, 1)], numRows, 9, { engine: referenceEngine, seed: 1 });
  expect(width).toBe(2);
});
