import type { Rows } from "../../src/numeric/rows.js";
import { decisionValues, type LogisticModel } from "../../src/tasks/classification/logistic-regression.js";

/** The most likely class of each row. */
export function predictClasses(model: LogisticModel, rows: Rows): Int32Array {
  const outputs = model.weights.length;
  const values = decisionValues(model, rows);
  return Int32Array.from({ length: values.length / outputs }, (_, i) => {
    if (outputs === 1) return values[i] > 0 ? 1 : 0;
    let best = 0;
    for (let c = 1; c < outputs; c++) if (values[i * outputs + c] > values[i * outputs + best]) best = c;
    return best;
  });
}
