/** Examines the columns of a wide table: which of them hold text, and the medians that replace missing numbers. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { MISSING_TOKENS } from "../../core/missing-tokens.js";
import { quoteText, quoteValue } from "../../core/text.js";
import { isNumeric } from "../../sniff/check-value.js";
import { listNames } from "../../sniff/choose-columns.js";
import type { Role } from "../../sniff/column-roles.js";
import { scanHead } from "../../sniff/scan-head.js";
import { readNumbers } from "../duckdb.js";
import { sqlNumber, sqlValue } from "./sql-values.js";
import type { Table } from "./table.js";

export interface WideColumn {
  readonly name: string;
  readonly index: number;
}

/** Number of columns per query. The time of one query grows faster than its number of columns; not tuned. */
const COLUMNS_PER_QUERY = 64;
const CELL: Role = { name: "cell", aliases: [], required: true, check: "number" };

/** Indices of the columns that hold words and no number. A column of both is not among them: it is refused later. */
export async function textColumns(
  connection: DuckDBConnection,
  table: Table,
  columns: readonly WideColumn[],
): Promise<ReadonlySet<number>> {
  const isTyped = table.kind === "parquet";
  const missing = [...MISSING_TOKENS, "inf", "infinity"].map(quoteText).join(", ");
  const found = await queryColumns(connection, table, withoutNumbersInHead(table, columns), ({ index }) => {
    const text = sqlValue({ ...CELL, check: "category" }, `c${index}`, isTyped);
    return [
      `count(${sqlNumber(CELL, `c${index}`, isTyped)})`,
      `count_if(regexp_matches(${text}, '\\p{L}') AND lower(${text}) NOT IN (${missing}))`,
    ];
  });
  return new Set(found.filter(({ results }) => results[0] === 0 && results[1] > 0).map(({ column }) => column.index));
}

/** For text tables: the columns without a number in the first rows. The others need no query, since they hold numbers. */
function withoutNumbersInHead(table: Table, columns: readonly WideColumn[]): readonly WideColumn[] {
  if (table.kind !== "text") return columns;
  const { rows } = scanHead(table.head, false);
  const below = table.header ? rows.slice(1) : rows;
  return columns.filter(({ index }) => !below.some(({ fields }) => isNumeric(fields[index] ?? "")));
}

export interface FilledTable {
  /** A FROM item with the columns of `Table.from`. */
  readonly from: string;
  readonly notes: readonly string[];
}

/** Fills missing numbers: with `knownMedians` by the name of the column, otherwise with the median of the column. */
export async function withMedians(
  connection: DuckDBConnection,
  table: Table,
  columns: readonly WideColumn[],
  knownMedians: ReadonlyMap<string, number>,
): Promise<FilledTable> {
  const isTyped = table.kind === "parquet";
  const tokens = ["", ...MISSING_TOKENS].map(quoteText).join(", ");
  const isMissing = (index: number) => `(c${index} IS NULL OR lower(trim(CAST(c${index} AS VARCHAR))) IN (${tokens}))`;
  const found = await queryColumns(connection, table, columns, ({ index }) => {
    const number = sqlNumber(CELL, `c${index}`, isTyped);
    return [`count_if(${isMissing(index)})`, `count(${number})`, `median(${number})`];
  });
  const incomplete = found.filter(({ results }) => results[0] > 0);
  if (incomplete.length === 0) return { from: table.from, notes: [] };
  const empty = incomplete.find(({ column, results }) => results[1] === 0 && !knownMedians.has(column.name));
  if (empty !== undefined) {
    throw new InputError(
      `${table.head.path}: column ${quoteValue(empty.column.name)} has no number; expected at least one. Remove the column.`,
    );
  }
  const medians = new Map(
    incomplete.map(({ column, results }) => [column.index, knownMedians.get(column.name) ?? results[2]]),
  );
  const filled = table.names.map((_, index) => {
    const median = medians.get(index);
    if (median === undefined) return `c${index}`;
    const value = isTyped ? `TRY_CAST(c${index} AS DOUBLE)` : `c${index}`;
    return `CASE WHEN ${isMissing(index)} THEN ${isTyped ? `${median}::DOUBLE` : quoteText(String(median))} ELSE ${value} END AS c${index}`;
  });
  const count = incomplete.reduce((sum, { results }) => sum + results[0], 0);
  const names = listNames(incomplete.map(({ column }) => column.name));
  return {
    from: `(SELECT ${filled.join(", ")} FROM ${table.from})`,
    notes: [
      `${table.head.path}: ${count === 1 ? "1 empty cell" : `${count} empty cells`} of ${names} ${count === 1 ? "is" : "are"} read as the median of the column${knownMedians.size > 0 ? " in the training" : ""}.`,
    ],
  };
}

/** The results of SQL expressions for each column. None if the table cannot be read: its import reports the fault. */
async function queryColumns(
  connection: DuckDBConnection,
  table: Table,
  columns: readonly WideColumn[],
  expressions: (column: WideColumn) => readonly string[],
): Promise<readonly { readonly column: WideColumn; readonly results: readonly number[] }[]> {
  const found: { column: WideColumn; results: number[] }[] = [];
  for (let start = 0; start < columns.length; start += COLUMNS_PER_QUERY) {
    const batch = columns.slice(start, start + COLUMNS_PER_QUERY);
    const selected = batch.map(expressions);
    let numbers: number[];
    try {
      numbers = await readNumbers(connection, `SELECT ${selected.flat().join(", ")} FROM ${table.from}`);
    } catch {
      return [];
    }
    const { length } = selected[0];
    batch.forEach((column, k) => {
      found.push({ column, results: numbers.slice(k * length, (k + 1) * length) });
    });
  }
  return found;
}
