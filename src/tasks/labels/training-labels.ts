/**
 * The labels that a semi-supervised model may learn from: those of training nodes, and no others. A class that no training
 * node has does not exist for the model; even the number of such classes would tell something about the nodes tested.
 */

import type { LabelInput } from "../../nn/model.js";
import { appendAll } from "../../numeric/append-all.js";
import type { LabelledNodes } from "./labelled-nodes.js";

/** Classes that a semi-supervised model learns from. */
export interface TrainingLabels {
  /** What the model is given. */
  readonly input: LabelInput;
  /** Names of the classes, in the order of their columns. */
  readonly classes: readonly string[];
  /** Nodes with a label. */
  readonly nodes: number;
}

/** Labels of the labelled nodes at `places`, for a graph of `numNodes` nodes whose order `nodes.rows` refers to. */
export function trainingLabels(numNodes: number, nodes: LabelledNodes, places: ArrayLike<number>): TrainingLabels {
  const ofRow: (readonly number[] | undefined)[] = new Array(numNodes);
  const present = new Uint8Array(nodes.names.length);
  for (let i = 0; i < places.length; i++) {
    const own = nodes.labels[places[i]];
    ofRow[nodes.rows[places[i]]] = own;
    for (const label of own) present[label] = 1;
  }
  const kept = nodes.names.flatMap((_, label) => (present[label] === 1 ? [label] : []));
  const columnOf = new Uint32Array(nodes.names.length);
  kept.forEach((label, column) => {
    columnOf[label] = column;
  });
  const rowStart = new Uint32Array(numNodes + 1);
  const columns: number[] = [];
  for (let row = 0; row < numNodes; row++) {
    appendAll(
      columns,
      (ofRow[row] ?? []).map((label) => columnOf[label]).sort((a, b) => a - b),
    );
    rowStart[row + 1] = columns.length;
  }
  return {
    input: { numClasses: kept.length, rowStart, columns: Uint32Array.from(columns) },
    classes: kept.map((label) => nodes.names[label]),
    nodes: places.length,
  };
}
