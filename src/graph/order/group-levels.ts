/**
 * Groups of nodes in several levels: groups of nodes, groups of those groups, and so on.
 *
 * One level is label propagation with limited sizes: every node takes the label that the largest weight of its edges leads to,
 * unless that group is full. Then every group becomes one node of the next level, and the weights of the edges between two groups
 * are added (Meyerhenke, Sanders and Schulz, "Partitioning complex networks via size-constrained clustering", 2014). A single level
 * would stop at fragments of a group: neighbours that all have different labels form many small groups, which no longer change.
 */

import type { CsrPattern } from "../../numeric/csr.js";
import { largestOf } from "../../numeric/extremes.js";

/** The nodes of one level with their edges. */
export interface LevelGraph {
  readonly numNodes: number;
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  /** Weight of each entry; all are 1 if there are none. */
  readonly weights?: Uint32Array;
  /** Number of nodes of the original graph in each node of this level. */
  readonly sizes: Uint32Array;
}

/** The groups of one level. */
export interface Groups {
  readonly count: number;
  /** The group of each node, numbered in the order of their first nodes. */
  readonly of: Uint32Array;
}

/** Rounds of label propagation in one level. With five rounds, halos were at most 1 % smaller (bench/rank-ranges.ts). */
const ROUNDS = 3;
/** Label propagation ends if fewer than this share of the nodes have moved in a round. */
const MIN_MOVED = 0.01;
/** Rounds in which single nodes move between groups. With one round, halos of groups of 5,000 nodes were 10 % larger (bench/rank-ranges.ts). */
const MOVE_ROUNDS = 2;
/** Neighbours of a node that are read, taken evenly from all of its neighbours. Hubs have many more. */
const MAX_READ = 16;

/** The edges of all relations together; of many neighbours only MAX_READ are kept. */
export function sampleEdges(relations: readonly CsrPattern[], numNodes: number): LevelGraph {
  const rowStart = new Uint32Array(numNodes + 1);
  const stepOf = (i: number) => {
    let degree = 0;
    for (let d = 0; d < relations.length; d++) degree += relations[d].rowStart[i + 1] - relations[d].rowStart[i];
    return Math.max(1, Math.ceil(degree / MAX_READ));
  };
  for (let i = 0; i < numNodes; i++) {
    const step = stepOf(i);
    let count = 0;
    for (let d = 0; d < relations.length; d++) {
      count += Math.ceil((relations[d].rowStart[i + 1] - relations[d].rowStart[i]) / step);
    }
    rowStart[i + 1] = rowStart[i] + count;
  }
  const columns = new Uint32Array(rowStart[numNodes]);
  let at = 0;
  for (let i = 0; i < numNodes; i++) {
    const step = stepOf(i);
    for (let d = 0; d < relations.length; d++) {
      const { rowStart: starts, columns: all } = relations[d];
      for (let e = starts[i]; e < starts[i + 1]; e += step) columns[at++] = all[e];
    }
  }
  return { numNodes, rowStart, columns, sizes: new Uint32Array(numNodes).fill(1) };
}

/** Groups of at most `maxSize` original nodes. */
export function findGroups(graph: LevelGraph, maxSize: number): Groups {
  const { numNodes, rowStart, columns, weights, sizes } = graph;
  const label = Uint32Array.from({ length: numNodes }, (_, i) => i);
  const groupSize = Uint32Array.from(sizes);
  const sums = new Float64Array(numNodes);
  const seen = new Uint32Array(numNodes);
  for (let round = 0; round < ROUNDS; round++) {
    let moved = 0;
    for (let i = 0; i < numNodes; i++) {
      let numSeen = 0;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const other = label[columns[e]];
        const weight = weights === undefined ? 1 : weights[e];
        if (sums[other] === 0) seen[numSeen++] = other;
        sums[other] += weight;
      }
      const current = label[i];
      let best = current;
      let bestSum = sums[current];
      for (let k = 0; k < numSeen; k++) {
        const other = seen[k];
        // ties go to the node's own group, then to the first seen
        if (sums[other] > bestSum && groupSize[other] + sizes[i] <= maxSize) {
          best = other;
          bestSum = sums[other];
        }
        sums[other] = 0;
      }
      if (best === current) continue;
      groupSize[current] -= sizes[i];
      groupSize[best] += sizes[i];
      label[i] = best;
      moved++;
    }
    if (moved < MIN_MOVED * numNodes) break;
  }
  return numberGroups(label);
}

/**
 * Moves nodes between small groups, where `larger` is the larger group of each small one: a node moves if most of its neighbours are in
 * another larger group, into the small group of that one with most of its neighbours. Nodes were given to small groups before the
 * larger ones were known.
 */
export function moveNodes({ numNodes, rowStart, columns }: LevelGraph, { of }: Groups, larger: Uint32Array): void {
  const counts = new Uint32Array(largestOf(larger, 0) + 1);
  const smallCounts = new Uint32Array(larger.length);
  for (let round = 0; round < MOVE_ROUNDS; round++) {
    for (let i = 0; i < numNodes; i++) {
      const current = larger[of[i]];
      let best = current;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) counts[larger[of[columns[e]]]]++;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const other = larger[of[columns[e]]];
        if (counts[other] > counts[best]) best = other;
      }
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) counts[larger[of[columns[e]]]] = 0;
      if (best === current) continue;
      let small = of[i];
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const other = of[columns[e]];
        smallCounts[other]++;
        if (larger[other] === best && (larger[small] !== best || smallCounts[other] > smallCounts[small]))
          small = other;
      }
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) smallCounts[of[columns[e]]] = 0;
      of[i] = small;
    }
  }
}

/** Numbers the labels from 0 in the order of their first nodes. */
function numberGroups(label: Uint32Array): Groups {
  const NONE = 0xffffffff;
  const number = new Uint32Array(label.length).fill(NONE);
  let count = 0;
  for (let i = 0; i < label.length; i++) {
    if (number[label[i]] === NONE) number[label[i]] = count++;
    label[i] = number[label[i]];
  }
  return { count, of: label };
}

/** The graph of the groups; edges inside groups are left out. */
export function contract(graph: LevelGraph, { count, of }: Groups): LevelGraph {
  const { rowStart, columns, weights } = graph;
  const sizes = new Uint32Array(count);
  for (let i = 0; i < of.length; i++) sizes[of[i]] += graph.sizes[i];
  const members = sortedByGroup(of, count);
  const newStart = new Uint32Array(count + 1);
  // no level has more entries between groups than the level below has between nodes
  let crossing = 0;
  for (let i = 0; i < of.length; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) if (of[columns[e]] !== of[i]) crossing++;
  }
  const newColumns = new Uint32Array(crossing);
  const newWeights = new Uint32Array(crossing);
  /** Place of the entry of each group, if it is at or after the first entry of the row. */
  const placeOf = new Uint32Array(count);
  let at = 0;
  for (let m = 0; m < members.length; ) {
    const group = of[members[m]];
    const first = at;
    for (; m < members.length && of[members[m]] === group; m++) {
      const i = members[m];
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const other = of[columns[e]];
        if (other === group) continue;
        const known = placeOf[other];
        const weight = weights === undefined ? 1 : weights[e];
        if (known >= first && known < at && newColumns[known] === other) newWeights[known] += weight;
        else {
          placeOf[other] = at;
          newColumns[at] = other;
          newWeights[at++] = weight;
        }
      }
    }
    newStart[group + 1] = at;
  }
  return {
    numNodes: count,
    rowStart: newStart,
    columns: newColumns.slice(0, at),
    weights: newWeights.slice(0, at),
    sizes,
  };
}

/** The nodes sorted by group, stably. `placeOfGroup` says which group is first; without it they are in the order of their numbers. */
export function sortedByGroup(of: Uint32Array, count: number, placeOfGroup?: Uint32Array): Uint32Array {
  const start = new Uint32Array(count + 1);
  for (let i = 0; i < of.length; i++) start[1 + (placeOfGroup === undefined ? of[i] : placeOfGroup[of[i]])]++;
  for (let g = 0; g < count; g++) start[g + 1] += start[g];
  const order = new Uint32Array(of.length);
  for (let i = 0; i < of.length; i++) order[start[placeOfGroup === undefined ? of[i] : placeOfGroup[of[i]]]++] = i;
  return order;
}
