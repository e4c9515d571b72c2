import { expect, test } from "vitest";
import { transposeRows } from "./compressed-rows.js";

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
