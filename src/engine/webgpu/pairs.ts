/** The division of all pairs of points among workgroups and dispatches (kernels/included/repulsion.wgsl). */

import { groupsOf, type Phase, THREADS } from "./kernel.js";

/** Number of workgroups at which the pairs of a block of points are not divided further; as in the source. Not tuned. */
const WANTED_GROUPS = 1024;
/**
 * Maximum number of pairs of a dispatch. At about 15 operations per pair they take about half a second on a GPU that is built into a
 * processor; browsers end a dispatch after a few seconds. Not tuned.
 */
const DISPATCHED_PAIRS = 2 ** 34;

function numBlocks(points: number): number {
  return groupsOf(points, THREADS);
}

/** Parts of the points; each block of points is compared with every part. */
export function numParts(points: number): number {
  const blocks = numBlocks(points);
  return Math.min(blocks, groupsOf(WANTED_GROUPS, Math.max(1, blocks)));
}

/** Workgroups of the entry `run`: one for each block and part. */
export function pairGroups(points: number): number {
  return numBlocks(points) * numParts(points);
}

/** The entry `run`, in dispatches that do not take too long. */
export function pairPhases(points: number): readonly Phase[] {
  const groups = pairGroups(points);
  const pairsPerGroup = points === 0 ? 1 : points ** 2 / groups;
  const perDispatch = Math.max(1, Math.floor(DISPATCHED_PAIRS / pairsPerGroup));
  return Array.from({ length: groupsOf(groups, perDispatch) }, (_, slice) => {
    const first = slice * perDispatch;
    return { entry: "run", first, workgroups: Math.min(perDispatch, groups - first) };
  });
}

/** Calls with another number of dispatches are started separately. */
export function pairConstants(points: number): Readonly<Record<string, number>> {
  return { DISPATCHES: pairPhases(points).length };
}
