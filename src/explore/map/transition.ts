/** Where points begin when the map gets new positions. */

import type { Camera } from "../app/state/state.js";
import type { MapContent } from "./render/renderer.js";

/**
 * Positions at the beginning of the transition, in units of the new map, such that every point begins where it is on the screen now.
 * Nodes that were not on the map begin at their new place. Undefined if there is nothing to move, or if the visitor prefers no motion.
 */
export function transitionStart(
  before: { readonly content: MapContent; readonly camera: Camera; readonly progress: number },
  positions: Float32Array,
  camera: Camera,
): Float32Array | undefined {
  const { positions: old, start: oldStart = old } = before.content;
  if (old.length !== positions.length || old.length === 0 || prefersNoMotion()) return undefined;
  const ratio = before.camera.scale / camera.scale;
  const oldCenter = [before.camera.x, before.camera.y];
  const center = [camera.x, camera.y];
  const start = new Float32Array(positions.length);
  for (let i = 0; i < start.length; i++) {
    const shown = oldStart[i] + (old[i] - oldStart[i]) * before.progress;
    const begin = center[i & 1] + (shown - oldCenter[i & 1]) * ratio;
    start[i] = Number.isFinite(begin) ? begin : positions[i];
  }
  return start;
}

/** Duration of the transition, in milliseconds. */
const DURATION = 600;

/** Share of the way that points have gone after this many milliseconds: slow at both ends, 1 at last. */
export function easedProgress(elapsed: number): number {
  const time = Math.min(1, Math.max(0, elapsed / DURATION));
  return time * time * (3 - 2 * time);
}

function prefersNoMotion(): boolean {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}

/** The selection, or undefined if no node is selected. */
export function selectedOrNone(selected: Uint8Array | undefined): Uint8Array | undefined {
  return selected?.includes(1) ? selected.slice() : undefined;
}

/** Throws if an array of the caller has another length than the nodes or edges need. */
export function checkLength(name: string, length: number, expected: number): void {
  if (length !== expected)
    throw new RangeError(`map: ${name} have ${length} values; expected ${expected}. Set positions first.`);
}
