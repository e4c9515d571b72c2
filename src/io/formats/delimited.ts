/** Vectors as CSV or TSV: a header `node, v1, v2, …` and one row per node; fields are quoted if necessary. */

import type { Embedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { quoteValue } from "../../core/text.js";
import { vectorHeader, vectorLine } from "../../core/vector-text.js";
import { isNumeric } from "../../sniff/check-value.js";
import { findAlias, NODE_ROLES } from "../../sniff/column-roles.js";
import { RowScanner, type ScannedRow } from "../../sniff/row-scanner.js";
import { writeAtomically } from "../atomic-write.js";
import { readHead, readText, verifyGzip } from "../file-head.js";
import { withSpool } from "../spool.js";
import { defineFormat, type EmbeddingFormat, vectorTexts } from "./format.js";
import type { VectorStore } from "./vector-store.js";

/** The embedding format for a delimiter; `name` is also the extension. */
export function delimitedFormat(name: string, delimiter: string): EmbeddingFormat {
  return defineFormat({
    name,
    extension: name,
    doc: `${name.toUpperCase()} with a header: node, v1, v2, …; fields are quoted if necessary`,
    async write(path, source) {
      const { ids, dim } = source;
      function* lines(): Generator<string> {
        yield vectorHeader(dim, delimiter);
        yield* vectorTexts(source, (vectors, row, node) => vectorLine(ids[node], vectors, row, dim, delimiter));
      }
      await writeAtomically(path, lines());
      return [path];
    },
    read: (path, store) => withSpool(() => readRows(path, delimiter, store)),
  });
}

/** Reads rows of an id and numbers. */
async function readRows(path: string, delimiter: string, store: VectorStore): Promise<Pick<Embedding, "ids" | "dim">> {
  const head = await readHead(path);
  if (head.gzip) await verifyGzip(head);
  const scanner = new RowScanner({ delimiter, skipLines: 0 });
  const collector = new VectorCollector(path, true, store);
  for await (const text of readText(head)) for (const row of scanner.push(text)) collector.add(row);
  for (const row of scanner.end()) collector.add(row);
  return collector.finish();
}

/** Whether fields are column names: words, or the numbers from 0 or 1 that data frames write after an empty or a node name. */
function isHeader([first, ...others]: readonly string[]): boolean {
  if (!others.some(isNumeric)) return true;
  const counted = others.every((field, i) => field === String(i) || field === String(i + 1));
  return counted && (first === "" || namesNode(first));
}

function namesNode(field: string): boolean {
  return findAlias(NODE_ROLES[0], [field]) === 0;
}

/** Checks rows of an id and numbers, and adds them to a store. */
export class VectorCollector {
  readonly #path: string;
  readonly #store: VectorStore;
  readonly #ids: string[] = [];
  #vector = new Float32Array(0);
  #dim = -1;
  #mayBeHeader: boolean;

  constructor(path: string, header: boolean, store: VectorStore) {
    this.#path = path;
    this.#mayBeHeader = header;
    this.#store = store;
  }

  add({ line, fields, fault }: ScannedRow): void {
    const where = `${this.#path}:${line}`;
    if (fields.length < 2) throw new InputError(`${where}: one field; expected a node and its numbers.`);
    const header = this.#mayBeHeader && isHeader(fields);
    this.#mayBeHeader = false;
    if (header) {
      const node = fields.findIndex(namesNode);
      if (node > 0) {
        throw new InputError(
          `${where}: column ${node + 1} is called ${quoteValue(fields[node])}; expected the node in the first column.`,
        );
      }
      this.#dim = fields.length - 1;
      return;
    }
    if (fault !== undefined) throw new InputError(`${where}: ${fault}.`);
    if (fields[0] === "") throw new InputError(`${where}: no node; expected its name before the numbers.`);
    if (this.#dim < 0) this.#dim = fields.length - 1;
    if (fields.length !== this.#dim + 1) {
      throw new InputError(
        `${where}: ${fields.length - 1} numbers; expected ${this.#dim} as in the first line. The file may be cut off.`,
      );
    }
    if (this.#vector.length !== this.#dim) this.#vector = new Float32Array(this.#dim);
    for (let k = 0; k < this.#dim; k++) {
      const field = fields[k + 1];
      if (!isNumeric(field)) throw new InputError(`${where}: ${quoteValue(field)}; expected a number.`);
      this.#vector[k] = Number(field);
    }
    this.#store.add(this.#vector);
    this.#ids.push(fields[0]);
  }

  finish(): Pick<Embedding, "ids" | "dim"> {
    if (this.#ids.length === 0) throw new InputError(`${this.#path}: no vectors; expected one per line.`);
    return { ids: this.#ids, dim: this.#dim };
  }
}
