/** What is in view, and the legend, as an SVG file. All texts are escaped. */

import type { Camera } from "../app/state/state.js";
import { boundsInView, type Size, toScreen } from "./camera.js";
import type { PlacedLabel } from "./label-placement.js";
import { type LegendLine, legendShapes, pictureSize } from "./picture-legend.js";
import {
  DIM,
  isShown,
  type MapContent,
  type MapTheme,
  MIN_MARKED,
  type Rgb,
  RING,
  shownEdges,
} from "./render/renderer.js";
import { MAX_SAMPLE, samplePoints } from "./render/sample-points.js";

export interface MapSvgOptions extends Size {
  readonly content: MapContent;
  readonly camera: Camera;
  /** Diameter of a point in pixels. */
  readonly diameter: number;
  readonly labels: readonly PlacedLabel[];
  readonly theme: MapTheme;
  /** Drawn on the right of the map. */
  readonly legend?: readonly LegendLine[];
}

/** At most 20,000 points: of more, a sample, which a comment in the file reports. */
export function mapSvg(options: MapSvgOptions): string {
  const { content, camera, width, height, diameter, labels, theme, legend = [] } = options;
  const size = { width, height };
  const whole = pictureSize(size, legend);
  const place = (node: number) =>
    toScreen(camera, size, content.positions[2 * node], content.positions[2 * node + 1]).map(short);
  const inView = nodesInView(content, camera, size, diameter);
  const sample = samplePoints(inView, content, MAX_SAMPLE);
  const { selected, focus, colors } = content;
  const radius = short(diameter / 2);
  const circle = (node: number) => {
    const [x, y] = place(node);
    const own = colors.subarray(4 * node, 4 * node + 4);
    const color = selected === undefined || selected[node] === 1 ? own : mixed(own, theme.background);
    return `<circle cx="${x}" cy="${y}" r="${radius}" ${paint("fill", color, own[3])}/>`;
  };
  const isOnTop = (node: number) => selected !== undefined && selected[node] === 1;

  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${short(whole.width)}" height="${short(whole.height)}" viewBox="0 0 ${short(whole.width)} ${short(whole.height)}">`,
  ];
  if (sample.length < inView.length) {
    lines.push(`<!-- The file has ${sample.length} of the ${inView.length} nodes in view. -->`);
  }
  lines.push(`<rect width="100%" height="100%" fill="${hex(theme.background)}"/>`);
  lines.push('<g stroke-width="1">');
  for (const edge of shownEdges(content)) {
    const [x1, y1] = place(content.ends[2 * edge]);
    const [x2, y2] = place(content.ends[2 * edge + 1]);
    if (isOutside(x1, x2, width) || isOutside(y1, y2, height)) continue;
    const color = content.edgeColors.subarray(4 * edge, 4 * edge + 4);
    lines.push(`<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${paint("stroke", color, color[3])}/>`);
  }
  lines.push("</g>", "<g>");
  for (const node of sample) if (!isOnTop(node)) lines.push(circle(node));
  for (const node of sample) if (isOnTop(node)) lines.push(circle(node));
  if (focus >= 0 && focus < content.numNodes && isShown(content, focus)) {
    const [x, y] = place(focus);
    const inner = Math.max(diameter, MIN_MARKED) / 2;
    const color = colors.subarray(4 * focus, 4 * focus + 4);
    lines.push(`<circle cx="${x}" cy="${y}" r="${short(inner)}" ${paint("fill", color, color[3])}/>`);
    const ring = `fill="none" stroke="${hex(theme.focus)}" stroke-width="${RING}"`;
    lines.push(`<circle cx="${x}" cy="${y}" r="${short(inner + 1.5 * RING)}" ${ring}/>`);
  }
  const halo = `stroke="${hex(theme.background)}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"`;
  lines.push("</g>", `<g font-family="system-ui, sans-serif" font-size="12" fill="${hex(theme.text)}" ${halo}>`);
  for (const { node, text, kind, dx, width: labelWidth } of labels) {
    const [x, y] = place(node);
    const anchor = dx < 0 ? `x="${short(x + dx + labelWidth)}" text-anchor="end"` : `x="${short(x + dx)}"`;
    const weight = kind === "focus" ? ' font-weight="600"' : "";
    lines.push(`<text ${anchor} y="${short(y + 4)}"${weight}>${escapeXml(text)}</text>`);
  }
  lines.push("</g>");
  if (legend.length > 0) lines.push(legendMarkup(legend, width, whole, theme).join("\n"));
  lines.push("</svg>", "");
  return lines.join("\n");
}

/** The legend on its own background, which covers labels that reach beyond the map. */
function legendMarkup(legend: readonly LegendLine[], left: number, whole: Size, theme: MapTheme): string[] {
  const { boxes, texts } = legendShapes(legend);
  return [
    `<g transform="translate(${short(left)} 0)" font-family="system-ui, sans-serif" font-size="12" fill="${hex(theme.text)}">`,
    `<rect width="${short(whole.width - left)}" height="${short(whole.height)}" fill="${hex(theme.background)}"/>`,
    ...boxes.map(
      ({ x, y, width, height, radius, color }) =>
        `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${height}" rx="${radius}" fill="${hex(color)}"/>`,
    ),
    ...texts.map(({ x, y, text, isBold, isEnd }) => {
      const style = `${isBold ? ' font-weight="600"' : ""}${isEnd ? ' text-anchor="end"' : ""}`;
      return `<text x="${short(x)}" y="${short(y + 4)}"${style}>${escapeXml(text)}</text>`;
    }),
    "</g>",
  ];
}

function nodesInView(content: MapContent, camera: Camera, size: Size, margin: number): Uint32Array {
  const { left, right, bottom, top } = boundsInView(camera, size, margin);
  const nodes = new Uint32Array(content.numNodes);
  let count = 0;
  for (let node = 0; node < content.numNodes; node++) {
    const x = content.positions[2 * node];
    const y = content.positions[2 * node + 1];
    if (x >= left && x <= right && y >= bottom && y <= top && isShown(content, node)) nodes[count++] = node;
  }
  return nodes.subarray(0, count);
}

const isOutside = (a: number, b: number, limit: number) => (a < 0 && b < 0) || (a > limit && b > limit);

const short = (value: number) => Math.round(value * 100) / 100;

function paint(name: "fill" | "stroke", color: ArrayLike<number>, alpha: number): string {
  return `${name}="${hex(color)}"${alpha === 255 ? "" : ` ${name}-opacity="${short(alpha / 255)}"`}`;
}

function hex(color: ArrayLike<number>): string {
  return `#${[color[0], color[1], color[2]].map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

function mixed(color: Uint8Array, toward: Rgb): number[] {
  return toward.map((value, i) => color[i] + (value - color[i]) * DIM);
}

/** Text of XML: markup is escaped, characters that XML 1.0 forbids are replaced. */
export function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
  };
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids exactly these characters and lone surrogates
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
      .replace(/[&<>"']/g, (character) => entities[character])
  );
}
