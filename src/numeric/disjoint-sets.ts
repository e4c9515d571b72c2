/** Disjoint sets of the numbers 0 … count − 1 (union–find); a set is named by its smallest number. */
export class DisjointSets {
  readonly #parent: Uint32Array;

  constructor(count: number) {
    this.#parent = Uint32Array.from({ length: count }, (_, k) => k);
  }

  /** The smallest number of the set that contains k. */
  find(k: number): number {
    const parent = this.#parent;
    let at = k;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  join(a: number, b: number): void {
    const [first, second] = [this.find(a), this.find(b)];
    if (first < second) this.#parent[second] = first;
    else this.#parent[first] = second;
  }
}
