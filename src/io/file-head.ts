/** Reads the first bytes of an input file, detects its kind, and reads text files in pieces. */

import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { InputError } from "../core/errors.js";
import { refuseBinary, refusePacked, refuseZeroBytes } from "../sniff/file-signatures.js";
import {
  damagedGzip,
  decodeHead,
  HEAD_BYTES,
  LineDecoder,
  notParquet,
  splitFileName,
  type TextHead,
  trailingBytes,
  truncatedGzip,
} from "../sniff/text-head.js";
import { cannotRead, requireFile } from "./read-input.js";
import { copyStart, inputFile, inputName, isUnnamed } from "./spool.js";

export interface FileHead extends TextHead {
  /** The file to read: the input, or a copy of it if it is a pipe or has padding after its gzip data. */
  readonly file: string;
  readonly gzip: boolean;
  readonly parquet: boolean;
  /** Bytes of text per byte of the file: 1 for plain text, the ratio of the first part for gzip. */
  readonly expansion: number;
}

/** Reads the first bytes of a file and detects its kind. */
export async function readHead(input: string): Promise<FileHead> {
  const path = inputName(input);
  const whole = await inputFile(input);
  await requireFile(whole, path);
  const raw = await readStart(whole, path);
  const gzip = raw[0] === 0x1f && raw[1] === 0x8b;
  const start = Buffer.from(raw.subarray(0, 8)).toString("latin1");
  refuseBinary(raw, path);
  const file = gzip ? await withoutPadding(whole, path) : whole;
  const named = splitFileName(isUnnamed(input) ? "edges" : basename(input));
  if (start.startsWith("PAR1"))
    return { path, file, gzip, parquet: true, ...named, marked: false, text: "", complete: false, expansion: 1 };
  if (named.extension === "parquet" && !gzip) throw notParquet(path);
  const unpacked = gzip ? unpackStart(raw, path) : raw;
  const bytes = unpacked.subarray(0, HEAD_BYTES);
  if (gzip) {
    // Before columns are detected: a small file that is cut off would be reported for its columns instead.
    if (raw.length < HEAD_BYTES) await verifyGzip({ file, path });
    refusePacked(bytes, path);
  }
  refuseZeroBytes(bytes, path);
  const complete = raw.length < HEAD_BYTES && unpacked.length <= HEAD_BYTES;
  return {
    path,
    file,
    gzip,
    parquet: false,
    ...named,
    ...decodeHead(bytes, complete),
    expansion: unpacked.length / raw.length,
  };
}

async function readStart(from: string, path: string): Promise<Uint8Array> {
  try {
    const file = await open(from, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw cannotRead(error, path);
  }
}

function unpackStart(raw: Uint8Array, path: string): Uint8Array {
  try {
    return gunzipSync(raw, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    throw gzipFault(error, path);
  }
}

/** The parts of a FileHead that are needed to read the text and to name it in messages. */
export type StoredText = Pick<FileHead, "path" | "file" | "gzip">;

/** Reads a gzip file to its end and compares its checksums, which DuckDB does not check. */
export async function verifyGzip({ file, path }: Pick<FileHead, "path" | "file">): Promise<void> {
  const end = await gzipEnd(file, path);
  const { size } = await stat(file);
  if (end < size) throw trailingBytes(path);
}

/**
 * Unpacks all members of a gzip file and returns the offset at which the last one ends. Node stops at a zero byte after a
 * member, so the file may be longer.
 */
async function gzipEnd(file: string, path: string): Promise<number> {
  const source = createReadStream(file, { highWaterMark: 1 << 20 });
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  source.on("error", (error) => gunzip.destroy(error));
  try {
    for await (const _ of source.pipe(gunzip));
    return gunzip.bytesWritten;
  } catch (error) {
    throw gzipFault(error, path);
  } finally {
    source.destroy();
  }
}

/**
 * The file without the zero bytes that tapes and block devices add after the last gzip member. gzip ignores this padding, DuckDB does
 * not. Other bytes after the last member are refused. A zero as last byte proves no padding: the last byte of a member
 * is zero if it unpacks to less than 16 MB.
 */
async function withoutPadding(file: string, path: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const piece = Buffer.alloc(1 << 16);
    const { bytesRead } = await handle.read(piece, 0, 1, size - 1);
    if (bytesRead === 0 || piece[0] !== 0) return file;
    const end = await gzipEnd(file, path);
    if (end === size) return file;
    for (let at = end; at < size; ) {
      const read = await handle.read(piece, 0, piece.length, at);
      if (read.bytesRead === 0) break;
      if (piece.subarray(0, read.bytesRead).some((byte) => byte !== 0)) throw trailingBytes(path);
      at += read.bytesRead;
    }
    return await copyStart(file, end, path);
  } finally {
    await handle.close();
  }
}

/** The decoded text of a plain or gzip file, in pieces. */
export async function* readText({ path, file, gzip }: StoredText): AsyncGenerator<string> {
  const decoder = new LineDecoder(path);
  const stored = createReadStream(file, { highWaterMark: 1 << 18 });
  const bytes = gzip ? stored.pipe(createGunzip()) : stored;
  stored.on("error", (error) => bytes.destroy(error));
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk);
    yield decoder.decode();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw gzip ? gzipFault(error, path) : cannotRead(error, path);
  }
}

/** The lines of a whole file, without the line break at its end. */
export function readLines(bytes: Uint8Array, path: string): string[] {
  const text = new LineDecoder(path).decode(bytes);
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function gzipFault(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") return truncatedGzip(path);
  // The first header was correct, or the file would not be known as gzip: these bytes follow a member.
  if (code === "Z_DATA_ERROR" && /incorrect header check/.test(String(error))) return trailingBytes(path);
  if (code.startsWith("Z_")) return damagedGzip(path, error instanceof Error ? error.message : code);
  return cannotRead(error, path);
}
