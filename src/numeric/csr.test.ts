import { expect, test } from "vitest";
import { multiplySparse, rowLengths, selectRows, symmetricSum, transposeRows } from "./csr.js";

const rows = { rowStart: Uint32Array.of(0, 2, 2, 3), columns: Uint32Array.of(3, 1, 1) };

test.each([Float32Array, Float64Array])("transposed rows ascend and keep the type of the values: %o", (kind) => {
  const values = kind.of(0.1, 2, 3);
  const { rowStart, columns, values: moved } = transposeRows({ ...rows, values }, 4);
  expect([...rowStart]).toEqual([0, 0, 2, 2, 3]);
  expect([...columns]).toEqual([0, 2, 0]);
  expect(moved).toEqual(kind.of(2, 3, 0.1));
  expect(transposeRows(transposeRows({ ...rows, values }, 4), 3)).toEqual({
    rowStart: rows.rowStart,
    columns: Uint32Array.of(1, 3, 1),
    values: kind.of(2, 0.1, 3),
  });
});

test("transposing a matrix without values gives one without values", () => {
  expect(transposeRows(rows, 4)).not.toHaveProperty("values");
});

test("a matrix and its transpose are added entry by entry", () => {
  const dense = [
    [0, 2, 0.5],
    [3, 1, 0],
    [0, 0, 0],
  ];
  const matrix = {
    rowStart: Uint32Array.of(0, 2, 4, 4),
    columns: Uint32Array.of(1, 2, 0, 1),
    values: Float64Array.of(2, 0.5, 3, 1),
  };
  const { rowStart, columns, values } = symmetricSum(matrix, transposeRows(matrix, 3), 6);
  const found = dense.map((row) => row.map(() => 0));
  for (let i = 0; i < 3; i++) for (let e = rowStart[i]; e < rowStart[i + 1]; e++) found[i][columns[e]] = values[e];
  expect(found).toEqual(dense.map((row, i) => row.map((x, j) => Math.fround((x + dense[j][i]) / 6))));
  expect([...columns]).toEqual([1, 2, 0, 1, 0]);
});

test("rows are selected in the given order, repeats included", () => {
  const values = Float32Array.of(0.1, 2, 3);
  expect(selectRows({ ...rows, values }, Uint32Array.of(2, 1, 0, 2))).toEqual({
    rowStart: Uint32Array.of(0, 1, 1, 3, 4),
    columns: Uint32Array.of(1, 3, 1, 1),
    values: Float32Array.of(3, 0.1, 2, 3),
  });
  expect(selectRows(rows, Uint32Array.of(0))).not.toHaveProperty("values");
});

test("a product with a dense matrix is that of the formula diag(left)·(A + diagonal·I)·diag(right)", () => {
  const matrix = {
    numRows: 3,
    numColumns: 3,
    rowStart: Uint32Array.of(0, 2, 2, 3),
    columns: Uint32Array.of(1, 2, 0),
    values: Float32Array.of(2, 3, 5),
    left: Float64Array.of(1, 10, 100),
    right: Float64Array.of(0.5, 0.25, 4),
    diagonal: 7,
    symmetric: false,
  };
  const x = Float64Array.of(1, 2, 3, 4, 5, 6);
  const y = new Float64Array(6);
  multiplySparse(matrix, x, 2, y);
  const rows = [
    [7, 2, 3],
    [0, 7, 0],
    [5, 0, 7],
  ];
  const expected = rows.flatMap((row, i) =>
    [0, 1].map((k) => row.reduce((sum, a, j) => sum + matrix.left[i] * a * matrix.right[j] * x[2 * j + k], 0)),
  );
  expect([...y]).toEqual(expected);
  const { left: _, right: __, values: ___, ...plain } = matrix;
  multiplySparse({ ...plain, diagonal: 0 }, x, 2, y);
  expect([...y]).toEqual([8, 10, 0, 0, 1, 2]);
  expect([...rowLengths(matrix)]).toEqual([2, 0, 1]);
});
