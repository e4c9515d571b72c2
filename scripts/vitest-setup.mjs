/**
 * Builds dist/ before the tests, whatever command starts them. If the build fails, the tests still run, because tests of single
 * modules do not need it; `npm test` builds first and stops at a failure.
 */
import { ensureBuilt, SetupError } from "./setup.mjs";

export async function setup() {
  try {
    await ensureBuilt();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`hmge: ${error.message}; tests of the built program use the last build`);
  }
}
