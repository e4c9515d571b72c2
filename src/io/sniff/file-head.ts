/** Reads the first bytes of an input file, detects its kind, and reads text files in pieces. */

import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { InputError } from "../../core/errors.js";
import { cannotRead, requireFile } from "../read-input.js";
import { copyStart, inputFile, inputName, isUnnamed } from "../spool.js";
import { refuseBinary, refusePacked, refuseZeroBytes, zeroByteError } from "./file-signatures.js";

export interface FileHead {
  /** The name of the input in messages. */
  readonly path: string;
  /** The file to read: the input, or a copy of it if it is a pipe or has padding after its gzip data. */
  readonly file: string;
  readonly gzip: boolean;
  readonly parquet: boolean;
  /** Extension before `.gz`, in lower case, such as `csv`; empty if there is none. */
  readonly extension: string;
  /** File name without extensions; `edges` for inputs without a name, such as standard input. */
  readonly stem: string;
  /** Whether the file begins with the byte order mark of UTF-8. */
  readonly marked: boolean;
  /** The beginning of the text, without a byte order mark; only whole lines unless `complete`. */
  readonly text: string;
  /** Whether `text` is the whole file. */
  readonly complete: boolean;
  /** Bytes of text per byte of the file: 1 for plain text, the ratio of the first part for gzip. */
  readonly expansion: number;
}

/** Bytes of the head, from which columns are detected: enough for thousands of ordinary rows. Not tuned. */
const HEAD_BYTES = 1 << 18;

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
  const name = isUnnamed(input) ? "edges" : basename(input).replace(/\.gz$/i, "");
  const dot = name.lastIndexOf(".");
  const named = {
    extension: dot > 0 ? name.slice(dot + 1).toLowerCase() : "",
    stem: dot > 0 ? name.slice(0, dot) : name,
  };
  if (start.startsWith("PAR1"))
    return { path, file, gzip, parquet: true, ...named, marked: false, text: "", complete: false, expansion: 1 };
  if (named.extension === "parquet" && !gzip) {
    throw new InputError(`${path}: not a Parquet file: it does not begin with PAR1. The file may be damaged.`);
  }
  const unpacked = gzip ? unpackStart(raw, path) : raw;
  const bytes = unpacked.subarray(0, HEAD_BYTES);
  if (gzip) {
    // Before columns are detected: a small file that is cut off would be reported for its columns instead.
    if (raw.length < HEAD_BYTES) await verifyGzip({ file, path });
    refusePacked(bytes, path);
  }
  refuseZeroBytes(bytes, path);
  const text = new TextDecoder().decode(bytes);
  const complete = raw.length < HEAD_BYTES && unpacked.length <= HEAD_BYTES;
  const lastBreak = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  return {
    path,
    file,
    gzip,
    parquet: false,
    ...named,
    marked: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf,
    text: complete || lastBreak < 0 ? text : text.slice(0, lastBreak + 1),
    complete,
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
    throw damagedGzip(error, path);
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
    throw damagedGzip(error, path);
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
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  const stored = createReadStream(file, { highWaterMark: 1 << 18 });
  const bytes = gzip ? stored.pipe(createGunzip()) : stored;
  stored.on("error", (error) => bytes.destroy(error));
  try {
    for await (const chunk of bytes) {
      const text = decodeText(decoder, chunk, path, line);
      yield text;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line++;
    }
    yield decodeText(decoder, undefined, path, line);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw gzip ? damagedGzip(error, path) : cannotRead(error, path);
  }
}

/** Decodes UTF-8 and refuses other bytes and zero bytes; `line` is the line of the first character. */
function decodeText(decoder: TextDecoder, bytes: Uint8Array | undefined, path: string, line: number): string {
  const lineAfter = (before: string) => line + before.split("\n").length - 1;
  let text: string;
  try {
    text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    const [before] = new TextDecoder().decode(bytes).split("\uFFFD", 1);
    throw new InputError(`${path}:${lineAfter(before)}: the text is not UTF-8. Save the file as UTF-8.`);
  }
  const zero = text.indexOf("\0");
  if (zero >= 0) throw zeroByteError(path, lineAfter(text.slice(0, zero)));
  return text;
}

/** The lines of a whole file, without the line break at its end. */
export function readLines(bytes: Uint8Array, path: string): string[] {
  const text = decodeText(new TextDecoder("utf-8", { fatal: true }), bytes, path, 1);
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function damagedGzip(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") {
    return new InputError(`${path}: the gzip file is cut off before its end. Fetch or write it again.`);
  }
  // The first header was correct, or the file would not be known as gzip: these bytes follow a member.
  if (code === "Z_DATA_ERROR" && /incorrect header check/.test(String(error))) return trailingBytes(path);
  if (code.startsWith("Z_")) {
    return new InputError(
      `${path}: the gzip file is damaged (${error instanceof Error ? error.message : code}). Fetch or write it again.`,
    );
  }
  return cannotRead(error, path);
}

function trailingBytes(path: string): InputError {
  return new InputError(
    `${path}: the gzip file is damaged: other bytes follow its end. Fetch or write it again, or unpack the valid part with gunzip -c.`,
  );
}
