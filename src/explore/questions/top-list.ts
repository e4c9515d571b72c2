/** The nodes with the largest scores among many that are offered one by one. */

export interface ScoredNode {
  readonly node: number;
  readonly score: number;
}

export class TopList {
  readonly #count: number;
  readonly #best: ScoredNode[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** Keeps the node if its score is among the largest; of equal scores the first offered is ranked first. NaN is left out. */
  offer(node: number, score: number): void {
    const best = this.#best;
    if (!(score > (best.length < this.#count ? Number.NEGATIVE_INFINITY : best[best.length - 1].score))) return;
    let place = best.length;
    while (place > 0 && best[place - 1].score < score) place--;
    best.splice(place, 0, { node, score });
    if (best.length > this.#count) best.pop();
  }

  /** Largest score first. */
  get nodes(): readonly ScoredNode[] {
    return this.#best;
  }
}
