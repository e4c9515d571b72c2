/** What draws the map: WebGL, or a 2D canvas where there is no WebGL. */

import type { Camera } from "../../app/state/state.js";
import type { Size } from "../camera.js";
import type { Steps } from "./frame-budget.js";

export type Rgb = readonly [red: number, green: number, blue: number];

/** Colours of the page, 0 to 255. */
export interface MapTheme {
  readonly background: Rgb;
  readonly text: Rgb;
  readonly focus: Rgb;
}

/** Everything that the map shows. The arrays are replaced, never changed in place. */
export interface MapContent {
  readonly numNodes: number;
  /** x and y of each node in turn; NaN: the node is not on the map. */
  readonly positions: Float32Array;
  /** Positions at the beginning of a transition; finite where `positions` are. Undefined: no transition. */
  readonly start: Float32Array | undefined;
  /** 4 bytes a node; alpha 0 hides the node. */
  readonly colors: Uint8Array;
  /** 1 for each selected node; undefined: no node is selected. */
  readonly selected: Uint8Array | undefined;
  /** A node, or -1. */
  readonly focus: number;
  /** Two nodes for each edge. */
  readonly ends: Uint32Array;
  /** 4 bytes an edge. */
  readonly edgeColors: Uint8Array;
}

export const EMPTY_CONTENT: MapContent = {
  numNodes: 0,
  positions: new Float32Array(),
  start: undefined,
  colors: new Uint8Array(),
  selected: undefined,
  focus: -1,
  ends: new Uint32Array(),
  edgeColors: new Uint8Array(),
};

/** A medium blue for nodes that have no colour yet; readable in light and dark. */
export function plainColors(numNodes: number): Uint8Array {
  const plain = [86, 130, 177, 255];
  return Uint8Array.from({ length: 4 * numNodes }, (_, i) => plain[i % 4]);
}

/** What changes from frame to frame. */
export interface Frame {
  readonly camera: Camera;
  readonly size: Size;
  /** Pixels of the device per CSS pixel. */
  readonly ratio: number;
  /** From 0 (positions of the start) to 1. */
  readonly progress: number;
  /** Diameter of a point in CSS pixels. */
  readonly diameter: number;
  /** Opacity of a point whose colour is not transparent. */
  readonly opacity: number;
  /** A renderer that draws few points anyway may draw more. */
  readonly steps: Steps;
  /** The node under the pointer, or -1. */
  readonly hovered: number;
  readonly theme: MapTheme;
}

export type ContentPart = "positions" | "colors" | "emphasis" | "edges";

export interface Renderer {
  /** Maximum number of points that this renderer draws. */
  readonly maxPoints: number;
  /** Takes over the parts of the content that changed. */
  update(content: MapContent, changed: ReadonlySet<ContentPart>): void;
  draw(frame: Frame): void;
  dispose(): void;
}

/** Whether a node is on the map and not hidden by its colour. */
export function isShown({ positions, colors }: MapContent, node: number): boolean {
  return colors[4 * node + 3] > 0 && Number.isFinite(positions[2 * node]) && Number.isFinite(positions[2 * node + 1]);
}

/** Share of the background in the colour of a node that is not selected while others are. Chosen by eye, in light and dark. */
export const DIM = 0.78;
/** Width of the ring around the focus, and of the gap inside it, in CSS pixels. */
export const RING = 2;
/** Minimum diameter of the focus and of the hovered node in CSS pixels, so that they are found among small points. */
export const MIN_MARKED = 8;

/** Limits of a point's diameter in CSS pixels; chosen by eye with 2,000 and 100,000 points. */
const MIN_DIAMETER = 1.7;
const MAX_FITTED = 8;
const MAX_DIAMETER = 16;
/** Diameter of a point per distance to its neighbours if all points were spread evenly; chosen by eye. */
const DIAMETER_PER_SPACING = 0.5;
/** Minimum opacity of points, with which single ones are still seen; chosen by eye with 1,000,000 points. */
const MIN_OPACITY = 0.45;

export interface PointLook {
  /** In CSS pixels. */
  readonly diameter: number;
  readonly opacity: number;
}

/**
 * How points look: smaller the more nodes there are, larger the further the map is zoomed in (`zoom` 1: it fits). Where they would be
 * smaller than the minimum they become transparent instead, so that dense places differ from sparse ones.
 */
export function pointLook(numNodes: number, size: Size, zoom: number): PointLook {
  const spacing = Math.sqrt((size.width * size.height) / Math.max(1, numNodes));
  const growth = Math.max(zoom, 0.01) ** 0.4;
  const fitted = Math.min(MAX_FITTED, Math.max(MIN_DIAMETER, DIAMETER_PER_SPACING * spacing));
  return {
    diameter: Math.min(MAX_DIAMETER, Math.max(MIN_DIAMETER, fitted * growth)),
    opacity: Math.min(1, Math.max(MIN_OPACITY, (DIAMETER_PER_SPACING * spacing * growth) / MIN_DIAMETER)),
  };
}

/** The edges whose ends are both shown, by their index. */
export function shownEdges(content: MapContent): Uint32Array {
  const { ends } = content;
  const shown = new Uint32Array(ends.length >> 1);
  let count = 0;
  for (let edge = 0; edge < shown.length; edge++) {
    if (isShown(content, ends[2 * edge]) && isShown(content, ends[2 * edge + 1])) shown[count++] = edge;
  }
  return shown.subarray(0, count);
}
