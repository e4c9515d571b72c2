import { expect, test } from "vitest";
import { selectRows, symmetricSum, transposeRows } from "./csr.js";

const rows = { rowStart: Uint32Array.of(0, 2, 2, 3), columns: Uint32Array.of(3, 1, 1) };

test.each([Float32Array, Float64Array])(
  "transposed rows are in ascending order, values of the same kind: %o",
  (kind) => {
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
  },
);

test("without values there are none after transposing", () => {
  expect(transposeRows(rows, 4)).not.toHaveProperty("values");
});

test("a matrix and its mirror image are added entry by entry", () => {
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

test("rows are selected in the order given, also twice", () => {
  const values = Float32Array.of(0.1, 2, 3);
  expect(selectRows({ ...rows, values }, Uint32Array.of(2, 1, 0, 2))).toEqual({
    rowStart: Uint32Array.of(0, 1, 1, 3, 4),
    columns: Uint32Array.of(1, 3, 1, 1),
    values: Float32Array.of(3, 0.1, 2, 3),
  });
  expect(selectRows(rows, Uint32Array.of(0))).not.toHaveProperty("values");
});
