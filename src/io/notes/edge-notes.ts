/** Notes about edge files whose columns may have been misinterpreted. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteText, shellQuery, shellWord } from "../../core/text.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { EDGE_ROLES, findEndpointPairs } from "../../sniff/column-roles.js";
import { rowNamesNotes } from "../../sniff/detect-text-table.js";
import { readNumbers } from "../duckdb.js";
import { commentNotes, type EdgeTable, firstRowNotes, repeatedHeaderNotes } from "./row-notes.js";
import { columnAt, columnName, fileSource } from "./table-query.js";
import { unreadColumnNotes } from "./unread-columns.js";

/** Notes about a table whose rows have been imported into `edges`. */
export async function edgeNotes(
  connection: DuckDBConnection,
  table: EdgeTable,
  userColumns: UserColumns = {},
): Promise<string[]> {
  const weightNotes = await tinyWeightNotes(connection, table);
  if (!table.header) {
    const isGuessed = Object.keys(userColumns).length === 0;
    return [
      ...weightNotes,
      ...commentNotes(table),
      ...(await firstRowNotes(connection, table)),
      ...(isGuessed ? await manyRelationsNotes(connection, table) : []),
    ];
  }
  return [
    ...weightNotes,
    ...rowNamesNotes(table.head.path, table),
    ...(await repeatedHeaderNotes(connection, table)),
    ...otherEndpointsNotes(table, userColumns),
    ...(await unreadColumnNotes(connection, table, userColumns)),
    ...(table.isNodeLink ? [] : await sharedIdNotes(connection, table)),
  ];
}

/** Largest weight that single precision rounds to 0: half of its smallest positive number. */
const MAX_UNDERFLOW = 2 ** -150;

/** Reports weights that single precision rounds to zero, such as p-values. */
async function tinyWeightNotes(connection: DuckDBConnection, table: EdgeTable): Promise<string[]> {
  const { head, chosen, from } = table;
  const column = chosen.get("weight");
  if (column === undefined) return [];
  const weight = `try_cast(c${column}::VARCHAR AS DOUBLE)`;
  const [count, smallest, largest] = await readNumbers(
    connection,
    `SELECT count_if(w > 0 AND w <= ${MAX_UNDERFLOW}), min(w) FILTER (w > 0), max(w) FROM (SELECT ${weight} AS w FROM ${from})`,
  );
  if (count === 0) return [];
  const mayBeProbabilities = largest <= 1;
  const columns = [...chosen].map(([role, index]) => {
    const name = columnAt(table, index);
    return `${role === "weight" ? `-log10(greatest(${name}, 1e-307))` : name} AS ${role}`;
  });
  const query = `SELECT ${columns.join(", ")} FROM ${fileSource(table)}`;
  const advice = mayBeProbabilities
    ? `If they are p-values, take their negative logarithm: --sql ${shellQuery(query)}.`
    : "Take their logarithm or a root with --sql.";
  return [
    `${head.path}: ${count === 1 ? "one weight is" : `${count} weights are`} too small for single precision, the smallest ${smallest}; expected 0 or at least 1.4e-45. These edges are dropped. ${advice}`,
  ];
}

/** Reports a table without a header whose sources may have been read as relations. */
async function manyRelationsNotes(connection: DuckDBConnection, { head, chosen, from }: EdgeTable): Promise<string[]> {
  if (chosen.get("relation") !== 0 || chosen.size !== 3) return [];
  const [relations, nodes] = await readNumbers(
    connection,
    `SELECT count(DISTINCT c0), (SELECT count(*) FROM (SELECT c1 FROM ${from} UNION SELECT c2 FROM ${from})) FROM ${from}`,
  );
  if (relations < 4 || 2 * relations <= nodes) return [];
  return [
    `${head.path}: ${relations} relations are many for ${nodes} nodes. If its columns are source, target and weight, use --columns source=1,target=2,weight=3.`,
  ];
}

/** Reports a second pair of columns that may contain the endpoints of the edges. */
function otherEndpointsNotes({ head, chosen, names }: EdgeTable, userColumns: UserColumns): string[] {
  if (userColumns["source"] !== undefined && userColumns["target"] !== undefined) return [];
  const endpoints = [chosen.get("source"), chosen.get("target")];
  const other = findEndpointPairs(names).find(
    ({ source, target }) => !endpoints.includes(source) && !endpoints.includes(target),
  );
  if (other === undefined || endpoints.some((endpoint) => endpoint === undefined)) return [];
  const [source, target] = endpoints.map((endpoint) => names[endpoint ?? 0]);
  const columns = `source=${names[other.source]},target=${names[other.target]}`;
  return [
    `${head.path}: ${source} and ${target} are read as the endpoints of edges; ${names[other.source]} and ${names[other.target]} are not read. If they are the endpoints, give --columns ${shellWord(columns)}.`,
  ];
}

/** Column names that contain a node kind, such as userId or movie_id; the group is the kind. */
const ID_COLUMN = /^(.+?)[\s_-]*ids?$/i;
/** Column names of two different node kinds, users and items, that do not end in id. */
const USERS = /^(user|customer|client|member|reviewer|patient|student|author|actor)s?$/i;
const ITEMS =
  /^(item|product|movie|film|book|track|song|article|page|drug|disease|course|paper|merchant|group|tag)s?$/i;

/** Reports ids that occur in two columns of different node kinds: user 1 and film 1 would become the same node. */
async function sharedIdNotes(connection: DuckDBConnection, table: EdgeTable): Promise<string[]> {
  const { head, chosen, names } = table;
  const endpoints = ["source", "target"].flatMap((role) => names[chosen.get(role) ?? -1] ?? []);
  const areUsersAndItems = [USERS, ITEMS].every((pattern) => endpoints.some((name) => pattern.test(name.trim())));
  const kinds = endpoints.map((name) => (areUsersAndItems ? name : ID_COLUMN.exec(name.trim())?.[1])?.toLowerCase());
  if (kinds.length < 2 || kinds[0] === kinds[1] || kinds.some((kind) => kind === undefined || isEndpointName(kind)))
    return [];
  const [shared] = await readNumbers(
    connection,
    "SELECT count(*) FROM (SELECT source FROM edges INTERSECT SELECT target FROM edges)",
  );
  if (shared === 0) return [];
  const columns = [...chosen].map(([role, index]) => {
    const column = columnName(names[index]);
    const isEndpoint = role === "source" || role === "target";
    return `${isEndpoint ? `${quoteText(`${names[index]} `)} || ${column}` : column} AS ${role}`;
  });
  const query = `SELECT ${columns.join(", ")} FROM ${fileSource(table)}`;
  return [
    `${head.path}: ${shared === 1 ? "one id occurs" : `${shared} ids occur`} in both ${endpoints[0]} and ${endpoints[1]} and ${shared === 1 ? "is read as one node" : "are read as the same nodes"}. If they are different nodes, give --sql ${shellQuery(query)} instead.`,
  ];
}

/** Whether the name before `id` denotes an endpoint (source_id, node2_id) instead of a node kind (user_id). */
function isEndpointName(kind: string): boolean {
  const plain = EDGE_ROLES.filter(({ name }) => name === "source" || name === "target").flatMap(
    ({ aliases }) => aliases,
  );
  return /[12ab]$/.test(kind) || (kind !== "user" && kind !== "item" && plain.includes(kind));
}
