/**
 * Checks whether the number of relations is plausible. If a column of ids or times is read as the relation, almost every row becomes
 * a relation, and every relation needs memory for every node.
 */

import { InputError } from "../core/errors.js";
import { quoteValue } from "../core/text.js";
import type { ChosenColumns } from "./choose-columns.js";

/** With fewer relations than this, the relation column is never suspected to hold ids; not tuned. */
const MIN_RELATIONS = 100;
/** A column with fewer rows than this per distinct value looks like ids; not tuned. */
const MIN_ROWS_PER_RELATION = 4;
/** Bytes of a row offset: each relation has one per node. */
const OFFSET_BYTES = 4;
/**
 * Number of copies of all offsets in a run: the graph, its undirected and its normalised relations, and the engine. Measured with
 * 10,000 relations of 5,000 nodes: 200 MB of offsets, 1.2 GB in total.
 */
const OFFSET_COPIES = 6;

/** The parts of a table that name its relation column. */
export interface RelationTable {
  readonly chosen: ChosenColumns;
  readonly names: readonly string[];
  readonly header: boolean;
}

export const COLUMN_ADVICE =
  "Name another column with --columns relation=NAME, or read all edges as one relation with --columns relation=none.";

/** The relation column as messages name it. */
export function relationColumn({ chosen, names, header }: RelationTable): string {
  const index = chosen.get("relation") ?? 0;
  return header ? `column ${quoteValue(names[index])}` : `column ${index + 1}`;
}

export function looksLikeIds(relations: number, rows: number): boolean {
  return relations >= MIN_RELATIONS && rows < MIN_ROWS_PER_RELATION * relations;
}

export interface RelationCount {
  readonly relations: number;
  readonly nodes: number;
  /** Bytes that may be used. */
  readonly availableBytes: number;
  /** The origin of the relations in messages, such as `edges.csv: column "time"`. */
  readonly from: string;
}

/** Throws, before the graph is built, if its relations do not fit into memory. */
export function requireFewRelations({ relations, nodes, availableBytes, from }: RelationCount): void {
  const needed = relations * (nodes + 1) * OFFSET_BYTES * OFFSET_COPIES;
  if (needed <= availableBytes || relations < MIN_RELATIONS) return;
  const gigabytes = (bytes: number) => `${Number((bytes / 1e9).toPrecision(2))} GB`;
  throw new InputError(
    `${from} has ${relations} distinct values; as relations of ${nodes} nodes they would need about ${gigabytes(needed)} of memory, but ${gigabytes(availableBytes)} are available. ${COLUMN_ADVICE}`,
  );
}
