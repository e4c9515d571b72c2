/**
 * An order of the nodes in which neighbours stand near each other, for graphs whose vectors fit no cache.
 *
 * A sum over neighbours reads their rows; where they lie scattered over more memory than a cache holds, each read waits for
 * memory. Groups of nodes are found by passing labels: every node takes the label most of its neighbours have, over all
 * relations, unless that group is full. Nodes of a group then stand side by side. Same graph, same order.
 */

import type { Relation } from "../multiplex.js";
import { placesIn } from "./reorder-nodes.js";

/** Below this many nodes rows are near anyway: as many as the engine takes for far (engine/wasm/assembly/sparse.ts). */
export const MIN_NODES = 65_536;
/** Nodes of a group at most: their rows, of 512 bytes each where vectors of width 64 stand in pairs, fit a cache. */
export const GROUP_SIZE = 4096;
/** Share of the edges that must come near for an order to pay. */
const MIN_GAIN = 0.25;
const ROUNDS = 10;
/** Neighbours a node looks at in a round, others in the next: more tell no more, and hubs have many. */
const MAX_ASKED = 16;
/** From this round on the share of edges inside groups must grow by this factor, or the search ends. */
const TRIAL = 2;
const MIN_GROWTH = 1.05;

type Pattern = Pick<Relation, "rowStart" | "columns">;

/** The nodes in a better order, or nothing where the order there is will do. */
export function localOrder(relations: readonly Pattern[], numNodes: number): Uint32Array | undefined {
  if (numNodes < MIN_NODES) return undefined;
  const near = nearShare(relations, numNodes);
  if (near > 1 - MIN_GAIN) return undefined;
  const groups = passLabels(relations, numNodes);
  if (groups === undefined) return undefined;
  const order = sideBySide(groups, numNodes);
  return nearShare(relations, numNodes, placesIn(order)) - near >= MIN_GAIN ? order : undefined;
}

/** A group for each node, named by one of its nodes; nothing where groups do not form. */
function passLabels(relations: readonly Pattern[], numNodes: number): Uint32Array | undefined {
  const label = Uint32Array.from({ length: numNodes }, (_, i) => i);
  const size = new Uint32Array(numNodes).fill(1);
  const count = new Uint32Array(numNodes);
  const seen = new Uint32Array(numNodes);
  let before = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let moved = 0;
    let [inside, asked] = [0, 0];
    for (let i = 0; i < numNodes; i++) {
      const own = label[i];
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
      let best = own;
      let most = count[own];
      for (let k = 0; k < numSeen; k++) {
        const other = seen[k];
        // of equal ones its own, or the first seen
        if (count[other] > most && size[other] < GROUP_SIZE) {
          best = other;
          most = count[other];
        }
      }
      inside += most;
      for (let k = 0; k < numSeen; k++) count[seen[k]] = 0;
      if (best === own) continue;
      size[own]--;
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

/** Nodes by their group, groups by the first of their nodes. */
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

/** Share of the entries whose ends stand within a group's size of each other. */
function nearShare(relations: readonly Pattern[], numNodes: number, place?: Uint32Array): number {
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
