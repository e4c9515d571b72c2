/** Notes for the user about a classification, counted over its fits: missing classes, too few nodes, no convergence. */

import { countLabels, type LabelledNodes, quoteSome } from "../labels/labelled-nodes.js";
import type { NodeSplit } from "../labels/node-split.js";

/** If at most this share of the nodes has several labels, these may be mistakes. Not tuned. */
const MAX_MISTAKES = 0.05;

/** A note if few nodes have several labels: they may be mistakes, and they change how all nodes are scored. */
export function severalLabelsNotes({ ids, labels }: LabelledNodes): string[] {
  const several = ids.filter((_, place) => labels[place].length > 1);
  if (several.length === 0 || several.length > MAX_MISTAKES * ids.length) return [];
  const have = several.length === 1 ? "has" : "have";
  return [
    `${several.length} of ${ids.length} nodes ${have} several labels, so each label is predicted separately: ${quoteSome(several)}. If these are mistakes, keep one row per node.`,
  ];
}

export class ClassificationNotes {
  readonly #notes = new Set<string>();
  /** Number of splits whose training nodes lack each class that their test nodes have. */
  readonly #missing = new Map<string, number>();
  #splitsWithMissing = 0;
  #unconverged = 0;
  #unvalidated = 0;
  #fits = 0;

  add(...notes: readonly string[]): void {
    for (const note of notes) this.#notes.add(note);
  }

  countMissingClasses(nodes: LabelledNodes, { train, test }: NodeSplit): void {
    const [trained, tested] = [countLabels(nodes, train), countLabels(nodes, test)];
    const missing = nodes.names.filter((_, c) => trained[c] === 0 && tested[c] > 0);
    if (missing.length > 0) this.#splitsWithMissing++;
    for (const name of missing) this.#missing.set(name, (this.#missing.get(name) ?? 0) + 1);
  }

  countFit({ converged, validated }: { readonly converged: boolean; readonly validated: boolean }): void {
    this.#fits++;
    if (!converged) this.#unconverged++;
    if (!validated) this.#unvalidated++;
  }

  /** All notes as sentences. */
  texts(splits: number): string[] {
    const notes = [...this.#notes];
    if (this.#splitsWithMissing > 0) {
      const names = [...this.#missing].sort((a, b) => b[1] - a[1]).map(([name]) => name);
      notes.push(
        `in ${this.#splitsWithMissing} of ${splits} splits no training node has a class that test nodes have, so the probe cannot predict it: ${quoteSome(names)}. ` +
          "A stratified split puts a node of every class with two or more nodes into training.",
      );
    }
    if (this.#unvalidated > 0) {
      notes.push(
        `in ${this.#unvalidated} of ${this.#fits} fits there were too few training nodes to hold some out for validation; C is 1 there.`,
      );
    }
    if (this.#unconverged > 0) {
      notes.push(
        `${this.#unconverged} of ${this.#fits} fits did not converge; their scores are those after the last step, and approximate.`,
      );
    }
    return notes;
  }
}
