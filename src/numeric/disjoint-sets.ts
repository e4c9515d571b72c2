/** Sets of numbers 0 … count − 1 that grow together; each goes by its smallest number. */
export class DisjointSets {
  readonly #above: Uint32Array;

  constructor(count: number) {
    this.#above = Uint32Array.from({ length: count }, (_, k) => k);
  }

  /** The smallest number of the set that has k. */
  find(k: number): number {
    const above = this.#above;
    let at = k;
    while (above[at] !== at) {
      above[at] = above[above[at]];
      at = above[at];
    }
    return at;
  }

  join(a: number, b: number): void {
    const [first, second] = [this.find(a), this.find(b)];
    if (first < second) this.#above[second] = first;
    else this.#above[first] = second;
  }
}
