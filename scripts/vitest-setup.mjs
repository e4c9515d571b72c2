/**
 * Before the tests, however they are started: a build of these sources. When that fails, tests of single modules are
 * still worth running; `npm test` builds first and stops there.
 */
import { ensureBuilt, SetupError } from "./setup.mjs";

export async function setup() {
  try {
    await ensureBuilt();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`hmge: ${error.message}; tests of the built program see the last build`);
  }
}
