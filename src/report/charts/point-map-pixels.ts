/** A point map as pixels, for a PNG file: two pixels per SVG unit, in the colours of light pages. */

import { dotColumns } from "./dot-font.js";
import { lightColor } from "./palette.js";
import { layOutMap, POINT_OPACITY } from "./point-map.js";
import type { ScatterPoint } from "./scatter.js";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row from the top. */
  readonly data: Uint8Array;
}

/** Pixels per SVG unit. */
const SCALE = 2;
/** Size of a dot of the font in the legend and in the title, in pixels. */
const LEGEND_DOT = 2.5;
const TITLE_DOT = 4;
/** Height of a letter above its baseline, in dots of the font. */
const ASCENT = 7;
const LEGEND_RADIUS = 5;
const TEXT = "var(--hmge-text)";

/** Draws the map without points that are not finite. */
export function pointMapPixels(
  points: readonly ScatterPoint[],
  { title, colorLabel }: { readonly title: string; readonly colorLabel?: string },
): Pixels {
  const map = layOutMap(points, colorLabel);
  const [width, height] = [SCALE * map.width, SCALE * map.height];
  const data = new Uint8Array(3 * width * height).fill(255);
  const canvas = { width, height, data };
  drawText(canvas, title, SCALE * map.title.x, SCALE * map.title.y - ASCENT * TITLE_DOT, TITLE_DOT);
  for (const { x, y, label, color } of map.legend) {
    drawDot(canvas, SCALE * x, SCALE * y, SCALE * LEGEND_RADIUS, color, 1);
    drawText(canvas, label, SCALE * (x + 12), SCALE * y - (ASCENT * LEGEND_DOT) / 2, LEGEND_DOT);
  }
  for (const { color, points: part } of map.groups) {
    for (const point of part) {
      const [x, y] = map.place(point);
      drawDot(canvas, SCALE * x, SCALE * y, SCALE * map.radius, color, POINT_OPACITY);
    }
  }
  return canvas;
}

/** A disc with a soft edge of one pixel. */
function drawDot(canvas: Pixels, x: number, y: number, radius: number, color: string, opacity: number): void {
  const rgb = channels(color);
  for (let row = Math.floor(y - radius - 1); row <= y + radius + 1; row++) {
    for (let column = Math.floor(x - radius - 1); column <= x + radius + 1; column++) {
      const inside = radius + 0.5 - Math.hypot(column + 0.5 - x, row + 0.5 - y);
      if (inside > 0) blend(canvas, column, row, rgb, opacity * Math.min(1, inside));
    }
  }
}

/** Draws text with its upper left corner at (left, top). Dots of fractional size share their edge pixels. */
function drawText(canvas: Pixels, text: string, left: number, top: number, size: number): void {
  const rgb = channels(TEXT);
  dotColumns(text).forEach((dots, c) => {
    for (let r = 0; r < 8; r++) {
      if ((dots >> r) & 1) fillSquare(canvas, left + c * size, top + r * size, size, rgb);
    }
  });
}

function fillSquare(canvas: Pixels, left: number, top: number, size: number, rgb: readonly number[]): void {
  const share = (pixel: number, start: number) =>
    Math.max(0, Math.min(pixel + 1, start + size) - Math.max(pixel, start));
  for (let row = Math.floor(top); row < top + size; row++) {
    for (let column = Math.floor(left); column < left + size; column++) {
      blend(canvas, column, row, rgb, share(column, left) * share(row, top));
    }
  }
}

function blend({ width, height, data }: Pixels, x: number, y: number, rgb: readonly number[], opacity: number): void {
  if (x < 0 || y < 0 || x >= width || y >= height) return;
  const at = 3 * (y * width + x);
  for (let k = 0; k < 3; k++) data[at + k] = Math.round(data[at + k] + opacity * (rgb[k] - data[at + k]));
}

function channels(color: string): number[] {
  const hex = lightColor(color);
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}
