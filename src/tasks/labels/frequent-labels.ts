/** What needs no vectors: naming the most frequent labels every time. */

import { largestOf } from "../../numeric/extremes.js";
import { type F1Scores, multiLabelScores } from "../metrics/classification-metrics.js";
import type { LabelledNodes } from "./labelled-nodes.js";

export interface LargestClass extends Pick<F1Scores, "macroF1" | "accuracy"> {
  readonly name: string;
}

/** Of the class that is named every time all its nodes are right, and of the others none. */
export function largestClass(names: readonly string[], counts: ArrayLike<number>): LargestClass {
  const sizes = Array.from(counts);
  const [total, most] = [sizes.reduce((sum, size) => sum + size, 0), largestOf(sizes)];
  const present = sizes.filter((size) => size > 0).length;
  return {
    name: names[sizes.indexOf(most)],
    macroF1: (2 * most) / (total + most) / present,
    accuracy: most / total,
  };
}

/** Of nodes with several labels: each gets as many of the most frequent ones as it has. */
export function frequentLabels({ names, labels }: LabelledNodes, counts: ArrayLike<number>): F1Scores {
  const ranked = [...names.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
  const table = (chosen: (own: readonly number[]) => readonly number[]) => {
    const cells = new Uint8Array(labels.length * names.length);
    labels.forEach((own, i) => {
      for (const label of chosen(own)) cells[i * names.length + label] = 1;
    });
    return cells;
  };
  return multiLabelScores(
    table((own) => own),
    table((own) => ranked.slice(0, own.length)),
    names.length,
  );
}
