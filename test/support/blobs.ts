/** Points around a few centres, for tests of clustering and similarity search. */

import { Rng } from "../../src/core/rng.js";
import type { Rows } from "../../src/numeric/rows.js";

/** `n` points around `k` random centres, row by row, with the centre of each; `noise` is the standard deviation. */
export function blobs(n: number, k: number, width: number, noise: number, seed = 1): { rows: Rows; classes: number[] } {
  const rng = new Rng(seed, "blobs");
  const centers = Array.from({ length: k * width }, () => 4 * rng.normal());
  const classes = Array.from({ length: n }, (_, i) => i % k);
  const data = new Float64Array(n * width);
  for (let i = 0; i < n * width; i++) {
    data[i] = centers[classes[Math.floor(i / width)] * width + (i % width)] + noise * rng.normal();
  }
  return { rows: { data, width }, classes };
}

/** The same as an embedding with one label per node: the name of its centre. */
export function labelledBlobs(...options: Parameters<typeof blobs>) {
  const { rows, classes } = blobs(...options);
  const ids = classes.map((_, i) => `v${i}`);
  const byNode = new Map(ids.map((id, i): [string, string[]] => [id, [`c${classes[i]}`]]));
  const names = [...new Set(classes)].sort().map((c) => `c${c}`);
  return { embedding: { ids, dim: rows.width, vectors: Float32Array.from(rows.data) }, labels: { byNode, names } };
}
