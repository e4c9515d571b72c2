/** The columns of a table of nodes as attributes, for the command line and the page. */

import { isNumeric } from "../../tables.js";
import type { Attribute, CategoryAttribute } from "./scene.js";

/** A column of whole numbers with at most this many different ones holds codes of categories, such as labels 0 to 5. Not tuned. */
const MAX_CODES = 20;

type Cell = string | number | null | undefined;

export interface TableAttributes {
  readonly attributes: readonly Attribute[];
  /** Nodes of the graph that the table names. */
  readonly matched: number;
  /** Rows whose id is no node of the graph. */
  readonly unmatched: number;
  /** Rows of nodes that came before; they are left out. */
  readonly repeated: number;
}

/** Collects the rows of a table. A node with several rows has the values of its first. */
export class AttributeColumns {
  readonly #names: readonly string[];
  readonly #indexOf: (id: string) => number | undefined;
  readonly #cells: (string | undefined)[][];
  readonly #seen: Uint8Array;
  #matched = 0;
  #unmatched = 0;
  #repeated = 0;

  /** `names` of the columns except the column of ids. */
  constructor(names: readonly string[], numNodes: number, indexOf: (id: string) => number | undefined) {
    this.#names = names;
    this.#indexOf = indexOf;
    this.#cells = names.map(() => new Array(numNodes).fill(undefined));
    this.#seen = new Uint8Array(numNodes);
  }

  /** Adds a row: the id of the node, then a cell for each name. Blanks around a cell are removed; an empty cell is no value. */
  add([id, ...cells]: readonly Cell[]): void {
    const node = this.#indexOf(String(id));
    if (node === undefined) this.#unmatched++;
    else if (this.#seen[node] === 1) this.#repeated++;
    else {
      this.#matched++;
      this.#seen[node] = 1;
      cells.forEach((cell, column) => {
        const text = String(cell ?? "").trim();
        if (text !== "") this.#cells[column][node] = text;
      });
    }
  }

  end(): TableAttributes {
    const attributes = this.#names.map((name, column) => attributeOf(name, this.#cells[column]));
    return { attributes, matched: this.#matched, unmatched: this.#unmatched, repeated: this.#repeated };
  }
}

/** Numbers if all texts are numbers that are no codes, else categories. Undefined: the node has no value. */
export function attributeOf(name: string, texts: readonly (string | undefined)[]): Attribute {
  const known = new Set(texts);
  known.delete(undefined);
  const all = [...known].map(String);
  const isCodes = all.length <= MAX_CODES && all.every((text) => /^[+-]?\d+$/.test(text));
  if (isCodes || !all.every((text) => isNumeric(text) && Number.isFinite(Math.fround(Number(text))))) {
    return categoryAttribute(name, texts);
  }
  return { name, kind: "number", values: Float32Array.from(texts, (text) => Number(text ?? Number.NaN)) };
}

/** A category of each node; undefined: the node has none. Categories are sorted as words, numbers in them by size. */
export function categoryAttribute(name: string, texts: readonly (string | undefined)[]): CategoryAttribute {
  const order = new Intl.Collator("en", { numeric: true });
  const categories = [...new Set(texts.filter((text) => text !== undefined))];
  categories.sort((a, b) => order.compare(a, b) || (a < b ? -1 : 1));
  const codeOf = new Map(categories.map((category, code) => [category, code]));
  const codes = Int32Array.from(texts, (text) => (text === undefined ? -1 : (codeOf.get(text) ?? -1)));
  return { name, kind: "category", categories, codes };
}
