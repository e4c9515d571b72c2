/** The pairs of largest score among many, in a bounded list. */

/** A pair of nodes by their places, and its score. */
export interface ScoredPair {
  readonly source: number;
  readonly target: number;
  readonly score: number;
}

/** Collects pairs and keeps the `count` of largest score; of equal ones that of the smaller places. */
export class BestPairs {
  readonly #count: number;
  #pairs: ScoredPair[] = [];
  /** A pair with a score below this is not among the best. */
  least = -Infinity;

  constructor(count: number) {
    this.#count = count;
  }

  add(source: number, target: number, score: number): void {
    if (score < this.least || Number.isNaN(score)) return;
    this.#pairs.push({ source, target, score });
    if (this.#pairs.length >= 2 * this.#count + 1024) this.#cut();
  }

  /** Best first. */
  sorted(): readonly ScoredPair[] {
    this.#cut();
    return this.#pairs;
  }

  #cut(): void {
    this.#pairs.sort((a, b) => b.score - a.score || a.source - b.source || a.target - b.target);
    this.#pairs = this.#pairs.slice(0, this.#count);
    if (this.#pairs.length === this.#count) this.least = this.#pairs[this.#count - 1].score;
  }
}
