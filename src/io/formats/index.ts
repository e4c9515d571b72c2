/** All embedding formats. */

import { csv } from "./csv.js";
import type { EmbeddingFormat } from "./format.js";
import { npy } from "./npy.js";
import { parquet } from "./parquet.js";
import { projector } from "./projector.js";
import { tsv } from "./tsv.js";
import { word2vec } from "./word2vec.js";

export const embeddingFormats: readonly EmbeddingFormat[] = [parquet, npy, tsv, csv, word2vec, projector];
