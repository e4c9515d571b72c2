/**
 * Mutation tests: applies each change of bench/mutants.json to a temporary copy of the sources and runs the tests named
 * with it. A change that no test detects survives; then a test is missing. Run by hand, not by `npm test`.
 *
 *   node bench/mutants.mjs [WORD…]     only mutants whose id, file or change contains one of the words
 *
 * Each mutant has a `file`, the text to `find` in it (exactly once), its `replace`ment, and the `tests` that should fail.
 * The tests run first without any change: a failure there would count as a kill. Exit code 1 if a mutant survives.
 */

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const COPIED = ["src", "test", "scripts", "docs", "dist", "README.md", "package.json", "tsconfig.json"];
/** Without the set-up of vitest.config.ts, which would build each mutant: the tests named here read src/, not dist/. */
const CONFIG = `export default { test: { pool: "forks", testTimeout: 120_000, env: { HMGE_BOUNDS_CHECKS: "1" } } };\n`;

const words = process.argv.slice(2);
const all = JSON.parse(readFileSync(new URL("./mutants.json", import.meta.url), "utf8"));
const chosen = all.filter(
  ({ id, file, replace }) => words.length === 0 || words.some((word) => `${id} ${file} ${replace}`.includes(word)),
);
if (chosen.length === 0) fail(`no mutant matches ${words.join(", ")}; bench/mutants.json has ${all.length}.`);

const copy = mkdtempSync(join(tmpdir(), "hmge-mutants-"));
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));
for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
writeFileSync(join(copy, "vitest.config.mjs"), CONFIG);

const files = [...new Set(chosen.flatMap(({ tests }) => tests))];
const unchanged = runTests(files, []);
if (unchanged.outcome !== "survived") fail(`the tests fail without any change:\n${unchanged.detail}`);
console.log(`${files.length} test files pass unchanged, ${unchanged.seconds.toFixed(0)} s`);

const rows = chosen.map((mutant) => {
  const result = apply(mutant);
  console.log(`${result.outcome.padEnd(8)}  ${result.seconds.toFixed(0).padStart(3)} s  ${mutant.id}: ${result.detail}`);
  return { ...mutant, ...result };
});
const survived = rows.filter(({ outcome }) => outcome !== "killed");
console.log(`\n${rows.length - survived.length} of ${rows.length} killed`);
for (const { id, file, outcome } of survived) console.log(`${outcome}: ${id} (${file})`);
process.exitCode = survived.length === 0 ? 0 : 1;

function apply({ file, find, replace, tests }) {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  const found = text.split(find).length - 1;
  if (found !== 1) return { outcome: "stale", seconds: 0, detail: `the text to find occurs ${found} times in ${file}` };
  writeFileSync(path, text.replace(find, () => replace));
  try {
    return runTests(tests, ["--bail=1"]);
  } finally {
    writeFileSync(path, text);
  }
}

/** `broken`: a test file could not be loaded, so the change does not compile or run. */
function runTests(tests, options) {
  const begin = performance.now();
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", ...tests, "--reporter=json", `--outputFile=${report}`, ...options];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  const seconds = (performance.now() - begin) / 1000;
  if (status === 0) return { outcome: "survived", seconds, detail: "no test failed" };
  const results = readReport(report)?.testResults ?? [];
  const failed = results.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === "failed"));
  if (failed.length > 0) return { outcome: "killed", seconds, detail: `${failed[0].fullName}: ${failed[0].failureMessages[0].split("\n")[0]}` };
  const messages = results.map(({ message }) => message).filter((message) => message !== "");
  return { outcome: "broken", seconds, detail: messages[0] ?? stderr };
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function fail(message) {
  console.error(`mutants: ${message}`);
  process.exit(2);
}
