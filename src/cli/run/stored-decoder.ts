/** Writes and reads the decoder of a run in model.safetensors. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { rowSlices, type SlicedDecoder, type TrainedDecoder } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { type NamedTensor, readSafetensors, type SlicedTensor } from "../../io/formats/safetensors.js";
import {
  type ColumnStore,
  type PackedColumns,
  type PackedDecoder,
  packColumns,
  unpackDecoder,
} from "../../tasks/links/packed-decoder.js";

const COLUMNS = "links.columns";
const PLACES = "links.places";
const FACTORS = "links.factors";
const METADATA = "links";

/** How the stored columns form the vectors of each relation, and how pairs are scored. */
interface Layout {
  readonly score: PackedDecoder["score"];
  readonly directed: boolean;
  /** Widths of source and target vectors; null if the target uses the source vectors. */
  readonly widths: readonly (readonly [number, number | null])[];
}

/** The decoder as tensors and metadata of model.safetensors; nothing for a model without one. `store` keeps its columns. */
export async function decoderTensors(
  decoder: SlicedDecoder | undefined,
  numRelations: number,
  store: ColumnStore,
): Promise<{ tensors: (NamedTensor | SlicedTensor)[]; metadata: Record<string, string> }> {
  if (decoder === undefined) return { tensors: [], metadata: {} };
  const { relations, numColumns, numNodes } = await packColumns(decoder, numRelations, store);
  const ends = relations.flatMap(({ source, target }) => (target === undefined ? [source] : [source, target]));
  const total = ends.reduce((sum, { places }) => sum + places.length, 0);
  const places = new Uint32Array(total);
  const factors = new Float32Array(total);
  let at = 0;
  for (const end of ends) {
    places.set(end.places, at);
    factors.set(end.factors, at);
    at += end.places.length;
  }
  const layout: Layout = {
    score: decoder.score,
    directed: decoder.directed,
    widths: relations.map(({ source, target }) => [source.places.length, target?.places.length ?? null]),
  };
  const columns: SlicedTensor = {
    name: COLUMNS,
    shape: [numColumns, numNodes],
    dtype: "F32",
    *slices() {
      for (let column = 0; column < numColumns; column++) {
        for (const { first, end } of rowSlices(numNodes, 1)) yield store.read(column, first, end);
      }
    },
  };
  return {
    tensors: [
      columns,
      { name: PLACES, shape: [1, total], data: places },
      { name: FACTORS, shape: [1, total], data: factors },
    ],
    metadata: { [METADATA]: JSON.stringify(layout) },
  };
}

/** The decoder of the run in a folder; undefined if its model has none. */
export async function readStoredDecoder(folder: string, ids: readonly string[]): Promise<TrainedDecoder | undefined> {
  const file = join(folder, "model.safetensors");
  if (!existsSync(file)) return undefined;
  const { tensors, metadata } = await readSafetensors(file, [COLUMNS, PLACES, FACTORS]);
  const [columns, places, factors] = [COLUMNS, PLACES, FACTORS].map((name) => tensors.get(name));
  if (metadata[METADATA] === undefined || columns === undefined) return undefined;
  const layout = JSON.parse(metadata[METADATA]) as Layout;
  const [numColumns, n] = columns.shape;
  if (
    !(
      columns.data instanceof Float32Array &&
      places?.data instanceof Uint32Array &&
      factors?.data instanceof Float32Array
    )
  ) {
    throw new InputError(`${file}: the decoder is incomplete; the file may be damaged. Run hmge embed again.`);
  }
  if (n !== ids.length) {
    throw new InputError(
      `${file}: a decoder of ${n} nodes, but vectors of ${ids.length}; they do not belong together.`,
    );
  }
  const kept = Array.from({ length: numColumns }, (_, k) =>
    (columns.data as Float32Array).subarray(k * n, (k + 1) * n),
  );
  let at = 0;
  const take = (width: number): PackedColumns => {
    const [begin, end] = [at, at + width];
    at = end;
    return {
      places: (places.data as Uint32Array).subarray(begin, end),
      factors: (factors.data as Float32Array).subarray(begin, end),
    };
  };
  const relations = layout.widths.map(([source, target]) => ({
    source: take(source),
    ...(target === null ? {} : { target: take(target) }),
  }));
  return unpackDecoder({ score: layout.score, directed: layout.directed, columns: kept, relations }, ids);
}
