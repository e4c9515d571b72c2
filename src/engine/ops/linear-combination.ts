/**
 * Y = Σ_k c_k·X_k, entry by entry, of two or three tensors. The row c is read when the program runs: in recurrences whose
 * coefficients depend on what was found before. The result may take X_0's place in memory.
 */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

export const linearCombinationOp = defineOp<null>({
  name: "linearCombination",
  inPlace: 1,
  outputs([coefficients, ...terms]) {
    const [{ rows, cols }] = terms;
    requireShape(
      (terms.length === 2 || terms.length === 3) &&
        coefficients.rows === 1 &&
        coefficients.cols === terms.length &&
        terms.every((term) => term.rows === rows && term.cols === cols),
      "linearCombination",
      [coefficients, ...terms],
    );
    return [{ rows, cols }];
  },
  reference([coefficients, ...terms], [y]) {
    for (let i = 0; i < y.data.length; i++) {
      let sum = 0;
      for (let k = 0; k < terms.length; k++) sum += coefficients.data[k] * terms[k].data[i];
      y.data[i] = sum;
    }
  },
  gradient: "only the preparation uses it",
  partition: rowLocal(),
});

/** The sum of two or three tensors, each times its entry of the row `coefficients`. */
export function linearCombination(coefficients: Tensor, terms: readonly Tensor[]): Tensor {
  return coefficients.builder.apply(linearCombinationOp, [coefficients, ...terms], null)[0];
}
