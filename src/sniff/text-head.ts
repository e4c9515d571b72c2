/** The beginning of a text file, from which its format, its delimiter and its columns are detected. */

import { InputError } from "../core/errors.js";
import { zeroByteError } from "./file-signatures.js";

export interface TextHead {
  /** The name of the input in messages. */
  readonly path: string;
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
}

/** Bytes of the head, from which columns are detected: enough for thousands of ordinary rows. Not tuned. */
export const HEAD_BYTES = 1 << 18;

/** A file without rows. It is skipped if there are other files. */
export class NoRowsError extends InputError {}

/** Extension and stem of a file name; `.gz` at its end is ignored. */
export function splitFileName(fileName: string): Pick<TextHead, "extension" | "stem"> {
  const name = fileName.replace(/\.gz$/i, "");
  const dot = name.lastIndexOf(".");
  return { extension: dot > 0 ? name.slice(dot + 1).toLowerCase() : "", stem: dot > 0 ? name.slice(0, dot) : name };
}

/** The text of the first bytes of a file; `complete`: these are all its bytes. */
export function decodeHead(bytes: Uint8Array, complete: boolean): Pick<TextHead, "marked" | "text" | "complete"> {
  const text = new TextDecoder().decode(bytes);
  const lastBreak = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  return {
    marked: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf,
    text: complete || lastBreak < 0 ? text : text.slice(0, lastBreak + 1),
    complete,
  };
}

/** Decodes UTF-8 in pieces. Refuses other bytes and zero bytes, with the line on which they are. */
export class LineDecoder {
  readonly #path: string;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #line = 1;

  constructor(path: string) {
    this.#path = path;
  }

  /** The text of the next bytes; without bytes, the end of the text. */
  decode(bytes?: Uint8Array): string {
    const lineAfter = (before: string) => this.#line + before.split("\n").length - 1;
    let text: string;
    try {
      text = bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    } catch {
      const [before] = new TextDecoder().decode(bytes).split("\uFFFD", 1);
      throw new InputError(`${this.#path}:${lineAfter(before)}: the text is not UTF-8. Save the file as UTF-8.`);
    }
    const zero = text.indexOf("\0");
    if (zero >= 0) throw zeroByteError(this.#path, lineAfter(text.slice(0, zero)));
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#line++;
    return text;
  }
}

/** The error for a file of 0 bytes. */
export function emptyFile(path: string): NoRowsError {
  return new NoRowsError(`${path}: the file is empty (0 bytes).`);
}

/** The error for a gzip file that ends before its data do. */
export function truncatedGzip(path: string): InputError {
  return new InputError(`${path}: the gzip file is cut off before its end. Fetch or write it again.`);
}

/** The error for a gzip file whose data or checksum are wrong. */
export function damagedGzip(path: string, reason: string): InputError {
  return new InputError(`${path}: the gzip file is damaged (${reason}). Fetch or write it again.`);
}

/** The error for a gzip file with other bytes after its data. */
export function trailingBytes(path: string): InputError {
  return new InputError(
    `${path}: the gzip file is damaged: other bytes follow its end. Fetch or write it again, or unpack the valid part with gunzip -c.`,
  );
}

/** The error for a file with the extension of Parquet and another content. */
export function notParquet(path: string): InputError {
  return new InputError(`${path}: not a Parquet file: it does not begin with PAR1. The file may be damaged.`);
}
