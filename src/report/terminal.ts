/**
 * Charts and tables for a terminal, as strings. Nothing here asks where it is printed: the caller says how wide it is and
 * whether it shows more than ASCII.
 */

export { formatBytes, formatCount, formatNumber, formatSeconds, plural } from "./format.js";

export interface PlotOptions {
  /** Columns, the axis included; default 60. */
  readonly width?: number;
  /** Lines of the plot; default 8. */
  readonly height?: number;
  /** Only ASCII; default false. */
  readonly ascii?: boolean;
  /** Marks this epoch, from 1, below the curve. */
  readonly bestEpoch?: number;
}

/** Bit of each dot of a braille cell, by column and row. */
const BRAILLE = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
];

/** The loss of every epoch as a small curve with its axis. */
export function lossPlot(losses: readonly number[], options: PlotOptions = {}): string {
  const { width = 60, height = 8, ascii = false, bestEpoch } = options;
  if (losses.length === 0) return "";
  let low = Infinity;
  let high = -Infinity;
  for (const loss of losses) {
    low = Math.min(low, loss);
    high = Math.max(high, loss);
  }
  const labels = [axisLabel(high, high - low), axisLabel(low, high - low)];
  const margin = Math.max(labels[0].length, labels[1].length);
  const columns = Math.max(4, width - margin - 2);
  const [across, down] = ascii ? [1, 1] : [2, 4];
  const cells = Array.from({ length: height }, () => new Uint8Array(columns));
  const dotColumns = columns * across;
  const dotRows = height * down;
  const rowOf = (loss: number) =>
    high === low ? dotRows - 1 : Math.round(((high - loss) / (high - low)) * (dotRows - 1));
  let previous = rowOf(losses[0]);
  for (let x = 0; x < dotColumns; x++) {
    const row = rowOf(losses[Math.round((x / Math.max(1, dotColumns - 1)) * (losses.length - 1))]);
    // joins the dots of steep stretches
    const from = row > previous ? previous + 1 : row;
    const to = row < previous ? previous - 1 : row;
    for (let y = Math.min(from, row); y <= Math.max(to, row); y++) {
      cells[Math.floor(y / down)][Math.floor(x / across)] |= ascii ? 1 : BRAILLE[x % 2][y % 4];
    }
    previous = row;
  }
  const [side, corner, line] = ascii ? ["|", "+", "-"] : ["│", "└", "─"];
  const lines = cells.map((row, i) => {
    const label = i === 0 ? labels[0] : i === height - 1 ? labels[1] : "";
    const curve = Array.from(row, (cell) => (cell === 0 ? " " : ascii ? "*" : String.fromCharCode(0x2800 + cell)));
    return `${label.padStart(margin)} ${side}${curve.join("").trimEnd()}`;
  });
  lines.push(`${" ".repeat(margin)} ${corner}${line.repeat(columns)}`);
  lines.push(`${" ".repeat(margin + 2)}${epochAxis(losses.length, bestEpoch, columns)}`);
  return lines.join("\n");
}

/** As many digits as tell the ends of the axis apart. */
function axisLabel(value: number, range: number): string {
  const digits = range > 0 ? Math.min(8, Math.max(2, 2 - Math.floor(Math.log10(range)))) : 4;
  return Math.abs(value) >= 1e6 ? value.toExponential(2) : value.toFixed(digits);
}

function epochAxis(epochs: number, bestEpoch: number | undefined, columns: number): string {
  const right = `epoch ${epochs}`;
  const best = bestEpoch === undefined || bestEpoch === epochs ? "" : `best: ${bestEpoch}`;
  const gap = columns - 1 - right.length;
  if (gap < 1) return right;
  return `1${best.length + 2 > gap ? "".padEnd(gap) : best.padStart(Math.floor((gap + best.length) / 2)).padEnd(gap)}${right}`;
}

export interface Bar {
  readonly label: string;
  /** Not negative. */
  readonly value: number;
  /** Where the value began; drawn as a mark. */
  readonly initial?: number;
}

export interface BarOptions {
  /** Columns in all; default 60. */
  readonly width?: number;
  readonly ascii?: boolean;
  /** Text of a value; default three digits after the point. */
  readonly format?: (value: number) => string;
}

/** Horizontal bars from zero, with a mark where each value began. */
export function barChart(rows: readonly Bar[], options: BarOptions = {}): string {
  const { width = 60, ascii = false, format = (value: number) => value.toFixed(3) } = options;
  if (rows.length === 0) return "";
  const labelWidth = Math.min(24, Math.max(...rows.map(({ label }) => displayWidth(label))));
  const values = rows.map(({ value }) => format(value));
  const valueWidth = Math.max(...values.map((text) => text.length));
  const columns = Math.max(8, width - labelWidth - valueWidth - 3);
  const most = Math.max(...rows.flatMap(({ value, initial }) => [value, initial ?? 0]), Number.MIN_VALUE);
  const [full, mark] = ascii ? ["#", "|"] : ["█", "┊"];
  return rows
    .map(({ label, value, initial }, i) => {
      const cells = Array.from({ length: columns + 1 }, () => " ");
      cells.fill(full, 0, Math.round((value / most) * columns));
      if (initial !== undefined) cells[Math.round((initial / most) * columns)] = mark;
      const name = padEnd(clip(label, labelWidth, ascii), labelWidth);
      return `${name} ${values[i].padStart(valueWidth)} ${cells.join("").trimEnd()}`.trimEnd();
    })
    .join("\n");
}

/**
 * Rows of cells in aligned columns; the first row is the header. Columns of numbers are aligned right. A table that is wider
 * than `width` comes in parts, one below the other, each with the first column, and without rows that are empty there.
 */
export function table(
  rows: readonly (readonly string[])[],
  { ascii = false, indent = 0, width = Infinity } = {},
): string {
  if (rows.length === 0) return "";
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, c) => Math.max(...rows.map((row) => displayWidth(row[c] ?? ""))));
  const numeric = widths.map(
    (_, c) => rows.length > 1 && rows.slice(1).every((row) => /^[~<≈+-]?(\d[\d,.]*.*)?$/.test(row[c] ?? "")),
  );
  const cell = (text: string, c: number) => (numeric[c] ? padStart(text, widths[c]) : padEnd(text, widths[c]));
  const part = (shown: readonly number[]) => {
    const draw = (row: readonly string[]) =>
      " ".repeat(indent) +
      shown
        .map((c) => cell(row[c] ?? "", c))
        .join("  ")
        .trimEnd();
    const rule = " ".repeat(indent) + shown.map((c) => (ascii ? "-" : "─").repeat(widths[c])).join("  ");
    const full = (row: readonly string[]) => parts.length === 1 || shown.slice(1).some((c) => (row[c] ?? "") !== "");
    return [draw(rows[0]), rule, ...rows.slice(1).filter(full).map(draw)].join("\n");
  };
  const parts: number[][] = [[0]];
  let taken = indent + widths[0];
  for (let c = 1; c < columns; c++) {
    taken += 2 + widths[c];
    if (taken > width && (parts.at(-1)?.length ?? 0) > 1) {
      parts.push([0]);
      taken = indent + widths[0] + 2 + widths[c];
    }
    parts.at(-1)?.push(c);
  }
  return parts.map(part).join("\n\n");
}

/** Columns a text takes: wide East Asian characters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mark}|\u200b|\u200d/u.test(character)) continue;
    const code = character.codePointAt(0) ?? 0;
    const wide =
      (code >= 0x1100 && code <= 0x115f) ||
      (code >= 0x2e80 && code <= 0xa4cf) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0x1f300 && code <= 0x1faff) ||
      code >= 0x20000;
    width += wide ? 2 : 1;
  }
  return width;
}

/** The text, cut to so many columns. */
export function clip(text: string, width: number, ascii = false): string {
  if (displayWidth(text) <= width) return text;
  const end = ascii ? "~" : "…";
  let cut = "";
  for (const character of text) {
    if (displayWidth(cut + character) > width - 1) break;
    cut += character;
  }
  return cut + end;
}

function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}
