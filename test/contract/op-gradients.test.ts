/** The gradient of every op in the reference against central differences. */

import { test } from "vitest";
import { checkGradientByDifferences } from "./check-op.js";
import { opCases } from "./op-cases.js";

for (const opCase of opCases) {
  if (opCase.noGradient === undefined) test(opCase.name, () => checkGradientByDifferences(opCase));
}
