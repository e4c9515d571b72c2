/**
 * Whether the number of relations is plausible. A column of ids or times that is read as the relation makes a relation of almost
 * every row, and every relation costs memory for every node.
 */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { quoteValue } from "../../core/text.js";
import { readNumbers } from "../duckdb.js";
import type { Table } from "../tables/table.js";

/** Fewer relations are never taken for ids. */
const MIN_RELATIONS = 100;
/** A column with fewer rows than this per distinct value looks like ids. */
const MIN_ROWS_PER_RELATION = 4;
/** Bytes of an offset: each relation holds one per node. */
const OFFSET_BYTES = 4;
/**
 * Copies of all offsets in a run: the graph, its undirected and normalised relations, and those of the engine. Measured with
 * 10,000 relations of 5,000 nodes, 200 MB of offsets: 1.2 GB in all.
 */
const OFFSET_COPIES = 6;

/** Notes on the relation column of a table whose rows are in `edges`. */
export async function relationColumnNotes(connection: DuckDBConnection, table: Table): Promise<string[]> {
  const index = table.chosen.get("relation");
  if (index === undefined) return [];
  const [relations, rows] = await readNumbers(
    connection,
    `SELECT count(DISTINCT c${index}::VARCHAR), count(*) FROM ${table.from}`,
  );
  if (!looksLikeIds(relations, rows)) return [];
  return [
    `${table.head.path}: ${relationColumn(table)} is read as the relation and has ${relations} distinct values in ${rows} rows: it looks like an id or a time. ${COLUMN_ADVICE}`,
  ];
}

const COLUMN_ADVICE =
  "Name another column with --columns relation=NAME, or read all edges as one relation with --columns relation=none.";

/** The relation column in words; undefined where there is none. */
export function relationColumn({ chosen, names, header }: Pick<Table, "chosen" | "names" | "header">): string {
  const index = chosen.get("relation") ?? 0;
  return header ? `column ${quoteValue(names[index])}` : `column ${index + 1}`;
}

export function looksLikeIds(relations: number, rows: number): boolean {
  return relations >= MIN_RELATIONS && rows < MIN_ROWS_PER_RELATION * relations;
}

export interface RelationCount {
  readonly relations: number;
  readonly nodes: number;
  /** Bytes that may be taken. */
  readonly availableBytes: number;
  /** Where relations come from, such as `edges.csv: column "time"`. */
  readonly from: string;
}

/** Fails, before the graph is built, where its relations cannot fit into memory. */
export function requireFewRelations({ relations, nodes, availableBytes, from }: RelationCount): void {
  const needed = relations * (nodes + 1) * OFFSET_BYTES * OFFSET_COPIES;
  if (needed <= availableBytes || relations < MIN_RELATIONS) return;
  const gigabytes = (bytes: number) => `${Number((bytes / 1e9).toPrecision(2))} GB`;
  throw new InputError(
    `${from} has ${relations} distinct values; as relations of ${nodes} nodes they would need about ${gigabytes(needed)} of memory, and there are ${gigabytes(availableBytes)}. ${COLUMN_ADVICE}`,
  );
}
