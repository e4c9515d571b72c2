/** What to tell about a file of edges whose columns may mean something else than they were taken for. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { firstNames, shellQuery, shellWord } from "../../core/text.js";
import { quoteName, quoteText, readNumbers } from "../duckdb.js";
import { inputName, isUnnamed, STANDARD_INPUT } from "../spool.js";
import {
  EDGE_ROLES,
  findAlias,
  findEnds,
  type GivenColumns,
  RELATION_ROLE,
  type Role,
  WEIGHT_ROLE,
} from "../tables/columns.js";
import { commentNotes, type EdgeTable, firstRowNotes, repeatedHeaderNotes } from "./row-notes.js";

/** Once its rows are in `edges`. */
export async function edgeNotes(
  connection: DuckDBConnection,
  table: EdgeTable,
  given: GivenColumns = {},
): Promise<string[]> {
  const light = await tinyWeightNotes(connection, table);
  if (!table.header) {
    const guessed = Object.keys(given).length === 0;
    return [
      ...light,
      ...commentNotes(table),
      ...(await firstRowNotes(connection, table)),
      ...(guessed ? await manyRelationsNotes(connection, table) : []),
    ];
  }
  return [
    ...light,
    ...(await repeatedHeaderNotes(connection, table)),
    ...otherEndsNotes(table, given),
    ...(await unreadNotes(connection, table, given)),
    ...(table.oneObject ? [] : await sharedIdNotes(connection, table)),
  ];
}

/** Positive weights up to this, half of the smallest number of single precision, are 0 in it. */
const LARGEST_UNDERFLOW = 2 ** -150;

/** Weights that single precision rounds to zero, such as p-values. */
async function tinyWeightNotes(connection: DuckDBConnection, table: EdgeTable): Promise<string[]> {
  const { head, chosen, from } = table;
  const column = chosen.get("weight");
  if (column === undefined) return [];
  const weight = `try_cast(c${column}::VARCHAR AS DOUBLE)`;
  const [count, smallest, largest] = await readNumbers(
    connection,
    `SELECT count_if(w > 0 AND w <= ${LARGEST_UNDERFLOW}), min(w) FILTER (w > 0), max(w) FROM (SELECT ${weight} AS w FROM ${from})`,
  );
  if (count === 0) return [];
  const areShares = largest <= 1;
  const columns = [...chosen].map(([role, index]) => {
    const name = columnInQuery(table, index);
    return `${role === "weight" ? `-log10(greatest(${name}, 1e-307))` : name} AS ${role}`;
  });
  const query = `SELECT ${columns.join(", ")} FROM ${readable(table)}`;
  const advice = areShares
    ? `If they are p-values, take their negative logarithm: --sql ${shellQuery(query)}.`
    : "Take their logarithm or a root with --sql.";
  return [
    `${head.path}: ${count === 1 ? "one weight is" : `${count} weights are`} too small for single precision, the smallest ${smallest}; expected 0 or at least 1.4e-45. Such edges are dropped. ${advice}`,
  ];
}

/** A column as a query names it. */
function columnInQuery({ names, header, kind }: EdgeTable, index: number): string {
  return header || kind !== "text" ? plainName(names[index]) : `column${index}`;
}

/** Sources that were taken for relations, where the third column is a weight. */
async function manyRelationsNotes(connection: DuckDBConnection, { head, chosen, from }: EdgeTable): Promise<string[]> {
  if (chosen.get("relation") !== 0 || chosen.size !== 3) return [];
  const [relations, nodes] = await readNumbers(
    connection,
    `SELECT count(DISTINCT c0), (SELECT count(*) FROM (SELECT c1 FROM ${from} UNION SELECT c2 FROM ${from})) FROM ${from}`,
  );
  if (relations < 4 || 2 * relations <= nodes) return [];
  return [
    `${head.path}: ${relations} relations of ${nodes} nodes are many. If its columns are source, target and weight, give --columns source=1,target=2,weight=3.`,
  ];
}

/** Rows from which it is told what a column holds. */
const LOOKED_AT = 1e6;
/** More values than these are no kinds of edges. */
const MAX_KINDS = 50;
/** Names of columns that say when an edge was, or which one it is. */
const NO_STRENGTH = /(^|[\s_-])(date|time|timestamp|ids?)$|[a-z](Date|Time|Timestamp|I[dD])$/;
/** Columns that have none below hold times, or numbers that name something. */
const LARGEST_STRENGTH = 1e8;

function isNoStrength(name: string): boolean {
  return [name, name.toLowerCase()].some((text) => NO_STRENGTH.test(text.trim()));
}

/** What programs put into the links of a JSON object that says nothing of how strong or of what kind they are. */
const OF_OBJECTS = ["id", "key", "index"];

/** Of two pairs of columns that may be the ends. */
function otherEndsNotes({ head, chosen, names }: EdgeTable, given: GivenColumns): string[] {
  if (given["source"] !== undefined && given["target"] !== undefined) return [];
  const ends = [chosen.get("source"), chosen.get("target")];
  const other = findEnds(names).find(({ source, target }) => !ends.includes(source) && !ends.includes(target));
  if (other === undefined || ends.some((end) => end === undefined)) return [];
  const [source, target] = ends.map((end) => names[end ?? 0]);
  const columns = `source=${names[other.source]},target=${names[other.target]}`;
  return [
    `${head.path}: ${source} and ${target} are read as the ends of edges, ${names[other.source]} and ${names[other.target]} not. If those are meant, give --columns ${shellWord(columns)}.`,
  ];
}

/** Columns that nobody reads: of numbers where edges have no weights, of a few texts where they have no relation. */
async function unreadNotes(connection: DuckDBConnection, table: EdgeTable, given: GivenColumns): Promise<string[]> {
  const { head, chosen, names, from, oneObject = false } = table;
  const columnsRead = [...chosen.values()];
  const isOpaque = (name: string) => name === "" || (oneObject && OF_OBJECTS.includes(name));
  const unread = names.map((_, c) => c).filter((c) => !columnsRead.includes(c) && !isOpaque(names[c].trim()));
  if (unread.length === 0) return [];
  const tests = unread.map((c) => {
    const number = `try_cast(c${c}::VARCHAR AS DOUBLE)`;
    return `count(c${c}), count(${number}), count(DISTINCT c${c}::VARCHAR), coalesce(min(${number}), 0)`;
  });
  const counts = await readNumbers(connection, `SELECT ${tests.join(", ")} FROM (FROM ${from} LIMIT ${LOOKED_AT})`);
  const columns = unread.map((c, k) => {
    const [rows, numeric, kinds, least] = counts.slice(4 * k, 4 * k + 4);
    return { name: names[c], rows, kinds, least, isNumber: rows > 0 && numeric === rows };
  });
  const numbers = columns.filter(({ isNumber }) => isNumber);
  const texts = columns.filter(({ isNumber, rows, kinds }) => !isNumber && kinds > 1 && 2 * kinds <= rows);
  const notes: string[] = [];
  // a column Type that was not taken for relation is Gephi's
  const [kind] = texts.filter(({ kinds, name }) => kinds <= MAX_KINDS && name.trim().toLowerCase() !== "type");
  const isOpen = (role: string) => !chosen.has(role) && given[role] === undefined;
  if (isOpen("relation") && kind !== undefined) {
    const values = kind.rows < LOOKED_AT ? ` (${kind.kinds} values)` : "";
    notes.push(
      `${head.path}: ${kind.name} not read${values}. If it says of what kind an edge is, give it: --columns ${shellWord(`relation=${kind.name}`)}.`,
    );
  }
  const rival = (role: Role, columns: readonly { readonly name: string }[]) => {
    const read = chosen.get(role.name);
    const other = columns.find(({ name }) => findAlias(role, [name]) === 0);
    if (read === undefined || given[role.name] !== undefined || other === undefined) return;
    notes.push(
      `${head.path}: ${names[read]} is read as ${role.name}, ${other.name} not. If that is meant, give --columns ${shellWord(`${role.name}=${other.name}`)}.`,
    );
  };
  rival(
    RELATION_ROLE,
    texts.filter(({ kinds }) => kinds <= MAX_KINDS),
  );
  rival(WEIGHT_ROLE, numbers);
  // as in STRING's detailed scores
  const channels = numbers.filter(({ name, least }) => !isNoStrength(name) && least < LARGEST_STRENGTH);
  if (isOpen("relation") && chosen.has("weight") && given["weight"] === undefined && channels.length > 1) {
    const columns = channels.map(({ name }) => plainName(name)).join(", ");
    const ends = ["source", "target"].map((role) => `${plainName(names[chosen.get(role) ?? 0])} AS ${role}`).join(", ");
    // of these columns alone: one called weight would be taken for the value
    const wanted = `SELECT ${ends}, ${columns} FROM ${readable(table)}`;
    const query = `FROM (UNPIVOT (${wanted}) ON ${columns} INTO NAME relation VALUE weight) WHERE weight > 0`;
    notes.push(
      `${head.path}: ${firstNames(
        channels.map(({ name }) => name),
        4,
      )} not read. If each is a strength of its own kind, they can be a relation each: --sql ${shellQuery(query)}.`,
    );
  }
  if (isOpen("weight") && numbers.length > 0) {
    const called = numbers.map(({ name }) => name);
    const strength = numbers.find(({ name, least }) => !isNoStrength(name) && least < LARGEST_STRENGTH);
    const advice =
      strength === undefined
        ? ""
        : ` If ${called.length === 1 ? "it says" : "one says"} how strong an edge is, give it, as in --columns ${shellWord(`weight=${strength.name}`)}.`;
    notes.push(`${head.path}: ${firstNames(called, 4)} not read.${advice}`);
  }
  return notes;
}

/** Names of columns of edges that are words of the language of queries. */
const RESERVED = new Set(
  "from to user order group end table column select where in on as all any both desc asc".split(" "),
);

/** A column's name in a query, in quotes where it must be. */
function plainName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name.toLowerCase()) ? name : quoteName(name);
}

/** A file as a query reads it; DuckDB knows texts by their extension only. */
function readable({ head, kind, dialect, header }: EdgeTable): string {
  const path = quoteText(isUnnamed(head.path) || head.path === inputName(STANDARD_INPUT) ? "FILE" : head.path);
  if (kind !== "text" || (header && ["csv", "tsv"].includes(head.extension))) return path;
  const delim = { spaces: " ", "\t": "\\t" }[dialect?.delimiter ?? ","] ?? dialect?.delimiter;
  return `read_csv(${path}, delim = '${delim}'${header ? "" : ", header = false"})`;
}

/** A name that says whose ids a column has, as userId or movie_id. */
const IDS_OF = /^(.+?)[\s_-]*ids?$/i;
/** Two sorts of nodes whose names need no such ending. */
const USERS = /^(user|customer|client|member|reviewer|patient|student|author|actor)s?$/i;
const ITEMS =
  /^(item|product|movie|film|book|track|song|article|page|drug|disease|course|paper|merchant|group|tag)s?$/i;

/** Ids that are numbered on both sides, as those of users and of films, become the same nodes. */
async function sharedIdNotes(connection: DuckDBConnection, table: EdgeTable): Promise<string[]> {
  const { head, chosen, names } = table;
  const ends = ["source", "target"].flatMap((role) => names[chosen.get(role) ?? -1] ?? []);
  const sorts = [USERS, ITEMS].every((sort) => ends.some((name) => sort.test(name.trim())));
  const kinds = ends.map((name) => (sorts ? name : IDS_OF.exec(name.trim())?.[1])?.toLowerCase());
  if (kinds.length < 2 || kinds[0] === kinds[1] || kinds.some((kind) => kind === undefined || isAnyEnd(kind)))
    return [];
  const [shared] = await readNumbers(
    connection,
    "SELECT count(*) FROM (SELECT source FROM edges INTERSECT SELECT target FROM edges)",
  );
  if (shared === 0) return [];
  const columns = [...chosen].map(([role, index]) => {
    const column = plainName(names[index]);
    const isEnd = role === "source" || role === "target";
    return `${isEnd ? `${quoteText(`${names[index]} `)} || ${column}` : column} AS ${role}`;
  });
  const query = `SELECT ${columns.join(", ")} FROM ${readable(table)}`;
  return [
    `${head.path}: ids found in both ${ends[0]} and ${ends[1]} (${shared}) are read as the same nodes. If they should not be, give --sql ${shellQuery(query)} instead.`,
  ];
}

/** Ends of the same kind, which are told apart by what they are in the edge: source_id, id of node2. */
function isAnyEnd(kind: string): boolean {
  const plain = EDGE_ROLES.filter(({ name }) => name === "source" || name === "target").flatMap(
    ({ aliases }) => aliases,
  );
  return /[12ab]$/.test(kind) || (kind !== "user" && kind !== "item" && plain.includes(kind));
}
