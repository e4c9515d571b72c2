/** Opens a dropped file as a table of edges or of nodes: the same formats, columns and messages as on the command line. */

import { InputError } from "../../../index.js";
import {
  type DetectOptions,
  decodeHead,
  EDGE_ROLES,
  emptyFile,
  findTypeColumn,
  HEAD_BYTES,
  isJson,
  isNodeLink,
  isSif,
  LineDecoder,
  NODE_ROLES,
  notParquet,
  readMatrix,
  refuseBinary,
  refusePacked,
  refuseZeroBytes,
  separateDisabledRoles,
  splitFileName,
  type TextHead,
  type UserColumns,
  withoutTypeColumn,
} from "../../../tables.js";
import type { FileTable } from "./file-table.js";
import { openJsonTable } from "./json-table.js";
import { openParquetTable } from "./parquet-table.js";
import { openTextTable } from "./text-table.js";
import { unpack } from "./unpack.js";

/** Opens a file of edges. `userColumns`: names of columns, or positions from 1, by role, as --columns has them. */
export async function openEdgeTable(file: File, userColumns: UserColumns = {}): Promise<FileTable> {
  const { named, withoutDisabled } = separateDisabledRoles(userColumns);
  const opened = await openFile(file, { roles: EDGE_ROLES, userColumns: named });
  const table = await withoutGephiType(opened, userColumns);
  return { ...table, chosen: withoutDisabled(table.chosen) };
}

/** Opens a file of nodes. `isNode`: whether a text is the id of a node. */
export function openNodeTable(file: File, isNode: (text: string) => boolean): Promise<FileTable> {
  return openFile(file, { roles: NODE_ROLES, isNode });
}

async function openFile(file: File, options: DetectOptions): Promise<FileTable> {
  const path = file.name;
  if (file.size === 0) throw emptyFile(path);
  const raw = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  refuseBinary(raw, path);
  const gzip = raw[0] === 0x1f && raw[1] === 0x8b;
  const named = splitFileName(path);
  if (new TextDecoder().decode(raw.subarray(0, 4)) === "PAR1") return openParquetTable(file, options);
  if (named.extension === "parquet" && !gzip) throw notParquet(path);
  const unpacked = gzip ? await unpackStart(file) : raw;
  const bytes = unpacked.subarray(0, HEAD_BYTES);
  if (gzip) refusePacked(bytes, path);
  refuseZeroBytes(bytes, path);
  const complete = raw.length < HEAD_BYTES && unpacked.length <= HEAD_BYTES;
  const head: TextHead = { path, ...named, ...decodeHead(bytes, complete) };
  if (options.roles === EDGE_ROLES) await refuseOtherGraphs(head, options, () => readText(file, gzip));
  return isJson(head) ? openJsonTable(file, gzip, head, options) : openTextTable(file, gzip, head, options);
}

/** Refuses graphs that are no tables; the command line reads them. */
async function refuseOtherGraphs(
  head: TextHead,
  { userColumns = {} }: DetectOptions,
  read: () => AsyncGenerator<string>,
): Promise<void> {
  const { path } = head;
  if (isSif(head)) throw commandLineOnly(path, "a SIF file");
  if (Object.keys(userColumns).length === 0 && (await readMatrix(head, read)) !== undefined) {
    throw commandLineOnly(path, "an adjacency matrix");
  }
  if (isNodeLink(head)) throw commandLineOnly(path, "a JSON object of nodes and links");
}

function commandLineOnly(path: string, kind: string): InputError {
  return new InputError(
    `${path}: this file is ${kind}; expected a table with one row per edge. The command line reads it: hmge embed.`,
  );
}

/** The first unpacked bytes of a gzip file: more than the head, or all of them. */
async function unpackStart(file: File): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of unpack(file, true)) {
    pieces.push(piece);
    size += piece.length;
    if (size > HEAD_BYTES) break;
  }
  const start = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    start.set(piece, at);
    at += piece.length;
  }
  return start;
}

async function* readText(file: File, gzip: boolean): AsyncGenerator<string> {
  const decoder = new LineDecoder(file.name);
  for await (const bytes of unpack(file, gzip)) yield decoder.decode(bytes);
  yield decoder.decode();
}

/** The table without Gephi's column Type as its relation. */
async function withoutGephiType(table: FileTable, userColumns: UserColumns): Promise<FileTable> {
  const column = findTypeColumn(table, userColumns);
  if (column === undefined) return table;
  const counts = { rows: 0, directed: 0, undirected: 0, named: 0 };
  const columns = column.other < 0 ? [{ index: column.type }] : [{ index: column.type }, { index: column.other }];
  try {
    for await (const batch of table.rows(columns)) {
      for (const [type, other] of batch) {
        const word = String(type ?? "")
          .trim()
          .toLowerCase();
        counts.rows++;
        if (word === "directed") counts.directed++;
        if (word === "undirected") counts.undirected++;
        if (String(other ?? "").trim() !== "") counts.named++;
      }
    }
  } catch (error) {
    // A file at fault is reported when its edges are read.
    if (error instanceof InputError) return table;
    throw error;
  }
  const { chosen, notes } = withoutTypeColumn(table.path, table, column, counts);
  return { ...table, chosen, notes: [...table.notes, ...notes] };
}
