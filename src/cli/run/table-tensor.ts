/** A table of a run as a tensor of a safetensors file, written in slices. */

import { rowSlices } from "../../core/embedding.js";
import { dtypeOf, type SlicedTensor, type TensorData } from "../../io/formats/safetensors.js";
import type { TableRows } from "../../train/snapshot.js";

export function tableTensor({ name, rows, cols, range }: TableRows): SlicedTensor {
  return {
    name,
    shape: [rows, cols],
    dtype: dtypeOf(range(0, 0)),
    *slices(): Generator<TensorData> {
      for (const { first, end } of rowSlices(rows, cols)) yield range(first, end);
    },
  };
}
