/** The division of an exact search among workgroups (kernels/included/nearestTile.wgsl). */

import { groupsOf, type Phase, THREADS } from "./kernel.js";

/** Queries of a workgroup. */
const QUERIES = 64;
/** Lists of a query in one workgroup. */
const LISTS = 4;
/** Number of workgroups at which the candidates are not divided further. Not tuned. */
const WANTED_GROUPS = 128;
/** Minimum number of candidates of a list per entry: with fewer, most candidates enter a list, which costs more than to compare them. Not tuned. */
const CANDIDATES_PER_ENTRY = 4;

/** A search: numbers of queries, candidates, and results of a query. */
export interface Search {
  readonly queries: number;
  readonly candidates: number;
  readonly k: number;
}

export function queryBlocks({ queries }: Search): number {
  return groupsOf(queries, QUERIES);
}

/** Parts of the candidates, each for one workgroup of a block of queries. */
function numParts(search: Search): number {
  const smallest = LISTS * CANDIDATES_PER_ENTRY * search.k;
  const wanted = groupsOf(WANTED_GROUPS, Math.max(1, queryBlocks(search)));
  return Math.max(1, Math.min(wanted, Math.floor(search.candidates / smallest)));
}

/** Words of the lists of all queries: two for each entry. */
export function listWords(search: Search): number {
  return 2 * search.queries * search.k * LISTS * numParts(search);
}

/** The entries `run` and `finish`; the shader derives the parts from their numbers of workgroups. */
export function searchPhases(search: Search): readonly Phase[] {
  const parts = numParts(search);
  return [
    { entry: "run", workgroups: queryBlocks(search) * parts },
    { entry: "finish", workgroups: groupsOf(search.queries, THREADS) * LISTS * parts },
  ];
}
