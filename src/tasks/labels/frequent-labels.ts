/** Scores of always predicting the most frequent labels, the baseline of node classification. */

import { largestOf } from "../../numeric/extremes.js";
import { type F1Scores, multiLabelScores } from "../metrics/classification-metrics.js";
import type { LabelledNodes } from "./labelled-nodes.js";

export interface LargestClass extends Pick<F1Scores, "macroF1" | "accuracy"> {
  readonly name: string;
}

/** Scores if every node is predicted to have the largest class: its nodes are right, all others wrong. */
export function largestClass(names: readonly string[], counts: ArrayLike<number>): LargestClass {
  const sizes = Array.from(counts);
  const [total, largest] = [sizes.reduce((sum, size) => sum + size, 0), largestOf(sizes)];
  const present = sizes.filter((size) => size > 0).length;
  return {
    name: names[sizes.indexOf(largest)],
    macroF1: (2 * largest) / (total + largest) / present,
    accuracy: largest / total,
  };
}

/** The same for nodes with several labels: a node with m labels is predicted to have the m most frequent ones. */
export function frequentLabels({ names, labels }: LabelledNodes, counts: ArrayLike<number>): F1Scores {
  const ranked = [...names.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
  const table = (chosen: (nodeLabels: readonly number[]) => readonly number[]) => {
    const cells = new Uint8Array(labels.length * names.length);
    labels.forEach((nodeLabels, i) => {
      for (const label of chosen(nodeLabels)) cells[i * names.length + label] = 1;
    });
    return cells;
  };
  return multiLabelScores(
    table((nodeLabels) => nodeLabels),
    table((nodeLabels) => ranked.slice(0, nodeLabels.length)),
    names.length,
  );
}
