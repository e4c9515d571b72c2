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

interface HeadRows extends Dialect {
  readonly rows: readonly ScannedRow[];
  readonly commented?: CommentedRow;
  /** Whether the first column has no name, as R leaves that of its row names out; the first row is a header then. */
  readonly rowNames: boolean;
}

/** Rows of the head of a file; the line that the head cuts through is none. */
export function scanHead(head: FileHead, wholeLines: boolean): HeadRows {
  const skipLines = countComments(head.text);
  const delimiter = findDelimiter(head, skipLines, wholeLines);
  const scanner = new RowScanner({ delimiter, skipLines });
  const rows = scanner.push(head.text);
  if (head.complete || rows.length === 0) rows.push(...scanner.end());
  const rowNames = hasRowNames(rows);
  if (rowNames) rows[0] = { ...rows[0], fields: ["", ...rows[0].fields] };
  else if (hasTrailingDelimiters(rows)) rows[0] = { ...rows[0], fields: [...rows[0].fields, ""] };
  return { delimiter, skipLines, rows, rowNames, commented: commentedRow(head.text, skipLines, delimiter, rows) };
}

/** Whether all rows below the first have one field more, the first of them a name of its own in each. */
function hasRowNames(rows: readonly ScannedRow[]): boolean {
  const below = rows.slice(1);
  return (
    isFirstShort(rows) &&
    !hasTrailingDelimiters(rows) &&
    new Set(below.map(({ fields }) => fields[0])).size === below.length
  );
}

/** Whether all rows below the first end with a delimiter that the first lacks. */
function hasTrailingDelimiters(rows: readonly ScannedRow[]): boolean {
  return isFirstShort(rows) && rows.slice(1).every(({ fields }) => fields.at(-1)?.trim() === "");
}

/** Whether all rows below the first have one field more. */
function isFirstShort([first, ...below]: readonly ScannedRow[]): boolean {
  return below.length > 0 && below.every(({ fields }) => fields.length === first.fields.length + 1);
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
  if (!blanks) return preferred ?? "\t";
  return lines.some((text) => /(^|\s)"/.test(text)) && fits(" ", lines) ? " " : "spaces";
}

/** The first that gives all rows the same number of fields, or the first; a comma between digits only is a decimal one. */
function bestFitting(delimiters: readonly string[], lines: readonly string[]): string {
  const text = lines.join("\n");
  const decimal = /\d,\d/.test(text) && !/(^|\D),|,(\D|$)/m.test(text);
  const possible = delimiters.filter((delimiter) => delimiter !== "," || !decimal);
  return possible.find((delimiter) => fits(delimiter, lines)) ?? possible[0];
}

/** Whether all rows have the same number of fields, their quotes in order; a header may lack the name of row names. */
function fits(delimiter: string, lines: readonly string[]): boolean {
  const scanner = new RowScanner({ delimiter, skipLines: 0 });
  // the last line of a head may be cut
  const text = (lines.length > 1 ? lines.slice(0, -1) : lines).join("\n");
  const rows = [...scanner.push(text), ...scanner.end()];
  const widths = new Set(rows.map(({ fields }) => fields.length));
  return (
    (widths.size === 1 || hasRowNames(rows) || hasTrailingDelimiters(rows)) &&
    rows.every(({ fault }) => fault === undefined)
  );
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
