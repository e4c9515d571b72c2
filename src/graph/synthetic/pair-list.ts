/** A growing list of edges, stored as columns of codes. */
export class PairList {
  #source = new Uint32Array(1024);
  #target = new Uint32Array(1024);
  #relation = new Uint32Array(1024);
  #length = 0;

  push(source: number, target: number, relation: number): void {
    if (this.#length === this.#source.length) {
      this.#source = doubled(this.#source);
      this.#target = doubled(this.#target);
      this.#relation = doubled(this.#relation);
    }
    this.#source[this.#length] = source;
    this.#target[this.#length] = target;
    this.#relation[this.#length++] = relation;
  }

  columns(): Readonly<Record<"source" | "target" | "relation", Uint32Array>> {
    const filled = (column: Uint32Array) => column.subarray(0, this.#length);
    return { source: filled(this.#source), target: filled(this.#target), relation: filled(this.#relation) };
  }
}

function doubled(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(2 * column.length);
  grown.set(column);
  return grown;
}
