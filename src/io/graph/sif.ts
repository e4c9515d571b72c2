/** Cytoscape's simple interaction format: a line is `source relation target…`, with any number of targets, or one node. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { type FileHead, readText } from "../sniff/file-head.js";
import { RowScanner, type ScannedRow } from "../sniff/row-scanner.js";
import { EDGE_ROLES, findAlias } from "../tables/columns.js";
import { edgeRows } from "./edge-rows.js";

/** Unless its first line names columns: then it is a table. */
export function isSif({ extension, text }: FileHead): boolean {
  const [first = ""] = text.split(/\r\n|\n|\r/, 1);
  return extension === "sif" && EDGE_ROLES.slice(0, 2).some((role) => findAlias(role, first.split(/\s+/)) < 0);
}

/** Puts its edges into `edges` and nodes that stand alone into `listed_nodes`. */
export async function importSif(connection: DuckDBConnection, head: FileHead): Promise<void> {
  const { path, text } = head;
  const delimiter = text.includes("\t") ? "\t" : "spaces";
  const scanner = new RowScanner({ delimiter, skipLines: 0 });
  const rows = await edgeRows(connection);
  let count = 0;
  const take = ({ line, fields, fault }: ScannedRow): void => {
    if (fault !== undefined) throw new InputError(`${path}:${line}: ${fault}.`);
    const [source, relation, ...targets] = fields.map((field) => field.trim());
    const named = fields.length === 1 || (relation !== "" && targets.length > 0 && !targets.includes(""));
    if (source === "" || !named) {
      throw new InputError(
        `${path}:${line}: ${fields.length} fields; expected a node, or source, relation and targets.`,
      );
    }
    if (fields.length === 1) rows.node(source);
    for (const target of targets) rows.edge(source, target, relation, 1);
    count += targets.length;
  };
  for await (const piece of readText(head)) scanner.push(piece).forEach(take);
  scanner.end().forEach(take);
  rows.close();
  if (count === 0) throw new InputError(`${path}: no edge; expected lines such as a, pp and b.`);
}
