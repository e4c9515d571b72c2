/** Draws the canvas of the map and its labels into one picture. */

import type { Camera } from "../app/state/state.js";
import { element } from "../dom.js";
import { type Size, toScreen } from "./camera.js";
import type { PlacedLabel } from "./label-placement.js";
import type { MapTheme, Rgb } from "./render/renderer.js";

export interface PictureOptions {
  readonly positions: Float32Array;
  readonly camera: Camera;
  readonly size: Size;
  readonly ratio: number;
  readonly labels: readonly PlacedLabel[];
  /** The font of a label for a 2D canvas. */
  font(kind: PlacedLabel["kind"]): string;
  readonly theme: MapTheme;
}

/** The canvas must have been drawn in the same task: WebGL clears it afterwards. */
export function mapPicture(canvas: HTMLCanvasElement, options: PictureOptions): Promise<Blob> {
  const { positions, camera, size, ratio, labels, font, theme } = options;
  const picture = element("canvas", { width: canvas.width, height: canvas.height });
  const context = picture.getContext("2d");
  if (context === null) return Promise.reject(new Error("map: this browser draws no 2D canvas; save the SVG instead."));
  context.fillStyle = css(theme.background);
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(canvas, 0, 0);
  context.scale(ratio, ratio);
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = css(theme.background);
  context.fillStyle = css(theme.text);
  for (const { node, text, kind, dx } of labels) {
    const [x, y] = toScreen(camera, size, positions[2 * node], positions[2 * node + 1]);
    context.font = font(kind);
    context.strokeText(text, x + dx, y);
    context.fillText(text, x + dx, y);
  }
  return new Promise((resolve, reject) => {
    picture.toBlob((blob) => {
      if (blob === null) reject(new Error("map: the browser made no PNG of the map; save the SVG instead."));
      else resolve(blob);
    }, "image/png");
  });
}

const css = ([red, green, blue]: Rgb) => `rgb(${red}, ${green}, ${blue})`;
