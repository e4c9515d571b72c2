/**
 * The two kinds of rows that probes and k-means are fitted to: raw vectors, and standardised ones, whose columns have mean 0
 * and standard deviation 1 (a constant column becomes 0). Both are reported, because results depend on the scale of the
 * columns.
 */

import { type Embedding, rowSlices, type VectorRows, vectorRows, vectorSlices } from "../../core/embedding.js";
import { meanVector, type Rows } from "../../numeric/rows.js";

/**
 * Rows standardised over all nodes, labelled or not. Raw infomax vectors lie nearly on one line, and a regularised probe does
 * not use the directions of small variance that distinguish the nodes.
 */
export function standardizedRows(source: Embedding | Rows): Rows {
  const [vectors, dim] = "vectors" in source ? [source.vectors, source.dim] : [source.data, source.width];
  const n = vectors.length / dim;
  const data = Float64Array.from(vectors);
  for (let k = 0; k < dim; k++) {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += data[i * dim + k];
    mean /= n;
    let variance = 0;
    for (let i = 0; i < n; i++) variance += (data[i * dim + k] - mean) ** 2;
    const deviation = Math.sqrt(variance / n);
    for (let i = 0; i < n; i++) data[i * dim + k] = deviation > 0 ? (data[i * dim + k] - mean) / deviation : 0;
  }
  return { data, width: dim };
}

/** The vectors, unchanged. */
export function rawRows({ vectors, dim }: Embedding): Rows {
  return { data: Float64Array.from(vectors), width: dim };
}

/** Standardised or raw vectors. */
export type RowKind = "standardised" | "raw";

export const ROW_KINDS: readonly RowKind[] = ["standardised", "raw"];

/** The vectors of these nodes, raw or standardised over all nodes; the vectors are read in slices. */
export function rowsOfNodes(source: Embedding | VectorRows, kind: RowKind, nodes: ArrayLike<number>): Rows {
  const vectors = vectorRows(source);
  const rows = vectorsAt(vectors, nodes);
  if (kind === "raw") return rows;
  const { data, width } = rows;
  const means = meanVector(vectors);
  const deviations = columnVariances(vectors, means).map(Math.sqrt);
  for (let at = 0; at < data.length; at++) {
    const k = at % width;
    data[at] = deviations[k] > 0 ? (data[at] - means[k]) / deviations[k] : 0;
  }
  return rows;
}

/** The vectors of these nodes, in this order. */
export function vectorsAt({ dim, at }: VectorRows, nodes: ArrayLike<number>): Rows {
  const places = Uint32Array.from(nodes);
  const data = new Float64Array(places.length * dim);
  for (const { first, end } of rowSlices(places.length, dim)) data.set(at(places.subarray(first, end)), first * dim);
  return { data, width: dim };
}

/** The variance of each column over all nodes. */
export function columnVariances(vectors: VectorRows, means: Float64Array): Float64Array {
  const { ids, dim } = vectors;
  const sums = new Float64Array(dim);
  for (const slice of vectorSlices(vectors)) {
    for (let at = 0; at < slice.vectors.length; at++) sums[at % dim] += (slice.vectors[at] - means[at % dim]) ** 2;
  }
  return sums.map((sum) => sum / ids.length);
}

/** The rows at these indices, in this order. */
export function selectRows({ data, width }: Rows, indices: ArrayLike<number>): Rows {
  const selected = new Float64Array(indices.length * width);
  for (let i = 0; i < indices.length; i++) {
    selected.set(data.subarray(indices[i] * width, (indices[i] + 1) * width), i * width);
  }
  return { data: selected, width };
}
