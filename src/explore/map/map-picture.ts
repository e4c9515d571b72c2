/** Draws the canvas of the map, its labels and its legend into one picture. */

import type { Camera } from "../app/state/state.js";
import { element } from "../dom.js";
import { toScreen } from "./camera.js";
import type { PlacedLabel } from "./label-placement.js";
import { type LegendLine, legendShapes, pictureSize } from "./picture-legend.js";
import type { Rgb } from "./render/renderer.js";
import type { Surface } from "./render/surface.js";

export interface PictureOptions {
  readonly positions: Float32Array;
  readonly camera: Camera;
  readonly labels: readonly PlacedLabel[];
  /** The font of a text for a 2D canvas. */
  font(isBold: boolean): string;
  /** Drawn on the right of the map. */
  readonly legend: readonly LegendLine[];
}

/** Minimum number of pixels of a picture per pixel of the page: prints need more than screens. */
const MIN_RATIO = 2;

/** The picture of what `draw` draws on the canvas of the surface. The canvas is empty afterwards. */
export function mapPicture(surface: Surface, draw: () => void, options: PictureOptions): Promise<Blob> {
  return surface.atRatio(MIN_RATIO, () => {
    draw();
    // WebGL clears the canvas after this task
    return pictureOf(surface, options);
  });
}

function pictureOf({ canvas, size, ratio, theme }: Surface, options: PictureOptions): Promise<Blob> {
  const { positions, camera, labels, font, legend } = options;
  const whole = pictureSize(size, legend);
  const picture = element("canvas", {
    width: canvas.width + Math.round((whole.width - size.width) * ratio),
    height: canvas.height + Math.round((whole.height - size.height) * ratio),
  });
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
    context.font = font(kind === "focus");
    context.strokeText(text, x + dx, y);
    context.fillText(text, x + dx, y);
  }
  const { boxes, texts } = legendShapes(legend);
  context.translate(size.width, 0);
  for (const { x, y, width, height, radius, color } of boxes) {
    context.fillStyle = css(color);
    context.beginPath();
    context.roundRect(x, y, width, height, radius);
    context.fill();
  }
  context.fillStyle = css(theme.text);
  for (const { x, y, text, isBold, isEnd } of texts) {
    context.font = font(isBold);
    context.textAlign = isEnd ? "right" : "left";
    context.fillText(text, x, y);
  }
  return new Promise((resolve, reject) => {
    picture.toBlob((blob) => {
      if (blob === null) reject(new Error("map: the browser made no PNG of the map; save the SVG instead."));
      else resolve(blob);
    }, "image/png");
  });
}

const css = ([red, green, blue]: Rgb) => `rgb(${red}, ${green}, ${blue})`;
