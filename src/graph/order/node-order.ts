/**
 * An order of the nodes that places neighbours near each other, for graphs whose vectors do not fit into a cache.
 *
 * A sum over neighbours reads their rows. If these are scattered over more memory than a cache holds, each read waits for
 * memory. Groups of nodes are found by label propagation: every node takes the most frequent label of its neighbours, over
 * all relations, unless that group is full. The nodes of a group get successive places. Equal graphs get equal orders.
 */

import type { CsrPattern } from "../../numeric/csr.js";
import { placesIn } from "./reorder-nodes.js";

/** Smallest number of nodes that are reordered: FAR_ROWS of engine/wasm/assembly/sparse.ts, from which rows fit into no cache. */
export const MIN_NODES = 65_536;
/** Largest number of nodes in a group: their rows, 512 bytes each for two vectors of width 64, fit into a cache. */
export const GROUP_SIZE = 4096;
/** Share of the edges that a new order must bring near each other. */
const MIN_GAIN = 0.25;
/** Rounds of label propagation. */
const ROUNDS = 10;
/** Neighbours that a node reads in one round; the next round reads others. Hubs have many more. */
const MAX_ASKED = 16;
/** From this round on the share of edges within groups must grow by MIN_GROWTH in each round, or the search ends. */
const TRIAL = 2;
const MIN_GROWTH = 1.05;

/** The nodes in a better order; undefined if the current order is good enough or no better order is found. */
export function localOrder(relations: readonly CsrPattern[], numNodes: number): Uint32Array | undefined {
  if (numNodes < MIN_NODES) return undefined;
  const near = nearShare(relations, numNodes);
  if (near > 1 - MIN_GAIN) return undefined;
  const groups = passLabels(relations, numNodes);
  if (groups === undefined) return undefined;
  const order = sideBySide(groups, numNodes);
  return nearShare(relations, numNodes, placesIn(order)) - near >= MIN_GAIN ? order : undefined;
}

/** The group of each node, named by one of the nodes; undefined if no groups form. */
function passLabels(relations: readonly CsrPattern[], numNodes: number): Uint32Array | undefined {
  const label = Uint32Array.from({ length: numNodes }, (_, i) => i);
  const size = new Uint32Array(numNodes).fill(1);
  const count = new Uint32Array(numNodes);
  const seen = new Uint32Array(numNodes);
  let before = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let moved = 0;
    let [inside, asked] = [0, 0];
    for (let i = 0; i < numNodes; i++) {
      const current = label[i];
      let numSeen = 0;
      let degree = 0;
      for (const { rowStart } of relations) degree += rowStart[i + 1] - rowStart[i];
      const step = Math.ceil(degree / MAX_ASKED);
      for (const { rowStart, columns } of relations) {
        for (let e = rowStart[i] + (round % Math.max(1, step)); e < rowStart[i + 1]; e += step) {
          const other = label[columns[e]];
          if (count[other]++ === 0) seen[numSeen++] = other;
          asked++;
        }
      }
      let best = current;
      let bestCount = count[current];
      for (let k = 0; k < numSeen; k++) {
        const other = seen[k];
        // ties go to the node's own group, then to the first seen
        if (count[other] > bestCount && size[other] < GROUP_SIZE) {
          best = other;
          bestCount = count[other];
        }
      }
      inside += bestCount;
      for (let k = 0; k < numSeen; k++) count[seen[k]] = 0;
      if (best === current) continue;
      size[current]--;
      size[best]++;
      label[i] = best;
      moved++;
    }
    const share = inside / asked;
    if (moved < numNodes / 100 || (round > TRIAL && share < MIN_GROWTH * before)) break;
    if (round === TRIAL && share < MIN_GAIN && share < MIN_GROWTH * before) return undefined;
    before = share;
  }
  return label;
}

/** The nodes sorted by group; groups are sorted by their first nodes. */
function sideBySide(group: Uint32Array, numNodes: number): Uint32Array {
  const first = new Uint32Array(numNodes + 1);
  for (let i = 0; i < numNodes; i++) first[group[i]]++;
  const start = new Uint32Array(numNodes).fill(0xffffffff);
  let at = 0;
  const order = new Uint32Array(numNodes);
  for (let i = 0; i < numNodes; i++) {
    const g = group[i];
    if (start[g] === 0xffffffff) {
      start[g] = at;
      at += first[g];
    }
    order[start[g]++] = i;
  }
  return order;
}

/** Share of the entries whose two ends are less than GROUP_SIZE places apart. */
function nearShare(relations: readonly CsrPattern[], numNodes: number, place?: Uint32Array): number {
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
