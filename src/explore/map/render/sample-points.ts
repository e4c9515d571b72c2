/** Chooses points where not all can be drawn. */

import type { MapContent } from "./renderer.js";

/** Maximum number of points on a 2D canvas and in an SVG file. Not tuned. */
export const MAX_SAMPLE = 20_000;

/**
 * At most `max` of the nodes, in their order: the focus, then selected nodes, then every k-th of the others. If there are more selected
 * nodes than `max`, every k-th of them is chosen.
 */
export function samplePoints(
  nodes: Uint32Array,
  { selected, focus }: Pick<MapContent, "selected" | "focus">,
  max: number,
): Uint32Array {
  if (nodes.length <= max) return nodes;
  const isMarked = (node: number) => node !== focus && selected?.[node] === 1;
  const marked = nodes.filter(isMarked);
  const others = nodes.filter((node) => node !== focus && selected?.[node] !== 1);
  const numFocus = marked.length + others.length < nodes.length ? 1 : 0;
  const chosenMarked = everyKth(marked, max - numFocus);
  const chosenOthers = everyKth(others, max - numFocus - chosenMarked.length);
  const chosen = new Uint32Array(numFocus + chosenMarked.length + chosenOthers.length);
  if (numFocus === 1) chosen[0] = focus;
  chosen.set(chosenMarked, numFocus);
  chosen.set(chosenOthers, numFocus + chosenMarked.length);
  return chosen.sort();
}

/** `count` of the nodes, evenly spaced in their order; all if there are fewer. */
function everyKth(nodes: Uint32Array, count: number): Uint32Array {
  if (nodes.length <= count) return nodes;
  return Uint32Array.from({ length: count }, (_, i) => nodes[Math.floor((i * nodes.length) / count)]);
}
