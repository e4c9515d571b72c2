/**
 * Reads a graph from one JSON object. d3 and networkx write a list `nodes` and a list `links` or `edges`, in which every item has a
 * source and a target. cytoscape.js writes both lists in `elements`, and every item inside `data`.
 *
 * Ends of links are ids of nodes, node objects (as d3 leaves them), or positions in the list of nodes, from 0. Whole numbers that are
 * not ids are positions. The id of a node is its `id`, else its `key`, else its `name`.
 */

import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../core/errors.js";
import { quoteText, quoteValue } from "../../core/text.js";
import { chooseByName, type UserColumns } from "../../sniff/choose-columns.js";
import { EDGE_ROLES } from "../../sniff/column-roles.js";
import { firstLine, quotePath, readNumbers, readStrings } from "../duckdb.js";
import type { FileHead } from "../file-head.js";
import type { Table } from "../tables/table.js";

export interface NodeLink {
  /** The table of edges. */
  readonly table: Table;
  /** A query for the ids in the list of nodes. */
  readonly nodes: string;
  readonly notes: readonly string[];
}

/** Assumed maximum of unpacked bytes per byte of a gzip file; not tuned. */
const MAX_EXPANSION = 20;
/** Bounds on the `maximum_object_size` for DuckDB, in bytes: its default, 16 MiB, and the largest 32-bit number. */
const MIN_OBJECT_BYTES = 1 << 24;
const MAX_OBJECT_BYTES = 2 ** 32 - 1;

/** Opens a JSON object of nodes and links. `number` distinguishes the tables of several files. */
export async function openNodeLink(
  connection: DuckDBConnection,
  head: FileHead,
  { columns: userColumns, directed, number }: { columns?: UserColumns; directed: boolean; number: number },
): Promise<NodeLink> {
  const [links, nodes] = [`links_${number}`, `nodes_of_links_${number}`];
  const fault = (what: string) => new InputError(`${head.path}: ${what}`);
  try {
    await createTables(connection, head, links, nodes);
  } catch (error) {
    const reason = firstLine(error)
      .replace(/ in file ".*?"/, "")
      .trim();
    throw fault(`cannot be read as a JSON object of nodes and links: ${reason}`);
  }
  const names = await readStrings(connection, `SELECT DISTINCT unnest(json_keys(item)) AS k FROM ${links} ORDER BY k`);
  if (names.length === 0)
    throw fault("no list of links or edges; expected one, with a source and a target in each item.");
  const chosen = chooseByName(head.path, names, EDGE_ROLES, userColumns);
  const ends = ["source", "target"].map((role) => pointer(names[chosen.get(role) ?? 0]));
  const byPosition = await arePositions(connection, links, nodes, ends, fault);
  const fields = names.map((name, i) => {
    const at = pointer(name);
    const plain = `json_extract_string(item, ${quoteText(at)})`;
    // networkx writes only the attributes that are set.
    if (chosen.get("weight") === i) return `coalesce(${plain}, '1') AS c${i}`;
    if (!ends.includes(at)) return `${plain} AS c${i}`;
    if (byPosition) return `(SELECT id FROM ${nodes} WHERE list_index = TRY_CAST(${plain} AS BIGINT)) AS c${i}`;
    return `coalesce(json_extract_string(item, ${quoteText(`${at}/id`)}), ${plain}) AS c${i}`;
  });
  const from = `(SELECT ${fields.join(", ")} FROM ${links})`;
  return {
    table: { head, kind: "json", names, chosen, header: true, isNodeLink: true, from },
    nodes: `SELECT id FROM ${nodes} WHERE id <> ''`,
    notes: await nodeLinkNotes(connection, head.path, {
      links,
      directed,
      byPosition,
      hasRelation: chosen.has("relation"),
      weight: chosen.has("weight") ? pointer(names[chosen.get("weight") ?? 0]) : undefined,
    }),
  };
}

/** Creates the table `links(item)` of the links and the table `nodes(list_index, id)` of the nodes. */
async function createTables(connection: DuckDBConnection, head: FileHead, links: string, nodes: string): Promise<void> {
  const { size } = await stat(head.file);
  const bytes = Math.min(MAX_OBJECT_BYTES, Math.max(MIN_OBJECT_BYTES, size * (head.gzip ? MAX_EXPANSION : 1)));
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
  // In a list of names instead of objects, the names are the ids.
  const name = "CASE WHEN json_type(item) = 'OBJECT' THEN NULL ELSE item->>'$' END";
  const id = `coalesce(item->>'/id', item->>'/key', item->>'/name', ${name})`;
  await connection.run(
    `CREATE TEMP TABLE ${nodes} AS SELECT row_number() OVER () - 1 AS list_index, ${id} AS id ` +
      `FROM ${items(`coalesce(nodes, ${inElements("nodes")})`)} WHERE NOT coalesce(${isLink}, false)`,
  );
  await connection.run(`UPDATE ${nodes} SET id = CAST(list_index AS VARCHAR) WHERE id IS NULL`);
}

/** Whether endpoints are positions in the list of nodes. Throws if an endpoint is neither a position nor an id. */
async function arePositions(
  connection: DuckDBConnection,
  links: string,
  nodes: string,
  ends: readonly string[],
  fault: (what: string) => InputError,
): Promise<boolean> {
  const all = ends
    .map((at) => `SELECT coalesce(item->>${quoteText(`${at}/id`)}, item->>${quoteText(at)}) AS e FROM ${links}`)
    .join(" UNION ALL ");
  const [notIds, notPositions, numNodes] = await readNumbers(
    connection,
    `SELECT count_if(id IS NULL), count_if(TRY_CAST(e AS BIGINT) IS NULL OR TRY_CAST(e AS BIGINT) NOT BETWEEN 0 AND ` +
      `(SELECT count(*) - 1 FROM ${nodes})), (SELECT count(*) FROM ${nodes}) ` +
      `FROM (${all}) LEFT JOIN (SELECT DISTINCT id FROM ${nodes}) ON id = e`,
  );
  if (notIds === 0 || numNodes === 0) return false;
  if (notPositions === 0) return true;
  const unknown = await readStrings(
    connection,
    `SELECT DISTINCT e FROM (${all}) ANTI JOIN ${nodes} ON id = e WHERE e IS NOT NULL ORDER BY e LIMIT 1`,
  );
  if (unknown.length === 0) return false;
  throw fault(`${quoteValue(unknown[0])} is the end of a link, but not in the list of nodes; expected it there.`);
}

interface LinkReading {
  readonly links: string;
  readonly directed: boolean;
  readonly byPosition: boolean;
  /** Whether relations are read from a field. */
  readonly hasRelation: boolean;
  /** The JSON pointer of the weight, if there is one. */
  readonly weight?: string;
}

async function nodeLinkNotes(
  connection: DuckDBConnection,
  path: string,
  { links, directed, byPosition, hasRelation, weight }: LinkReading,
): Promise<string[]> {
  const withoutWeight = weight === undefined ? "0" : `count_if((item->>${quoteText(weight)}) IS NULL)`;
  const [isDirected, keys, unweighted] = await readNumbers(
    connection,
    `SELECT (SELECT count_if(directed->>'$' = 'true') FROM object), count(DISTINCT item->>'/key'), ${withoutWeight} FROM ${links}`,
  );
  return [
    ...(byPosition ? [`${path}: endpoints of links are read as positions in the list of nodes, from 0.`] : []),
    ...(isDirected > 0 && !directed
      ? [
          `${path}: the graph is declared directed and read as undirected. Give --directed to keep the direction of edges.`,
        ]
      : []),
    ...(unweighted > 0
      ? [`${path}: ${unweighted === 1 ? "1 link has" : `${unweighted} links have`} no weight; it is read as 1.`]
      : []),
    ...(keys > 1 && !hasRelation
      ? [`${path}: links have a key, which is not read. To read it as the relation, use --columns relation=key.`]
      : []),
  ];
}

/** The JSON pointer of a key. */
function pointer(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
