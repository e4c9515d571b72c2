/** What a caller tells the map, and what the map reports. */

import type { Camera } from "../app/state/state.js";
import type { Component } from "../dom.js";
import type { Tool } from "./map-input.js";
import type { LegendLine } from "./picture-legend.js";

export interface MapViewOptions {
  /** The node under the pointer, or -1, and the pointer's place in the window. */
  onHover?(node: number, clientX: number, clientY: number): void;
  /** The node that was clicked, or -1 beside all nodes; `additive` if Shift, Ctrl or Meta was held. */
  onClick?(node: number, how: { readonly additive: boolean }): void;
  /** The nodes inside a box or lasso, or none after Escape. */
  onSelect?(nodes: Uint32Array, how: { readonly additive: boolean }): void;
  /** After a visitor moved the camera; undefined: it shows the whole map, and goes on to do so when the size changes. */
  onCamera?(camera: Camera | undefined): void;
}

export interface MapView extends Component {
  /**
   * x and y of each node in turn; NaN: not on the map. The points move to their new places if their number stays the same. `fit` shows
   * the whole map; by default it does so unless a visitor or the caller moved the camera. A new number of nodes resets colours,
   * emphasis and edges.
   */
  setPositions(positions: Float32Array, options?: { readonly fit?: boolean }): void;
  /** 4 bytes a node: red, green, blue, alpha. Alpha 0 hides the node. */
  setColors(rgba: Uint8Array): void;
  /** `selected` has a 1 for each selected node; the others are dimmed. The focus (-1: none) has a ring. */
  setEmphasis(emphasis: { readonly selected: Uint8Array | undefined; readonly focus: number }): void;
  /** Two nodes and 4 bytes of colour for each edge. The caller limits their number. */
  setEdges(ends: Uint32Array, rgba: Uint8Array): void;
  /** Text of each node, and optionally how important its label is. */
  setLabels(text: (node: number) => string, rank?: Float32Array): void;
  setTool(tool: Tool): void;
  /** The centre of the view and its scale. */
  camera: Camera;
  /** Shows the whole map. */
  fit(): void;
  /** Zooms at the centre of the view, as the keys + and − do. */
  zoomBy(factor: number): void;
  /** What is in view, with labels and with the legend on its right. The PNG has at least two pixels per pixel of the page. */
  png(legend?: readonly LegendLine[]): Promise<Blob>;
  svg(legend?: readonly LegendLine[]): string;
}
