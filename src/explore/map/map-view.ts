/** The map: points and edges from typed arrays, with pan, zoom, picking, selection, labels and export. */

import type { Camera } from "../app/state.js";
import { type Component, element } from "../dom.js";
import { boundsInView, boundsOf, fitCamera, MAX_ZOOM, MIN_ZOOM, panBy, type Size, toMap, zoomAt } from "./camera.js";
import { createMapInput, type Tool } from "./map-input.js";
import { createMapLabels, labelFont } from "./map-labels.js";
import { mapPicture } from "./map-picture.js";
import { mapSvg } from "./map-svg.js";
import { createOutline } from "./outline.js";
import { PointGrid } from "./point-grid.js";
import { type ContentPart, isShown, type MapContent, pointDiameter } from "./render/renderer.js";
import { createSurface } from "./render/surface.js";
import { checkLength, easedProgress, selectedOrNone, transitionStart } from "./transition.js";

export type { Tool } from "./map-input.js";

export interface MapViewOptions {
  /** The node under the pointer, or -1, and the pointer's place in the window. */
  onHover?(node: number, clientX: number, clientY: number): void;
  /** The node that was clicked, or -1 beside all nodes; `additive` if Shift, Ctrl or Meta was held. */
  onClick?(node: number, how: { readonly additive: boolean }): void;
  /** The nodes inside a box or lasso, or none after Escape. */
  onSelect?(nodes: Uint32Array, how: { readonly additive: boolean }): void;
  /** After a visitor moved the camera. */
  onCamera?(camera: Camera): void;
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
  /** What is in view, with labels. */
  png(): Promise<Blob>;
  svg(): string;
}

/** Rest of the camera before new labels are chosen, in milliseconds. */
const LABEL_REST = 80;
/** Colour of nodes that have none yet. */
const PLAIN = [86, 130, 177, 255];

export function createMapView(host: HTMLElement, options: MapViewOptions): MapView {
  const root = element("div", { class: "map-view" });
  host.append(root);
  let content: MapContent = {
    numNodes: 0,
    positions: new Float32Array(),
    start: undefined,
    colors: new Uint8Array(),
    selected: undefined,
    focus: -1,
    ends: new Uint32Array(),
    edgeColors: new Uint8Array(),
  };
  const changed = new Set<ContentPart>();
  let camera: Camera = { x: 0, y: 0, scale: 1 };
  let fitted: Camera = camera;
  /** False once a visitor or the caller moved the camera: then a new size or new positions keep it. */
  let followsFit = true;
  let transitionBegan: number | undefined;
  let hovered = -1;
  let tool: Tool = "pan";
  let grid: PointGrid | undefined;
  let text: ((node: number) => string) | undefined;
  let rank: Float32Array | undefined;
  let frameRequest = 0;
  let labelTimer: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;
  const labels = createMapLabels(root);
  const outline = createOutline(root);

  const size = (): Size => surface.size;
  const diameter = () => pointDiameter(content.numNodes, size(), camera.scale / fitted.scale);
  const isVisible = (node: number) => isShown(content, node);

  function refit(): void {
    fitted = fitCamera(boundsOf(content.positions), size());
    if (followsFit) camera = fitted;
  }

  const progress = () => (transitionBegan === undefined ? 1 : easedProgress(performance.now() - transitionBegan));

  function change(part: ContentPart, patch: Partial<MapContent>): void {
    content = { ...content, ...patch };
    changed.add(part);
    redraw({ labels: true });
  }

  /** Draws the next frame; `labels`: chooses new labels once nothing has changed for a moment. */
  function redraw({ labels: chooseLabels = false } = {}): void {
    if (isDisposed) return;
    if (frameRequest === 0) frameRequest = requestAnimationFrame(draw);
    if (!chooseLabels) return;
    clearTimeout(labelTimer);
    labelTimer = setTimeout(placeLabels, LABEL_REST);
  }

  function draw(): void {
    frameRequest = 0;
    const { size, ratio } = surface;
    if (size.width === 0 || size.height === 0) return;
    const now = progress();
    surface.draw(content, changed, { camera, size, ratio, progress: now, diameter: diameter(), hovered });
    changed.clear();
    labels.move(content.positions, camera, size);
    if (transitionBegan === undefined) return;
    if (now === 1) {
      transitionBegan = undefined;
      change("positions", { start: undefined });
    }
    redraw({ labels: true });
  }

  function placeLabels(): void {
    if (text === undefined || transitionBegan !== undefined || size().width === 0) return;
    const nodes = pointGrid().inRectangle(boundsInView(camera, size()), isVisible);
    labels.place({ nodes, content, camera, size: size(), rank, text, gap: diameter() / 2 + 4 });
  }

  function pointGrid(): PointGrid {
    grid ??= new PointGrid(content.positions);
    return grid;
  }

  function pick(x: number, y: number, radius: number): number {
    const [mapX, mapY] = toMap(camera, size(), x, y);
    return pointGrid().nearest(mapX, mapY, Math.max(radius, diameter() / 2) / camera.scale, isVisible);
  }

  function hover(node: number, x: number, y: number): void {
    if (node === -1 && hovered === -1) return;
    if (node !== hovered) {
      hovered = node;
      surface.canvas.toggleAttribute("data-hovered", node >= 0);
      redraw();
    }
    const { left, top } = surface.canvas.getBoundingClientRect();
    options.onHover?.(node, left + x, top + y);
  }

  function moveCamera(next: Camera): void {
    camera = next;
    followsFit = false;
    redraw({ labels: true });
    options.onCamera?.(camera);
  }

  const limited = (scale: number) => Math.min(MAX_ZOOM * fitted.scale, Math.max(MIN_ZOOM * fitted.scale, scale));

  const input = {
    tool: () => tool,
    panBy: (right: number, down: number) => moveCamera(panBy(camera, right, down)),
    zoomAt: (x: number, y: number, factor: number) =>
      moveCamera(zoomAt(camera, size(), x, y, limited(camera.scale * factor))),
    zoomAtCenter: (factor: number) => input.zoomAt(size().width / 2, size().height / 2, factor),
    fit: () => {
      view.fit();
      options.onCamera?.(camera);
    },
    hover: (x: number, y: number, radius: number) => hover(pick(x, y, radius), x, y),
    leave: () => hover(-1, 0, 0),
    click: (x: number, y: number, radius: number, additive: boolean) =>
      options.onClick?.(pick(x, y, radius), { additive }),
    showOutline: outline.show,
    selectInside: (corners: readonly number[], additive: boolean) => {
      const inMap: number[] = [];
      for (let i = 0; i < corners.length; i += 2) inMap.push(...toMap(camera, size(), corners[i], corners[i + 1]));
      options.onSelect?.(pointGrid().inPolygon(inMap, isVisible), { additive });
    },
    clearSelection: () => options.onSelect?.(new Uint32Array(), { additive: false }),
  };

  const surface = createSurface(root, {
    // a canvas is empty after it got another size: drawn at once, it does not flicker
    onResize: () => {
      refit();
      draw();
      redraw({ labels: true });
    },
    onChange: () => redraw({ labels: true }),
    onNewCanvas: (canvas) => {
      canvas.dataset["tool"] = tool;
      return createMapInput(canvas, input);
    },
  });

  const view: MapView = {
    setPositions(positions, { fit = followsFit } = {}) {
      const before = { content, camera, progress: progress() };
      const numNodes = positions.length >> 1;
      grid = undefined;
      followsFit = fit;
      content = { ...content, numNodes, positions: positions.slice() };
      refit();
      const start = transitionStart(before, content.positions, camera);
      transitionBegan = start === undefined ? undefined : performance.now();
      content = { ...content, start };
      changed.add("positions");
      labels.clear();
      if (numNodes !== before.content.numNodes) {
        hover(-1, 0, 0);
        change("emphasis", { selected: undefined, focus: -1 });
        change("edges", { ends: new Uint32Array(), edgeColors: new Uint8Array() });
        change("colors", { colors: Uint8Array.from({ length: 4 * numNodes }, (_, i) => PLAIN[i % 4]) });
        surface.setNumNodes(numNodes);
      }
      redraw({ labels: true });
    },
    setColors(rgba) {
      checkLength("colours", rgba.length, 4 * content.numNodes);
      change("colors", { colors: rgba.slice() });
    },
    setEmphasis({ selected, focus }) {
      if (selected !== undefined) checkLength("the selection", selected.length, content.numNodes);
      change("emphasis", { selected: selectedOrNone(selected), focus });
    },
    setEdges(ends, rgba) {
      checkLength("colours of edges", rgba.length, 2 * ends.length);
      change("edges", { ends: ends.slice(), edgeColors: rgba.slice() });
    },
    setLabels(newText, newRank) {
      text = newText;
      rank = newRank;
      redraw({ labels: true });
    },
    setTool(newTool) {
      tool = newTool;
      surface.canvas.dataset["tool"] = tool;
    },
    get camera() {
      return camera;
    },
    set camera(next) {
      camera = next;
      followsFit = false;
      redraw({ labels: true });
    },
    fit() {
      followsFit = true;
      refit();
      redraw({ labels: true });
    },
    zoomBy: (factor) => input.zoomAtCenter(factor),
    png() {
      placeLabels();
      draw();
      const font = (kind: string) => labelFont(root, kind === "focus" ? "600" : "400");
      const { theme, ratio } = surface;
      const { positions } = content;
      return mapPicture(surface.canvas, {
        positions,
        camera,
        size: size(),
        ratio,
        labels: labels.shortened(),
        font,
        theme,
      });
    },
    svg() {
      placeLabels();
      return mapSvg({
        content,
        camera,
        ...size(),
        diameter: diameter(),
        labels: labels.shortened(),
        theme: surface.theme,
      });
    },
    dispose() {
      isDisposed = true;
      cancelAnimationFrame(frameRequest);
      clearTimeout(labelTimer);
      surface.dispose();
      root.remove();
    },
  };
  return view;
}
