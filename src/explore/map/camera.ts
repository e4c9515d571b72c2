/**
 * The camera of the map: which point of the map is at the centre of the view, and how many pixels one unit of the map has. The map's y
 * points up, the screen's y points down. Pixels are CSS pixels from the top left corner of the view.
 */

import type { Camera } from "../app/state/state.js";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** Free pixels between the outermost points and the border after `fitCamera`; not tuned. */
const FIT_MARGIN = 28;

/** The largest zoom, as a multiple of the scale that fits the map. At 5,000 the rounding of float32 positions is about a third of a pixel. */
export const MAX_ZOOM = 5000;
/** The smallest zoom, as a multiple of the scale that fits the map; not tuned. */
export const MIN_ZOOM = 0.1;

export function toScreen(camera: Camera, size: Size, x: number, y: number): [x: number, y: number] {
  return [size.width / 2 + (x - camera.x) * camera.scale, size.height / 2 - (y - camera.y) * camera.scale];
}

export function toMap(camera: Camera, size: Size, screenX: number, screenY: number): [x: number, y: number] {
  return [camera.x + (screenX - size.width / 2) / camera.scale, camera.y - (screenY - size.height / 2) / camera.scale];
}

/** Corners in pixels (x and y in turn) as points of the map. */
export function outlineToMap(camera: Camera, size: Size, corners: readonly number[]): number[] {
  const inMap: number[] = [];
  for (let i = 0; i < corners.length; i += 2) {
    const [x, y] = toMap(camera, size, corners[i], corners[i + 1]);
    inMap.push(x, y);
  }
  return inMap;
}

/** Moves what is in view by this many pixels. */
export function panBy(camera: Camera, right: number, down: number): Camera {
  return { x: camera.x - right / camera.scale, y: camera.y + down / camera.scale, scale: camera.scale };
}

/** Changes the scale to `scale`; the point of the map at this pixel stays there. */
export function zoomAt(camera: Camera, size: Size, screenX: number, screenY: number, scale: number): Camera {
  const [x, y] = toMap(camera, size, screenX, screenY);
  const ratio = camera.scale / scale;
  return { x: x + (camera.x - x) * ratio, y: y + (camera.y - y) * ratio, scale };
}

/** The same camera if the point of the map is in view; otherwise the camera moved to it at the same scale. */
export function cameraToSee(camera: Camera, size: Size, x: number, y: number): Camera {
  const [across, down] = toScreen(camera, size, x, y);
  const isOutside = across < 0 || across > size.width || down < 0 || down > size.height;
  return isOutside ? { x, y, scale: camera.scale } : camera;
}

/** The part of the map that is in view, and `margin` pixels more on every side. */
export function boundsInView(camera: Camera, size: Size, margin = 0): Bounds {
  const [left, top] = toMap(camera, size, -margin, -margin);
  const [right, bottom] = toMap(camera, size, size.width + margin, size.height + margin);
  return { left, right, bottom, top };
}

/** The smallest rectangle with all positions (x and y in turn) that are numbers; undefined if there are none. */
export function boundsOf(positions: Float32Array): Bounds | undefined {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i + 1 < positions.length; i += 2) {
    const x = positions[i];
    const y = positions[i + 1];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < bottom) bottom = y;
    if (y > top) top = y;
  }
  return left <= right ? { left, right, bottom, top } : undefined;
}

/** The camera that shows these bounds as large as the view allows. */
export function fitCamera(bounds: Bounds | undefined, size: Size): Camera {
  if (bounds === undefined) return { x: 0, y: 0, scale: 1 };
  const { left, right, bottom, top } = bounds;
  const margin = Math.min(FIT_MARGIN, size.width / 4, size.height / 4);
  const across = (size.width - 2 * margin) / (right - left);
  const upright = (size.height - 2 * margin) / (top - bottom);
  const scale = Math.min(across, upright);
  return {
    x: (left + right) / 2,
    y: (bottom + top) / 2,
    // all nodes at one point: any scale shows them
    scale: Number.isFinite(scale) && scale > 0 ? scale : 1,
  };
}
