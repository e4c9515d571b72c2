/** Reads Cytoscape's simple interaction format: every line is `source relation target…`, with one or more targets, or one node. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { EDGE_ROLES, findAlias } from "../sniff/column-roles.js";
import { type FileHead, readText } from "../sniff/file-head.js";
import { RowScanner, type ScannedRow } from "../sniff/row-scanner.js";
import { createEdgeAppender } from "./edge-appender.js";

/** Whether the extension is .sif and the first line is not a header; with a header, the file is a table. */
export function isSif({ extension, text }: FileHead): boolean {
  const [first = ""] = text.split(/\r\n|\n|\r/, 1);
  return extension === "sif" && EDGE_ROLES.slice(0, 2).some((role) => findAlias(role, first.split(/\s+/)) < 0);
}

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
