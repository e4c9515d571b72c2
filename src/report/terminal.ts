/**
 * Charts and tables for a terminal, as strings. The caller passes the width of the terminal and whether it shows only ASCII.
 */

import { largestOf } from "../numeric/extremes.js";
import { clip, clipMiddle, displayWidth, oneLine, padEnd, padStart } from "./text-width.js";

export { formatBytes, formatCount, formatLoss, formatNumber, formatSeconds, plural } from "./format.js";
export { clip, displayWidth } from "./text-width.js";

/** Smallest terminal width that charts and tables fit, in columns; a narrower terminal breaks their lines. */
export const MIN_COLUMNS = 24;

export interface PlotOptions {
  /** Width in columns, including the axis; default 60. */
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
  if (!losses.some(Number.isFinite)) return "";
  let low = Infinity;
  let high = -Infinity;
  for (const loss of losses) {
    if (!Number.isFinite(loss)) continue;
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
  const rowOf = (loss: number) => {
    if (!Number.isFinite(loss)) return loss < 0 ? dotRows - 1 : 0; // infinite values at the edge, NaN at the top
    return high === low ? dotRows - 1 : Math.round(((high - loss) / (high - low)) * (dotRows - 1));
  };
  let previous = rowOf(losses[0]);
  for (let x = 0; x < dotColumns; x++) {
    const row = rowOf(losses[Math.round((x / Math.max(1, dotColumns - 1)) * (losses.length - 1))]);
    // fills the gap between the dots of a steep curve
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
  return lines.map((text) => clip(text, width, ascii)).join("\n");
}

/** Enough digits to distinguish the ends of the axis. */
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
  /** Initial value; drawn as a mark. */
  readonly initial?: number;
}

export interface BarOptions {
  /** Total width in columns; default 60. */
  readonly width?: number;
  readonly ascii?: boolean;
  /** Text of a value; default three digits after the point. */
  readonly format?: (value: number) => string;
}

/** Smallest and largest width of a label, and smallest width of the longest bar, in terminal cells. Not tuned. */
const MIN_LABEL = 4;
const MAX_LABEL = 24;
const MIN_BAR = 8;

/** Horizontal bars from zero, with a mark at each initial value. */
export function barChart(rows: readonly Bar[], options: BarOptions = {}): string {
  const { width = 60, ascii = false, format = (value: number) => value.toFixed(3) } = options;
  if (rows.length === 0) return "";
  const labels = rows.map(({ label }) => oneLine(label));
  const values = rows.map(({ value }) => format(value));
  const valueWidth = largestOf(values.map(displayWidth));
  const maxLabelWidth = Math.max(MIN_LABEL, Math.min(MAX_LABEL, width - valueWidth - 3 - MIN_BAR));
  const labelWidth = Math.min(maxLabelWidth, largestOf(labels.map(displayWidth)));
  const columns = Math.max(1, width - labelWidth - valueWidth - 3);
  const finite = rows.flatMap(({ value, initial }) => [value, initial ?? 0]).filter(Number.isFinite);
  const largest = largestOf(finite, Number.MIN_VALUE);
  const cellOf = (value: number) => Math.round(Math.min(1, Math.max(0, value / largest || 0)) * columns);
  const [full, mark] = ascii ? ["#", "|"] : ["█", "┊"];
  return rows
    .map(({ value, initial }, i) => {
      const cells = Array.from({ length: columns + 1 }, () => " ");
      cells.fill(full, 0, cellOf(value));
      if (initial !== undefined) cells[cellOf(initial)] = mark;
      const name = padEnd(clipMiddle(labels[i], labelWidth, ascii), labelWidth);
      return clip(`${name} ${padStart(values[i], valueWidth)} ${cells.join("").trimEnd()}`.trimEnd(), width, ascii);
    })
    .join("\n");
}

/**
 * Rows of cells in aligned columns; the first row is the header. Columns of numbers are aligned right. A table wider than
 * `width` is split into parts, one below the other. Each part begins with the first `keys` columns, which name the row, and
 * omits rows that are empty in that part. With `cut`, text that leaves no room for a second column is cut; numbers are never cut.
 */
export function table(
  cells: readonly (readonly string[])[],
  { ascii = false, indent = 0, width = Infinity, cut = false, keys = 1 } = {},
): string {
  if (cells.length === 0) return "";
  const rows = cells.map((row) => row.map((text) => oneLine(text)));
  const columns = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const numeric = Array.from({ length: columns }, (_, c) => {
    return rows.length > 1 && rows.slice(1).every((row) => /^[~<≈+-]?(\d[\d,.]*.*)?$/.test(row[c] ?? ""));
  });
  const widths = columnWidths(rows, numeric, cut ? width - indent : Infinity);
  const cell = (text: string, c: number) => {
    if (numeric[c]) return padStart(text, widths[c]);
    return padEnd(c === 0 ? clipMiddle(text, widths[c], ascii) : clip(text, widths[c], ascii), widths[c]);
  };
  const part = (shown: readonly number[]) => {
    const draw = (row: readonly string[]) =>
      " ".repeat(indent) +
      shown
        .map((c) => cell(row[c] ?? "", c))
        .join("  ")
        .trimEnd();
    const rule = " ".repeat(indent) + shown.map((c) => (ascii ? "-" : "─").repeat(widths[c])).join("  ");
    const full = (row: readonly string[]) => parts.length === 1 || shown.slice(keys).some((c) => (row[c] ?? "") !== "");
    return [draw(rows[0]), rule, ...rows.slice(1).filter(full).map(draw)].join("\n");
  };
  const keyColumns = widths.slice(0, keys).map((_, c) => c);
  const keyWidth = indent + keyColumns.reduce((sum, c) => sum + 2 + widths[c], -2);
  const parts: number[][] = [[...keyColumns]];
  let taken = keyWidth;
  for (let c = keys; c < columns; c++) {
    taken += 2 + widths[c];
    if (taken > width && (parts.at(-1)?.length ?? 0) > keys) {
      parts.push([...keyColumns]);
      taken = keyWidth + 2 + widths[c];
    }
    parts.at(-1)?.push(c);
  }
  return parts.map(part).join("\n\n");
}

/** Smallest width of a cut text, in terminal cells. */
const MIN_CELL = 3;

/** Width of each column; the first column and any other together fit into `room` terminal cells, as far as text can be cut. */
function columnWidths(rows: readonly (readonly string[])[], numeric: readonly boolean[], room: number): number[] {
  const whole = numeric.map((_, c) => rows.reduce((widest, row) => Math.max(widest, displayWidth(row[c] ?? "")), 0));
  const widestOther = whole.slice(1).reduce((widest, width) => Math.max(widest, width), 0);
  const widestNumber = whole.reduce((widest, width, c) => (c > 0 && numeric[c] ? Math.max(widest, width) : widest), 0);
  let first = whole[0];
  if (!numeric[0] && first + 2 + widestOther > room) {
    const half = Math.floor((room - 2) / 2);
    first = Math.min(
      first,
      Math.max(MIN_CELL, Math.min(room - 2 - widestNumber, Math.max(half, room - 2 - widestOther))),
    );
  }
  if (whole.length === 1 && !numeric[0]) return [Math.max(1, Math.min(first, room))];
  return whole.map((width, c) => {
    if (c === 0) return first;
    return numeric[c] ? width : Math.min(width, Math.max(MIN_CELL, room - 2 - first));
  });
}
