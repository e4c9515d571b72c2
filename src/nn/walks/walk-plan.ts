/** Random walks in relations: their starts, their number, and how often they visit a node. */

import {
  type GroupedTables,
  randomKey,
  randomWalks,
  sampleByGroup,
  type WalkAttributes,
} from "../../engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import { aliasTables } from "./alias-table.js";

/** Weights of starts: 1 for nodes with out-neighbours, otherwise 0. */
export function startWeights({ numRows, rowStart }: SparseOperator): Float64Array {
  return Float64Array.from({ length: numRows }, (_, i) => (rowStart[i + 1] > rowStart[i] ? 1 : 0));
}

/** Number of nodes with out-neighbours, by relation. */
export function countStarts(relations: readonly SparseOperator[]): number[] {
  return relations.map((relation) => startWeights(relation).reduce((a, b) => a + b, 0));
}

/** Divides `total` in proportion to the weights, with at least 1 for every positive weight. */
function divideByWeight(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => (weight === 0 ? 0 : Math.max(1, Math.round((total * weight) / sum))));
}

/** Walks per step: `requested`, or for 0 a tenth of the nodes, so that walks of ten nodes visit about as many nodes as there are. */
export function walksPerStep(numNodes: number, requested: number): number {
  return requested > 0 ? requested : Math.ceil(numNodes / 10);
}

/** Walks of a step; each stays in its relation. */
export interface WalkPlan {
  readonly relations: readonly SparseOperator[];
  readonly starts: GroupedTables;
  /** Number of walks of each relation; the walks of the first relation come first. */
  readonly counts: readonly number[];
  /** The relation of each walk, [w, 1]. */
  readonly relation: Tensor;
}

/** About `total` walks per step, divided among the relations in proportion to their nodes with out-neighbours. */
export function planWalks(builder: ProgramBuilder, relations: readonly SparseOperator[], total: number): WalkPlan {
  const counts = divideByWeight(total, countStarts(relations));
  const relation = counts.flatMap((count, d) => Array.from({ length: count }, () => d));
  return {
    relations,
    starts: aliasTables(builder, relations.map(startWeights)),
    counts,
    relation: builder.constant(relation, relation.length, 1, "index"),
  };
}

/** The nodes of the plan's walks, [w, length]; starts are uniform among the nodes with out-neighbours. */
export function drawWalks({ relations, starts, relation }: WalkPlan, purpose: string, how: WalkAttributes): Tensor {
  const { builder } = relation;
  const first = sampleByGroup(randomKey(builder, `${purpose}.starts`), starts, relation, 1);
  return randomWalks({ key: randomKey(builder, `${purpose}.steps`), starts: first, relation }, relations, how);
}

/**
 * Expected number of visits to each node by first-order walks of `length` nodes, one walk from every node with out-neighbours in
 * every relation: the sum of the distributions at the start and after each step.
 */
export function expectedVisits(relations: readonly SparseOperator[], length: number): Float64Array {
  const visits = new Float64Array(relations[0].numRows);
  for (const relation of relations) {
    const { numRows, rowStart, columns, values } = relation;
    let here = startWeights(relation);
    for (let step = 1; ; step++) {
      here.forEach((mass, i) => {
        visits[i] += mass;
      });
      if (step === length) break;
      const next = new Float64Array(numRows);
      for (let i = 0; i < numRows; i++) {
        if (here[i] === 0) continue;
        let sum = 0;
        for (let e = rowStart[i]; e < rowStart[i + 1]; e++) sum += values === undefined ? 1 : values[e];
        for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
          next[columns[e]] += (here[i] * (values === undefined ? 1 : values[e])) / sum;
        }
      }
      here = next;
    }
  }
  return visits;
}

/** Probabilities of TensorFlow's log-uniform candidate sampler: log((k+2)/(k+1)) at frequency rank k, divided by their sum; 0 for unvisited nodes. */
export function logUniformLaw(visits: Float64Array): Float64Array {
  const ranked = Array.from(visits.keys())
    .filter((node) => visits[node] > 0)
    .sort((a, b) => visits[b] - visits[a]);
  const law = new Float64Array(visits.length);
  ranked.forEach((node, k) => {
    law[node] = Math.log((k + 2) / (k + 1)) / Math.log(ranked.length + 1);
  });
  return law;
}
