/** Vectors as Parquet: the columns `node` VARCHAR and `vector` FLOAT[]. */

import { type DuckDBAppender, DuckDBDataChunk, DuckDBListVector, FLOAT, LIST, VARCHAR } from "@duckdb/node-api";
import duckdb, { type Vector } from "@duckdb/node-bindings";
import type { Embedding, VectorRows } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { nextTurn } from "../../core/event-loop.js";
import { writeAtomically } from "../atomic-write.js";
import {
  CHUNK_ROWS,
  quoteOutput,
  quotePath,
  readColumnNames,
  readNumbers,
  streamChunks,
  withDatabase,
} from "../duckdb.js";
import { type FileHead, readHead } from "../file-head.js";
import { withSpool } from "../spool.js";
import { spillFault } from "../system-faults.js";
import { damagedParquet } from "../tables/table.js";
import { defineFormat, finiteSlices } from "./format.js";
import type { VectorStore } from "./vector-store.js";

/** Smallest memory of a table that is being written, in bytes; DuckDB moves the rest to the temporary folder. Not tuned. */
const MIN_TABLE_BYTES = 2 ** 29;
/** Rows of a row group, DuckDB's default. */
const GROUP_ROWS = 122_880;
/** Bytes for each number of a row group while it is written: enough for 64 to 4096 columns; smaller ones were not tried. */
const BYTES_PER_NUMBER = 32;

export const parquet = defineFormat({
  name: "parquet",
  extension: "parquet",
  doc: "Parquet, columns node and vector (a list of floats); for DuckDB, pandas, polars, Spark",
  async write(path, embedding) {
    await writeAtomically(path, (temporary) => writeTable(temporary, embedding));
    return [path];
  },
  read: (path, store) =>
    withSpool(async () => {
      const head = await readHead(path);
      if (!head.parquet) throw new InputError(`${path}: not a Parquet file: it does not begin with PAR1.`);
      try {
        return await readTable(head, store);
      } catch (error) {
        throw error instanceof InputError ? error : (spillFault(error) ?? damagedParquet(error, path));
      }
    }),
});

async function writeTable(path: string, source: Embedding | VectorRows): Promise<void> {
  const { ids, dim } = source;
  await withDatabase(
    async (connection) => {
      await connection.run("CREATE TABLE embeddings(node VARCHAR, vector FLOAT[])");
      // every thread holds a row group of its own
      await connection.run("SET threads TO 1");
      const appender = await connection.createAppender("embeddings");
      for (const { first, end, vectors } of finiteSlices(source)) {
        for (let start = first; start < end; start += CHUNK_ROWS) {
          const rows = Math.min(CHUNK_ROWS, end - start);
          const numbers = vectors.subarray((start - first) * dim, (start - first + rows) * dim);
          appendRows(appender, ids.slice(start, start + rows), numbers, dim);
        }
        await nextTurn(); // chunks are freed between turns only
      }
      appender.closeSync();
      await connection.run(
        `COPY embeddings TO ${quoteOutput(path)} (FORMAT parquet, COMPRESSION snappy, USE_TMP_FILE false)`,
      );
    },
    Math.max(MIN_TABLE_BYTES, BYTES_PER_NUMBER * Math.min(ids.length, GROUP_ROWS) * dim),
  );
}

/**
 * Appends rows. The package takes lists as arrays of single values, of which a file of a million nodes has 64 million; the C API
 * copies the numbers as they lie in memory.
 */
function appendRows(appender: DuckDBAppender, ids: readonly string[], vectors: Float32Array, dim: number): void {
  const chunk = DuckDBDataChunk.create([VARCHAR, LIST(FLOAT)], ids.length);
  chunk.setColumnValues(0, ids);
  const lists = duckdb.data_chunk_get_vector(chunk.chunk, 1);
  duckdb.list_vector_reserve(lists, vectors.length);
  duckdb.list_vector_set_size(lists, vectors.length);
  const entries = new BigUint64Array(2 * ids.length);
  for (let i = 0; i < ids.length; i++) {
    entries[2 * i] = BigInt(i * dim); // begin
    entries[2 * i + 1] = BigInt(dim); // length
  }
  copyInto(lists, entries);
  copyInto(duckdb.list_vector_get_child(lists), vectors);
  appender.appendDataChunk(chunk);
}

function copyInto(vector: Vector, numbers: Float32Array | BigUint64Array): void {
  const { buffer, byteOffset, byteLength } = numbers;
  // the package refuses shared memory
  if (buffer instanceof ArrayBuffer) duckdb.copy_data_to_vector(vector, 0, buffer, byteOffset, byteLength);
  else
    duckdb.copy_data_to_vector(
      vector,
      0,
      Uint8Array.from(new Uint8Array(buffer, byteOffset, byteLength)).buffer,
      0,
      byteLength,
    );
}

async function readTable({ path, file }: FileHead, store: VectorStore): Promise<Pick<Embedding, "ids" | "dim">> {
  return withDatabase(async (connection) => {
    const table = `read_parquet(${quotePath(file)}, hive_partitioning = false)`;
    const names = await readColumnNames(connection, `SELECT * FROM ${table}`);
    if (!names.includes("node") || !names.includes("vector")) {
      throw new InputError(`${path}: found the columns ${names.join(", ")}; expected node and vector.`);
    }
    const query = `SELECT node::VARCHAR AS node, vector::FLOAT[] AS vector FROM ${table}`;
    const [rows, shortest, longest, nulls] = await readNumbers(
      connection,
      `SELECT count(*), min(len(vector)), max(len(vector)), ` +
        `count_if(node IS NULL OR vector IS NULL OR list_contains(list_transform(vector, lambda x: x IS NULL), true)) FROM (${query})`,
    );
    if (nulls > 0) throw new InputError(`${path}: ${nulls} rows hold NULL; expected a node and its numbers in each.`);
    if (shortest !== longest) {
      throw new InputError(`${path}: vectors of ${shortest} to ${longest} numbers; expected one length for all.`);
    }
    const ids: string[] = [];
    store.reserve(rows * longest);
    for await (const chunk of streamChunks(connection, query)) {
      const nodes = chunk.getColumnVector(0);
      const lists = chunk.getColumnVector(1);
      if (!(lists instanceof DuckDBListVector))
        throw new InputError(`${path}: the column vector does not hold lists; expected lists of floats.`);
      const vectors = new Float32Array(chunk.rowCount * longest);
      for (let i = 0; i < chunk.rowCount; i++) {
        copyList(lists, i, vectors, i * longest);
        ids.push(String(nodes.getItem(i)));
      }
      store.add(vectors);
    }
    return { ids, dim: longest };
  });
}

function copyList(lists: DuckDBListVector, row: number, into: Float32Array, at: number): void {
  const offset = lists.getEntryOffset(row);
  const length = lists.getEntryLength(row);
  const child = lists.childVector;
  const items: unknown = Reflect.get(child, "items"); // The typed array of the vector, as in readColumns.
  if (items instanceof Float32Array) into.set(items.subarray(offset, offset + length), at);
  else for (let k = 0; k < length; k++) into[at + k] = Number(child.getItem(offset + k));
}
