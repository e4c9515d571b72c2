/**
 * The labels that a semi-supervised model may learn from: the labels of the training nodes. Classes without a training node are
 * removed, because even their number would be information about the test nodes.
 */

import type { LabelInput } from "../../nn/model.js";
import { appendAll } from "../../numeric/append-all.js";
import type { LabelledNodes } from "./labelled-nodes.js";

/** Labels that a semi-supervised model learns from. */
export interface TrainingLabels {
  /** The labels as an input of the model. */
  readonly input: LabelInput;
  /** Names of the classes, in the order of their columns. */
  readonly classes: readonly string[];
  /** Number of training nodes. */
  readonly nodes: number;
}

/**
 * The labels of the training nodes. `trainingNodes` holds indices into `nodes`; `nodes.rows` holds the node indices of the graph,
 * which has `numNodes` nodes.
 */
export function trainingLabels(
  numNodes: number,
  nodes: LabelledNodes,
  trainingNodes: ArrayLike<number>,
): TrainingLabels {
  const labelsOfRow: (readonly number[] | undefined)[] = new Array(numNodes);
  const hasNodes = new Uint8Array(nodes.names.length);
  for (let i = 0; i < trainingNodes.length; i++) {
    const nodeLabels = nodes.labels[trainingNodes[i]];
    labelsOfRow[nodes.rows[trainingNodes[i]]] = nodeLabels;
    for (const label of nodeLabels) hasNodes[label] = 1;
  }
  const keptLabels = nodes.names.flatMap((_, label) => (hasNodes[label] === 1 ? [label] : []));
  const columnOf = new Uint32Array(nodes.names.length);
  keptLabels.forEach((label, column) => {
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
    input: { numClasses: keptLabels.length, rowStart, columns: Uint32Array.from(columns) },
    classes: keptLabels.map((label) => nodes.names[label]),
    nodes: trainingNodes.length,
  };
}
