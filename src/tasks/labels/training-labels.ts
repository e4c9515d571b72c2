/**
 * The labels that a semi-supervised model may learn from: those of the training nodes. A class that no training node has is
 * hidden from the model; even the number of such classes would be information about the test nodes.
 */

import type { LabelInput } from "../../nn/model.js";
import { appendAll } from "../../numeric/append-all.js";
import type { LabelledNodes } from "./labelled-nodes.js";

/** Labels that a semi-supervised model learns from. */
export interface TrainingLabels {
  /** The input of the model. */
  readonly input: LabelInput;
  /** Names of the classes, in the order of their columns. */
  readonly classes: readonly string[];
  /** Number of nodes with a label. */
  readonly nodes: number;
}

/** Labels of the labelled nodes with indices `places`, for a graph of `numNodes` nodes; `nodes.rows` are its node indices. */
export function trainingLabels(numNodes: number, nodes: LabelledNodes, places: ArrayLike<number>): TrainingLabels {
  const labelsOfRow: (readonly number[] | undefined)[] = new Array(numNodes);
  const present = new Uint8Array(nodes.names.length);
  for (let i = 0; i < places.length; i++) {
    const nodeLabels = nodes.labels[places[i]];
    labelsOfRow[nodes.rows[places[i]]] = nodeLabels;
    for (const label of nodeLabels) present[label] = 1;
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
      (labelsOfRow[row] ?? []).map((label) => columnOf[label]).sort((a, b) => a - b),
    );
    rowStart[row + 1] = columns.length;
  }
  return {
    input: { numClasses: kept.length, rowStart, columns: Uint32Array.from(columns) },
    classes: kept.map((label) => nodes.names[label]),
    nodes: places.length,
  };
}
