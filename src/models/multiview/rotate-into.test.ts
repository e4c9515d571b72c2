import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import type { Rows } from "../../numeric/rows.js";
import { rotateInto } from "./rotate-into.js";

test("rotateInto keeps inner products up to one factor and sets the length of rows", () => {
  const rng = new Rng(2, "columns");
  const columns = { data: Float32Array.from({ length: 40 * 3 }, () => rng.normal()), width: 3 };
  const wide = rotateInto(columns, 8, 0.5, new Rng(1, "rotation"));
  const product = ({ data, width }: Rows<Float32Array>, i: number, j: number) => {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += data[i * width + k] * data[j * width + k];
    return sum;
  };
  let square = 0;
  for (let i = 0; i < 40; i++) square += product(wide, i, i) / 40;
  expect(square).toBeCloseTo(0.25, 5);
  const scale = product(wide, 0, 0) / product(columns, 0, 0);
  for (let i = 0; i < 40; i++) expect(product(wide, i, 7)).toBeCloseTo(scale * product(columns, i, 7), 5);
});
