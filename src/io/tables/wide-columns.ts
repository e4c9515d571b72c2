/** What the columns of a wide table hold: which are of text, and the medians for cells without a number. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { NO_VALUES } from "../../core/missing-tokens.js";
import { quoteValue } from "../../core/text.js";
import { quoteText, readNumbers } from "../duckdb.js";
import { scanHead } from "../sniff/scan-head.js";
import { isNumeric, listNames, type Role } from "./columns.js";
import { sqlNumber, sqlValue } from "./sql-values.js";
import type { Table } from "./table.js";

export interface WideColumn {
  readonly name: string;
  readonly index: number;
}

/** Columns in one query: the time of one grows faster than they do. */
const AT_ONCE = 64;
const CELL: Role = { name: "cell", aliases: [], required: true, check: "number" };

/** Those without a single number that hold words; a column of both is a mistake somewhere. */
export async function textColumns(
  connection: DuckDBConnection,
  table: Table,
  columns: readonly WideColumn[],
): Promise<ReadonlySet<number>> {
  const typed = table.kind === "parquet";
  const missing = [...NO_VALUES, "inf", "infinity"].map(quoteText).join(", ");
  const found = await ask(connection, table, withoutNumbersAtFirst(table, columns), ({ index }) => {
    const text = sqlValue({ ...CELL, check: "category" }, `c${index}`, typed);
    return [
      `count(${sqlNumber(CELL, `c${index}`, typed)})`,
      `count_if(regexp_matches(${text}, '\\p{L}') AND lower(${text}) NOT IN (${missing}))`,
    ];
  });
  return new Set(found.filter(({ answers }) => answers[0] === 0 && answers[1] > 0).map(({ column }) => column.index));
}

/** Of a text table those that have no number in its first rows: the others need not be looked through. */
function withoutNumbersAtFirst(table: Table, columns: readonly WideColumn[]): readonly WideColumn[] {
  if (table.kind !== "text") return columns;
  const { rows } = scanHead(table.head, false);
  const below = table.header ? rows.slice(1) : rows;
  return columns.filter(({ index }) => !below.some(({ fields }) => isNumeric(fields[index] ?? "")));
}

export interface FilledTable {
  /** As `Table.from`. */
  readonly from: string;
  readonly notes: readonly string[];
}

/** The table with a number in each cell that has none: one that is given for the column's name, or else its median. */
export async function withMedians(
  connection: DuckDBConnection,
  table: Table,
  columns: readonly WideColumn[],
  given: ReadonlyMap<string, number>,
): Promise<FilledTable> {
  const typed = table.kind === "parquet";
  const none = ["", ...NO_VALUES].map(quoteText).join(", ");
  const empty = (index: number) => `(c${index} IS NULL OR lower(trim(CAST(c${index} AS VARCHAR))) IN (${none}))`;
  const found = await ask(connection, table, columns, ({ index }) => {
    const number = sqlNumber(CELL, `c${index}`, typed);
    return [`count_if(${empty(index)})`, `count(${number})`, `median(${number})`];
  });
  const short = found.filter(({ answers }) => answers[0] > 0);
  if (short.length === 0) return { from: table.from, notes: [] };
  const bare = short.find(({ column, answers }) => answers[1] === 0 && !given.has(column.name));
  if (bare !== undefined) {
    throw new InputError(
      `${table.head.path}: column ${quoteValue(bare.column.name)} has no number; expected at least one. Leave the column out.`,
    );
  }
  const medians = new Map(short.map(({ column, answers }) => [column.index, given.get(column.name) ?? answers[2]]));
  const filled = table.names.map((_, index) => {
    const median = medians.get(index);
    if (median === undefined) return `c${index}`;
    const value = typed ? `TRY_CAST(c${index} AS DOUBLE)` : `c${index}`;
    return `CASE WHEN ${empty(index)} THEN ${typed ? `${median}::DOUBLE` : quoteText(String(median))} ELSE ${value} END AS c${index}`;
  });
  const count = short.reduce((sum, { answers }) => sum + answers[0], 0);
  const names = listNames(short.map(({ column }) => column.name));
  return {
    from: `(SELECT ${filled.join(", ")} FROM ${table.from})`,
    notes: [
      `${table.head.path}: ${count} empty ${count === 1 ? "cell" : "cells"} of ${names} read as the median of their column${given.size > 0 ? " in the training" : ""}.`,
    ],
  };
}

/** The numbers asked for of each column. None where the table cannot be read: its import says where the fault is. */
async function ask(
  connection: DuckDBConnection,
  table: Table,
  columns: readonly WideColumn[],
  expressions: (column: WideColumn) => readonly string[],
): Promise<readonly { readonly column: WideColumn; readonly answers: readonly number[] }[]> {
  const found: { column: WideColumn; answers: number[] }[] = [];
  for (let start = 0; start < columns.length; start += AT_ONCE) {
    const some = columns.slice(start, start + AT_ONCE);
    const asked = some.map(expressions);
    let numbers: number[];
    try {
      numbers = await readNumbers(connection, `SELECT ${asked.flat().join(", ")} FROM ${table.from}`);
    } catch {
      return [];
    }
    some.forEach((column, at) => {
      found.push({ column, answers: numbers.slice(at * asked[0].length, (at + 1) * asked[0].length) });
    });
  }
  return found;
}
