/**
 * Remakes docs/performance.md and its charts: runs every bench on this machine, which should be doing nothing else.
 *
 *   node bench/run.mjs performance [--only kernels,pytorch,…] [--out docs]
 *
 * Parts: kernels, native, far-rows, node-order, pytorch, growth, loading, neighbors, million, start; of those named with --only, the sections
 * of the page are replaced, and the others stay as they were. Takes about half an hour, most of it PyTorch's dense epochs and
 * the graph of a million nodes. Needs gcc, python3-torch, 10 GB of memory and 2 GB of room in the temporary folder.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatBytes, formatSeconds } from "../src/report/terminal.js";
import { floorSeconds, type MachineLimits, type RunEstimate } from "../src/train/estimate/estimate.js";
import { textOption } from "./options.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = textOption("out", join(root, "docs"));
const program = join(root, "dist", "cli", "main.js");
const folder = mkdtempSync(join(tmpdir(), "hmge-performance-"));

/** A command as it is shown, and what it printed. */
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

/** Generates, trains, writes; the seconds of an epoch beside what its work would take at the machine's limits. */
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
  const floor = floorSeconds(work, { multiplyAdds, bytes });
  return [
    `    hmge generate random ${size.join(" ")} --out million`,
    "    hmge embed million --model hmge --dim 64 --epochs 5 --out vectors --no-report\n",
    `Loaded in ${formatSeconds(seconds.load)}, ${formatSeconds(seconds.perEpoch)} an epoch (median of five), vectors written in ${formatSeconds(seconds.write)}; ${formatBytes(memory.peakBytes)} resident at most, ${formatBytes(memory.engineBytes)} of it the engine's. At the limits (${(multiplyAdds / 1e9).toFixed(1)}·10⁹ multiply-adds and ${(bytes / 1e9).toFixed(1)} GB a second) the multiply-adds and bytes of an epoch, neighbours' rows read from memory, would take ${formatSeconds(floor)}: ${(seconds.perEpoch / floor).toFixed(1)} times less. That bandwidth is of rows read in turn; neighbours' rows are read in no order (above), and the nodes of this graph form no groups, so that no order of them helps.\n`,
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
  "Node 20 outside x64 has no guard pages and compares every address with the size of the memory, which costs a product a third of its rate and more where threads share the memory. The kernels are compiled without these comparisons there (`src/engine/wasm/variant.ts`); the tests run with them, and so does everything where `HMGE_BOUNDS_CHECKS=1` is set. From Node 22 on pages guard the memory.";

const PYTORCH =
  "PyTorch: *dense* is how the published code computes, *plain* how one writes it first (`torch.sparse.mm`, clean and shuffled graph one after the other), *best* the fastest of several ways with this project's own mathematics: both graphs side by side, gradients written by hand, relations stacked, halves on two threads (`bench/against-pytorch.py`). *At the limits*: the multiply-adds and bytes of our epoch at the peak and the bandwidth measured in the same run. *At most*: how many times faster than the best PyTorch an epoch at these limits would be.";

const PARTS: readonly { name: string; title: string; make: () => string }[] = [
  {
    name: "kernels",
    title: "Kernels and epochs beside this machine's limits",
    make: () => `${hmge("bench")}\n${CHECKS}\n`,
  },
  { name: "native", title: "Kernels beside native code", make: () => bench("against-native") },
  { name: "far-rows", title: "Rows read in no order", make: () => bench("far-rows") },
  { name: "node-order", title: "The order of nodes", make: () => bench("node-order") },
  { name: "pytorch", title: "Epochs beside PyTorch", make: () => `${bench("against-pytorch")}\n${PYTORCH}\n` },
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

/** Sections of the page as it is, by title. */
function sectionsOf(path: string): Map<string, string> {
  if (!existsSync(path)) return new Map();
  const sections = readFileSync(path, "utf8").split(/^## /m).slice(1);
  return new Map(
    sections.map((text) => [text.slice(0, text.indexOf("\n")), `${text.slice(text.indexOf("\n")).trim()}\n`]),
  );
}

/** Makes a part, under a line that says when and where. */
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
    "Made by `node bench/run.mjs performance`, some parts by `--only` on the day they tell.\n",
  ];
  writeFileSync(page, [...head, ...sections].join("\n"));
} finally {
  rmSync(folder, { recursive: true });
}
