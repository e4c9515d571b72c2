/**
 * Draws charts with Observable Plot as SVG text. In a browser Plot uses the document of the page, elsewhere a small document
 * from linkedom; the packages are loaded with the first chart. The same data give the same text: sizes are fixed and
 * coordinates are rounded. Charts have no ids, so that a page may hold several.
 */

import type { PlotOptions } from "@observablehq/plot";
import { escapeText, printable } from "../escape.js";
import { CHART_CLASS, chartStyle } from "./palette.js";

/** The package, as a namespace. */
export type Plot = typeof import("@observablehq/plot");

/** Options of every chart. */
export interface ChartOptions {
  /** Name of the picture for screen readers and tooltips. */
  readonly title?: string;
  /** One sentence for readers who cannot see the picture. */
  readonly description?: string;
  /** Width in units of the viewBox; default 480, which is legible on a phone. */
  readonly width?: number;
  readonly height?: number;
  readonly xLabel?: string;
  readonly yLabel?: string;
}

export interface LegendEntry {
  readonly label: string;
  readonly color: string;
  readonly mark: "dot" | "line" | "dashes" | "square" | "tick";
}

/** One plot within a picture. */
export interface Panel {
  readonly width: number;
  readonly height: number;
  /** Line above the plot. */
  readonly heading?: string;
  options(plot: Plot): PlotOptions;
}

export interface Picture {
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly legend?: readonly LegendEntry[];
  readonly panels: readonly Panel[];
}

export const WIDTH = 480;
const FONT_SIZE = 12.5;
/** Mean width of a letter as a share of the font size; it estimates the width of labels, because no font is loaded. */
const LETTER = 0.58;
const LEGEND_LINE = 20;
const SWATCH = 22;
const HEADING = 20;
const GAP = 12;

let loaded: Promise<{ plot: Plot; document: Document }> | undefined;

function load(): Promise<{ plot: Plot; document: Document }> {
  loaded ??= (async () => {
    const plot = await import("@observablehq/plot");
    if (typeof document !== "undefined") return { plot, document };
    const { parseHTML } = await import("linkedom");
    return { plot, document: parseHTML("<!doctype html><html><body></body></html>").document };
  })();
  return loaded;
}

/** The picture as one `<svg>` element. */
export async function draw({ title, description, width, legend = [], panels }: Picture): Promise<string> {
  const { plot, document } = await load();
  const key = layOutLegend(legend, width);
  const parts: string[] = key.height > 0 ? [key.text] : [];
  let [x, y, rowHeight] = [0, key.height, 0];
  for (const panel of panels) {
    if (x > 0 && x + panel.width > width) [x, y, rowHeight] = [0, y + rowHeight + GAP, 0];
    const top = panel.heading === undefined ? 0 : HEADING;
    if (panel.heading !== undefined) {
      parts.push(`<text x="${round(x + panel.width / 2)}" y="${y + 14}" font-weight="600">${cut(panel)}</text>`);
    }
    const drawn = plot.plot({ ...panel.options(plot), document, width: panel.width, height: panel.height });
    parts.push(`<g transform="translate(${round(x)},${y + top})">${tidy(drawn.innerHTML)}</g>`);
    rowHeight = Math.max(rowHeight, panel.height + top);
    x += panel.width;
  }
  const height = y + rowHeight;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="${CHART_CLASS}" role="img" viewBox="0 0 ${width} ${height}" ` +
    `width="${width}" height="${height}" fill="currentColor" font-family="system-ui, sans-serif" ` +
    `font-size="${FONT_SIZE}" text-anchor="middle"><title>${escapeText(title)}</title>` +
    `<desc>${escapeText(description)}</desc><style>${chartStyle()}</style>\n${parts.join("\n")}\n</svg>`
  );
}

/** Estimated width of a text. */
export function textWidth(text: string): number {
  return [...text].length * FONT_SIZE * LETTER;
}

/** A name short enough for an axis or a legend. */
export function shorten(text: string, letters = 24): string {
  const all = [...printable(text)];
  return all.length <= letters ? all.join("") : `${all.slice(0, letters - 1).join("")}…`;
}

function cut({ heading = "", width }: Panel): string {
  return escapeText(shorten(heading, Math.max(4, Math.floor(width / (FONT_SIZE * LETTER)))));
}

/** Places the entries side by side, on as many lines as needed. */
function layOutLegend(entries: readonly LegendEntry[], width: number): { text: string; height: number } {
  let [x, line] = [0, 0];
  const parts = entries.map(({ label, color, mark }) => {
    const name = shorten(label, 40);
    const size = SWATCH + textWidth(name) + 14;
    if (x > 0 && x + size > width) [x, line] = [0, line + 1];
    const y = line * LEGEND_LINE + LEGEND_LINE / 2;
    const text = `${swatch(mark, color, x, y)}<text x="${round(x + SWATCH)}" y="${y}" dy="0.35em">${escapeText(name)}</text>`;
    x += size;
    return text;
  });
  const height = entries.length === 0 ? 0 : (line + 1) * LEGEND_LINE + 8;
  return { text: `<g text-anchor="start">${parts.join("")}</g>`, height };
}

function swatch(mark: LegendEntry["mark"], color: string, left: number, y: number): string {
  const x = round(left);
  const middle = round(left + 9);
  switch (mark) {
    case "dot":
      return `<circle cx="${middle}" cy="${y}" r="5" fill="${color}"/>`;
    case "square":
      return `<rect x="${x + 3}" y="${y - 6}" width="12" height="12" rx="2" fill="${color}"/>`;
    case "tick":
      return `<path d="M${middle},${y - 7}v14" stroke="${color}" stroke-width="2"/>`;
    default: {
      const dashes = mark === "dashes" ? ' stroke-dasharray="5 4"' : "";
      return `<path d="M${x},${y}h18" fill="none" stroke="${color}" stroke-width="2.5"${dashes}/>`;
    }
  }
}

const COORDINATES = / (c?[xy]|[xy][12]|r|d|width|height|transform)="([^"]*)"/g;

/** Plot's elements with coordinates rounded to two digits, without the style sheet and redundant closing tags. */
function tidy(inner: string): string {
  return printable(inner)
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(COORDINATES, (_, name: string, value: string) => {
      return ` ${name}="${value.replace(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) => String(round(Number(number))))}"`;
    })
    .replace(/<(circle|rect|path|line)([^<>]*)><\/\1>/g, "<$1$2/>");
}

function round(value: number): number {
  // + 0 turns −0 into 0
  return Math.round(value * 100) / 100 + 0;
}
