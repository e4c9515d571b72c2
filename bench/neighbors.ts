/**
 * All nearest neighbours by cosine: time of the exact search, time and recall of the approximate search, and time of numpy's
 * exact product in the same run.
 *
 *   node bench/run.mjs neighbors [--nodes 460000] [--dim 64] [--k 20] [--threads 2] [--data clusters|cloud]
 *        [--clusters 1000] [--vectors DIR] [--exact-queries 2048] [--numpy-queries 2048] [--approximate 1]
 *
 * Exact search and numpy are timed on some of the queries and scaled to all, because both cost the same for each query. The
 * approximate search is timed on all queries, including its index and the measurement of its recall. `cloud` is one isotropic
 * Gaussian, the hardest case; `--vectors` reads the vectors of a run. Needs python3 with numpy; without it only our times are
 * printed.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedding } from "../src/core/embedding.js";
import { Rng } from "../src/core/rng.js";
import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { readEmbeddings } from "../src/io/formats/embedding-files.js";
import { nearestNeighbors } from "../src/tasks/neighbors/nearest-neighbors.js";
import { unitVectors } from "../src/tasks/neighbors/search/search-vectors.js";
import { numberOption, textOption } from "./options.js";

const [k, threads] = [numberOption("k", 20), numberOption("threads", 2)];
const vectorsOption = textOption("vectors", "");
const embedding = vectorsOption === "" ? drawVectors() : await readEmbeddings(vectorsOption);
const { ids, dim } = embedding;
const n = ids.length;

function drawVectors(): Embedding {
  const [nodes, width] = [numberOption("nodes", 460_000), numberOption("dim", 64)];
  const data = textOption("data", "clusters");
  if (data !== "clusters" && data !== "cloud") throw new Error(`--data: ${data}; expected clusters or cloud`);
  const clusters = data === "cloud" ? 0 : numberOption("clusters", 1000);
  const rng = new Rng(1, "bench/neighbors");
  const centers = Float32Array.from({ length: clusters * width }, () => rng.normal());
  const vectors = new Float32Array(nodes * width);
  for (let i = 0; i < nodes; i++) {
    const center = clusters === 0 ? -1 : rng.below(clusters);
    for (let c = 0; c < width; c++) {
      vectors[i * width + c] = rng.normal() + (center < 0 ? 0 : centers[center * width + c]);
    }
  }
  return { ids: Array.from({ length: nodes }, (_, i) => String(i)), dim: width, vectors };
}

/** Seconds of wall-clock time, and of processor time of all threads, which is more reliable on a shared machine. */
interface Cost {
  readonly clock: number;
  readonly processor: number;
}

async function timed<T>(work: () => T | Promise<T>): Promise<[cost: Cost, value: T]> {
  const [begin, used] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(used);
  return [{ clock: (performance.now() - begin) / 1000, processor: (user + system) / 1e6 }, value];
}

/** Time of numpy for the queries, and its version; undefined without numpy. */
function timeNumpy(queries: number): [cost: Cost, version: string] | undefined {
  const folder = mkdtempSync(join(tmpdir(), "neighbors-"));
  try {
    const unit = unitVectors(embedding);
    const rows = new Float32Array(n * dim);
    for (let i = 0; i < n; i++) unit.copy(i, rows, i * dim);
    const file = join(folder, "vectors");
    writeFileSync(file, rows);
    const script = join(import.meta.dirname, "neighbors.py");
    const env = { ...process.env, OPENBLAS_NUM_THREADS: String(threads) };
    const words = [script, file, ...[n, dim, queries, k].map(String)];
    const [clock, processor, version] = execFileSync("python3", words, { env, encoding: "utf8" }).trim().split(" ");
    return [{ clock: Number(clock), processor: Number(processor) }, version];
  } catch (error) {
    console.log(`numpy: not measured (${error instanceof Error ? error.message.split("\n")[0] : error})`);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const load = () => loadavg()[0].toFixed(1);
const loadBefore = load();
const engine = await createWasmEngine({ threads });
const scaled = ({ clock, processor }: Cost, queries: number): Cost => {
  return { clock: (clock * n) / queries, processor: (processor * n) / queries };
};
const said = ({ clock, processor }: Cost) => `${clock.toFixed(1)} s (${processor.toFixed(1)} s of processor time)`;

const source = vectorsOption === "" ? textOption("data", "clusters") : vectorsOption;
console.log(`${n} nodes × ${dim}, k = ${k}, ${source}; ${engine.description}`);
const numpyQueries = Math.min(n, numberOption("numpy-queries", 2048));
const numpy = numpyQueries === 0 ? undefined : timeNumpy(numpyQueries);
if (numpy !== undefined) {
  const [cost, version] = numpy;
  const all = said(scaled(cost, numpyQueries));
  console.log(`numpy ${version}: ${said(cost)} for ${numpyQueries} queries; scaled to all: ${all}`);
}
const versus = ({ clock, processor }: Cost) => {
  if (numpy === undefined) return "";
  const other = scaled(numpy[0], numpyQueries);
  return `, ${(other.clock / clock).toFixed(1)} times as fast as numpy (processor time: ${(other.processor / processor).toFixed(1)})`;
};

const exactQueries = Math.min(n, numberOption("exact-queries", 2048));
if (exactQueries > 0) {
  const nodes = Array.from({ length: exactQueries }, (_, i) => ids[Math.floor((i * n) / exactQueries)]);
  const [cost] = await timed(() => nearestNeighbors(embedding, { nodes, k, center: false, method: "exact", engine }));
  const all = scaled(cost, exactQueries);
  const rate = (exactQueries * n * dim) / cost.processor / 1e9;
  console.log(`exact: ${said(cost)} for ${exactQueries} queries; scaled to all: ${said(all)}${versus(all)}`);
  console.log(`  ${rate.toFixed(1)}·10⁹ multiply-adds per second of processor time`);
}

if (numberOption("approximate", 1) > 0) {
  const stages = new Map<string, number>();
  let last = performance.now();
  const onProgress = ({ stage }: { readonly stage: string }) => {
    const now = performance.now();
    stages.set(stage, (stages.get(stage) ?? 0) + (now - last) / 1000);
    last = now;
  };
  const options = { k, center: false, method: "approximate", engine, onProgress } as const;
  const [cost, { search }] = await timed(() => nearestNeighbors(embedding, options));
  if (search.method === "approximate") {
    const { recall, sampled, lists, probes } = search;
    const parts = [...stages].map(([name, time]) => `${name} ${time.toFixed(1)} s`).join(", ");
    console.log(`approximate: ${said(cost)} for all${versus(cost)}`);
    console.log(
      `  ${parts}; recall@${k} ${recall.toFixed(4)} on ${sampled} sampled nodes, ${probes} of ${lists} lists`,
    );
  }
}
console.log(
  `${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}, load ${loadBefore} → ${load()}`,
);
