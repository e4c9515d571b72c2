/** `embeddings.RELATION.parquet`: the vectors a model has for one relation. */

import { join } from "node:path";
import type { LoadedGraph } from "../io/load-graph.js";
import { writeEmbeddings } from "../io/write-embeddings.js";
import type { Run } from "../train/run.js";

/** Longest part of a relation's name in a file name: file systems take 255 bytes. */
const LONGEST = 80;

/** Writes them for a run that was started `withRelations`; nothing for other runs. Returns the files written. */
export async function writeRelationVectors(folder: string, run: Run, { relations }: LoadedGraph): Promise<string[]> {
  const files: string[] = [];
  const taken = new Set<string>();
  for (const [d, { name }] of relations.entries()) {
    const vectors = run.relationVectors(d);
    if (vectors === undefined) continue;
    const stem = fileStem(name, taken);
    taken.add(`${stem}.target`.toLowerCase());
    files.push(...(await writeEmbeddings(join(folder, `embeddings.${stem}.parquet`), vectors.source)));
    if (vectors.target === undefined) continue;
    files.push(...(await writeEmbeddings(join(folder, `embeddings.${stem}.target.parquet`), vectors.target)));
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
