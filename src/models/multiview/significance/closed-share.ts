/** How far the neighbours of a node are neighbours of each other. */

import { Rng } from "../../../core/rng.js";
import { SHARES } from "../constants.js";
import type { SimpleGraph } from "../weights/edge-copies.js";

/** Paths that are drawn; the standard error of their share is below 0.01. */
const NUM_PATHS = 4096;

/** Share of random paths i–j–k of two different edges whose ends are neighbours; 0 if no such path is drawn. */
export function closedShare({ rowStart, columns }: SimpleGraph, rng: Rng): number {
  if (columns.length === 0) return 0;
  const neighbors = (i: number) => columns.subarray(rowStart[i], rowStart[i + 1]);
  let [paths, closed] = [0, 0];
  for (let draw = 0; draw < NUM_PATHS; draw++) {
    const middle = columns[rng.below(columns.length)];
    const around = neighbors(middle);
    const [i, k] = [around[rng.below(around.length)], around[rng.below(around.length)]];
    if (i === k) continue;
    paths++;
    if (neighbors(i).includes(k)) closed++;
  }
  return paths === 0 ? 0 : closed / paths;
}

/** The share in each relation. */
export function closedShares(relations: readonly SimpleGraph[], seed: number): number[] {
  return relations.map((relation, d) => closedShare(relation, new Rng(seed, `relation-columns.paths.${d}`)));
}

/** Whether one of the relations is a union of cliques. */
export function hasCliques(shares: readonly number[]): boolean {
  return shares.some((share) => share >= SHARES.minClosedOfCliques);
}
