/** A graph in one JSON object, as d3 and networkx write it: a list of nodes, and one of `links` or `edges`. */

import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../core/errors.js";
import { chooseByName, EDGE_ROLES, type GivenColumns } from "./columns.js";
import { firstLine, quotePath, quoteText, readStrings } from "./duckdb.js";
import type { FileHead } from "./file-head.js";
import type { Table } from "./table.js";

export interface NodeLink {
  /** Of its edges. */
  readonly table: Table;
  /** A query of the ids that its list of nodes has. */
  readonly nodes: string;
}

/** What a packed file may grow by. */
const MOST_PACKED = 20;
const LEAST_OBJECT_BYTES = 1 << 24;
const MOST_OBJECT_BYTES = 2 ** 32 - 1;

export function isNodeLink({ text }: FileHead): boolean {
  return (
    /^\s*\{\s*"(directed|multigraph|graph|nodes|links|edges)"\s*:/.test(text) &&
    /"(nodes|links|edges)"\s*:\s*\[/.test(text)
  );
}

export async function openNodeLink(
  connection: DuckDBConnection,
  head: FileHead,
  given: GivenColumns | undefined,
): Promise<NodeLink> {
  const { size } = await stat(head.path);
  const bytes = Math.min(MOST_OBJECT_BYTES, Math.max(LEAST_OBJECT_BYTES, size * (head.gzip ? MOST_PACKED : 1)));
  const object =
    `read_json(${quotePath(head.path)}, format = 'unstructured', maximum_object_size = ${bytes}, ` +
    `compression = '${head.gzip ? "gzip" : "uncompressed"}', hive_partitioning = false, ` +
    "columns = {nodes: 'JSON', links: 'JSON', edges: 'JSON'})";
  const items = (list: string) => `(SELECT unnest(CAST(${list} AS JSON[])) AS item FROM ${object})`;
  const links = items("coalesce(links, edges)");
  let names: string[];
  try {
    names = await readStrings(
      connection,
      `SELECT DISTINCT unnest(json_keys(item)) AS name FROM ${links} ORDER BY name`,
    );
  } catch (error) {
    throw new InputError(
      `${head.path}: cannot be read as JSON: ${firstLine(error)
        .replace(/ in file ".*?"/, "")
        .trim()}`,
    );
  }
  if (names.length === 0) {
    throw new InputError(
      `${head.path}: no list of links or edges in it; expected one, with source and target in each.`,
    );
  }
  const chosen = chooseByName(head.path, names, EDGE_ROLES, given);
  const fields = names.map((name, i) => `json_extract_string(item, ${quoteText(pointer(name))}) AS c${i}`).join(", ");
  return {
    table: {
      head,
      kind: "json",
      names,
      chosen,
      header: true,
      oneObject: true,
      from: `(SELECT ${fields} FROM ${links})`,
    },
    nodes: `SELECT id FROM (SELECT json_extract_string(item, '/id') AS id FROM ${items("nodes")}) WHERE id IS NOT NULL`,
  };
}

/** The JSON pointer of a key. */
function pointer(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
