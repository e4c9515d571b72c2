import { expect, test } from "vitest";
import { countOutstanding } from "./significant-directions.js";

test("countOutstanding adds eigenvalues that stand out as far as the last significant one", () => {
  const values = Float64Array.of(0.194, 0.186, 0.182, 0.144, 0.141, 0.14, 0.139, 0.136);
  expect(countOutstanding(values, 2)).toBe(3);
  expect(countOutstanding(values, 3)).toBe(3);
  expect(countOutstanding(Float64Array.of(0.3, 0.29, 0.2, 0.19), 1)).toBe(2);
  expect(countOutstanding(Float64Array.of(0.3, 0.2, 0.19, 0.19), 1)).toBe(1);
});
