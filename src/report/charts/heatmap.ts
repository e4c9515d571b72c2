/** A matrix as coloured cells: combination weights per layer, overlaps of relations. */

import { largestOf, smallestOf } from "../../numeric/extremes.js";
import { type ChartOptions, draw, shorten, textWidth, WIDTH } from "./draw.js";
import { scaleColor, scaleTextColor } from "./palette.js";

export interface HeatmapData {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** One list per row; NaN leaves a cell empty. */
  readonly values: readonly (readonly number[])[];
}

export interface HeatmapOptions extends ChartOptions {
  /** Ends of the colour scale; default: the range of the values. */
  readonly domain?: readonly [number, number];
  /** Text of a value; default two digits after the point. */
  readonly format?: (value: number) => string;
}

// Sizes in SVG units.
/** Cells narrower than this show no number. */
const MIN_NUMBER = 28;
const CELL_HEIGHT = 28;
const MAX_CELL_WIDTH = 90;
/** Maximum number of letters of a row or column name. */
const MAX_LETTERS = 18;

interface Cell {
  readonly row: string;
  readonly column: string;
  readonly value: number;
  readonly share: number;
}

/** Row names are at the left, column names below; long column names are slanted. */
export function heatmap({ rows, columns, values }: HeatmapData, options: HeatmapOptions = {}): Promise<string> {
  const { width = WIDTH, format = (value: number) => value.toFixed(2), xLabel = "", yLabel = "" } = options;
  const finite = values.flat().filter(Number.isFinite);
  const [low, high] = options.domain ?? [smallestOf(finite), largestOf(finite)];
  const cells = values.flatMap((list, r) =>
    list.map((value, c): Cell => {
      return { row: String(r), column: String(c), value, share: high > low ? (value - low) / (high - low) : 0.5 };
    }),
  );
  const drawn = cells.filter(({ value }) => Number.isFinite(value));
  const left =
    largestOf(
      rows.map((name) => textWidth(shorten(name, MAX_LETTERS))),
      20,
    ) + (yLabel === "" ? 10 : 28);
  const cellWidth = Math.min(MAX_CELL_WIDTH, (width - left - 8) / Math.max(1, columns.length));
  const longest = largestOf(
    columns.map((name) => textWidth(shorten(name, MAX_LETTERS))),
    0,
  );
  const slanted = longest > cellWidth - 4;
  const bottom = (slanted ? longest * 0.75 + 14 : 24) + (xLabel === "" ? 0 : 20);
  const height = options.height ?? Math.max(1, rows.length) * CELL_HEIGHT + bottom + 6;
  return draw({
    title: options.title ?? "Matrix",
    description:
      options.description ?? `${rows.length} rows, ${columns.length} columns, from ${format(low)} to ${format(high)}.`,
    width,
    panels: [
      {
        width: left + 8 + cellWidth * columns.length,
        height,
        options: (plot) => ({
          marginLeft: left,
          marginRight: 8,
          marginTop: 6,
          marginBottom: bottom,
          x: {
            label: xLabel === "" ? null : xLabel,
            labelAnchor: "center",
            labelArrow: "none",
            domain: columns.map((_, c) => String(c)),
            tickFormat: (_, c) => shorten(columns[c], MAX_LETTERS),
            tickRotate: slanted ? -45 : 0,
            tickSize: 0,
            padding: 0,
          },
          y: {
            label: yLabel === "" ? null : yLabel,
            labelAnchor: "center",
            labelArrow: "none",
            domain: rows.map((_, r) => String(r)),
            tickFormat: (_, r) => shorten(rows[r], MAX_LETTERS),
            tickSize: 0,
            padding: 0,
          },
          marks: [
            plot.cell(drawn, {
              x: "column",
              y: "row",
              inset: 1,
              fill: ({ share }: Cell) => scaleColor(share),
              title: ({ row, column, value }: Cell) =>
                `${shorten(rows[Number(row)], 60)}, ${shorten(columns[Number(column)], 60)}: ${format(value)}`,
            }),
            ...(cellWidth >= MIN_NUMBER
              ? [
                  plot.text(drawn, {
                    x: "column",
                    y: "row",
                    text: ({ value }: Cell) => format(value),
                    fill: ({ share }: Cell) => scaleTextColor(share),
                  }),
                ]
              : []),
          ],
        }),
      },
    ],
  });
}
