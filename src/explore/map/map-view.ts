/** The map: points and edges from typed arrays, with pan, zoom, picking, selection, labels and export. */

import type { Camera } from "../app/state/state.js";
import { element } from "../dom.js";
import {
  boundsInView,
  boundsOf,
  fitCamera,
  MAX_ZOOM,
  MIN_ZOOM,
  outlineToMap,
  panBy,
  type Size,
  toMap,
  zoomAt,
} from "./camera.js";
import { createMapInput, type Tool } from "./map-input.js";
import { createMapLabels, labelFont } from "./map-labels.js";
import { mapPicture } from "./map-picture.js";
import { mapSvg } from "./map-svg.js";
import type { MapView, MapViewOptions } from "./map-view-types.js";
import { createOutline } from "./outline.js";
import { PointGrid } from "./point-grid.js";
import { ALL, FrameBudget } from "./render/frame-budget.js";
import {
  type ContentPart,
  EMPTY_CONTENT,
  isShown,
  type MapContent,
  plainColors,
  pointLook,
} from "./render/renderer.js";
import { createSurface } from "./render/surface.js";
import { checkLength, easedProgress, selectedOrNone, transitionStart } from "./transition.js";

export type { Tool } from "./map-input.js";
export type { MapView, MapViewOptions } from "./map-view-types.js";

/** Rest of the map before new labels are chosen, in milliseconds. */
const REST = 80;

export function createMapView(host: HTMLElement, options: MapViewOptions): MapView {
  const root = element("div", { class: "map-view" });
  host.append(root);
  let content = EMPTY_CONTENT;
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
  const budget = new FrameBudget();
  /** What the last frame showed. */
  let drawn = { camera, steps: ALL };
  let frameRequest = 0;
  let isSettled = true;
  let settleTimer: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;
  const labels = createMapLabels(root);
  const outline = createOutline(root);

  const size = (): Size => surface.size;
  const look = (step = 1) => pointLook(content.numNodes / step, size(), camera.scale / fitted.scale);
  const diameter = () => look().diameter;
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

  /** Draws the next frame; `labels`: chooses new labels when the map rests. */
  function redraw({ labels: needsLabels = false } = {}): void {
    if (isDisposed) return;
    if (frameRequest === 0) frameRequest = requestAnimationFrame(draw);
    if (needsLabels) isSettled = false;
  }

  function draw(): void {
    cancelAnimationFrame(frameRequest);
    frameRequest = 0;
    const { size, ratio } = surface;
    if (size.width === 0 || size.height === 0) return;
    const now = progress();
    const moves = camera !== drawn.camera || now < 1;
    const { numNodes, ends } = content;
    const steps = moves ? budget.steps(performance.now(), numNodes, ends.length / 2) : ALL;
    if (!moves) budget.rest();
    surface.draw(content, changed, {
      camera,
      size,
      ratio,
      progress: now,
      ...look(steps.points),
      steps,
      hovered,
    });
    changed.clear();
    drawn = { camera, steps };
    labels.move(content.positions, camera, size);
    if (transitionBegan !== undefined) {
      if (now === 1) {
        transitionBegan = undefined;
        change("positions", { start: undefined });
      }
      redraw({ labels: true });
    }
    clearTimeout(settleTimer);
    if (!isSettled) settleTimer = setTimeout(settle, REST);
  }

  /** Chooses labels and draws all points and edges. If the map moves again, the next frame calls this later. */
  function settle(): void {
    if (frameRequest !== 0) return;
    isSettled = true;
    placeLabels();
    if (drawn.steps.points > 1 || drawn.steps.edges > 1) redraw();
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
      options.onCamera?.(undefined);
    },
    hover: (x: number, y: number, radius: number) => hover(pick(x, y, radius), x, y),
    leave: () => hover(-1, 0, 0),
    click: (x: number, y: number, radius: number, additive: boolean) =>
      options.onClick?.(pick(x, y, radius), { additive }),
    showOutline: outline.show,
    selectInside: (corners: readonly number[], additive: boolean) => {
      options.onSelect?.(pointGrid().inPolygon(outlineToMap(camera, size(), corners), isVisible), { additive });
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
        change("colors", { colors: plainColors(numNodes) });
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
    png(legend = []) {
      placeLabels();
      drawn = { camera, steps: ALL };
      const font = (isBold: boolean) => labelFont(root, isBold ? "600" : "400");
      const { positions } = content;
      const picture = mapPicture(surface, draw, { positions, camera, labels: labels.shortened(), font, legend });
      draw();
      return picture;
    },
    svg(legend = []) {
      placeLabels();
      return mapSvg({
        content,
        camera,
        ...size(),
        diameter: diameter(),
        labels: labels.shortened(),
        theme: surface.theme,
        legend,
      });
    },
    dispose() {
      isDisposed = true;
      cancelAnimationFrame(frameRequest);
      clearTimeout(settleTimer);
      surface.dispose();
      root.remove();
    },
  };
  return view;
}
