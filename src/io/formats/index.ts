/** All embedding formats. */

import { delimitedFormat } from "./delimited.js";
import type { EmbeddingFormat } from "./format.js";
import { npy } from "./npy.js";
import { parquet } from "./parquet.js";
import { projector } from "./projector.js";
import { word2vec } from "./word2vec.js";

export const embeddingFormats: readonly EmbeddingFormat[] = [
  parquet,
  npy,
  delimitedFormat("tsv", "\t"),
  delimitedFormat("csv", ","),
  word2vec,
  projector,
];
