/** `embeddings.RELATION.parquet`: the vectors a model has for one relation. */

import { join } from "node:path";
import type { RunRecord } from "../../core/record.js";
import { writeEmbeddings } from "../../io/formats/write-embeddings.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import type { Run } from "../../train/run.js";

/** Longest part of a relation's name in a file name: file systems take 255 bytes. */
const LONGEST = 80;

type RelationFiles = NonNullable<RunRecord["relationVectors"]>[number];

/** Writes them for a run that was started `withRelations`. Returns the names of the files. */
export async function writeRelationVectors(
  folder: string,
  run: Run,
  { relations }: LoadedGraph,
): Promise<RelationFiles[]> {
  const files: RelationFiles[] = [];
  const taken = new Set<string>();
  for (const [d, { name }] of relations.entries()) {
    const vectors = run.relationVectors(d);
    if (vectors === undefined) continue;
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

/** The name without what file systems do not take; a number makes it unique, whatever letters they tell apart. */
function fileStem(name: string, taken: Set<string>): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, LONGEST) || "relation";
  let stem = plain;
  for (let i = 2; taken.has(stem.toLowerCase()); i++) stem = `${plain}-${i}`;
  taken.add(stem.toLowerCase());
  return stem;
}
