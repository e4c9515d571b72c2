/** The first rows of a text table, and what stands between their fields. */

import { findAlias, NODE_ROLE } from "./columns.js";
import type { FileHead } from "./file-head.js";
import { type Dialect, RowScanner, type ScannedRow } from "./row-scanner.js";

/** Rows of the head of a file; the line that the head cuts through is none. */
export function scanHead(head: FileHead, wholeLines: boolean): Dialect & { readonly rows: readonly ScannedRow[] } {
  const skipLines = countComments(head.text);
  const delimiter = findDelimiter(head, skipLines, wholeLines);
  const scanner = new RowScanner({ delimiter, skipLines });
  const rows = scanner.push(head.text);
  if (head.complete || rows.length === 0) rows.push(...scanner.end());
  return { delimiter, skipLines, rows };
}

/** Lines at the top that begin with # (or %, as in KONECT and Matrix Market files), are blank or tell Excel the delimiter. */
function countComments(text: string): number {
  let count = 0;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (!/^(#|%|\s*$|sep=.\s*$)/i.test(line)) break;
    count++;
  }
  return count;
}

function findDelimiter(head: FileHead, comments: number, wholeLines: boolean): string {
  const [line = "", next = ""] = head.text
    .split(/\r\n|\n|\r/, comments + 2)
    .slice(comments)
    .map((text) => text.replace(/"([^"]|"")*"/g, '""'));
  const preferred = { csv: ",", tsv: "\t", tab: "\t" }[head.extension];
  if (head.extension === "edges") return "spaces";
  for (const delimiter of [preferred ?? "\t", "\t", ",", ";", "|"]) if (line.includes(delimiter)) return delimiter;
  const blanks =
    preferred === undefined && (wholeLines ? namesNodes(words(line), words(next)) : words(line).length > 1);
  return blanks ? "spaces" : (preferred ?? "\t");
}

function words(line: string): string[] {
  return line.trim().split(/\s+/);
}

/** Whether ids, which may hold blanks, are one column of several: a header that says so, unlike the line below it. */
function namesNodes(first: readonly string[], next: readonly string[]): boolean {
  const column = findAlias(NODE_ROLE, first);
  return column >= 0 && next.length === first.length && first.length > 1 && next[column] !== first[column];
}
