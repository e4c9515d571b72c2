/**
 * A projection as a picture: points in the plane with the same scale on both axes, coloured by their labels.
 *
 * Unlike `scatter` it is made for whole maps: it is written as text without a chart library, a few bytes per point. Points are
 * the round ends of lines of length zero, in one path per colour. Up to MAX_TITLES points, each point has a separate path with
 * its name as title.
 */

import { smallestOf } from "../../numeric/extremes.js";
import { escapeText } from "../escape.js";
import { CHART_CLASS, chartStyle } from "./palette.js";
import { colorPoints, type ScatterPoint } from "./scatter.js";

export interface PointMapOptions {
  /** Name of the picture. */
  readonly title: string;
  /** One sentence for readers who cannot see the picture. */
  readonly description: string;
  /** What the colours mean. */
  readonly colorLabel?: string;
}

const WIDTH = 960;
const MAX_HEIGHT = 960;
const MARGIN = 16;
const HEADING = 34;
const LEGEND_LINE = 20;
const LEGEND_WIDTH = 170;
/** Maximum number of letters of a label in the legend. */
const LEGEND_LETTERS = 20;
/** With more points than this there are no titles: they would make the file too large for a browser. Not tuned. */
const MAX_TITLES = 5000;

/** Positions and colours of a map, to be drawn as SVG or as pixels. */
export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  /** In the order of drawing. */
  readonly groups: readonly { readonly color: string; readonly points: readonly ScatterPoint[] }[];
  readonly numPoints: number;
  place(point: ScatterPoint): readonly [x: number, y: number];
  /** Centre of the dot of each entry; its text follows to the right. */
  readonly legend: readonly {
    readonly x: number;
    readonly y: number;
    readonly label: string;
    readonly color: string;
  }[];
  /** Start of the baseline of the title. */
  readonly title: { readonly x: number; readonly y: number };
}

/** Opacity of the points. */
export const POINT_OPACITY = 0.75;

/** Lays out the map without points that are not finite. */
export function layOutMap(points: readonly ScatterPoint[], colorLabel?: string): MapLayout {
  const drawn = points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  const { color, legend, order } = colorPoints(drawn, colorLabel);
  const perLine = Math.floor((WIDTH - 2 * MARGIN) / LEGEND_WIDTH);
  const top = MARGIN + HEADING + Math.ceil(legend.length / perLine) * LEGEND_LINE + (legend.length > 0 ? 8 : 0);
  const radius = Math.min(5, Math.max(1.2, 160 / Math.sqrt(drawn.length + 1)));
  const { place, height } = layOut(drawn, top, radius);
  const byColor = new Map(order.map((name): [string, ScatterPoint[]] => [name, []]));
  for (const point of drawn) byColor.get(color(point.label))?.push(point);
  return {
    width: WIDTH,
    height,
    radius,
    groups: [...byColor].filter(([, part]) => part.length > 0).map(([name, part]) => ({ color: name, points: part })),
    numPoints: drawn.length,
    place,
    legend: legend.map(({ label, color: fill }, i) => ({
      x: MARGIN + (i % perLine) * LEGEND_WIDTH + 6,
      y: MARGIN + HEADING + Math.floor(i / perLine) * LEGEND_LINE,
      label: [...label].length > LEGEND_LETTERS ? `${[...label].slice(0, LEGEND_LETTERS - 1).join("")}…` : label,
      color: fill,
    })),
    title: { x: MARGIN, y: MARGIN + 12 },
  };
}

/** The picture as the text of an SVG file, without points that are not finite. */
export function pointMap(points: readonly ScatterPoint[], { title, description, colorLabel }: PointMapOptions): string {
  const map = layOutMap(points, colorLabel);
  const { width, height, radius } = map;
  const place = (point: ScatterPoint) => map.place(point).map(round).join(",");
  const titled = map.numPoints <= MAX_TITLES;
  const groups = map.groups.map(({ color, points: part }) => {
    const marks = titled
      ? part.map((p) => `<path d="M${place(p)}h0"><title>${escapeText(p.title ?? "")}</title></path>`).join("\n")
      : `<path d="${part.map((p) => `M${place(p)}h0`).join("")}"/>`;
    return `<g stroke="${color}">\n${marks}\n</g>`;
  });
  const key = map.legend.map(({ x, y, label, color }) => {
    return `<circle cx="${x}" cy="${y}" r="5" fill="${color}"/><text x="${x + 12}" y="${y}" dy="0.35em">${escapeText(label)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="${CHART_CLASS}" role="img" viewBox="0 0 ${width} ${height}" ` +
      `width="${width}" height="${height}" fill="currentColor" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${escapeText(title)}</title><desc>${escapeText(description)}</desc>`,
    `<style>${chartStyle()}.${CHART_CLASS} .page{fill:#fff}@media screen and (prefers-color-scheme:dark){.${CHART_CLASS} .page{fill:#14181e}}</style>`,
    '<rect class="page" width="100%" height="100%"/>',
    `<text x="${map.title.x}" y="${map.title.y}" font-size="16" font-weight="600">${escapeText(title)}</text>`,
    ...key,
    `<g fill="none" stroke-width="${round(2 * radius)}" stroke-linecap="round" stroke-opacity="${POINT_OPACITY}">`,
    ...groups,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Uses one scale for both axes, so that distances in the picture are proportional to distances of the map; y points up. */
function layOut(points: readonly ScatterPoint[], top: number, radius: number) {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [low, high] = [Math.min(low, y), Math.max(high, y)];
  }
  const edge = MARGIN + radius;
  const [wide, tall] = [right - left, high - low];
  const room = WIDTH - 2 * edge;
  const roomBelow = MAX_HEIGHT - 2 * edge;
  const scales = [wide > 0 ? room / wide : Infinity, tall > 0 ? roomBelow / tall : Infinity];
  const scale = smallestOf(scales) === Infinity ? 1 : smallestOf(scales);
  const spare = points.length === 0 ? 0 : (room - wide * scale) / 2;
  const height = Math.ceil(top + 2 * edge + (points.length === 0 ? 0 : tall * scale));
  const place = ({ x, y }: ScatterPoint) =>
    [edge + spare + (x - left) * scale, top + edge + (high - y) * scale] as const;
  return { place, height };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
