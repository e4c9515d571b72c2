/** Reads Cytoscape's simple interaction format: every line is `source relation target…`, with one or more targets, or one node. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { RowScanner, type ScannedRow } from "../../sniff/row-scanner.js";
import { type FileHead, readText } from "../file-head.js";
import { createEdgeAppender } from "./edge-appender.js";

/** Imports the edges into `edges` and nodes without an edge into `listed_nodes`. */
export async function importSif(connection: DuckDBConnection, head: FileHead): Promise<void> {
  const { path, text } = head;
  const delimiter = text.includes("\t") ? "\t" : "spaces";
  const scanner = new RowScanner({ delimiter, skipLines: 0 });
  const appender = await createEdgeAppender(connection);
  let count = 0;
  const take = ({ line, fields, fault }: ScannedRow): void => {
    if (fault !== undefined) throw new InputError(`${path}:${line}: ${fault}.`);
    const [source, relation, ...targets] = fields.map((field) => field.trim());
    const isComplete = fields.length === 1 || (relation !== "" && targets.length > 0 && !targets.includes(""));
    if (source === "" || !isComplete) {
      throw new InputError(
        `${path}:${line}: ${fields.length} fields; expected one node, or a source, a relation and targets.`,
      );
    }
    if (fields.length === 1) appender.node(source);
    for (const target of targets) appender.edge(source, target, relation, 1);
    count += targets.length;
  };
  for await (const piece of readText(head)) scanner.push(piece).forEach(take);
  scanner.end().forEach(take);
  appender.close();
  if (count === 0) throw new InputError(`${path}: no edge; expected lines such as "a pp b".`);
}
