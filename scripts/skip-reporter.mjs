/** Writes data that vitest's JSON report lacks: the reason for each skipped test, and the number of errors outside tests. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { root } from "./setup.mjs";

export default class SkipReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map((test) => ({
        test: `${relative(root, module.moduleId)}: ${test.fullName}`,
        reason: test.result().note,
      })),
    );
    const path = process.env.HMGE_TEST_SKIPS;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ skipped, unhandledErrors: unhandledErrors.length }));
  }
}
