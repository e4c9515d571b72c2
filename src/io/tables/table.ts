/** Opens one input file as a table: how DuckDB reads it, and which of its columns play the roles. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { quoteText } from "../../core/text.js";
import type { ChosenColumns } from "../../sniff/choose-columns.js";
import { columnChooser, type DetectOptions, detectTextTable } from "../../sniff/detect-text-table.js";
import { isJson, isJsonArray, keysOfLines, nestedFault, requireKeysFound } from "../../sniff/formats/json.js";
import type { Dialect } from "../../sniff/row-scanner.js";
import type { CommentRow, RowNames } from "../../sniff/scan-head.js";
import { describeColumns, firstLine, quoteName, quotePath, readNumbers, readStrings } from "../duckdb.js";
import { type FileHead, readHead } from "../file-head.js";

export interface Table {
  readonly head: FileHead;
  readonly kind: "text" | "json" | "parquet";
  readonly names: readonly string[];
  readonly chosen: ChosenColumns;
  /** Whether the file contains the names of its columns. */
  readonly header: boolean;
  /** Whether the file is node-link JSON: one object with a list of edges, instead of one object per edge. */
  readonly isNodeLink?: boolean;
  /** For text tables. */
  readonly dialect?: Dialect;
  /** For text tables without a header. */
  readonly firstRow?: readonly string[];
  readonly commentRow?: CommentRow;
  /** For text tables whose first column has no name and holds row names. */
  readonly rowNames?: RowNames;
  /** A FROM item whose columns are `c0`, `c1`, … in the order of `names`; VARCHAR unless the file is Parquet. */
  readonly from: string;
}

/** Detects the kind of a file and chooses the columns that play the roles. */
export async function openTable(connection: DuckDBConnection, path: string, options: DetectOptions): Promise<Table> {
  return openHead(connection, await readHead(path), options);
}

/** Like openTable, for a file whose head has been read. */
export async function openHead(connection: DuckDBConnection, head: FileHead, options: DetectOptions): Promise<Table> {
  if (head.parquet) return openParquet(connection, head, options);
  if (isJson(head)) return openJson(connection, head, options);
  const table = detectTextTable(head, options);
  const { names, chosen, header, firstRow, commentRow, rowNames } = table;
  const from = textSource(head, table, names.length);
  return { head, kind: "text", names, chosen, header, dialect: table, firstRow, commentRow, rowNames, from };
}

function textSource(head: FileHead, { delimiter, skipLines }: Dialect, count: number): string {
  const spaced = delimiter === "spaces";
  const columns = spaced ? ["line"] : Array.from({ length: count }, (_, i) => `c${i}`);
  const read =
    `read_csv(${quotePath(head.file)}, auto_detect = false, header = false, all_varchar = true, skip = ${skipLines}, ` +
    `delim = ${spaced ? "''" : quoteText(delimiter)}, quote = '${spaced ? "" : '"'}', escape = '${spaced ? "" : '"'}', ` +
    `nullstr = '', compression = '${head.gzip ? "gzip" : "none"}', hive_partitioning = false, strict_mode = true, ` +
    `columns = {${columns.map((column) => `${column}: 'VARCHAR'`).join(", ")}})`;
  if (!spaced) return count > 1 ? read : `(SELECT c0 FROM ${read} WHERE c0 IS NOT NULL)`;
  // Splitting at single blanks and removing empty words is three times faster than splitting at a regular expression.
  const words = `(SELECT list_filter(string_split(replace(line, chr(9), ' '), ' '), lambda word: word <> '') AS words FROM ${read})`;
  const fields = Array.from({ length: count }, (_, i) => `words[${i + 1}] AS c${i}`).join(", ");
  // A row with another number of words makes the query fail; its line is found afterwards.
  const checked = `CASE WHEN len(words) = ${count} THEN words ELSE error('ragged row') END`;
  return `(SELECT ${fields} FROM (SELECT ${checked} AS words FROM ${words} WHERE len(words) > 0))`;
}

async function openJson(connection: DuckDBConnection, head: FileHead, options: DetectOptions): Promise<Table> {
  const array = isJsonArray(head);
  const reading =
    `format = '${array ? "array" : "newline_delimited"}', ` +
    `compression = '${head.gzip ? "gzip" : "uncompressed"}', hive_partitioning = false`;
  const objects = `read_json_objects(${quotePath(head.file)}, ${reading})`;
  const names = await jsonKeys(connection, head, array, objects);
  const chosen = columnChooser(options)(head.path, names);
  await requirePlainJson(connection, head, objects, names, chosen);
  const read =
    `read_json(${quotePath(head.file)}, ${reading}, ` +
    `columns = {${names.map((name) => `${quoteName(name)}: 'VARCHAR'`).join(", ")}})`;
  return { head, kind: "json", names, chosen, header: true, from: renamed(read, names) };
}

/** Number of JSON rows that are searched for lists and objects; not tuned. */
const SAMPLE_ROWS = 1000;

/** Refuses lists and objects in the chosen columns: their JSON text would become names. */
async function requirePlainJson(
  connection: DuckDBConnection,
  { path }: FileHead,
  objects: string,
  names: readonly string[],
  chosen: ChosenColumns,
): Promise<void> {
  const counts = [...chosen.values()].map((index) => {
    const pointer = `/${names[index].replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return `count_if(json_type(json, ${quoteText(pointer)}) IN ('ARRAY', 'OBJECT'))`;
  });
  const nested = await readNumbers(
    connection,
    `SELECT ${counts.join(", ")} FROM (SELECT json FROM ${objects} LIMIT ${SAMPLE_ROWS})`,
  ).catch(() => []); // A file that cannot be read is reported when its rows are imported.
  [...chosen].forEach(([role, index], at) => {
    if (nested[at] > 0) throw nestedFault(path, names[index], role);
  });
}

/** Keys of the objects in a JSON file: the keys of the first objects in their order, then further keys of later objects. */
async function jsonKeys(
  connection: DuckDBConnection,
  head: FileHead,
  array: boolean,
  objects: string,
): Promise<string[]> {
  const names = array ? new Set<string>() : keysOfLines(head);
  // For JSON lines, `names` already has the keys of the first objects, from the head.
  const first = `SELECT unnest(json_keys(json)) AS k FROM (SELECT json FROM ${objects} LIMIT 1)`;
  const all = `SELECT DISTINCT unnest(json_keys(json)) AS k FROM ${objects} ORDER BY k`;
  try {
    for (const query of array ? [first, all] : head.complete ? [] : [all]) {
      for (const name of await readStrings(connection, query)) names.add(name);
    }
  } catch (error) {
    // For JSON lines, the line at fault is found when the rows are imported.
    if (array) throw new InputError(`${head.path}: not valid JSON: ${firstLine(error).replace(/ in file ".*?"/, "")}.`);
  }
  requireKeysFound(names, head.path, array);
  return [...names];
}

async function openParquet(connection: DuckDBConnection, head: FileHead, options: DetectOptions): Promise<Table> {
  const read = `read_parquet(${quotePath(head.file)}, binary_as_string = true, hive_partitioning = false)`;
  const columns = await describeColumns(connection, `SELECT * FROM ${read}`).catch((error) => {
    throw damagedParquet(error, head.path);
  });
  const names = columns.map(({ name }) => name);
  const chosen = columnChooser(options)(head.path, names);
  requirePlainTypes(head.path, columns, chosen);
  return { head, kind: "parquet", names, chosen, header: true, from: renamed(read, names) };
}

/** Refuses lists and objects in the chosen columns: their text would become names. */
export function requirePlainTypes(
  path: string,
  columns: readonly { readonly name: string; readonly type: string }[],
  chosen: ChosenColumns,
): void {
  for (const [role, index] of chosen) {
    const { name, type } = columns[index];
    if (/\]$|^(STRUCT|MAP|UNION)\b/.test(type)) throw nestedFault(path, name, role);
  }
}

/** Turns DuckDB's error about a Parquet file into an InputError. */
export function damagedParquet(error: unknown, path: string): InputError {
  const reason = firstLine(error).replaceAll(/ (in|of) file ['"].*?['"]|['"]?\S*\.parquet['"]?:?/g, "");
  return new InputError(`${path}: cannot be read as Parquet: ${reason.trim()}. The file may be cut off or damaged.`);
}

function renamed(read: string, names: readonly string[]): string {
  return `(SELECT ${names.map((name, i) => `${quoteName(name)} AS c${i}`).join(", ")} FROM ${read})`;
}
