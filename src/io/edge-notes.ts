/** What to tell about a file of edges whose columns may mean something else than they were taken for. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { firstNames } from "../core/first-names.js";
import { NO_VALUES } from "../core/no-values.js";
import { shellWord } from "../core/shell-word.js";
import {
  EDGE_ROLES,
  findAlias,
  findEnds,
  type GivenColumns,
  isNumeric,
  RELATION_ROLE,
  type Role,
  WEIGHT_ROLE,
} from "./columns.js";
import { quoteName, quoteText, readNumbers, readStrings } from "./duckdb.js";
import type { Table } from "./table.js";

type EdgeTable = Pick<Table, "head" | "chosen" | "names" | "header" | "firstRow" | "commented" | "from" | "oneObject">;

/** Once its rows are in `edges`. */
export async function edgeNotes(
  connection: DuckDBConnection,
  table: EdgeTable,
  given: GivenColumns = {},
): Promise<string[]> {
  if (!table.header) {
    const guessed = Object.keys(given).length === 0;
    return [
      ...commentNotes(table),
      ...(await firstRowNotes(connection, table)),
      ...(guessed ? await manyRelationsNotes(connection, table) : []),
    ];
  }
  return [
    ...otherEndsNotes(table, given),
    ...(await unreadNotes(connection, table, given)),
    ...(table.oneObject ? [] : await sharedIdNotes(connection, table)),
  ];
}

/** `#art,#music` above rows of two names. */
function commentNotes({ head, commented }: EdgeTable): string[] {
  if (commented === undefined || !/^[#%]\S/.test(commented.text)) return [];
  return [
    `${head.path}: lines at its top that begin with # or % are not read, such as ${JSON.stringify(commented.text.slice(0, 60))}. If they are edges, put a header line in front.`,
  ];
}

/** A first row of two names that no other edge has may be a header of unknown names. */
async function firstRowNotes(
  connection: DuckDBConnection,
  { head, chosen, firstRow = [] }: EdgeTable,
): Promise<string[]> {
  const header = [...chosen].map(([role, index]) => `${role}=${shellWord(firstRow[index] ?? "")}`).join(",");
  const ends = ["source", "target"].flatMap((role) => firstRow[chosen.get(role) ?? -1] ?? []);
  if (ends.length < 2 || ends.some(isNumeric)) return [];
  const list = ends.map(quoteText).join(", ");
  const [touching, all] = await readNumbers(
    connection,
    `SELECT count(*) FILTER (source IN (${list}) OR target IN (${list})), count(*) FROM edges`,
  );
  if (touching !== 1 || all < 3) return [];
  return [
    `${head.path}: its first row, ${ends.join(" and ")}, is read as an edge, though no other has these ends. If it is a header, give --columns ${header}.`,
  ];
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
const MOST_KINDS = 50;
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
async function unreadNotes(
  connection: DuckDBConnection,
  { head, chosen, names, from, oneObject = false }: EdgeTable,
  given: GivenColumns,
): Promise<string[]> {
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
  const [kind] = texts.filter(({ kinds, name }) => kinds <= MOST_KINDS && name.trim().toLowerCase() !== "type");
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
    texts.filter(({ kinds }) => kinds <= MOST_KINDS),
  );
  rival(WEIGHT_ROLE, numbers);
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

/** A name that says whose ids a column has, as userId or movie_id. */
const IDS_OF = /^(.+?)[\s_-]*ids?$/i;
/** Two sorts of nodes whose names need no such ending. */
const USERS = /^(user|customer|client|member|reviewer|patient|student|author|actor)s?$/i;
const ITEMS =
  /^(item|product|movie|film|book|track|song|article|page|drug|disease|course|paper|merchant|group|tag)s?$/i;

/** Ids that are numbered on both sides, as those of users and of films, become the same nodes. */
async function sharedIdNotes(connection: DuckDBConnection, { head, chosen, names }: EdgeTable): Promise<string[]> {
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
    const column = /^[A-Za-z_]\w*$/.test(names[index]) ? names[index] : quoteName(names[index]);
    const isEnd = role === "source" || role === "target";
    return `${isEnd ? `${quoteText(`${names[index]} `)} || ${column}` : column} AS ${role}`;
  });
  const query = `SELECT ${columns.join(", ")} FROM ${quoteText(head.path)}`;
  return [
    `${head.path}: ids found in both ${ends[0]} and ${ends[1]} (${shared}) are read as the same nodes. If they should not be, give --sql ${/["$`\\!]/.test(query) ? shellWord(query) : `"${query}"`} instead.`,
  ];
}

/** What names of nodes and relations may mean beside themselves. */
export async function nameNotes(connection: DuckDBConnection): Promise<string[]> {
  const list = NO_VALUES.map(quoteText).join(", ");
  const absent = (column: string) => `(length(${column}) <= 4 AND lower(${column}) IN (${list}))`;
  const [decimal, nodes, relations] = await readNumbers(
    connection,
    "SELECT count(*) FILTER (suffix(source, '.0') OR suffix(target, '.0')), " +
      `count(*) FILTER (${absent("source")} OR ${absent("target")}), count(*) FILTER (${absent("relation")}) FROM edges`,
  );
  const notes = [...(decimal === 0 ? [] : await decimalNotes(connection)), ...(await composedNotes(connection))];
  const ends = "(SELECT source AS name FROM edges UNION ALL SELECT target FROM edges)";
  for (const [rows, what, from] of [
    [nodes, "a node", ends],
    [relations, "a relation", "(SELECT relation AS name FROM edges)"],
  ] as const) {
    if (rows === 0) continue;
    const names = await readStrings(
      connection,
      `SELECT DISTINCT name FROM ${from} WHERE ${absent("name")} ORDER BY name`,
    );
    const called = firstNames(
      names.map((name) => JSON.stringify(name)),
      3,
    );
    notes.push(
      `${called} is read as ${what} (${rows === 1 ? "one row" : `${rows} rows`}). If it says that there is none, leave such rows out.`,
    );
  }
  return notes;
}

/** Whole numbers with and without .0, as tables write them whose column has gaps, are two nodes. */
async function decimalNotes(connection: DuckDBConnection): Promise<string[]> {
  const [both, example] = await readNumbers(
    connection,
    "WITH ids AS (SELECT source AS id FROM edges UNION SELECT target FROM edges) " +
      "SELECT count(*), min(try_cast(plain.id AS BIGINT)) FROM ids AS plain JOIN ids ON ids.id = plain.id || '.0' " +
      "WHERE regexp_full_match(plain.id, '[0-9]+')",
  );
  if (both === 0) return [];
  return [
    `ids found with and without .0 (${both}), such as ${example}.0 and ${example}, are different nodes. If they should be the same, write them alike.`,
  ];
}

/** Letters with accents, in one sign or in two: they look the same, and make two nodes. */
async function composedNotes(connection: DuckDBConnection): Promise<string[]> {
  const both = await readStrings(
    connection,
    "WITH ids AS (SELECT source AS id FROM edges UNION SELECT target FROM edges) " +
      "SELECT nfc_normalize(id) FROM ids WHERE strlen(id) <> length(id) GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL",
  );
  if (both.length === 0) return [];
  return [
    `ids written in two ways that look the same (${both.length}), such as ${JSON.stringify(both[0])}, are different nodes: their accents are letters of their own in one of them. If they should be the same, write them alike (Unicode NFC).`,
  ];
}

/** Ends of the same kind, which are told apart by what they are in the edge: source_id, id of node2. */
function isAnyEnd(kind: string): boolean {
  const plain = EDGE_ROLES.filter(({ name }) => name === "source" || name === "target").flatMap(
    ({ aliases }) => aliases,
  );
  return /[12ab]$/.test(kind) || (kind !== "user" && kind !== "item" && plain.includes(kind));
}
