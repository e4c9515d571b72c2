/** Tables of a run as tensors of a safetensors file, written in slices. */

import { rowSlices, sliceRoom } from "../../core/embedding.js";
import { dtypeOf, type SlicedTensor, type TensorData } from "../../io/formats/safetensors.js";
import type { TableRows } from "../../train/snapshot.js";

export async function tableTensors(tables: readonly TableRows[]): Promise<SlicedTensor[]> {
  const tensors: SlicedTensor[] = [];
  // one after another: on several ranks every read is a message to all of them
  for (const { name, rows, cols, range } of tables) {
    tensors.push({
      name,
      shape: [rows, cols],
      dtype: dtypeOf(await range(0, 0)),
      async *slices(): AsyncGenerator<TensorData> {
        const room = sliceRoom(rows, cols);
        for (const { first, end } of rowSlices(rows, cols)) yield await range(first, end, room);
      },
    });
  }
  return tensors;
}
