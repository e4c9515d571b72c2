/** Notes about columns of an edge table that are not read although they may hold the relation or the weight. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { firstNames, shellQuery, shellWord } from "../../core/text.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { findAlias, RELATION_ROLE, type Role, WEIGHT_ROLE } from "../../sniff/column-roles.js";
import { readNumbers } from "../duckdb.js";
import type { EdgeTable } from "./row-notes.js";
import { columnName, fileSource } from "./table-query.js";

/** Number of rows from which the content of a column is judged; not tuned. */
const SAMPLE_ROWS = 1e6;
/** A column with more distinct values than this is not suggested as the relation; not tuned. */
const MAX_KINDS = 50;
/** Names of columns that hold times or ids instead of weights. */
const TIME_OR_ID = /(^|[\s_-])(date|time|timestamp|ids?)$|[a-z](Date|Time|Timestamp|I[dD])$/;
/** A column whose smallest number is not below this holds times or ids instead of weights: 1e8 seconds after 1970 is 1973. */
const MIN_TIME = 1e8;
/** Keys that programs write into the links of a JSON object; they are neither weights nor relations. */
const JSON_KEYS = ["id", "key", "index"];

interface UnreadColumn {
  readonly name: string;
  /** Number of rows with a value. */
  readonly rows: number;
  /** Number of distinct values. */
  readonly kinds: number;
  readonly smallest: number;
  readonly isNumber: boolean;
}

/** Notes about the columns of a table that play no role. */
export async function unreadColumnNotes(
  connection: DuckDBConnection,
  table: EdgeTable,
  userColumns: UserColumns,
): Promise<string[]> {
  const { head, chosen, names } = table;
  const unread = await findUnread(connection, table);
  const numbers = unread.filter(({ isNumber }) => isNumber);
  const texts = unread.filter(({ isNumber, rows, kinds }) => !isNumber && kinds > 1 && 2 * kinds <= rows);
  const kinds = texts.filter((column) => column.kinds <= MAX_KINDS);
  const notes: string[] = [];
  // A column Type that is not read as the relation is Gephi's.
  const kind = kinds.find(({ name }) => name.trim().toLowerCase() !== "type");
  const isOpen = (role: string) => !chosen.has(role) && userColumns[role] === undefined;
  if (isOpen("relation") && kind !== undefined) {
    const values = kind.rows < SAMPLE_ROWS ? ` (${kind.kinds} values)` : "";
    notes.push(
      `${head.path}: column ${kind.name} is not read${values}. If it names the relation of an edge, use --columns ${shellWord(`relation=${kind.name}`)}.`,
    );
  }
  const noteRival = (role: Role, columns: readonly UnreadColumn[]) => {
    const read = chosen.get(role.name);
    const other = columns.find(({ name }) => findAlias(role, [name]) === 0);
    if (read === undefined || userColumns[role.name] !== undefined || other === undefined) return;
    notes.push(
      `${head.path}: column ${names[read]} is read as the ${role.name}; ${other.name} is not read. To read it instead, use --columns ${shellWord(`${role.name}=${other.name}`)}.`,
    );
  };
  noteRival(RELATION_ROLE, kinds);
  noteRival(WEIGHT_ROLE, numbers);
  const mayBeWeights = numbers.filter(({ name, smallest }) => !isTimeOrId(name) && smallest < MIN_TIME);
  // STRING's detailed files have one score per channel.
  if (isOpen("relation") && chosen.has("weight") && userColumns["weight"] === undefined && mayBeWeights.length > 1) {
    const columns = mayBeWeights.map(({ name }) => columnName(name)).join(", ");
    const ends = ["source", "target"]
      .map((role) => `${columnName(names[chosen.get(role) ?? 0])} AS ${role}`)
      .join(", ");
    // The inner SELECT removes other columns: one called weight would clash with the result of UNPIVOT.
    const wanted = `SELECT ${ends}, ${columns} FROM ${fileSource(table)}`;
    const query = `FROM (UNPIVOT (${wanted}) ON ${columns} INTO NAME relation VALUE weight) WHERE weight > 0`;
    notes.push(
      `${head.path}: columns ${listed(mayBeWeights)} are not read. If each holds the weights of one relation, use --sql ${shellQuery(query)}.`,
    );
  }
  if (isOpen("weight") && numbers.length > 0) {
    const [single, weight] = [numbers.length === 1, mayBeWeights.at(0)];
    const advice =
      weight === undefined
        ? ""
        : ` If ${single ? "it" : "one of them"} is the weight of an edge, use --columns ${shellWord(`weight=${weight.name}`)}.`;
    notes.push(
      `${head.path}: ${single ? "column" : "columns"} ${listed(numbers)} ${single ? "is" : "are"} not read.${advice}`,
    );
  }
  return notes;
}

async function findUnread(
  connection: DuckDBConnection,
  { chosen, names, from, isNodeLink = false }: EdgeTable,
): Promise<UnreadColumn[]> {
  const read = [...chosen.values()];
  const isIgnored = (name: string) => name === "" || (isNodeLink && JSON_KEYS.includes(name));
  const unread = names.map((_, c) => c).filter((c) => !read.includes(c) && !isIgnored(names[c].trim()));
  if (unread.length === 0) return [];
  const expressions = unread.map((c) => {
    const number = `try_cast(c${c}::VARCHAR AS DOUBLE)`;
    return `count(c${c}), count(${number}), count(DISTINCT c${c}::VARCHAR), coalesce(min(${number}), 0)`;
  });
  const results = await readNumbers(
    connection,
    `SELECT ${expressions.join(", ")} FROM (FROM ${from} LIMIT ${SAMPLE_ROWS})`,
  );
  return unread.map((c, k) => {
    const [rows, numeric, kinds, smallest] = results.slice(4 * k, 4 * k + 4);
    return { name: names[c], rows, kinds, smallest, isNumber: rows > 0 && numeric === rows };
  });
}

function isTimeOrId(name: string): boolean {
  return [name, name.toLowerCase()].some((text) => TIME_OR_ID.test(text.trim()));
}

function listed(columns: readonly UnreadColumn[]): string {
  return firstNames(
    columns.map(({ name }) => name),
    4,
  );
}
