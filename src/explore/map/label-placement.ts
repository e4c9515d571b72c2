/**
 * Chooses the labels of the map so that none covers another: the best node of each cell of a grid is a candidate; candidates are
 * placed in the order of their importance where there is room.
 */

import type { Camera } from "../app/state/state.js";
import { type Size, toScreen } from "./camera.js";
import type { MapContent } from "./render/renderer.js";

export interface LabelRequest {
  /** Nodes that are in view and shown, in ascending order. */
  readonly nodes: Uint32Array;
  readonly content: Pick<MapContent, "positions" | "selected" | "focus">;
  readonly camera: Camera;
  readonly size: Size;
  /** Importance of each node; of equal ones the first node wins. */
  readonly rank?: Float32Array | undefined;
  /** Pixels between the centre of a point and its label. */
  readonly gap: number;
  text(node: number): string;
  /** Width of a text in pixels, as it is shown. */
  measure(text: string): number;
}

export interface PlacedLabel {
  readonly node: number;
  readonly text: string;
  readonly kind: "focus" | "selected" | "dimmed" | "plain";
  /** Left and upper border relative to the point, in pixels. */
  readonly dx: number;
  readonly dy: number;
  readonly width: number;
}

/** Maximum number of labels; more cover the points. */
export const MAX_LABELS = 60;
/** Height of a label in pixels: the line height of `.map-labels-label`. */
export const LABEL_HEIGHT = 16;
/** Size of the cells that have one candidate each, in pixels: about a label of medium length with the space around it. */
const CELL_WIDTH = 96;
const CELL_HEIGHT = 30;
/** Free pixels between two labels. */
const SPACING = 3;
/** Characters of a label that are kept; more never fit into its width. */
const MAX_CHARACTERS = 80;

export function placeLabels(request: LabelRequest): PlacedLabel[] {
  const { content, camera, size, gap, text, measure } = request;
  const placed: PlacedLabel[] = [];
  const taken: { left: number; right: number; top: number }[] = [];
  for (const node of candidates(request)) {
    if (placed.length === MAX_LABELS) break;
    const shown = text(node).slice(0, MAX_CHARACTERS).trim();
    const [x, y] = toScreen(camera, size, content.positions[2 * node], content.positions[2 * node + 1]);
    if (shown === "" || x < 0 || y < 0 || x > size.width || y > size.height) continue;
    const width = measure(shown);
    const fitsRight = x + gap + width <= size.width;
    const dx = fitsRight || x - gap - width < 0 ? gap : -gap - width;
    const [left, right, top] = [x + dx, x + dx + width, y - LABEL_HEIGHT / 2];
    const isFree = taken.every(
      (other) =>
        left >= other.right + SPACING ||
        right + SPACING <= other.left ||
        Math.abs(top - other.top) >= LABEL_HEIGHT + SPACING,
    );
    if (!isFree) continue;
    taken.push({ left, right, top });
    placed.push({ node, text: shown, kind: kindOf(content, node), dx, dy: -LABEL_HEIGHT / 2, width });
  }
  return placed;
}

/** The most important node of each cell, the most important first. Cells move with the map, so that panning keeps their choice. */
function candidates({ nodes, content, camera, size, rank }: LabelRequest): number[] {
  const columns = Math.ceil(size.width / CELL_WIDTH) + 2;
  const rows = Math.ceil(size.height / CELL_HEIGHT) + 2;
  const firstColumn = Math.floor((camera.x * camera.scale - size.width / 2) / CELL_WIDTH);
  const firstRow = Math.floor((camera.y * camera.scale - size.height / 2) / CELL_HEIGHT);
  const best = new Int32Array(columns * rows).fill(-1);
  const { positions, selected, focus } = content;
  const isBefore = (a: number, b: number) => {
    const byKind = importance(selected, focus, a) - importance(selected, focus, b);
    if (byKind !== 0) return byKind > 0;
    const byRank = rank === undefined ? 0 : rank[a] - rank[b];
    return byRank === 0 || Number.isNaN(byRank) ? a < b : byRank > 0;
  };
  for (const node of nodes) {
    const column = Math.floor((positions[2 * node] * camera.scale) / CELL_WIDTH) - firstColumn;
    const row = Math.floor((positions[2 * node + 1] * camera.scale) / CELL_HEIGHT) - firstRow;
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
    const cell = row * columns + column;
    if (best[cell] < 0 || isBefore(node, best[cell])) best[cell] = node;
  }
  return [...best.filter((node) => node >= 0)].sort((a, b) => (isBefore(a, b) ? -1 : 1));
}

function importance(selected: Uint8Array | undefined, focus: number, node: number): number {
  if (node === focus) return 2;
  return selected?.[node] === 1 ? 1 : 0;
}

function kindOf({ selected, focus }: LabelRequest["content"], node: number): PlacedLabel["kind"] {
  if (node === focus) return "focus";
  if (selected === undefined) return "plain";
  return selected[node] === 1 ? "selected" : "dimmed";
}
