import { loadavg } from "node:os";
import { Rng } from "../src/core/rng.js";
import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { findNearest } from "../src/tasks/neighbors/find-nearest.js";
import { selectVectors, unitVectors } from "../src/tasks/neighbors/vectors.js";
import { numberOption, textOption } from "./options.js";

const n = numberOption("nodes", 100_000),
  dim = numberOption("dim", 64),
  k = 20;
const kind = textOption("data", "clusters");
const rng = new Rng(1, "bench");
const clusters = kind === "isotropic" ? 1 : numberOption("clusters", 1000);
const centres = Float32Array.from({ length: clusters * dim }, () => rng.normal());
const vectors = new Float32Array(n * dim);
for (let i = 0; i < n; i++) {
  const c = rng.below(clusters);
  for (let d = 0; d < dim; d++) vectors[i * dim + d] = (clusters === 1 ? 0 : centres[c * dim + d]) + 0.7 * rng.normal();
}
const ids = Array.from({ length: n }, (_, i) => String(i));
const engine = await createWasmEngine({ threads: numberOption("threads", 2) });
const all = unitVectors({ ids, dim, vectors });
const m = numberOption("queries", 2048);
console.log(loadavg());
let t = performance.now();
if (m > 0) {
  const q = selectVectors(
    all,
    Uint32Array.from({ length: m }, (_, i) => i),
  );
  await findNearest({
    engine,
    metric: "cosine",
    candidates: all,
    queries: { vectors: q, own: Uint32Array.from({ length: m }, (_, i) => i) },
    k,
    method: "exact",
  });
  const s = (performance.now() - t) / 1000;
  console.log(
    `exact ${m}: ${s.toFixed(2)} s, ${((m * n * dim) / s / 1e9).toFixed(2)} G madd/s; all ${((s * n) / m).toFixed(0)} s`,
  );
}
t = performance.now();
let stage = "";
const r = await findNearest({
  engine,
  metric: "cosine",
  candidates: all,
  queries: { vectors: all, own: Uint32Array.from({ length: n }, (_, i) => i) },
  k,
  method: "approximate",
  onProgress: (p) => {
    const key = p.stage + Math.floor(p.stage === "index" ? p.done : 0);
    if (key !== stage) {
      stage = key;
      console.log(((performance.now() - t) / 1000).toFixed(1), JSON.stringify(p));
    }
  },
});
console.log(((performance.now() - t) / 1000).toFixed(1), r?.report);
