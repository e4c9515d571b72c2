/**
 * Rewrites docs/performance.md and its charts: runs every bench on this machine, which should be idle.
 *
 *   node bench/run.mjs performance [--only kernels,pytorch,…] [--out docs]
 *
 * --only names the sections to rewrite (PARTS below); the others stay unchanged. All of them take about half an hour, most of
 * it for PyTorch's dense epochs and the graph of a million nodes. Needs gcc, python3-torch, 10 GB of memory and 2 GB of disk
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

/** Runs a command; returns it and its output as Markdown. */
function shown(command: string, words: readonly string[], script: string): string {
  console.error(`${command} …`);
  const text = execFileSync(process.execPath, [script, ...words], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  return `    ${command}\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}
const bench = (name: string, ...words: string[]) =>
  shown(`node bench/run.mjs ${name}`, [name, ...words], join(root, "bench", "run.mjs"));
const hmge = (...words: string[]) => shown(`hmge ${words.join(" ")}`, words, program);

interface Limits {
  readonly limits: readonly MachineLimits[];
}

interface RunRecordPart {
  readonly seconds: { readonly load: number; readonly perEpoch: number; readonly write: number };
  readonly memory: { readonly peakBytes: number; readonly engineBytes: number };
}

/** Trains on a graph of a million nodes; compares an epoch with the time of its work at the limits of the machine. */
function million(): string {
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
    `Loaded in ${formatSeconds(seconds.load)}, ${formatSeconds(seconds.perEpoch)} per epoch (median of five), vectors written in ${formatSeconds(seconds.write)}; peak memory ${formatBytes(memory.peakBytes)}, of which the engine uses ${formatBytes(memory.engineBytes)}. At the limits of the machine (${(multiplyAdds / 1e9).toFixed(1)}·10⁹ multiply-adds and ${(bytes / 1e9).toFixed(1)} GB per second) the multiply-adds and bytes of an epoch would take ${formatSeconds(floor)} if all rows of neighbours came from memory. The measured epoch takes ${(seconds.perEpoch / floor).toFixed(1)} times as long. The limit assumes that rows are read one after the other; here the rows of neighbours are scattered in memory (see "Rows read in random order"), and no order of the nodes helps, because they form no groups.\n`,
  ].join("\n");
}

/** The fastest of ten starts. */
function start(): string {
  const times = Array.from({ length: 10 }, () => {
    const begin = performance.now();
    spawnSync(process.execPath, [program, "--help"]);
    return (performance.now() - begin) / 1000;
  });
  return `\`hmge --help\`: ${formatSeconds(Math.min(...times))}, the fastest of ten.\n`;
}

const CHECKS =
  "WebAssembly must not access addresses outside its memory. Node 20 on processors other than x64 checks every address in software; this slows a matrix product down by a third, and by more if threads share the memory. On these machines the kernels are therefore compiled without the checks (`src/engine/wasm/variant.ts`); the tests and every run with `HMGE_BOUNDS_CHECKS=1` keep them. Node 22 and later use guard pages instead.";

const PYTORCH =
  "PyTorch: *dense* computes like the published code. *Plain* is a simple sparse implementation with `torch.sparse.mm`; it computes the clean and the shuffled graph one after the other. *Best* is the fastest of several sparse implementations with the same mathematics as ours: clean and shuffled graph side by side in one matrix, hand-written gradients, stacked relations, two halves on two threads (`bench/against-pytorch.py`). *At the limits* is the time of the multiply-adds and bytes of our epoch at the peak rate and the bandwidth that were measured in the same run. *Maximum* is how many times faster than the best PyTorch version an epoch at these limits would be.";

const PARTS: readonly { name: string; title: string; make: () => string }[] = [
  {
    name: "kernels",
    title: "Kernels and epochs compared with the limits of this machine",
    make: () => `${hmge("bench")}\n${CHECKS}\n`,
  },
  { name: "native", title: "Kernels compared with native code", make: () => bench("against-native") },
  { name: "far-rows", title: "Rows read in random order", make: () => bench("far-rows") },
  { name: "node-order", title: "The order of nodes", make: () => bench("node-order") },
  { name: "pytorch", title: "Epochs compared with PyTorch", make: () => `${bench("against-pytorch")}\n${PYTORCH}\n` },
  {
    name: "growth",
    title: "How time and memory grow",
    make: () =>
      `${bench("growth", "--svg", join(out, "growth"))}\n![How the time of an epoch grows](growth-time.svg)\n\n![How its memory grows](growth-memory.svg)\n`,
  },
  { name: "loading", title: "Loading", make: () => bench("loading") },
  { name: "neighbors", title: "All nearest neighbours", make: () => bench("neighbors") },
  { name: "million", title: "A million nodes", make: million },
  { name: "start", title: "Starting", make: start },
];

/** Sections of the current page, by title. */
function sectionsOf(path: string): Map<string, string> {
  if (!existsSync(path)) return new Map();
  const sections = readFileSync(path, "utf8").split(/^## /m).slice(1);
  return new Map(
    sections.map((text) => [text.slice(0, text.indexOf("\n")), `${text.slice(text.indexOf("\n")).trim()}\n`]),
  );
}

/** Measures a part and puts date and machine above it. */
function made({ make }: (typeof PARTS)[number]): string {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() || process.arch}, ${formatBytes(totalmem())} of memory, ${process.platform}`;
  const load = loadavg()[0].toFixed(1);
  return `${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${process.version}; load before: ${load}.\n\n${make()}`;
}

const only = textOption("only", PARTS.map(({ name }) => name).join(",")).split(",");
const page = join(out, "performance.md");
try {
  const known = sectionsOf(page);
  const sections = PARTS.flatMap((part) => {
    const text = only.includes(part.name) ? made(part) : known.get(part.title);
    return text === undefined ? [] : [`## ${part.title}\n\n${text}`];
  });
  const head = [
    "# Performance\n",
    "Written by `node bench/run.mjs performance`; each section states its date and machine.\n",
  ];
  writeFileSync(page, [...head, ...sections].join("\n"));
} finally {
  rmSync(folder, { recursive: true });
}
