/** Splits the head of a text table into rows and detects its delimiter. */

import { isDecimalPair } from "./check-value.js";
import { ENDPOINT_PAIRS, NODE_ROLE } from "./column-roles.js";
import { type Dialect, RowScanner, type ScannedRow } from "./row-scanner.js";
import type { TextHead } from "./text-head.js";

/** Number of lines from which the delimiter is detected; not tuned. */
const SAMPLE_LINES = 1000;

/** A comment with as many fields as the rows: it may be the header, or a row whose first name begins with #. */
export interface CommentRow {
  readonly line: number;
  readonly text: string;
  /** The fields without the comment sign. */
  readonly fields: readonly string[];
}

/** The first rows of a text table, and how they are separated. */
export interface HeadRows extends Dialect {
  readonly rows: readonly ScannedRow[];
  readonly commentRow?: CommentRow;
  /**
   * Set if the first column holds row names without a column name, as R writes them. The first row is then a header. Row names
   * without quotes are only `probable`.
   */
  readonly rowNames?: RowNames;
}

export type RowNames = "quoted" | "probable";

/** The rows of the head of a file, without a last line that the head cuts off. */
export function scanHead(head: TextHead, wholeLines: boolean): HeadRows {
  const skipLines = countComments(head.text);
  const delimiter = findDelimiter(head, skipLines, wholeLines);
  const scanner = new RowScanner({ delimiter, skipLines });
  const rows = scanner.push(head.text);
  if (head.complete || rows.length === 0) rows.push(...scanner.end());
  const rowNames = findRowNames(rows, delimiter);
  if (rowNames !== undefined) rows[0] = { ...rows[0], fields: ["", ...rows[0].fields] };
  else if (hasTrailingDelimiters(rows)) rows[0] = { ...rows[0], fields: [...rows[0].fields, ""] };
  return { delimiter, skipLines, rows, rowNames, commentRow: findCommentRow(head.text, skipLines, delimiter, rows) };
}

/**
 * The row names that R writes: all rows below the first have one field more, and the first of their fields is different in each. A
 * decimal comma also adds a field to each row, so row names separated by a comma, a semicolon or | need quotes. Those separated
 * by tabs or blanks need none if they are increasing numbers, or if the header does not begin with the name of a node column.
 */
function findRowNames(rows: readonly ScannedRow[], delimiter: string): RowNames | undefined {
  const below = rows.slice(1);
  const names = below.map(({ fields }) => fields[0]);
  if (!isFirstShort(rows) || hasTrailingDelimiters(rows) || new Set(names).size < names.length) return undefined;
  const areNumbers = names.every((name, i) => /^\d+$/.test(name) && (i === 0 || Number(name) > Number(names[i - 1])));
  if (below.every(({ firstQuoted }) => firstQuoted)) {
    const endInDecimals = delimiter === "," && below.every(({ fields }) => isDecimalPair(fields.at(-2), fields.at(-1)));
    return areNumbers || !endInDecimals ? "quoted" : undefined;
  }
  const mayLackQuotes = delimiter === "\t" || delimiter === "spaces";
  return mayLackQuotes && (areNumbers || !isNodeName(rows[0].fields[0])) ? "probable" : undefined;
}

/** Whether a name is known for a column of nodes or endpoints. */
function isNodeName(name: string): boolean {
  return [...NODE_ROLE.aliases, ...ENDPOINT_PAIRS.flat()].includes(name.trim().toLowerCase());
}

/** Whether all rows below the first end with a delimiter that the first row does not have. */
function hasTrailingDelimiters(rows: readonly ScannedRow[]): boolean {
  return isFirstShort(rows) && rows.slice(1).every(({ fields }) => fields.at(-1)?.trim() === "");
}

/** Whether all rows below the first have one field more. */
function isFirstShort([first, ...below]: readonly ScannedRow[]): boolean {
  return below.length > 0 && below.every(({ fields }) => fields.length === first.fields.length + 1);
}

/** The last comment above the rows, if it has as many fields as the first row. */
function findCommentRow(
  text: string,
  skipLines: number,
  delimiter: string,
  [first]: readonly ScannedRow[],
): CommentRow | undefined {
  const lines = text.split(/\r\n|\n|\r/, skipLines);
  const at = lines.findLastIndex((line) => line.trim() !== "");
  const plain = (lines[at] ?? "").replace(/^[#%]+\s*/, "");
  const fields = delimiter === "spaces" ? words(plain) : plain.split(delimiter).map((field) => field.trim());
  if (first === undefined || fields.length < 2 || fields.length !== first.fields.length) return undefined;
  return { line: at + 1, text: lines[at], fields: fields.map((field) => field.replace(/^"(.*)"$/, "$1")) };
}

/** Number of lines at the top that are blank, begin with # or % (KONECT, Matrix Market), or state the delimiter for Excel. */
function countComments(text: string): number {
  let count = 0;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (!/^(#|%|\s*$|sep=.\s*$)/i.test(line)) break;
    count++;
  }
  return count;
}

function findDelimiter(head: TextHead, comments: number, wholeLines: boolean): string {
  const lines = head.text.split(/\r\n|\n|\r/, comments + SAMPLE_LINES).slice(comments);
  const line = (lines[0] ?? "").replace(/"([^"]|"")*"/g, '""');
  const preferred = { csv: ",", tsv: "\t", tab: "\t" }[head.extension];
  if (head.extension === "edges") return "spaces";
  const found = [...new Set([preferred ?? "\t", "\t", ",", ";", "|"])].filter((delimiter) => line.includes(delimiter));
  const isBlankTable = preferred === undefined && !wholeLines && hasDecimalCommas(lines) && haveThreeWords(lines);
  if (found.length === 1 && found[0] === "," && isBlankTable) return "spaces";
  if (found.length > 0) return found.length === 1 ? found[0] : bestFitting(found, lines);
  const hasBlanks = preferred === undefined && (wholeLines ? hasNodeColumn(lines) : words(line).length > 1);
  if (!hasBlanks) return preferred ?? "\t";
  return lines.some((text) => /(^|\s)"/.test(text)) && fits(" ", lines) ? " " : "spaces";
}

/** Whether commas occur only between digits. */
function hasDecimalCommas(lines: readonly string[]): boolean {
  const text = lines.join("\n");
  return /\d,\d/.test(text) && !/(^|\D),|,(\D|$)/m.test(text);
}

/** Whether all lines have the same number of words, at least three: `a b 0,5`. */
function haveThreeWords(lines: readonly string[]): boolean {
  const counts = new Set(lines.filter((line) => line.trim() !== "").map((line) => words(line).length));
  return counts.size === 1 && !counts.has(1) && !counts.has(2);
}

/** The first delimiter that gives all rows the same number of fields, or the first. A comma that occurs only between digits is a decimal comma. */
function bestFitting(delimiters: readonly string[], lines: readonly string[]): string {
  const isDecimal = hasDecimalCommas(lines);
  const possible = delimiters.filter((delimiter) => delimiter !== "," || !isDecimal);
  return possible.find((delimiter) => fits(delimiter, lines)) ?? possible[0];
}

/** Whether all rows have the same number of fields and correct quotation marks. The header may lack a name for row names. */
function fits(delimiter: string, lines: readonly string[]): boolean {
  const scanner = new RowScanner({ delimiter, skipLines: 0 });
  // The head may cut off its last line.
  const text = (lines.length > 1 ? lines.slice(0, -1) : lines).join("\n");
  const rows = [...scanner.push(text), ...scanner.end()];
  const widths = new Set(rows.map(({ fields }) => fields.length));
  return (
    (widths.size === 1 || findRowNames(rows, delimiter) !== undefined || hasTrailingDelimiters(rows)) &&
    rows.every(({ fault }) => fault === undefined)
  );
}

function words(line: string): string[] {
  return line.trim().split(/\s+/);
}

/** Fewer names than NODE_ROLE recognises: gene and protein also occur as words in names of nodes. */
const NODE_COLUMN = /^(node|id|node_?id)$/i;

/** Whether a list of ids is a table with blanks between its columns: a header names the ids, and all rows have as many words as it. */
function hasNodeColumn([header = "", ...rows]: readonly string[]): boolean {
  const names = words(header);
  const column = names.findIndex((name) => NODE_COLUMN.test(name));
  const below = rows.map(words).filter(([first]) => first !== "");
  // The head may cut off its last line.
  const whole = below.length > 1 ? below.slice(0, -1) : below;
  return (
    column >= 0 &&
    names.length > 1 &&
    whole.every((fields) => fields.length === names.length && fields[column] !== names[column])
  );
}
