/** Writes nearest neighbours as a table: node, neighbor, rank (from 1) and cosine. */

import { type DuckDBConnection, DuckDBDataChunk, FLOAT, UINTEGER, VARCHAR } from "@duckdb/node-api";
import { floatText } from "../../core/float-text.js";
import { quoteText } from "../../core/text.js";
import { quoteField } from "../../core/vector-text.js";
import { writeAtomically } from "../atomic-write.js";
import { CHUNK_ROWS, withDatabase } from "../duckdb.js";
import { extensionFormat } from "./extension-format.js";

const FORMATS = ["parquet", "csv", "tsv"] as const;
export type NeighborFormat = (typeof FORMATS)[number];

/** k neighbours of each node as indices into `ids`; an index beyond its end means no neighbour. */
export interface NeighborColumns {
  readonly nodes: readonly string[];
  readonly ids: readonly string[];
  readonly k: number;
  readonly indices: Uint32Array;
  readonly cosines: Float32Array;
}

/** The format of a file by its extension. */
export function neighborFormat(path: string): NeighborFormat {
  return extensionFormat(path, FORMATS);
}

/** Writes the table completely or not at all, in the format of the extension. Returns the number of rows. */
export async function writeNeighbors(path: string, columns: NeighborColumns): Promise<number> {
  const format = neighborFormat(path);
  if (format === "parquet") await writeAtomically(path, (temporary) => writeParquet(temporary, columns));
  else await writeAtomically(path, textLines(columns, format === "csv" ? "," : "\t"));
  let rows = 0;
  for (const place of columns.indices) if (place < columns.ids.length) rows++;
  return rows;
}

function* textLines({ nodes, ids, k, indices, cosines }: NeighborColumns, delimiter: string): Generator<string> {
  yield `${["node", "neighbor", "rank", "cosine"].join(delimiter)}\n`;
  for (let i = 0; i < nodes.length; i++) {
    const node = quoteField(nodes[i], delimiter);
    let text = "";
    for (let e = 0; e < k && indices[i * k + e] < ids.length; e++) {
      const at = i * k + e;
      const fields = [node, quoteField(ids[indices[at]], delimiter), e + 1, floatText(cosines[at])];
      text += `${fields.join(delimiter)}\n`;
    }
    yield text;
  }
}

/** Only indices are stored in DuckDB; names are joined while the file is written, so that the names of all rows need no memory. */
async function writeParquet(path: string, { nodes, ids, k, indices, cosines }: NeighborColumns): Promise<void> {
  await withDatabase(async (connection) => {
    await appendNames(connection, "nodes", nodes);
    await appendNames(connection, "ids", ids);
    await connection.run("CREATE TABLE found(node UINTEGER, neighbor UINTEGER, rank UINTEGER, cosine FLOAT)");
    const appender = await connection.createAppender("found");
    const [from, to, ranks, values]: number[][] = [[], [], [], []];
    const flush = () => {
      if (from.length === 0) return;
      const chunk = DuckDBDataChunk.create([UINTEGER, UINTEGER, UINTEGER, FLOAT], from.length);
      [from, to, ranks, values].forEach((column, c) => {
        chunk.setColumnValues(c, column);
        column.length = 0;
      });
      appender.appendDataChunk(chunk);
    };
    for (let i = 0; i < nodes.length; i++) {
      for (let e = 0; e < k && indices[i * k + e] < ids.length; e++) {
        from.push(i);
        to.push(indices[i * k + e]);
        ranks.push(e + 1);
        values.push(cosines[i * k + e]);
        if (from.length === CHUNK_ROWS) flush();
      }
    }
    flush();
    appender.closeSync();
    // These settings keep the order of the rows: otherwise DuckDB may exchange the sides of a join, and several threads
    // write row groups in any order.
    await connection.run("SET disabled_optimizers = 'join_order,build_side_probe_side'");
    await connection.run("SET threads = 1");
    const rows =
      "SELECT nodes.id AS node, ids.id AS neighbor, rank, cosine FROM found " +
      "JOIN nodes ON found.node = nodes.place JOIN ids ON found.neighbor = ids.place";
    await connection.run(`COPY (${rows}) TO ${quoteText(path)} (FORMAT parquet, COMPRESSION snappy)`);
  });
}

async function appendNames(connection: DuckDBConnection, table: string, names: readonly string[]): Promise<void> {
  await connection.run(`CREATE TABLE ${table}(place UINTEGER, id VARCHAR)`);
  const appender = await connection.createAppender(table);
  for (let start = 0; start < names.length; start += CHUNK_ROWS) {
    const rows = Math.min(CHUNK_ROWS, names.length - start);
    const chunk = DuckDBDataChunk.create([UINTEGER, VARCHAR], rows);
    chunk.setColumnValues(
      0,
      Array.from({ length: rows }, (_, i) => start + i),
    );
    chunk.setColumnValues(1, names.slice(start, start + rows));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}
