/**
 * The text format of word2vec, gensim and fastText: a line `count dim`, then one line per node with the id and the numbers, separated
 * by blanks. Ids with blanks are refused, because readers split lines there.
 */

import { InputError } from "../../core/errors.js";
import { quoteValue } from "../../core/text.js";
import { vectorText } from "../../core/vector-text.js";
import { RowScanner } from "../../sniff/row-scanner.js";
import { writeAtomically } from "../atomic-write.js";
import { readText } from "../file-head.js";
import { requireFile } from "../read-input.js";
import { VectorCollector } from "./delimited.js";
import { defineFormat, refuseIds, vectorTexts } from "./format.js";

export const word2vec = defineFormat({
  name: "word2vec",
  extension: "vec",
  doc: "word2vec text, for gensim and fastText; ids must not contain blanks",
  checkIds: (ids) => refuseIds(ids, /\s/u, "word2vec", "blanks"),
  async write(path, source) {
    const { ids, dim } = source;
    this.checkIds?.(ids);
    function* lines(): Generator<string> {
      yield `${ids.length} ${dim}\n`;
      yield* vectorTexts(source, (vectors, row, node) => `${ids[node]}${vectorText(vectors, row, dim, " ")}\n`);
    }
    await writeAtomically(path, lines());
    return [path];
  },
  async read(path, store) {
    await requireFile(path);
    const scanner = new RowScanner({ delimiter: "spaces", skipLines: 0 });
    const collector = new VectorCollector(path, false, store);
    let counts: readonly string[] | undefined;
    const take = (rows: ReturnType<RowScanner["push"]>) => {
      for (const row of rows) {
        if (counts !== undefined) {
          collector.add(row);
          continue;
        }
        counts = row.fields;
        if (counts.length !== 2 || !counts.every((count) => /^\d+$/.test(count))) {
          throw new InputError(
            `${path}:${row.line}: found ${quoteValue(row.fields.slice(0, 6).join(" "))}; expected the number of nodes and the dimension in the first line.`,
          );
        }
      }
    };
    for await (const text of readText({ path, file: path, gzip: false })) take(scanner.push(text));
    take(scanner.end());
    const embedding = collector.finish();
    if (embedding.ids.length !== Number(counts?.[0]) || embedding.dim !== Number(counts?.[1])) {
      throw new InputError(
        `${path}: ${embedding.ids.length} vectors of ${embedding.dim} numbers; the first line says ${counts?.join(" of ")}. ` +
          "The file may be cut off.",
      );
    }
    return embedding;
  },
});
