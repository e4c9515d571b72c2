import { expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { addProducts } from "./rows.js";

const normals = (count: number, name: string) => {
  const rng = new Rng(4, name);
  return Float64Array.from({ length: count }, () => rng.normal());
};

test.each([1, 2, 5, 6])("adds the products of four rows with %i columns with the bits of adding row by row", (size) => {
  const width = 3;
  const [x, y] = [normals(4 * size, "x"), normals(4 * width, "y")];
  const sums = normals(size * width, "sums");
  const expected = sums.slice();
  for (let row = 0; row < 4; row++) {
    for (let a = 0; a < size; a++) {
      for (let k = 0; k < width; k++) expected[a * width + k] += x[row * size + a] * y[row * width + k];
    }
  }
  addProducts(sums, x, y, width);
  expect(sums).toEqual(expected);

  const gram = new Float64Array(size * size);
  addProducts(gram, x, x, size);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      const product = [0, 1, 2, 3].reduce((sum, row) => sum + x[row * size + a] * x[row * size + b], 0);
      expect(gram[a * size + b]).toBe(product);
    }
  }
});
