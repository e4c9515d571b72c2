/** The legend to the right of a map in a saved picture, PNG or SVG. */

import type { Size } from "./camera.js";
import type { Rgb } from "./render/renderer.js";

/** One line of a legend. A dot stands for nodes, a line for edges, a ramp for numbers from `min` to `max`. */
export type LegendLine =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "dot" | "line"; readonly text: string; readonly color: Rgb }
  | { readonly kind: "ramp"; readonly stops: readonly Rgb[]; readonly min: string; readonly max: string };

/** What a legend consists of; places are relative to the legend's corner, in pixels. */
export interface LegendShapes {
  readonly boxes: readonly { x: number; y: number; width: number; height: number; radius: number; color: Rgb }[];
  /** `y` is the middle of the text. */
  readonly texts: readonly { x: number; y: number; text: string; isBold: boolean; isEnd: boolean }[];
}

/** Width of a legend, its margin, the height of a line, and the space before a text; in pixels, not tuned. */
const WIDTH = 220;
const MARGIN = 12;
const LINE = 20;
const INDENT = 24;
/** Characters of a text: more are wider than the legend at 12 pixels. */
const MAX_TEXT = 28;

/** The size of the picture of a map with its legend on the right. */
export function pictureSize({ width, height }: Size, legend: readonly LegendLine[]): Size {
  if (legend.length === 0) return { width, height };
  return { width: width + WIDTH, height: Math.max(height, 2 * MARGIN + LINE * legend.length) };
}

export function legendShapes(legend: readonly LegendLine[]): LegendShapes {
  const boxes: LegendShapes["boxes"][number][] = [];
  const texts: LegendShapes["texts"][number][] = [];
  legend.forEach((line, place) => {
    const y = MARGIN + LINE * (place + 0.5);
    if (line.kind === "ramp") {
      const [start, end] = [MARGIN + 50, WIDTH - MARGIN - 50];
      const width = (end - start) / line.stops.length;
      line.stops.forEach((color, k) => {
        boxes.push({ x: start + k * width, y: y - 5, width, height: 10, radius: 0, color });
      });
      texts.push({ x: start - 6, y, text: cut(line.min), isBold: false, isEnd: true });
      texts.push({ x: end + 6, y, text: cut(line.max), isBold: false, isEnd: false });
      return;
    }
    const isHeading = line.kind === "heading";
    if (line.kind === "dot")
      boxes.push({ x: MARGIN + 3, y: y - 5, width: 10, height: 10, radius: 5, color: line.color });
    if (line.kind === "line") boxes.push({ x: MARGIN, y: y - 2, width: 16, height: 4, radius: 2, color: line.color });
    const x = MARGIN + (isHeading ? 0 : INDENT);
    texts.push({ x, y, text: cut(line.text), isBold: isHeading, isEnd: false });
  });
  return { boxes, texts };
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > MAX_TEXT ? `${characters.slice(0, MAX_TEXT - 1).join("")}…` : text;
}
