/**
 * Time of t-SNE on a random mixture of Gaussians, by stage.
 *
 *   node bench/run.mjs tsne [--points 30000] [--dim 64] [--iterations 1000] [--threads 2] [--clusters 30]
 *
 * Also reports the load of the machine before and after; the processor time of all threads, including busy waiting, which is
 * more reliable on a shared machine; the divergence at the start and the end; and the share of points whose nearest point on the
 * map has the same cluster.
 */

import { cpus, loadavg } from "node:os";
import { Rng } from "../src/core/rng.js";
import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { tsne } from "../src/tasks/projection/index.js";
import { numberOption } from "./options.js";

const [points, dim, clusters] = [numberOption("points", 30_000), numberOption("dim", 64), numberOption("clusters", 30)];
const [iterations, threads] = [numberOption("iterations", 1000), numberOption("threads", 2)];

const rng = new Rng(1, "mixture");
const centres = Float32Array.from({ length: clusters * dim }, () => rng.normal());
const vectors = new Float32Array(points * dim);
for (let i = 0; i < points; i++) {
  for (let k = 0; k < dim; k++) vectors[i * dim + k] = centres[(i % clusters) * dim + k] + 0.7 * rng.normal();
}
const ids = Array.from({ length: points }, (_, i) => String(i));
const load = () => loadavg()[0].toFixed(1);
const loadBefore = load();

const engine = await createWasmEngine({ threads });
const begin = performance.now();
const used = process.cpuUsage();
let searched = begin;
let mapped = begin;
const quarter: number[] = [];
const map = await tsne(
  { ids, dim, vectors },
  {
    iterations,
    engine,
    onProgress: ({ stage, done, total, divergence }) => {
      const now = performance.now();
      if (stage === "neighbors") searched = now;
      else if (done === 1) mapped = now;
      else if (done % Math.ceil(total / 4) === 0) quarter.push(now);
      if (divergence !== undefined && done % 250 === 0) console.log(`  iteration ${done}: ${divergence.toFixed(4)}`);
    },
  },
);
const end = performance.now();
const { user, system } = process.cpuUsage(used);

/** Share of points whose nearest other point on the map has the same cluster; over at most 2000 points. */
function agreement(): number {
  const step = Math.max(1, Math.floor(points / 2000));
  let same = 0;
  let count = 0;
  for (let i = 0; i < points; i += step, count++) {
    let best = Infinity;
    let nearest = i;
    for (let j = 0; j < points; j++) {
      const d = (map.vectors[2 * i] - map.vectors[2 * j]) ** 2 + (map.vectors[2 * i + 1] - map.vectors[2 * j + 1]) ** 2;
      if (j !== i && d < best) [best, nearest] = [d, j];
    }
    if (nearest % clusters === i % clusters) same++;
  }
  return same / count;
}

const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
console.log(`${points} points × ${dim}, ${clusters} clusters, ${iterations} iterations, ${engine.description}`);
console.log(
  `${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}, load ${loadBefore} → ${load()}`,
);
console.log(`neighbours ${seconds(begin, searched)}, affinities and start ${seconds(searched, mapped)}`);
console.log(
  `iterations ${seconds(mapped, end)} (${quarter.map((t, i) => seconds(quarter[i - 1] ?? mapped, t)).join(", ")})`,
);
console.log(`total ${seconds(begin, end)}, ${((user + system) / 1e6).toFixed(1)} s of processor time`);
console.log(
  `divergence ${map.startDivergence.toFixed(3)} → ${map.divergence.toFixed(3)}, agreement ${agreement().toFixed(3)}`,
);
