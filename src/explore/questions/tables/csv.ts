/** Writes rows as CSV (RFC 4180) that a spreadsheet shows and does not run. */

export type CsvCell = string | number | undefined;

/** A text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The rows with CRLF line ends. Undefined and NaN are empty cells; texts that look like formulas get a ' before them. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

function cellText(cell: CsvCell): string {
  if (cell === undefined || (typeof cell === "number" && Number.isNaN(cell))) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
