/** What to say about a dataset folder: which of its files are read, and which are not. */

import { join } from "node:path";
import { firstNames, shellQuery } from "../../core/text.js";
import { quoteText } from "../duckdb.js";
import type { DatasetFolder } from "../graph/dataset-folder.js";

/** How tables of one kind, such as those of days, are read as one relation. */
function asOne(path: string, { edges, leftOut, nodes, features, labels, split, links }: DatasetFolder): string {
  // what else is there would be read with them
  const alone = leftOut.length === 0 && [nodes, features, labels, split, links].every((file) => file === undefined);
  if (!alone || /[*?[\]]/.test(path)) return "";
  const [ending, ...others] = new Set(edges.map((file) => /\.(csv|tsv|parquet|jsonl)(\.gz)?$/.exec(file)?.[0]));
  if (ending === undefined || others.length > 0) return "";
  const query = `SELECT * FROM ${quoteText(join(path, `*${ending}`))}`;
  return ` To read them as one: --sql ${shellQuery(query)}.`;
}

/** What of a folder is read, and what is not. */
export function folderNotes(path: string, folder: DatasetFolder): string[] {
  const { edges, leftOut, unread } = folder;
  const notes: string[] = [];
  if (edges.length > 1) {
    notes.push(
      `${path}: no file is called edges; its ${edges.length} tables are all read as such, a relation each unless they name their own.${asOne(path, folder)}`,
    );
  }
  if (leftOut.length > 0) notes.push(`${path}: tables of other names are not read: ${firstNames(leftOut, 5)}.`);
  if (unread.length > 0) {
    notes.push(`${path}: not read, since they are no tables by their names: ${firstNames(unread, 5)}.`);
  }
  return notes;
}
