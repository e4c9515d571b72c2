/** Labels of nodes; a node can have several. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { quotedNames } from "../../core/text.js";
import { compareNatural } from "../../graph/order/natural-order.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { LABEL_ROLES } from "../../sniff/column-roles.js";
import { readStrings, withDatabase } from "../duckdb.js";
import { importTable } from "./import-table.js";
import { openTable, type Table } from "./table.js";

export interface Labels {
  /** The distinct labels of each labelled node, in natural order. */
  readonly byNode: ReadonlyMap<string, readonly string[]>;
  /** All labels, in natural order. */
  readonly names: readonly string[];
  /** Whether any node has several labels. */
  readonly multiLabel: boolean;
  /** The node of the first row, if no header was found: it may be a header with unknown names. */
  readonly firstNode?: string;
}

/** Advice for a note about labelled nodes that are missing elsewhere: the first of them may be a header. */
export function headerAdvice({ firstNode }: Labels, isKnown: (node: string) => boolean): string {
  if (firstNode === undefined || isKnown(firstNode)) return "";
  return `; the first row, ${quotedNames([firstNode])}, is one of them: if it is a header, rename its columns to node and label`;
}

/** Reads a table of (node, label); several rows of a node are several labels. With `ids`, nodes that are not among them are refused. */
export async function loadLabels(path: string, ids?: readonly string[], columns?: UserColumns): Promise<Labels> {
  let firstNode: string | undefined;
  const rows = await withDatabase(async (connection) => {
    const { header } = await importLabels(connection, path, columns);
    if (!header) [firstNode] = await readStrings(connection, "SELECT node FROM labels LIMIT 1");
    const result = await connection.runAndReadAll("SELECT DISTINCT node, label FROM labels");
    return result.getRows().map(([node, label]): [string, string] => [String(node), String(label)]);
  });
  const byNode = new Map<string, string[]>();
  const names = new Set<string>();
  for (const [node, label] of rows) {
    names.add(label);
    const labels = byNode.get(node);
    if (labels === undefined) byNode.set(node, [label]);
    else labels.push(label);
  }
  if (ids !== undefined) requireKnown(path, ids, byNode.keys());
  let multiLabel = false;
  for (const labels of byNode.values()) {
    labels.sort(compareNatural);
    multiLabel ||= labels.length > 1;
  }
  const sorted = new Map([...byNode].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { byNode: sorted, names: [...names].sort(compareNatural), multiLabel, firstNode };
}

/** Creates the DuckDB table `labels(node, label)`. */
export async function importLabels(
  connection: DuckDBConnection,
  path: string,
  columns?: UserColumns,
): Promise<Pick<Table, "header">> {
  await connection.run("CREATE TEMP TABLE labels(node VARCHAR, label VARCHAR)");
  const table = await openTable(connection, path, { roles: LABEL_ROLES, userColumns: columns });
  await importTable(connection, table, LABEL_ROLES, "labels");
  return table;
}

function requireKnown(path: string, ids: readonly string[], nodes: Iterable<string>): void {
  const known = new Set(ids);
  const unknown = [...nodes].filter((node) => !known.has(node)).sort();
  if (unknown.length === 0) return;
  throw new InputError(
    `${path}: ${unknown.length} labelled ${unknown.length === 1 ? "node is" : "nodes are"} unknown, such as ` +
      `${quotedNames(unknown.slice(0, 3))}; expected nodes of the embedding. Check that both use the same ids.`,
  );
}
