/** `embeddings.RELATION.parquet`: a model's vectors for one relation. */

import { join } from "node:path";
import type { SlicedDecoder } from "../../core/embedding.js";
import type { RunRecord } from "../../core/record.js";
import { writeEmbeddings } from "../../io/formats/embedding-files.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";

/** Maximum number of characters of a relation's name in a file name; file systems allow 255 bytes. */
const MAX_LENGTH = 80;

type RelationFiles = NonNullable<RunRecord["relationVectors"]>[number];

/** Writes the vectors of each relation. Returns the names of the files. */
export async function writeRelationVectors(
  folder: string,
  decoder: SlicedDecoder,
  { relations }: LoadedGraph,
): Promise<RelationFiles[]> {
  const files: RelationFiles[] = [];
  const taken = new Set<string>();
  for (const [d, { name }] of relations.entries()) {
    const vectors = await decoder.rows(d);
    const stem = fileStem(name, taken);
    taken.add(`${stem}.target`.toLowerCase());
    const source = `embeddings.${stem}.parquet`;
    await writeEmbeddings(join(folder, source), vectors.source);
    const target = vectors.target === undefined ? undefined : `embeddings.${stem}.target.parquet`;
    if (target !== undefined && vectors.target !== undefined) {
      await writeEmbeddings(join(folder, target), vectors.target);
    }
    files.push({ relation: name, source, ...(target === undefined ? {} : { target }) });
  }
  return files;
}

/**
 * The name of a relation for use in a file name: other characters than letters, digits, `.`, `_` and `-` become `_`. A number
 * is appended if the name is taken already, in upper or lower case.
 */
function fileStem(name: string, taken: Set<string>): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, MAX_LENGTH) || "relation";
  let stem = plain;
  for (let i = 2; taken.has(stem.toLowerCase()); i++) stem = `${plain}-${i}`;
  taken.add(stem.toLowerCase());
  return stem;
}
