/**
 * The canvas of the map: its size, its colours and what draws on it. It uses WebGL2 and falls back to a 2D canvas if there is none, or
 * if the browser takes the context away and does not give it back.
 */

import { type Component, element } from "../../dom.js";
import type { Size } from "../camera.js";
import { createCanvasRenderer } from "./canvas-renderer.js";
import type { ContentPart, Frame, MapContent, MapTheme, Renderer, Rgb } from "./renderer.js";
import { createWebglRenderer } from "./webgl-renderer.js";

export interface SurfaceOptions {
  onResize(): void;
  /** The colours of the page or the renderer changed: the map must be drawn again. */
  onChange(): void;
  /** Listens to a canvas; called again when another takes its place. */
  onNewCanvas(canvas: HTMLCanvasElement): Component;
}

export interface Surface extends Component {
  readonly canvas: HTMLCanvasElement;
  /** In CSS pixels. */
  readonly size: Size;
  /** Pixels of the device per CSS pixel. */
  readonly ratio: number;
  readonly theme: MapTheme;
  setNumNodes(numNodes: number): void;
  /** Calls `use` while the canvas has at least so many pixels per CSS pixel. The canvas is empty before and after. */
  atRatio<T>(minRatio: number, use: () => T): T;
  draw(content: MapContent, changed: ReadonlySet<ContentPart>, frame: Omit<Frame, "theme">): void;
}

/** Maximum number of device pixels per CSS pixel: more cost time and are hardly seen. */
const MAX_RATIO = 2;
/** Wait for a lost WebGL context before the 2D canvas takes over, in milliseconds; not tuned. */
const RESTORE_WAIT = 3000;
const ALL_PARTS: ReadonlySet<ContentPart> = new Set(["positions", "colors", "emphasis", "edges"]);
const KEYS = "Arrow keys move, plus and minus zoom, 0 shows all, Escape clears the selection.";

export function createSurface(root: HTMLElement, { onResize, onChange, onNewCanvas }: SurfaceOptions): Surface {
  let canvas = element("canvas");
  let listening: Component | undefined;
  let renderer: Renderer | undefined;
  let notice: HTMLElement | undefined;
  let numNodes = 0;
  let size: Size = { width: 0, height: 0 };
  let ratio = 1;
  let theme = readTheme(root);
  let isStale = true;
  let lostTimer: ReturnType<typeof setTimeout> | undefined;

  function useNewCanvas(): void {
    listening?.dispose();
    const next = element("canvas", { class: "map-view-canvas", tabindex: 0, role: "application" });
    if (canvas.isConnected) canvas.replaceWith(next);
    else root.prepend(next);
    canvas = next;
    isStale = true;
  }

  function useWebgl(): boolean {
    useNewCanvas();
    try {
      renderer = createWebglRenderer(canvas, {
        onLost: () => {
          lostTimer = setTimeout(useCanvas, RESTORE_WAIT);
        },
        onRestored: () => {
          clearTimeout(lostTimer);
          onChange();
        },
      });
    } catch (error) {
      console.warn(`map: WebGL does not start; a 2D canvas draws the map. ${error}`);
    }
    return renderer !== undefined;
  }

  function useCanvas(): void {
    renderer?.dispose();
    useNewCanvas();
    renderer = createCanvasRenderer(canvas);
    settle();
  }

  /** Prepares a new canvas once it has its renderer. */
  function settle(): void {
    listening = onNewCanvas(canvas);
    describe();
    resize();
    onChange();
  }

  function describe(): void {
    const count = numNodes.toLocaleString("en");
    canvas.setAttribute("aria-label", `Map of ${count} nodes. ${KEYS}`);
    notice?.remove();
    const { maxPoints = Infinity } = renderer ?? {};
    if (maxPoints === Infinity) return;
    const shown = maxPoints < numNodes ? `${maxPoints.toLocaleString("en")} of ${count}` : `all ${count}`;
    const sentence = `This browser has no WebGL: the map shows ${shown} nodes.`;
    notice = element("p", { class: "map-view-notice", role: "status" }, sentence);
    root.append(notice);
  }

  /** Gives the canvas as many pixels as its place has; returns whether their number changed. */
  function measure(minRatio = 0): boolean {
    const { width, height } = root.getBoundingClientRect();
    size = { width, height };
    ratio = Math.max(minRatio, Math.min(MAX_RATIO, globalThis.devicePixelRatio || 1));
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width === across && canvas.height === down) return false;
    canvas.width = across;
    canvas.height = down;
    return true;
  }

  function resize(): void {
    if (measure()) onResize();
  }

  function readColors(): void {
    theme = readTheme(root);
    onChange();
  }

  const sizes = new ResizeObserver(resize);
  const themes = new MutationObserver(readColors);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const surface: Surface = {
    get canvas() {
      return canvas;
    },
    get size() {
      return size;
    },
    get ratio() {
      return ratio;
    },
    get theme() {
      return theme;
    },
    setNumNodes(newNumNodes) {
      numNodes = newNumNodes;
      describe();
    },
    atRatio(minRatio, use) {
      measure(minRatio);
      const result = use();
      measure();
      return result;
    },
    draw(content, changed, frame) {
      if (isStale || changed.size > 0) renderer?.update(content, isStale ? ALL_PARTS : changed);
      isStale = false;
      renderer?.draw({ ...frame, theme });
    },
    dispose() {
      clearTimeout(lostTimer);
      sizes.disconnect();
      themes.disconnect();
      scheme.removeEventListener("change", readColors);
      globalThis.removeEventListener("resize", resize);
      listening?.dispose();
      renderer?.dispose();
    },
  };
  if (!useWebgl()) {
    useNewCanvas();
    renderer = createCanvasRenderer(canvas);
  }
  listening = onNewCanvas(canvas);
  describe();
  measure();
  sizes.observe(root);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class", "style"] });
  scheme.addEventListener("change", readColors);
  // a window on another screen, or zoomed, has another ratio
  globalThis.addEventListener("resize", resize);
  return surface;
}

/** The colours that map.css gives to the root. */
function readTheme(root: HTMLElement): MapTheme {
  const { backgroundColor, color, caretColor } = getComputedStyle(root);
  return { background: parseColor(backgroundColor), text: parseColor(color), focus: parseColor(caretColor) };
}

/** Computed colours have the form `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0.5)`. */
function parseColor(color: string): Rgb {
  const [red = 128, green = 128, blue = 128] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}
