/** Column-wise standardisation: mean 0, deviation 1; a constant column becomes 0. */

import type { Embedding } from "../../core/embedding.js";
import type { Rows } from "../../numeric/rows.js";

/**
 * Rows standardised over all nodes (no label is looked at). Raw infomax vectors lie nearly on one line, and a regularised
 * probe cannot see the small directions that matter.
 */
export function standardizedRows(given: Embedding | Rows): Rows {
  const [vectors, dim] = "vectors" in given ? [given.vectors, given.dim] : [given.data, given.width];
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

/** Vectors as they are. */
export function rawRows({ vectors, dim }: Embedding): Rows {
  return { data: Float64Array.from(vectors), width: dim };
}

/** Both are reported wherever the scale of the columns matters. */
export type RowKind = "standardised" | "raw";

export const ROW_KINDS: readonly RowKind[] = ["standardised", "raw"];

export function rowsOfKind(embedding: Embedding, kind: RowKind): Rows {
  return kind === "raw" ? rawRows(embedding) : standardizedRows(embedding);
}

/** Some of the rows, in the order given. */
export function selectRows({ data, width }: Rows, indices: ArrayLike<number>): Rows {
  const selected = new Float64Array(indices.length * width);
  for (let i = 0; i < indices.length; i++) {
    selected.set(data.subarray(indices[i] * width, (indices[i] + 1) * width), i * width);
  }
  return { data: selected, width };
}
