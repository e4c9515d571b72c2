/** The first rows of a text table, and what stands between their fields. */

import type { FileHead } from "./file-head.js";
import { type Dialect, RowScanner, type ScannedRow } from "./row-scanner.js";

/** Lines that guesses look at. */
const SAMPLE_LINES = 1000;

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
  const lines = head.text.split(/\r\n|\n|\r/, comments + SAMPLE_LINES).slice(comments);
  const line = (lines[0] ?? "").replace(/"([^"]|"")*"/g, '""');
  const preferred = { csv: ",", tsv: "\t", tab: "\t" }[head.extension];
  if (head.extension === "edges") return "spaces";
  for (const delimiter of [preferred ?? "\t", "\t", ",", ";", "|"]) if (line.includes(delimiter)) return delimiter;
  const blanks = preferred === undefined && (wholeLines ? namesNodes(lines) : words(line).length > 1);
  return blanks ? "spaces" : (preferred ?? "\t");
}

function words(line: string): string[] {
  return line.trim().split(/\s+/);
}

/** Fewer names than such columns may have: gene and protein are words that names of nodes hold, too. */
const NODE_COLUMN = /^(node|id|node_?id)$/i;

/** Whether ids, which may hold blanks, are one column of several: a header says so, and all rows have as many words. */
function namesNodes([header = "", ...rows]: readonly string[]): boolean {
  const names = words(header);
  const column = names.findIndex((name) => NODE_COLUMN.test(name));
  const below = rows.map(words).filter(([first]) => first !== "");
  // the last line of a head may be cut
  const whole = below.length > 1 ? below.slice(0, -1) : below;
  return (
    column >= 0 &&
    names.length > 1 &&
    whole.every((fields) => fields.length === names.length && fields[column] !== names[column])
  );
}
