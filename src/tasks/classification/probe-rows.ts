/** Vectors of labelled nodes as a probe reads them: raw or standardised, the leading columns. */

import { type Embedding, type VectorRows, vectorRows, vectorSlices } from "../../core/embedding.js";
import { mean, type Rows } from "../../numeric/rows.js";
import { type RowKind, vectorsAt } from "./standardize.js";

/**
 * Vectors of the labelled nodes for both scalings. "raw" vectors are centred and divided by one number, the root mean square
 * of their entries, so that the same values of C suit vectors of any length; neither changes what a probe can express.
 */
export class ProbeRows {
  readonly width: number;
  readonly #rows: Readonly<Record<RowKind, Rows>>;
  /** Variance of each column of the vectors over all nodes. */
  readonly #variances: Float64Array;

  /** The vectors are read in slices. */
  constructor(source: Embedding | VectorRows, labelled: Int32Array) {
    const vectors = vectorRows(source);
    const { dim: width } = vectors;
    const n = vectors.ids.length;
    this.width = width;
    const means = new Float64Array(width);
    for (const { vectors: data } of vectorSlices(vectors)) {
      for (let at = 0; at < data.length; at++) means[at % width] += data[at] / n;
    }
    this.#variances = new Float64Array(width);
    for (const { vectors: data } of vectorSlices(vectors)) {
      for (let at = 0; at < data.length; at++) this.#variances[at % width] += (data[at] - means[at % width]) ** 2 / n;
    }
    const raw = vectorsAt(vectors, labelled);
    for (let at = 0; at < raw.data.length; at++) raw.data[at] -= means[at % width];
    const scales = this.#variances.map((variance) => (variance > 0 ? 1 / Math.sqrt(variance) : 0));
    this.#rows = { raw, standardised: { data: raw.data.map((value, at) => value * scales[at % width]), width } };
  }

  /** The leading columns of the labelled nodes at these places. */
  select(places: Int32Array, { scaling, columns }: { readonly scaling: RowKind; readonly columns: number }): Rows {
    const { data, width } = this.#rows[scaling];
    const variance = mean(this.#variances.subarray(0, columns));
    const scale = scaling === "raw" && variance > 0 ? 1 / Math.sqrt(variance) : 1;
    const selected = new Float64Array(places.length * columns);
    places.forEach((place, i) => {
      for (let k = 0; k < columns; k++) selected[i * columns + k] = scale * data[place * width + k];
    });
    return { data: selected, width: columns };
  }
}
