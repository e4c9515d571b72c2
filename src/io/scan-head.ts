/** The first rows of a text table, and what stands between their fields. */

import type { FileHead } from "./file-head.js";
import { type Dialect, RowScanner, type ScannedRow } from "./row-scanner.js";

/** Lines that guesses look at. */
const SAMPLE_LINES = 1000;

/** A comment that has as many fields as the rows: a header, or a row whose first name begins with #. */
export interface CommentedRow {
  readonly line: number;
  readonly text: string;
  /** Without what makes it a comment. */
  readonly fields: readonly string[];
}

/** Rows of the head of a file; the line that the head cuts through is none. */
export function scanHead(
  head: FileHead,
  wholeLines: boolean,
): Dialect & { readonly rows: readonly ScannedRow[]; readonly commented?: CommentedRow } {
  const skipLines = countComments(head.text);
  const delimiter = findDelimiter(head, skipLines, wholeLines);
  const scanner = new RowScanner({ delimiter, skipLines });
  const rows = scanner.push(head.text);
  if (head.complete || rows.length === 0) rows.push(...scanner.end());
  return { delimiter, skipLines, rows, commented: commentedRow(head.text, skipLines, delimiter, rows) };
}

/** The last comment above the rows, if it may be one of them or their header. */
function commentedRow(
  text: string,
  skipLines: number,
  delimiter: string,
  [first]: readonly ScannedRow[],
): CommentedRow | undefined {
  const lines = text.split(/\r\n|\n|\r/, skipLines);
  const at = lines.findLastIndex((line) => line.trim() !== "");
  const plain = (lines[at] ?? "").replace(/^[#%]+\s*/, "");
  const fields = delimiter === "spaces" ? words(plain) : plain.split(delimiter).map((field) => field.trim());
  if (first === undefined || fields.length < 2 || fields.length !== first.fields.length) return undefined;
  return { line: at + 1, text: lines[at], fields: fields.map((field) => field.replace(/^"(.*)"$/, "$1")) };
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
  const found = [...new Set([preferred ?? "\t", "\t", ",", ";", "|"])].filter((delimiter) => line.includes(delimiter));
  if (found.length > 0) return found.length === 1 ? found[0] : bestFitting(found, lines);
  const blanks = preferred === undefined && (wholeLines ? namesNodes(lines) : words(line).length > 1);
  return blanks ? "spaces" : (preferred ?? "\t");
}

/** The first that gives all rows the same number of fields, or the first; a comma between digits only is a decimal one. */
function bestFitting(delimiters: readonly string[], lines: readonly string[]): string {
  // the last line of a head may be cut
  const text = (lines.length > 1 ? lines.slice(0, -1) : lines).join("\n");
  const decimal = /\d,\d/.test(text) && !/(^|\D),|,(\D|$)/m.test(text);
  const possible = delimiters.filter((delimiter) => delimiter !== "," || !decimal);
  const fits = (delimiter: string) => {
    const scanner = new RowScanner({ delimiter, skipLines: 0 });
    return new Set([...scanner.push(text), ...scanner.end()].map(({ fields }) => fields.length)).size === 1;
  };
  return possible.find(fits) ?? possible[0];
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
