/** One table, as HTML, as Markdown or as text for a terminal. */

import { escapeText } from "./escape.js";
import { formatCount } from "./format.js";

/** A number with its standard deviation, if known. */
export interface Measure {
  readonly value: number;
  /** Standard deviation. */
  readonly deviation?: number;
  /** Digits after the point; default: the digits of the table. */
  readonly digits?: number;
  /** Whether it is the best of its kind and shown in bold. */
  readonly best?: boolean;
}

/** An unknown value is `null`, shown as a dash. */
export type TableCell = string | number | Measure | null;

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
  /** Digits after the point of numbers that are not whole; default 3. */
  readonly digits?: number;
  /** Indices of rows from other sources, such as published numbers; shown in italics. */
  readonly quoted?: readonly number[];
}

const DIGITS = 3;

/** `0.912 ± 0.004`. */
export function measureText({ value, deviation, digits = DIGITS }: Measure): string {
  if (!Number.isFinite(value)) return "–";
  const mean = value.toFixed(digits);
  return deviation === undefined ? mean : `${mean} ± ${deviation.toFixed(digits)}`;
}

/** A cell as plain text. */
export function cellText(cell: TableCell | undefined, digits = DIGITS): string {
  if (cell === null || cell === undefined) return "–";
  if (typeof cell === "string") return cell;
  if (typeof cell === "object") return measureText({ digits, ...cell });
  return Number.isInteger(cell) ? formatCount(cell) : measureText({ value: cell, digits });
}

/** The rows as plain text, the header first. */
export function tableText({ header, rows, digits }: Table): string[][] {
  return [[...header], ...rows.map((row) => header.map((_, c) => cellText(row[c], digits)))];
}

/** The table as HTML; columns of numbers are aligned right. */
export function htmlTable(table: Table, caption?: string): string {
  const { header, rows, digits } = table;
  const numeric = numericColumns(table);
  const classOf = (c: number) => (numeric[c] ? ' class="number"' : "");
  const head = header.map((name, c) => `<th scope="col"${classOf(c)}>${escapeText(name)}</th>`).join("");
  const body = rows.map((row, r) => {
    const cells = header.map((_, c) => {
      const text = escapeText(cellText(row[c], digits));
      return `<td${classOf(c)}>${isBest(row[c]) ? `<strong>${text}</strong>` : text}</td>`;
    });
    return `<tr${table.quoted?.includes(r) ? ' class="quoted"' : ""}>${cells.join("")}</tr>`;
  });
  const title = caption === undefined ? "" : `<caption>${escapeText(caption)}</caption>`;
  return `<div class="table" tabindex="0"><table>${title}<thead><tr>${head}</tr></thead><tbody>\n${body.join("\n")}\n</tbody></table></div>`;
}

/** The table in Markdown. */
export function markdownTable(table: Table): string {
  const { header, rows, digits } = table;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const numeric = numericColumns(table);
  return [
    line(header.map(escapeMarkdown)),
    line(numeric.map((right) => (right ? "---:" : "---"))),
    ...rows.map((row, r) =>
      line(
        header.map((_, c) => {
          const text = escapeMarkdown(cellText(row[c], digits));
          const strong = isBest(row[c]) ? `**${text}**` : text;
          return table.quoted?.includes(r) && text !== "" ? `*${strong}*` : strong;
        }),
      ),
    ),
  ].join("\n");
}

function isBest(cell: TableCell | undefined): boolean {
  return typeof cell === "object" && cell !== null && cell.best === true;
}

/** Which columns hold numbers. The first column names its row, even if the names are digits. */
function numericColumns({ header, rows }: Table): boolean[] {
  return header.map((_, c) => {
    const cells = rows.map((row) => row[c]);
    return isNumeric(cells) && !(c === 0 && cells.some((cell) => typeof cell === "string"));
  });
}

function isNumeric(cells: readonly (TableCell | undefined)[]): boolean {
  const filled = cells.filter((cell) => cell !== null && cell !== undefined && cell !== "");
  return (
    filled.length > 0 &&
    filled.every((cell) => typeof cell !== "string" || /^[~<≈+−-]?\d[\d,.]*( ?\S{0,5})?$/.test(cell))
  );
}

/** The text on one line, with all special characters of Markdown escaped. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\\|*_`<>[\]]/g, (character) =>
      character === "<" ? "&lt;" : character === ">" ? "&gt;" : `\\${character}`,
    );
}
