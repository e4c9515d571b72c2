/** The division of all pairs of points among workgroups and dispatches (kernels/included/repulsion.wgsl). */

import { type Call, groupsOf, type Phase, THREADS } from "./kernel.js";

/** Workgroups at which the pairs of a block of points are no longer divided: eight per multiprocessor of a large GPU. Not tuned. */
const WANTED_GROUPS = 1024;
/**
 * Maximum number of pairs of a dispatch. At about 15 operations per pair they take about half a second on a GPU that is built into a
 * processor; browsers end a dispatch after a few seconds. Not tuned.
 */
const DISPATCHED_PAIRS = 2 ** 34;

/** Blocks of points, parts of the points that each block is compared with, and tiles of a part. */
function pairParts({ inputs: [y] }: Call) {
  const blocks = groupsOf(y.rows, THREADS);
  const wanted = Math.max(1, Math.min(blocks, groupsOf(WANTED_GROUPS, Math.max(1, blocks))));
  const chunkTiles = Math.max(1, groupsOf(blocks, wanted));
  return { blocks, chunks: Math.max(1, groupsOf(blocks, chunkTiles)), chunkTiles };
}

export function pairConstants(call: Call) {
  const { chunks, chunkTiles } = pairParts(call);
  // SLICES: calls with another number of phases need another pipeline
  return { CHUNKS: chunks, CHUNK_TILES: chunkTiles, SLICES: pairPhases(call).length };
}

/** Workgroups of the entry `run`: one for each block and part. */
export function pairGroups(call: Call): number {
  const { blocks, chunks } = pairParts(call);
  return blocks * chunks;
}

/** The entry `run`, in dispatches that do not take too long. */
export function pairPhases(call: Call): readonly Phase[] {
  const groups = pairGroups(call);
  const pairsPerGroup = THREADS * THREADS * pairParts(call).chunkTiles;
  const perDispatch = Math.max(1, Math.floor(DISPATCHED_PAIRS / pairsPerGroup));
  return Array.from({ length: groupsOf(groups, perDispatch) }, (_, slice) => {
    const first = slice * perDispatch;
    return { entry: "run", first, workgroups: Math.min(perDispatch, groups - first) };
  });
}
