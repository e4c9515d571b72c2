/**
 * Rewrites docs/performance.md and its charts. It runs the benches of all sections on this machine, which should be idle.
 *
 *   node bench/run.mjs performance [--only kernels,pytorch,…] [--out docs]
 *
 * --only lists the sections to rewrite (SECTIONS below); the others stay unchanged. All sections together take about half an hour,
 * mostly for PyTorch's dense epochs and the graph of a million nodes. The bench needs gcc, python3-torch, 10 GB of memory and 2 GB of disk
 * space in the temporary folder.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatBytes, formatSeconds } from "../src/report/terminal.js";
import { epochSecondsAtLimits, type MachineLimits, type RunEstimate } from "../src/train/estimate/estimate.js";
import { textOption } from "./options.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = textOption("out", join(root, "docs"));
const program = join(root, "dist", "cli", "main.js");
const folder = mkdtempSync(join(tmpdir(), "hmge-performance-"));

/** Runs a command; returns the command and its output as Markdown. */
function runToMarkdown(command: string, words: readonly string[], script: string): string {
  console.error(`${command} …`);
  const text = execFileSync(process.execPath, [script, ...words], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  return `    ${command}\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}
const runBench = (name: string, ...words: string[]) =>
  runToMarkdown(`node bench/run.mjs ${name}`, [name, ...words], join(root, "bench", "run.mjs"));
const runHmge = (...words: string[]) => runToMarkdown(`hmge ${words.join(" ")}`, words, program);

interface Limits {
  readonly limits: readonly MachineLimits[];
}

interface RunRecordPart {
  readonly seconds: { readonly load: number; readonly perEpoch: number; readonly write: number };
  readonly memory: { readonly peakBytes: number; readonly engineBytes: number };
}

/** Trains on a graph of a million nodes; compares the time of an epoch with the lower bound from the limits of the machine. */
function measureMillionNodes(): string {
  const [graph, vectors] = [join(folder, "million"), join(folder, "vectors")];
  const size = ["--nodes", "1000000", "--relations", "10", "--edges", "20000000", "--exponent", "2.5", "--seed", "1"];
  const run = (...words: string[]) => execFileSync(process.execPath, [program, ...words], { stdio: "inherit" });
  run("generate", "random", ...size, "--out", graph);
  run("embed", graph, "--model", "hmge", "--dim", "64", "--epochs", "5", "--out", vectors, "--no-report");
  const { seconds, memory }: RunRecordPart = JSON.parse(readFileSync(join(vectors, "run.json"), "utf8"));
  const json = (...words: string[]) =>
    JSON.parse(execFileSync(process.execPath, [program, ...words, "--json", "--quiet"], { encoding: "utf8" }));
  const { run: work }: { readonly run: RunEstimate } = json("inspect", graph, "--model", "hmge", "--dim", "64");
  const { limits }: Limits = json("bench", "--shapes", "none", "--no-kernels");
  const { multiplyAdds, bytes } = limits[limits.length - 1];
  const floor = epochSecondsAtLimits(work, { multiplyAdds, bytes });
  return [
    `    hmge generate random ${size.join(" ")} --out million`,
    "    hmge embed million --model hmge --dim 64 --epochs 5 --out vectors --no-report\n",
    `Loading takes ${formatSeconds(seconds.load)}, an epoch ${formatSeconds(seconds.perEpoch)} (median of five), and writing the vectors ${formatSeconds(seconds.write)}. Peak memory is ${formatBytes(memory.peakBytes)}, including ${formatBytes(memory.engineBytes)} for the engine. At the limits of the machine (${(multiplyAdds / 1e9).toFixed(1)}·10⁹ multiply-adds and ${(bytes / 1e9).toFixed(1)} GB per second) an epoch would take ${formatSeconds(floor)}, if the rows of all neighbours are read from memory. The measured epoch takes ${(seconds.perEpoch / floor).toFixed(1)} times as long. The limit assumes that rows are read in order, but the rows of neighbours are scattered in memory (see the section on rows read in random order). Reordering the nodes does not help, because the nodes of this graph form no groups.\n`,
  ].join("\n");
}

/** Measures the time to start the program: the fastest of ten runs of `hmge --help`. */
function measureStart(): string {
  const times = Array.from({ length: 10 }, () => {
    const begin = performance.now();
    spawnSync(process.execPath, [program, "--help"]);
    return (performance.now() - begin) / 1000;
  });
  return `\`hmge --help\`: ${formatSeconds(Math.min(...times))}, the fastest of ten.\n`;
}

const BOUNDS_CHECKS =
  "Node 20 on processors other than x64 has no guard pages: it compares every address with the size of the memory. These bounds checks make a product slower by a third, and by more if threads share the memory. On such systems hmge compiles the kernels without bounds checks (`src/engine/wasm/variant.ts`), except in tests and if `HMGE_BOUNDS_CHECKS=1` is set. Node 22 and later use guard pages.";

const PYTORCH =
  "PyTorch: *dense* computes like the published code; *plain* is a straightforward implementation with `torch.sparse.mm`, which processes the graph with the real features and then the graph with shuffled features; *best* is the fastest of several versions that use the same algorithm as hmge: both graphs in one product, hand-written gradients, stacked relations, half of the work on each of two threads (`bench/against-pytorch.py`). *At the limits*: lower bound for the time of our epoch, from its multiply-adds and bytes and the peak rate and bandwidth measured in the same run. *Maximum*: speedup over the best PyTorch version if an epoch reached this lower bound.";

const SECTIONS: readonly { name: string; title: string; measure: () => string }[] = [
  {
    name: "kernels",
    title: "Kernels and epochs compared with the limits of this machine",
    measure: () => `${runHmge("bench")}\n${BOUNDS_CHECKS}\n`,
  },
  { name: "native", title: "Kernels compared with native code", measure: () => runBench("against-native") },
  { name: "random-row-reads", title: "Rows read in random order", measure: () => runBench("random-row-reads") },
  { name: "node-order", title: "The order of nodes", measure: () => runBench("node-order") },
  {
    name: "pytorch",
    title: "Epochs compared with PyTorch",
    measure: () => `${runBench("against-pytorch")}\n${PYTORCH}\n`,
  },
  {
    name: "growth",
    title: "How time and memory grow",
    measure: () =>
      `${runBench("growth", "--svg", join(out, "growth"))}\n![How the time of an epoch grows](growth-time.svg)\n\n![How its memory grows](growth-memory.svg)\n`,
  },
  { name: "loading", title: "Loading", measure: () => runBench("loading") },
  { name: "neighbors", title: "All nearest neighbours", measure: () => runBench("neighbors") },
  { name: "million", title: "A million nodes", measure: measureMillionNodes },
  { name: "start", title: "Starting", measure: measureStart },
];

/** Sections of the existing page, by title. */
function sectionsOf(path: string): Map<string, string> {
  if (!existsSync(path)) return new Map();
  const sections = readFileSync(path, "utf8").split(/^## /m).slice(1);
  return new Map(
    sections.map((text) => [text.slice(0, text.indexOf("\n")), `${text.slice(text.indexOf("\n")).trim()}\n`]),
  );
}

/** Measures a section; returns its text with the date and the machine above it. */
function writeSection({ measure }: (typeof SECTIONS)[number]): string {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() || process.arch}, ${formatBytes(totalmem())} of memory, ${process.platform}`;
  const load = loadavg()[0].toFixed(1);
  return `${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${process.version}; load before: ${load}.\n\n${measure()}`;
}

const only = textOption("only", SECTIONS.map(({ name }) => name).join(",")).split(",");
const page = join(out, "performance.md");
try {
  const existing = sectionsOf(page);
  const sections = SECTIONS.flatMap((section) => {
    const text = only.includes(section.name) ? writeSection(section) : existing.get(section.title);
    return text === undefined ? [] : [`## ${section.title}\n\n${text}`];
  });
  const head = [
    "# Performance\n",
    "Written by `node bench/run.mjs performance`; each section states its date and machine.\n",
  ];
  writeFileSync(page, [...head, ...sections].join("\n"));
} finally {
  rmSync(folder, { recursive: true });
}
