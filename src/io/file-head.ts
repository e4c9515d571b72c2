/** What kind of file this is, from its first bytes. */

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { InputError } from "../core/errors.js";
import { cannotRead, requireFile } from "./read-input.js";

export interface FileHead {
  readonly path: string;
  readonly gzip: boolean;
  readonly parquet: boolean;
  /** Extension without `.gz`, in lower case: `csv`; empty if there is none. */
  readonly extension: string;
  /** File name without extensions. */
  readonly stem: string;
  /** Whether it begins with the byte order mark of UTF-8. */
  readonly marked: boolean;
  /** The beginning of the text, without a byte order mark; whole lines only unless `complete`. */
  readonly text: string;
  /** Whether `text` is all of the file. */
  readonly complete: boolean;
}

/** Enough for a few hundred rows; columns are guessed from these. */
const HEAD_BYTES = 1 << 18;

const OTHER_ARCHIVES: readonly [string, string][] = [
  ["PK\x03\x04", "a zip archive or a spreadsheet"],
  ["BZh", "compressed with bzip2"],
  ["\xFD7zXZ", "compressed with xz"],
  ["\x28\xB5\x2F\xFD", "compressed with zstd"],
];

/** Reads the first bytes of a file and names its kind. */
export async function readHead(path: string): Promise<FileHead> {
  await requireFile(path);
  const raw = await readStart(path);
  const gzip = raw[0] === 0x1f && raw[1] === 0x8b;
  const start = Buffer.from(raw.subarray(0, 8)).toString("latin1");
  for (const [magic, what] of OTHER_ARCHIVES) {
    if (start.startsWith(magic)) {
      throw new InputError(
        `${path}: this is ${what}; expected text, gzip'd text or Parquet. Unpack or export it first.`,
      );
    }
  }
  const name = basename(path).replace(/\.gz$/i, "");
  const dot = name.lastIndexOf(".");
  const named = {
    extension: dot > 0 ? name.slice(dot + 1).toLowerCase() : "",
    stem: dot > 0 ? name.slice(0, dot) : name,
  };
  if (start.startsWith("PAR1"))
    return { path, gzip, parquet: true, ...named, marked: false, text: "", complete: false };
  if (named.extension === "parquet") {
    throw new InputError(`${path}: not a Parquet file: it does not begin with PAR1. The file may be damaged.`);
  }
  const unpacked = gzip ? unpackStart(raw, path) : raw;
  const bytes = unpacked.subarray(0, HEAD_BYTES);
  if (bytes.includes(0)) {
    const marked = bytes[0] === 0xff || bytes[0] === 0xfe;
    throw new InputError(
      `${path}: the text ${marked ? "is in UTF-16" : "holds zero bytes, as UTF-16 does"}; expected UTF-8. Save it as UTF-8.`,
    );
  }
  const text = new TextDecoder().decode(bytes);
  const complete = raw.length < HEAD_BYTES && unpacked.length <= HEAD_BYTES;
  const lastBreak = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  return {
    path,
    gzip,
    parquet: false,
    ...named,
    marked: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf,
    text: complete || lastBreak < 0 ? text : text.slice(0, lastBreak + 1),
    complete,
  };
}

async function readStart(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path, "r");
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

/** Reads a gzip file to its end and compares its checksums, which DuckDB does not. */
export async function verifyGzip(path: string): Promise<void> {
  try {
    await pipeline(
      createReadStream(path, { highWaterMark: 1 << 20 }),
      createGunzip({ chunkSize: 1 << 18 }),
      async (chunks) => {
        for await (const _ of chunks);
      },
    );
  } catch (error) {
    throw damagedGzip(error, path);
  }
}

/** The decoded text of a file, plain or gzip'd, in pieces. */
export async function* readText(path: string, gzip: boolean): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  const bytes = gzip ? file.pipe(createGunzip()) : file;
  file.on("error", (error) => bytes.destroy(error));
  try {
    for await (const chunk of bytes) {
      const text = decodeText(decoder, chunk, `${path}:`, line);
      yield text;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line++;
    }
    yield decodeText(decoder, undefined, `${path}:`, line);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw gzip ? damagedGzip(error, path) : cannotRead(error, path);
  }
}

/** Text of UTF-8; `line` is that of its first letter. */
function decodeText(decoder: TextDecoder, bytes: Uint8Array | undefined, where: string, line: number): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    const [before] = new TextDecoder().decode(bytes).split("\uFFFD", 1);
    throw notUtf8(`${where}${line + before.split("\n").length - 1}`);
  }
}

function notUtf8(where: string): InputError {
  return new InputError(`${where}: the text is not UTF-8. Save the file as UTF-8.`);
}

/** The lines of a whole file, without the end of the last. */
export function readLines(bytes: Uint8Array, path: string): string[] {
  const text = decodeText(new TextDecoder("utf-8", { fatal: true }), bytes, `${path}:`, 1);
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function damagedGzip(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") {
    return new InputError(`${path}: the gzip file is cut off before its end. Fetch or write it again.`);
  }
  if (code.startsWith("Z_")) {
    return new InputError(
      `${path}: the gzip file is damaged (${error instanceof Error ? error.message : code}). Fetch or write it again.`,
    );
  }
  return cannotRead(error, path);
}
