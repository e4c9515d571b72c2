/**
 * A graph in one JSON object: a list of nodes, and one of `links` or `edges` with source and target in each, as d3 and networkx
 * write it; or both under `elements`, each inside `data`, as cytoscape.js does.
 *
 * Ends are ids of nodes, nodes themselves (as d3 leaves them), or places in the list of nodes, from 0: that is what
 * whole numbers are that are no ids. Nodes without `id` have their `key`, or their `name`.
 */

import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { quoteValue } from "../../core/text.js";
import { firstLine, quotePath, quoteText, readNumbers, readStrings } from "../duckdb.js";
import type { FileHead } from "../sniff/file-head.js";
import { chooseByName, EDGE_ROLES, type GivenColumns } from "../tables/columns.js";
import type { Table } from "../tables/table.js";

export interface NodeLink {
  /** Of its edges. */
  readonly table: Table;
  /** A query of the ids in its list of nodes. */
  readonly nodes: string;
  readonly notes: readonly string[];
}

/** What a packed file may grow by. */
const MAX_PACKED = 20;
const MIN_OBJECT_BYTES = 1 << 24;
const MAX_OBJECT_BYTES = 2 ** 32 - 1;

export function isNodeLink({ text }: FileHead): boolean {
  return /^\s*\{/.test(text) && /"(nodes|links|edges|elements)"\s*:\s*[[{]/.test(text);
}

/** `number` is that of the file among those read; `directed` whether direction is kept. */
export async function openNodeLink(
  connection: DuckDBConnection,
  head: FileHead,
  { columns: given, directed, number }: { columns?: GivenColumns; directed: boolean; number: number },
): Promise<NodeLink> {
  const [links, nodes] = [`links_${number}`, `nodes_of_links_${number}`];
  const fault = (what: string) => new InputError(`${head.path}: ${what}`);
  try {
    await unpack(connection, head, links, nodes);
  } catch (error) {
    const reason = firstLine(error)
      .replace(/ in file ".*?"/, "")
      .trim();
    throw fault(`cannot be read as a JSON object of nodes and links: ${reason}`);
  }
  const names = await readStrings(connection, `SELECT DISTINCT unnest(json_keys(item)) AS k FROM ${links} ORDER BY k`);
  if (names.length === 0) throw fault("no list of links or edges in it; expected one, with source and target in each.");
  const chosen = chooseByName(head.path, names, EDGE_ROLES, given);
  const ends = ["source", "target"].map((role) => pointer(names[chosen.get(role) ?? 0]));
  const byPlace = await areByPlace(connection, links, nodes, ends, fault);
  const fields = names.map((name, i) => {
    const at = pointer(name);
    const plain = `json_extract_string(item, ${quoteText(at)})`;
    // networkx writes an attribute where it is set
    if (chosen.get("weight") === i) return `coalesce(${plain}, '1') AS c${i}`;
    if (!ends.includes(at)) return `${plain} AS c${i}`;
    if (byPlace) return `(SELECT id FROM ${nodes} WHERE place = TRY_CAST(${plain} AS BIGINT)) AS c${i}`;
    return `coalesce(json_extract_string(item, ${quoteText(`${at}/id`)}), ${plain}) AS c${i}`;
  });
  const from = `(SELECT ${fields.join(", ")} FROM ${links})`;
  return {
    table: { head, kind: "json", names, chosen, header: true, oneObject: true, from },
    nodes: `SELECT id FROM ${nodes} WHERE id <> ''`,
    notes: await notesOf(connection, head.path, {
      links,
      directed,
      byPlace,
      keyed: chosen.has("relation"),
      weight: chosen.has("weight") ? pointer(names[chosen.get("weight") ?? 0]) : undefined,
    }),
  };
}

/** Fills a table of links, `item`, and one of nodes, `place` and `id`. */
async function unpack(connection: DuckDBConnection, head: FileHead, links: string, nodes: string): Promise<void> {
  const { size } = await stat(head.file);
  const bytes = Math.min(MAX_OBJECT_BYTES, Math.max(MIN_OBJECT_BYTES, size * (head.gzip ? MAX_PACKED : 1)));
  await connection.run(
    "CREATE OR REPLACE TEMP TABLE object AS SELECT * FROM " +
      `read_json(${quotePath(head.file)}, format = 'unstructured', maximum_object_size = ${bytes}, ` +
      `compression = '${head.gzip ? "gzip" : "uncompressed"}', hive_partitioning = false, ` +
      "columns = {nodes: 'JSON', links: 'JSON', edges: 'JSON', elements: 'JSON', directed: 'JSON'})",
  );
  const items = (list: string) =>
    `(SELECT coalesce(json_extract(raw, '/data'), raw) AS item FROM (SELECT unnest(CAST(${list} AS JSON[])) AS raw FROM object))`;
  const inElements = (part: string) =>
    `CASE WHEN json_type(elements) = 'ARRAY' THEN elements ELSE json_extract(elements, '/${part}') END`;
  const isLink = "json_exists(item, '/source') AND json_exists(item, '/target')";
  await connection.run(
    `CREATE TEMP TABLE ${links} AS SELECT item FROM ${items(`coalesce(links, edges, ${inElements("edges")})`)} ` +
      `WHERE (SELECT elements IS NULL FROM object) OR (${isLink})`,
  );
  // of a list of names each is its own id
  const own = "CASE WHEN json_type(item) = 'OBJECT' THEN NULL ELSE item->>'$' END";
  const id = `coalesce(item->>'/id', item->>'/key', item->>'/name', ${own})`;
  await connection.run(
    `CREATE TEMP TABLE ${nodes} AS SELECT row_number() OVER () - 1 AS place, ${id} AS id ` +
      `FROM ${items(`coalesce(nodes, ${inElements("nodes")})`)} WHERE NOT coalesce(${isLink}, false)`,
  );
  await connection.run(`UPDATE ${nodes} SET id = CAST(place AS VARCHAR) WHERE id IS NULL`);
}

/** Whether ends are places in the list of nodes; fails where they are neither these nor ids of it. */
async function areByPlace(
  connection: DuckDBConnection,
  links: string,
  nodes: string,
  ends: readonly string[],
  fault: (what: string) => InputError,
): Promise<boolean> {
  const all = ends
    .map((at) => `SELECT coalesce(item->>${quoteText(`${at}/id`)}, item->>${quoteText(at)}) AS e FROM ${links}`)
    .join(" UNION ALL ");
  const [strange, outside, listed] = await readNumbers(
    connection,
    `SELECT count_if(id IS NULL), count_if(TRY_CAST(e AS BIGINT) IS NULL OR TRY_CAST(e AS BIGINT) NOT BETWEEN 0 AND ` +
      `(SELECT count(*) - 1 FROM ${nodes})), (SELECT count(*) FROM ${nodes}) ` +
      `FROM (${all}) LEFT JOIN (SELECT DISTINCT id FROM ${nodes}) ON id = e`,
  );
  if (strange === 0 || listed === 0) return false;
  if (outside === 0) return true;
  const unknown = await readStrings(
    connection,
    `SELECT DISTINCT e FROM (${all}) ANTI JOIN ${nodes} ON id = e WHERE e IS NOT NULL ORDER BY e LIMIT 1`,
  );
  if (unknown.length === 0) return false;
  throw fault(`${quoteValue(unknown[0])} is the end of a link, but not among the nodes; expected it there.`);
}

interface LinkReading {
  readonly links: string;
  readonly directed: boolean;
  readonly byPlace: boolean;
  /** Whether relations are read from a field. */
  readonly keyed: boolean;
  /** The pointer of the weight, where there is one. */
  readonly weight?: string;
}

async function notesOf(
  connection: DuckDBConnection,
  path: string,
  { links, directed, byPlace, keyed, weight }: LinkReading,
): Promise<string[]> {
  const bare = weight === undefined ? "0" : `count_if((item->>${quoteText(weight)}) IS NULL)`;
  const [says, keys, light] = await readNumbers(
    connection,
    `SELECT (SELECT count_if(directed->>'$' = 'true') FROM object), count(DISTINCT item->>'/key'), ${bare} FROM ${links}`,
  );
  return [
    ...(byPlace ? [`${path}: ends of links are read as places in the list of nodes, from 0.`] : []),
    ...(says > 0 && !directed ? [`${path}: says that it is directed; --directed keeps the direction.`] : []),
    ...(light > 0 ? [`${path}: ${light} ${light === 1 ? "link has" : "links have"} no weight; read as 1.`] : []),
    ...(keys > 1 && !keyed ? [`${path}: links have a key; --columns relation=key reads it as their relation.`] : []),
  ];
}

/** The JSON pointer of a key. */
function pointer(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
