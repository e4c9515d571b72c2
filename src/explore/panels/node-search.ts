/** Finds nodes by the beginning of their ids or texts, or by a part of them, capitals or not. */

import { namesNodes } from "../questions/node-names.js";
import { Turns } from "../questions/turns.js";
import type { CategoryAttribute } from "../scene/scene.js";

/** Nodes between two looks at the clock. */
const SLICE = 4096;

export interface FoundNode {
  readonly node: number;
  /** The column whose text was found; undefined: the id was. */
  readonly column?: CategoryAttribute;
}

export interface FoundNodes {
  /** The best answers. */
  readonly nodes: readonly FoundNode[];
  /** Number of all nodes that answer the query. */
  readonly total: number;
}

/** How well a text answers the query, best first. A column of classes, which many nodes share, ranks behind ids and names. */
const RANK = { exact: 0, begins: 1, contains: 2, ofClass: 3, none: 4 } as const;

export class NodeSearch {
  readonly #ids: readonly string[];
  readonly #columns: readonly CategoryAttribute[];
  /** Ids in lower case, as far as a search has come. */
  readonly #lower: string[] = [];

  /** `columns` hold texts of the nodes that are searched, too. */
  constructor(ids: readonly string[], columns: readonly CategoryAttribute[] = []) {
    this.#ids = ids;
    this.#columns = columns;
  }

  /**
   * At most `count` nodes, and how many there are in all: those whose id or name is the query, then those whose id or name begins with it, then those in which it is
   * contained, then those of classes that contain it; each in the order of the nodes. Undefined if `wanted` turned false meanwhile.
   */
  async find(query: string, count: number, wanted: () => boolean = () => true): Promise<FoundNodes | undefined> {
    const text = query.toLowerCase();
    const found: FoundNode[][] = [[], [], [], []];
    const exact = this.#ids.indexOf(query);
    if (exact >= 0) found[RANK.exact].push({ node: exact });
    let total = found[RANK.exact].length;
    const columns = this.#columns.map((column) => ({ column, ranks: categoryRanks(column, text) }));
    const turns = new Turns();
    for (let i = 0; i < this.#ids.length; i++) {
      if (i % SLICE === 0 && turns.due()) {
        await turns.take();
        if (!wanted()) return undefined;
      }
      if (i === exact) continue;
      this.#lower[i] ??= this.#ids[i].toLowerCase();
      let rank: number = rankOf(this.#lower[i], text);
      let best: CategoryAttribute | undefined;
      for (const { column, ranks } of columns) {
        const code = column.codes[i];
        if (code < 0 || ranks[code] >= rank) continue;
        rank = ranks[code];
        best = column;
      }
      if (rank === RANK.none) continue;
      total++;
      if (found[rank].length < count) found[rank].push({ node: i, ...(best && { column: best }) });
    }
    return { nodes: found.flat().slice(0, count), total };
  }
}

function rankOf(lower: string, text: string): number {
  const place = lower.indexOf(text);
  if (place < 0) return RANK.none;
  if (place > 0) return RANK.contains;
  return lower.length === text.length ? RANK.exact : RANK.begins;
}

/** The rank of each text of a column. */
function categoryRanks(column: CategoryAttribute, text: string): Uint8Array {
  const isNames = namesNodes(column);
  return Uint8Array.from(column.categories, (category) => {
    const rank = rankOf(category.toLowerCase(), text);
    return isNames || rank === RANK.none ? rank : RANK.ofClass;
  });
}
