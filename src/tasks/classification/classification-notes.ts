/** What happened in a classification and must not go unsaid, counted over its fits. */

import { countLabels, type LabelledNodes, quoteSome } from "../labels/labelled-nodes.js";
import type { NodeSplit } from "../labels/node-split.js";

/** Share of nodes up to which several labels may be slips. */
const FEW_SEVERAL = 0.05;

/** Few nodes with several labels may be slips, and change how all are judged. */
export function severalNotes({ ids, labels }: LabelledNodes): string[] {
  const several = ids.filter((_, place) => labels[place].length > 1);
  if (several.length === 0 || several.length > FEW_SEVERAL * ids.length) return [];
  const have = several.length === 1 ? "has" : "have";
  return [
    `${several.length} of ${ids.length} nodes ${have} several labels, so that each label is judged by itself: ${quoteSome(several)}. If they are slips, leave one row for each node.`,
  ];
}

export class ClassificationNotes {
  readonly #notes = new Set<string>();
  /** How often training lacked each class that was tested. */
  readonly #lacking = new Map<string, number>();
  #splitsLacking = 0;
  #unconverged = 0;
  #unvalidated = 0;
  #fits = 0;

  add(...notes: readonly string[]): void {
    for (const note of notes) this.#notes.add(note);
  }

  countLacking(nodes: LabelledNodes, { train, test }: NodeSplit): void {
    const [learnt, tested] = [countLabels(nodes, train), countLabels(nodes, test)];
    const lacking = nodes.names.filter((_, c) => learnt[c] === 0 && tested[c] > 0);
    if (lacking.length > 0) this.#splitsLacking++;
    for (const name of lacking) this.#lacking.set(name, (this.#lacking.get(name) ?? 0) + 1);
  }

  countFit({ converged, validated }: { readonly converged: boolean; readonly validated: boolean }): void {
    this.#fits++;
    if (!converged) this.#unconverged++;
    if (!validated) this.#unvalidated++;
  }

  inWords(splits: number): string[] {
    const notes = [...this.#notes];
    if (this.#splitsLacking > 0) {
      const names = [...this.#lacking].sort((a, b) => b[1] - a[1]).map(([name]) => name);
      notes.push(
        `in ${this.#splitsLacking} of ${splits} splits training lacks a class that is tested, so the probe cannot predict it: ${quoteSome(names)}. ` +
          "A stratified split keeps every class with two nodes.",
      );
    }
    if (this.#unvalidated > 0) {
      notes.push(
        `in ${this.#unvalidated} of ${this.#fits} fits too few nodes train to spare some for validation; C is 1 there.`,
      );
    }
    if (this.#unconverged > 0) {
      notes.push(
        `${this.#unconverged} of ${this.#fits} fits did not converge; their scores are those of the last step.`,
      );
    }
    return notes;
  }
}
