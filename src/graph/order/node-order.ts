/**
 * An order of the nodes that places neighbours near each other, for graphs whose vectors do not fit into a cache.
 *
 * A sum over neighbours reads their rows. If these are scattered over more memory than a cache holds, each read waits for memory;
 * if they belong to other ranks, they are sent. Groups of nodes are found in several levels (group-levels.ts). The nodes of a group
 * get successive places, and so do the groups of a larger group. Equal graphs get equal orders.
 */

import type { CsrPattern } from "../../numeric/csr.js";
import { contract, findGroups, type Groups, moveNodes, sampleEdges, sortedByGroup } from "./group-levels.js";
import { placesIn } from "./reorder-nodes.js";

/** Smallest number of nodes that are reordered: FAR_ROWS of engine/wasm/assembly/sparse.ts, from which rows fit into no cache. */
export const MIN_NODES = 65_536;
/** Largest number of nodes that are near each other: their rows, 512 bytes each for two vectors of width 64, fit into a cache. */
export const GROUP_SIZE = 4096;
/** Share of the edges that a new order must bring near each other. */
const MIN_GAIN = 0.25;
/**
 * Largest number of nodes in a group of the first level, and its factor from level to level. A factor of 16 doubled the halos of a grid;
 * first groups of 32 or 128 nodes were no better for all graphs (bench/rank-ranges.ts).
 */
const FIRST_SIZE = 64;
const SIZE_FACTOR = 8;
/** Level between whose groups single nodes move: groups of at most GROUP_SIZE nodes. */
const MOVE_LEVEL = 2;

/** The nodes in a better order; undefined if the current order is good enough or no better order is found. */
export function localOrder(relations: readonly CsrPattern[], numNodes: number): Uint32Array | undefined {
  if (numNodes < MIN_NODES) return undefined;
  const near = nearShare(relations, numNodes);
  if (near > 1 - MIN_GAIN) return undefined;
  const order = groupedOrder(relations, numNodes);
  return nearShare(relations, numNodes, placesIn(order)) - near >= MIN_GAIN ? order : undefined;
}

/** The nodes sorted by their groups of all levels, the largest groups first. */
export function groupedOrder(relations: readonly CsrPattern[], numNodes: number): Uint32Array {
  let place: Uint32Array | undefined;
  for (const { of, count } of groupLevels(relations, numNodes).reverse()) {
    place = placesIn(sortedByGroup(of, count, place));
  }
  return placesIn(place ?? new Uint32Array(0));
}

/** Groups from the smallest to the largest. */
function groupLevels(relations: readonly CsrPattern[], numNodes: number): Groups[] {
  const edges = sampleEdges(relations, numNodes);
  const levels: Groups[] = [];
  let graph = edges;
  let size = FIRST_SIZE;
  levels.push(findGroups(graph, size));
  while (size < numNodes) {
    graph = contract(graph, levels[levels.length - 1]);
    size *= SIZE_FACTOR;
    levels.push(findGroups(graph, size));
  }
  const [first, ...others] = levels;
  let larger = Uint32Array.from({ length: first.count }, (_, g) => g);
  for (const { of } of others.slice(0, MOVE_LEVEL)) larger = larger.map((g) => of[g]);
  moveNodes(edges, first, larger);
  return levels;
}

/** Share of the entries whose two ends are less than GROUP_SIZE places apart. */
export function nearShare(relations: readonly CsrPattern[], numNodes: number, place?: Uint32Array): number {
  let near = 0;
  let all = 0;
  for (const { rowStart, columns } of relations) {
    all += columns.length;
    for (let i = 0; i < numNodes; i++) {
      const here = place === undefined ? i : place[i];
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const there = place === undefined ? columns[e] : place[columns[e]];
        if (Math.abs(here - there) < GROUP_SIZE) near++;
      }
    }
  }
  return all === 0 ? 0 : near / all;
}
