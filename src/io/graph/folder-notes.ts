/** Notes about a dataset folder: which of its files are read, and which are not. */

import { join } from "node:path";
import { firstNames, quoteText, shellQuery } from "../../core/text.js";
import type { DatasetFolder } from "./dataset-folder.js";

/** Notes for the user about the files of a folder. */
export function folderNotes(path: string, folder: DatasetFolder): string[] {
  const { edges, otherTables, otherFiles } = folder;
  const notes: string[] = [];
  if (edges.length > 1) {
    notes.push(
      `${path}: no file is called edges; all ${edges.length} tables are read as edges, each as one relation unless it has a relation column.${singleRelationAdvice(path, folder)}`,
    );
  }
  if (otherTables.length > 0) notes.push(`${path}: other tables are not read: ${firstNames(otherTables, 5)}.`);
  if (otherFiles.length > 0) {
    notes.push(`${path}: not read, because their names are not names of tables: ${firstNames(otherFiles, 5)}.`);
  }
  return notes;
}

/** How to read tables of one kind, such as one per day, as a single relation; empty if one query cannot read the folder. */
function singleRelationAdvice(path: string, folder: DatasetFolder): string {
  const { edges, otherTables, nodes, features, labels, split, links } = folder;
  // A query over *.csv would also read the other files.
  const edgesOnly =
    otherTables.length === 0 && [nodes, features, labels, split, links].every((file) => file === undefined);
  if (!edgesOnly || /[*?[\]]/.test(path)) return "";
  const [ending, ...others] = new Set(edges.map((file) => /\.(csv|tsv|parquet|jsonl)(\.gz)?$/.exec(file)?.[0]));
  if (ending === undefined || others.length > 0) return "";
  const query = `SELECT * FROM ${quoteText(join(path, `*${ending}`))}`;
  return ` To read them as one relation: --sql ${shellQuery(query)}.`;
}
