/** Keeps the pairs with the largest scores in a bounded list. */

/** A pair of nodes by their indices, and its score. */
export interface ScoredPair {
  readonly source: number;
  readonly target: number;
  readonly score: number;
}

/** Collects pairs and keeps the `count` pairs with the largest scores; equal scores are ordered by source, then target. */
export class BestPairs {
  readonly #count: number;
  #pairs: ScoredPair[] = [];
  /** Pairs with a lower score than this are not among the best. */
  minScore = -Infinity;

  constructor(count: number) {
    this.#count = count;
  }

  add(source: number, target: number, score: number): void {
    if (score < this.minScore || Number.isNaN(score)) return;
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
    if (this.#pairs.length === this.#count) this.minScore = this.#pairs[this.#count - 1].score;
  }
}
