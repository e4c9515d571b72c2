/**
 * k-means in float64: Lloyd's iterations from several k-means++ starts (Arthur, Vassilvitskii, SODA 2007); the best
 * result is kept.
 *
 * Distances that cannot change an assignment are not computed (Hamerly, SDM 2010): each row keeps an upper bound of the
 * distance to its own centre and a lower bound of the distance to every other. The result equals that of plain iterations.
 */

import type { Rng } from "../core/rng.js";
import type { Rows } from "./rows.js";

/** Iterations from one start; not tuned. */
const MAX_ITERATIONS = 300;

export interface KMeansOptions {
  /** Number of random starts, at least 1; default 10. The result with the smallest inertia is kept. */
  readonly restarts?: number;
}

export interface KMeansResult {
  /** Cluster of each row, 0 … k−1. */
  readonly clusters: Int32Array;
  /** k × width. */
  readonly centers: Float64Array;
  /** Sum over the rows of the squared distance to the centre of their cluster. */
  readonly inertia: number;
  readonly iterations: number;
}

/** Partitions the rows, at least k of them, into k clusters. */
export function kMeans(rows: Rows, k: number, rng: Rng, options: KMeansOptions = {}): KMeansResult {
  const { restarts = 10 } = options;
  const found = (start: number) => iterate(rows, plusPlus(rows, k, rng.fork("start", start)), k);
  let best = found(0);
  for (let start = 1; start < restarts; start++) {
    const next = found(start);
    if (next.inertia < best.inertia) best = next;
  }
  return best;
}

/** Index of the nearest centre of each row; ties go to the first. `centers` is k × width. */
export function nearestCenters({ data, width }: Rows, centers: Float64Array): Int32Array {
  return Int32Array.from({ length: data.length / width }, (_, i) => {
    let nearest = 0;
    let smallest = Infinity;
    for (let c = 0; c * width < centers.length; c++) {
      const distance = squaredDistance(data, i * width, centers, c * width, width);
      if (distance < smallest) [nearest, smallest] = [c, distance];
    }
    return nearest;
  });
}

/** k-means++: each next centre is a row, drawn with probability proportional to its squared distance to the nearest centre. */
function plusPlus({ data, width }: Rows, k: number, rng: Rng): Float64Array {
  const n = data.length / width;
  const centers = new Float64Array(k * width);
  const nearest = new Float64Array(n).fill(Infinity);
  let row = rng.below(n);
  for (let c = 0; c < k; c++) {
    centers.set(data.subarray(row * width, (row + 1) * width), c * width);
    let sum = 0;
    for (let i = 0; i < n; i++) {
      nearest[i] = Math.min(nearest[i], squaredDistance(data, i * width, centers, c * width, width));
      sum += nearest[i];
    }
    // there are fewer distinct rows than centres: any row will do
    if (!(sum > 0)) {
      row = rng.below(n);
      continue;
    }
    let rest = rng.uniform() * sum;
    let last = 0;
    for (row = 0; row < n && rest >= 0; row++) {
      rest -= nearest[row];
      if (nearest[row] > 0) last = row;
    }
    row = last;
  }
  return centers;
}

function iterate({ data, width }: Rows, centers: Float64Array, k: number): KMeansResult {
  const n = data.length / width;
  const clusters = new Int32Array(n).fill(-1);
  const upperBound = new Float64Array(n).fill(Infinity); // upper bound of the distance to the own centre
  const others = new Float64Array(n); // lower bound of the distance to every other centre
  let iterations = 0;
  for (let changed = true; changed && iterations < MAX_ITERATIONS; iterations++) {
    changed = assign();
    if (!changed) break;
    for (const row of fillEmpty(data, width, centers, clusters, k)) others[row] = -Infinity;
    const moved = move(data, width, centers, clusters, k);
    const farthest = moved.reduce((a, b) => Math.max(a, b), 0);
    for (let i = 0; i < n; i++) {
      upperBound[i] += moved[clusters[i]];
      others[i] -= farthest;
    }
  }
  let inertia = 0;
  for (let i = 0; i < n; i++) inertia += squaredDistance(data, i * width, centers, clusters[i] * width, width);
  return { clusters, centers, inertia, iterations };

  /** Assigns every row to its nearest centre; ties go to the first. Returns whether any row changed. */
  function assign(): boolean {
    let any = false;
    for (let i = 0; i < n; i++) {
      if (upperBound[i] < others[i]) continue;
      let best = Infinity;
      let second = Infinity;
      let cluster = 0;
      for (let c = 0; c < k; c++) {
        const distance = squaredDistance(data, i * width, centers, c * width, width);
        if (distance < best) {
          second = best;
          best = distance;
          cluster = c;
        } else if (distance < second) second = distance;
      }
      upperBound[i] = Math.sqrt(best);
      others[i] = Math.sqrt(second);
      if (cluster !== clusters[i]) any = true;
      clusters[i] = cluster;
    }
    return any;
  }
}

/** Gives every empty cluster the row farthest from its own centre; returns these rows. */
function fillEmpty(
  data: Float64Array,
  width: number,
  centers: Float64Array,
  clusters: Int32Array,
  k: number,
): number[] {
  const sizes = new Int32Array(k);
  for (const cluster of clusters) sizes[cluster]++;
  const taken: number[] = [];
  for (let c = 0; c < k; c++) {
    if (sizes[c] > 0) continue;
    let farthest = -1;
    let distance = 0;
    for (let i = 0; i < clusters.length; i++) {
      if (sizes[clusters[i]] < 2) continue;
      const toCenter = squaredDistance(data, i * width, centers, clusters[i] * width, width);
      if (toCenter > distance) {
        farthest = i;
        distance = toCenter;
      }
    }
    // every row is at its centre: there are fewer distinct rows than clusters
    if (farthest < 0) break;
    sizes[clusters[farthest]]--;
    sizes[c]++;
    clusters[farthest] = c;
    taken.push(farthest);
  }
  return taken;
}

/** Moves the centres to the means of their rows; a centre without rows stays. Returns the distance each moved. */
function move(data: Float64Array, width: number, centers: Float64Array, clusters: Int32Array, k: number): Float64Array {
  const means = new Float64Array(centers.length);
  const sizes = new Int32Array(k);
  for (let i = 0; i < clusters.length; i++) {
    const at = clusters[i] * width;
    sizes[clusters[i]]++;
    for (let j = 0; j < width; j++) means[at + j] += data[i * width + j];
  }
  const moved = new Float64Array(k);
  for (let c = 0; c < k; c++) {
    if (sizes[c] === 0) continue;
    for (let j = c * width; j < (c + 1) * width; j++) means[j] /= sizes[c];
    moved[c] = Math.sqrt(squaredDistance(means, c * width, centers, c * width, width));
    centers.set(means.subarray(c * width, (c + 1) * width), c * width);
  }
  return moved;
}

function squaredDistance(a: Float64Array, i: number, b: Float64Array, j: number, width: number): number {
  let even = 0;
  let odd = 0;
  let k = 0;
  for (; k + 1 < width; k += 2) {
    const d0 = a[i + k] - b[j + k];
    const d1 = a[i + k + 1] - b[j + k + 1];
    even += d0 * d0;
    odd += d1 * d1;
  }
  if (k < width) even += (a[i + k] - b[j + k]) ** 2;
  return even + odd;
}
