/**
 * `npm test -- ARGS`: installs and builds if needed, then runs all tests, or the tests that ARGS choose for vitest. The last line
 * is `N passed, M failed`, with `, K skipped` if any were skipped. With HMGE_NO_SKIPS=1 those count as failed, too.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, exitOnSetupError, root } from "./setup.mjs";
import { slowTests } from "./slow-tests.mjs";

const REPORT = join(root, "build/test-report.json");
const SKIPS = join(root, "build/test-skips.json");

await exitOnSetupError(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
for (const file of [REPORT, SKIPS]) rmSync(file, { force: true });
const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    ...["run", "--reporter=default", "--reporter=json", `--outputFile.json=${REPORT}`],
    ...["--reporter=./scripts/skip-reporter.mjs", ...process.argv.slice(2)],
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, HMGE_TEST_SKIPS: SKIPS } },
);

const report = readJson(REPORT);
const { skipped, unhandledErrors } = readJson(SKIPS) ?? { skipped: [], unhandledErrors: 0 };
const passed = report?.numPassedTests ?? 0;
// a file that could not be loaded has no tests; it counts as one failure
const unloaded = (report?.testResults ?? []).filter((file) => {
  return file.status === "failed" && !file.assertionResults.some((result) => result.status === "failed");
}).length;
const found = (report?.numFailedTests ?? 0) + unloaded + unhandledErrors;
// any other failure of vitest counts as one
const numSkipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
const unwanted = process.env.HMGE_NO_SKIPS === "1" ? numSkipped : 0;
const failed = (status === 0 ? found : Math.max(1, found)) + unwanted;

const leftOut = slowTests(process.argv.slice(2));
if (leftOut.length > 0) console.log(`left out: ${leftOut.join(", ")}; HMGE_SLOW_TESTS=1 npm test runs them too`);
// with -t, every test of another name is skipped without a reason
const isNamed = process.argv.some((arg) => arg === "-t" || arg.startsWith("--testNamePattern"));
for (const { test, reason } of skipped) {
  if (!isNamed || reason !== undefined) console.log(`skipped: ${test} (${reason ?? "no reason given"})`);
}
console.log(`${passed} passed, ${failed} failed${numSkipped > 0 ? `, ${numSkipped} skipped` : ""}`);
process.exitCode = failed > 0 ? 1 : 0;

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
