/**
 * Runs every command in a pseudo-terminal at many widths, with long names of files and relations. Counts runs with an unexpected
 * exit code and lines that are wider than the terminal.
 *
 *   node bench/run.mjs terminal-widths [--only embed]     only the commands whose name contains the word
 *
 * Needs `script` of util-linux and the built program.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Rng } from "../src/core/rng.js";
import { table } from "../src/report/terminal.js";
import { findTerminalProblem, linesTooWide, runInTerminal } from "../test/support/pseudo-terminal.js";
import { textOption } from "./options.js";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const ALL_WIDTHS = [0, 1, 20, 24, 40, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 200];
const SOME_WIDTHS = [0, 1, 24, 55, 80];

const missing = findTerminalProblem();
if (missing !== undefined) {
  console.error(`terminal-widths: ${missing}`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "hmge-widths-"));
const edges = join(folder, "a_file_name_of_forty-four_characters_in_all.csv");
const features = join(folder, "features.csv");
const labels = join(folder, "labels.csv");
const vectors = join(folder, "vectors");
writeFiles();

interface Case {
  readonly name: string;
  readonly words: readonly string[];
  readonly widths: readonly number[];
  /** Expected exit code; default 0. */
  readonly code?: number;
}

let numFolders = 0;
const fresh = () => join(folder, `out-${numFolders++}`);
const training = ["--epochs", "30", "--dim", "8"];
const cases: Case[] = [
  {
    name: "embed with features",
    words: ["embed", edges, "--features", features, ...training, "--out"],
    widths: ALL_WIDTHS,
  },
  { name: "embed hmge", words: ["embed", edges, "--model", "hmge", ...training, "--out"], widths: SOME_WIDTHS },
  {
    name: "compare",
    words: ["compare", edges, "--models", "hmge", "--tasks", "links", "--seeds", "1", "--epochs", "30", "--out"],
    widths: ALL_WIDTHS,
  },
  {
    name: "evaluate links",
    words: ["evaluate", "links", edges, "--model", "hmge", "--per-relation", ...training],
    widths: ALL_WIDTHS,
  },
  { name: "demo", words: ["demo", "--out"], widths: [0, 1, 20, 45, 60, 80] },
  {
    name: "reproduce",
    words: ["reproduce", "synthetic", "--scale", "tiny", "--models", "hmge", "--seeds", "1", "--epochs", "3", "--out"],
    widths: [0, 20, 60],
  },
  { name: "inspect", words: ["inspect", edges, "--features", features], widths: SOME_WIDTHS },
  { name: "neighbors", words: ["neighbors", vectors, "node_1"], widths: SOME_WIDTHS },
  {
    name: "project",
    words: ["project", vectors, "--iterations", "50", "--overwrite", "--out", join(folder, "map.svg")],
    widths: SOME_WIDTHS,
  },
  { name: "evaluate classify", words: ["evaluate", "classify", vectors, "--labels", labels], widths: SOME_WIDTHS },
  { name: "evaluate cluster", words: ["evaluate", "cluster", vectors, "--labels", labels], widths: [0, 24, 80] },
  { name: "evaluate search", words: ["evaluate", "search", vectors, "--labels", labels], widths: [0, 24, 80] },
  { name: "models", words: ["models"], widths: [0, 24, 80] },
  { name: "help", words: ["embed", "--help"], widths: [0, 24, 80] },
  { name: "program help", words: ["--help"], widths: [0, 24, 80] },
  { name: "convert", words: ["convert", vectors, join(folder, "vectors.npy"), "--overwrite"], widths: [0, 20] },
  { name: "generate", words: ["generate", "sbm", "--nodes", "60", "--relations", "2", "--out"], widths: [0, 20] },
  { name: "unknown option", words: ["embed", edges, "--dims", "8"], widths: [0, 20], code: 2 },
];

const only = textOption("only", "");
const failures: string[][] = [];
let runs = 0;
try {
  const made = await runInTerminal(
    [process.execPath, MAIN, "embed", edges, "--model", "hmge", ...training, "--quiet", "--out", vectors],
    { columns: 80 },
  );
  if (made.code !== 0) throw new Error(`embed: exit code ${made.code}\n${made.lines.join("\n")}`);
  for (const { name, words, widths, code = 0 } of cases) {
    if (!name.includes(only)) continue;
    for (const columns of widths) {
      const all = words.at(-1) === "--out" ? [...words, fresh()] : words;
      const ran = await runInTerminal([process.execPath, MAIN, ...all], { columns });
      runs++;
      const wide = linesTooWide(ran, columns);
      if (ran.code !== code)
        failures.push([
          name,
          String(columns),
          `exit code ${ran.code}`,
          ran.lines.filter((line) => line !== "").at(-1) ?? "",
        ]);
      if (wide.length > 0) failures.push([name, String(columns), `${wide.length} lines too wide`, wide[0].trim()]);
      process.stderr.write(".");
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stderr.write("\n");
if (failures.length > 0)
  console.log(table([["command", "columns", "failure", "line"], ...failures], { width: 160, cut: true }));
console.log(`${runs} runs, ${failures.length} failures`);
if (failures.length > 0) process.exitCode = 1;

function writeFiles(): void {
  const rng = new Rng(7, "terminal widths");
  const relations = [
    "friends_of_friends_who_live_in_the_same_street_and_work_together",
    "日本語の長い関係の名前".repeat(3),
    "short",
  ];
  const rows = ["source,target,relation,weight"];
  for (const relation of relations) {
    for (let k = 0; k < 150; k++)
      rows.push(`node_${rng.below(50)},node_${rng.below(50)},${relation},${1 + rng.below(3)}`);
  }
  // One id longer than any terminal.
  rows.push(`node_1,${"long-id-".repeat(30)},short,1`);
  writeFileSync(edges, `${rows.join("\n")}\n`);
  const ids = [...Array.from({ length: 50 }, (_, i) => `node_${i}`), "long-id-".repeat(30)];
  writeFileSync(features, `node,size,age\n${ids.map((id) => `${id},${rng.uniform()},${rng.uniform()}`).join("\n")}\n`);
  writeFileSync(
    labels,
    `node,label\n${ids.map((id, i) => `${id},${i % 2 === 0 ? "a_label_with_a_long_name_of_many_letters_in_it" : "b"}`).join("\n")}\n`,
  );
}
