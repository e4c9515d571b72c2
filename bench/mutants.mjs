/**
 * Mutation tests: applies each change of bench/mutants.json to a temporary copy of the sources and runs the tests that the
 * file lists for it. A change survives if no test fails, which means that a test is missing. `npm test` does not run this file.
 *
 *   node bench/mutants.mjs [WORD…]     only mutants whose id, file or change contains one of the words
 *
 * A mutant has an `id`, a `file`, the text to `find` in it (exactly once), its `replace`ment, and the `tests` that must fail;
 * `only`, a pattern, selects tests by name. All tests run first on the unchanged sources, because a test that already fails
 * would count as a kill. Prints a table; the exit code is 1 unless every mutant is killed.
 */

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const COPIED = ["src", "test", "scripts", "docs", "dist", "README.md", "package.json", "tsconfig.json"];
/** Replaces vitest.config.ts, whose set-up would build each mutant; no build is needed, because the listed tests read src/. */
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

/** Test runs on the unchanged sources: one run of all files without `only`, and one run for each pattern. */
const runs = new Map([["", { tests: [], options: [] }]]);
for (const { tests, only } of chosen) {
  const key = only === undefined ? "" : `${only} ${tests}`;
  const { tests: before, options } = runs.get(key) ?? { tests: [], options: ["-t", only] };
  runs.set(key, { tests: [...new Set([...before, ...tests])], options });
}
const unchanged = [...runs.values()].map(({ tests, options }) => ({ tests, ...runTests(tests, options) }));
const failing = unchanged.find(({ outcome }) => outcome !== "survived");
if (failing !== undefined) fail(`${failing.tests.join(", ")}: fails on the unchanged sources: ${failing.detail}`);
console.log(`the tests pass on the unchanged sources, ${seconds(unchanged.reduce((sum, result) => sum + result.seconds, 0))}\n`);

const rows = chosen.map((mutant) => {
  const result = apply(mutant);
  console.error(`${result.outcome.padEnd(8)}  ${seconds(result.seconds).padStart(5)}  ${mutant.id}`);
  return { ...mutant, ...result };
});
printTable(
  ["mutant", "file", "failed test", "result", "time"],
  rows.map((row) => [row.id, row.file, row.detail, row.outcome, seconds(row.seconds)]),
);
const killed = rows.filter(({ outcome }) => outcome === "killed");
const outsideMultiview = killed.filter(({ file }) => !file.includes("/multiview/"));
console.log(`\n${killed.length} of ${rows.length} killed, ${outsideMultiview.length} of them outside multiview`);
process.exitCode = killed.length === rows.length ? 0 : 1;

function apply({ file, find, replace, tests, only }) {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  const count = text.split(find).length - 1;
  if (count !== 1) return { outcome: "stale", seconds: 0, detail: `${find} occurs ${count} times` };
  writeFileSync(path, text.replace(find, () => replace));
  try {
    return runTests(tests, ["--bail=1", ...(only === undefined ? [] : ["-t", only])]);
  } finally {
    writeFileSync(path, text);
  }
}

/** The outcome is `killed`, `survived`, or `broken` if a test file could not be loaded. */
function runTests(tests, options) {
  if (tests.length === 0) return { outcome: "survived", seconds: 0, detail: "" };
  const begin = performance.now();
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", ...tests, "--reporter=json", `--outputFile=${report}`, ...options];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  const time = (performance.now() - begin) / 1000;
  const results = readReport(report)?.testResults ?? [];
  const ran = results.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status !== "skipped");
  const failed = ran.filter(({ status }) => status === "failed");
  if (failed.length > 0) return { outcome: "killed", seconds: time, detail: failed[0].fullName.trim() };
  const passed = ran.some(({ status }) => status === "passed");
  if (status === 0 && passed) return { outcome: "survived", seconds: time, detail: "none" };
  const message = results.map(({ message }) => message).find((text) => text !== "");
  return { outcome: "broken", seconds: time, detail: message ?? (stderr || "no test ran") };
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function printTable(header, rows) {
  const widths = header.map((title, k) => Math.max(title.length, ...rows.map((row) => row[k].length)));
  for (const row of [header, widths.map((width) => "-".repeat(width)), ...rows]) {
    console.log(`| ${row.map((cell, k) => cell.padEnd(widths[k])).join(" | ")} |`);
  }
}

function seconds(value) {
  return `${value.toFixed(0)} s`;
}

function fail(message) {
  console.error(`mutants: ${message}`);
  process.exit(2);
}
