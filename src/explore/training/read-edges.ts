/** Reads the edges of a dropped file, in slices, so that the page stays responsive. */

import { InputError } from "../../index.js";
import { EDGE_ROLES, NoRowsError, relationColumn, requireFewRelations, type UserColumns } from "../../tables.js";
import { type CodedEdges, EdgeCollector } from "./coded-edges.js";
import type { ColumnChoice, FileTable } from "./table/file-table.js";
import { openEdgeTable } from "./table/open-table.js";

/** Bytes that the relations may take in a page, which has about 4 GB. Not tuned. */
const PAGE_BYTES = 2e9;

export interface ReadOptions {
  /** Called after each slice with the share of the file that has been read, from 0 to 1, and the number of rows. */
  readonly onProgress?: (share: number, rows: number) => void;
  /** Ends the reading; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Reads a file with the columns that are found in it. `userColumns` as --columns has them. */
export async function readEdges(
  file: File,
  { userColumns, ...options }: ReadOptions & { readonly userColumns?: UserColumns } = {},
): Promise<CodedEdges> {
  const table = await openEdgeTable(file, userColumns);
  if (table.problem !== undefined) throw new InputError(table.problem);
  return readTable(file, table, table, options);
}

/** Reads the edges of an opened table with these columns. */
export async function readTable(
  file: File,
  table: FileTable,
  { chosen }: Pick<ColumnChoice, "chosen">,
  { onProgress, signal }: ReadOptions = {},
): Promise<CodedEdges> {
  const missing = EDGE_ROLES.filter(({ name, required }) => required && !chosen.has(name)).map(({ name }) => name);
  if (missing.length > 0) {
    throw new InputError(
      `${table.path}: no ${missing.join(" or ")} column is chosen; expected one for each. Choose it above the rows.`,
    );
  }
  const columns = EDGE_ROLES.flatMap((role) => {
    const index = chosen.get(role.name);
    return index === undefined ? [] : [{ role, index }];
  });
  const relationAt = columns.findIndex(({ role }) => role.name === "relation");
  const weightAt = columns.findIndex(({ role }) => role.name === "weight");
  const collector = new EdgeCollector(weightAt >= 0);
  let bytesRead = 0;
  const onBytes = (bytes: number) => {
    bytesRead = bytes;
  };
  for await (const batch of table.rows(columns, onBytes)) {
    signal?.throwIfAborted();
    for (const cells of batch) {
      const relation = relationAt < 0 ? table.stem : String(cells[relationAt]);
      collector.add(String(cells[0]), String(cells[1]), relation, weightAt < 0 ? 1 : Number(cells[weightAt]));
    }
    onProgress?.(Math.min(1, bytesRead / file.size), collector.count);
  }
  if (collector.count === 0) {
    throw new NoRowsError(`${table.path}: ${table.header ? "only a header and " : ""}no rows; expected at least one.`);
  }
  const edges = collector.end();
  requireFewRelations({
    relations: edges.relationNames.length,
    nodes: edges.ids.length,
    availableBytes: PAGE_BYTES,
    from: `${table.path}: ${relationColumn({ ...table, chosen })}`,
  });
  return edges;
}
