/** Finds nodes by the beginning of their ids or by a part of them, capitals or not. */

import { Turns } from "../questions/turns.js";

/** Ids between two looks at the clock. */
const SLICE = 4096;

export class IdSearch {
  readonly #ids: readonly string[];
  /** Ids in lower case, as far as a search has come. */
  readonly #lower: string[] = [];

  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  /**
   * At most `count` nodes: the one whose id is the query, then ids that begin with it, then ids that contain it, each in the order
   * of the nodes. Undefined if `wanted` turned false meanwhile.
   */
  async find(query: string, count: number, wanted: () => boolean = () => true): Promise<number[] | undefined> {
    const text = query.toLowerCase();
    const exact = this.#ids.indexOf(query);
    const begin: number[] = exact >= 0 ? [exact] : [];
    const contain: number[] = [];
    const turns = new Turns();
    for (let i = 0; i < this.#ids.length && begin.length < count; i++) {
      if (i % SLICE === 0 && turns.due()) {
        await turns.take();
        if (!wanted()) return undefined;
      }
      this.#lower[i] ??= this.#ids[i].toLowerCase();
      if (i === exact) continue;
      const place = this.#lower[i].indexOf(text);
      if (place === 0) begin.push(i);
      else if (place > 0 && contain.length < count) contain.push(i);
    }
    return [...begin, ...contain].slice(0, count);
  }
}
