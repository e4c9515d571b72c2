/** Recognises files that are neither text nor Parquet by their first bytes, and says how to proceed. */

import { InputError } from "../../core/errors.js";

interface Signature {
  /** First bytes, one character each. */
  readonly magic: string;
  /** Where they stand; default 0. Further in they may be text by chance, so the file must hold a zero byte, too. */
  readonly at?: number;
  readonly kind: string;
  readonly advice?: string;
}

const UNPACK = "Unpack or export it first.";
const EXPORT = "Export a table of edges as CSV or Parquet first.";

const SIGNATURES: readonly Signature[] = [
  { magic: "PK\x03\x04", kind: "a zip archive or a spreadsheet" },
  { magic: "BZh", kind: "compressed with bzip2" },
  { magic: "\xFD7zXZ", kind: "compressed with xz" },
  { magic: "\x28\xB5\x2F\xFD", kind: "compressed with zstd" },
  { magic: "7z\xBC\xAF\x27\x1C", kind: "a 7-Zip archive" },
  { magic: "Rar!\x1A\x07", kind: "a RAR archive" },
  { magic: "ustar", at: 257, kind: "a tar archive" },
  { magic: "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", kind: "an old Office file, such as .xls", advice: EXPORT },
  { magic: "%PDF-", kind: "a PDF document", advice: EXPORT },
  { magic: "\x89PNG\r\n", kind: "an image", advice: EXPORT },
  { magic: "\xFF\xD8\xFF", kind: "an image", advice: EXPORT },
  { magic: "GIF87a", kind: "an image", advice: EXPORT },
  { magic: "GIF89a", kind: "an image", advice: EXPORT },
  { magic: "SQLite format 3\0", kind: "an SQLite database", advice: EXPORT },
  { magic: "DUCK", at: 8, kind: "a DuckDB database", advice: EXPORT },
  { magic: "\x89HDF\r\n", kind: "an HDF5 file", advice: EXPORT },
  { magic: "MATLAB 5.0", kind: "a MATLAB file", advice: EXPORT },
  { magic: "\x93NUMPY", kind: "a NumPy array", advice: EXPORT },
  { magic: "ARROW1\0", kind: "an Arrow or Feather file", advice: EXPORT },
  { magic: "RDX2\n", kind: "an R workspace", advice: EXPORT },
  { magic: "RDX3\n", kind: "an R workspace", advice: EXPORT },
  { magic: "X\n\0\0", kind: "an R object (.rds)", advice: EXPORT },
  ...["\x02", "\x03", "\x04", "\x05"].map((protocol) => ({
    magic: `\x80${protocol}`,
    kind: "a Python pickle",
    advice: EXPORT,
  })),
];

const PACKED: readonly Signature[] = [
  { magic: "\x1F\x8B", kind: "packed with gzip twice" },
  { magic: "PAR1", kind: "a Parquet file inside gzip" },
  { magic: "ustar", at: 257, kind: "a tar archive inside gzip" },
];

/** Refuses files of another kind, by their bytes. */
export function refuseBinary(bytes: Uint8Array, path: string): void {
  const found = find(bytes, SIGNATURES);
  if (found !== undefined) throw wrongKind(path, found.kind, found.advice ?? UNPACK);
}

/** Refuses the unpacked bytes of a gzip file unless they are text. */
export function refusePacked(bytes: Uint8Array, path: string): void {
  const packed = find(bytes, PACKED);
  if (packed !== undefined) throw wrongKind(path, packed.kind, "Unpack it first.");
  refuseBinary(bytes, path);
}

function find(bytes: Uint8Array, signatures: readonly Signature[]): Signature | undefined {
  return signatures.find(
    ({ magic, at = 0 }) =>
      Buffer.from(bytes.subarray(at, at + magic.length)).toString("latin1") === magic &&
      (at === 0 || bytes.includes(0)),
  );
}

function wrongKind(path: string, kind: string, advice: string): InputError {
  return new InputError(`${path}: this is ${kind}; expected text, gzip'd text or Parquet. ${advice}`);
}

/** Refuses text with zero bytes: UTF-16, or bytes that damage left in it. */
export function refuseZeroBytes(bytes: Uint8Array, path: string): void {
  const first = bytes.indexOf(0);
  if (first < 0) return;
  if (bytes[0] === 0xff || bytes[0] === 0xfe) {
    throw new InputError(`${path}: the text is in UTF-16; expected UTF-8. Save it as UTF-8.`);
  }
  if (everySecondIsZero(bytes)) {
    throw new InputError(`${path}: the text holds zero bytes, as UTF-16 does; expected UTF-8. Save it as UTF-8.`);
  }
  const line = Buffer.from(bytes.subarray(0, first))
    .toString("latin1")
    .split(/\r\n|\n|\r/).length;
  throw new InputError(
    `${path}:${line}: a zero byte; expected text. If the file is text, it is damaged: write it again, or remove such bytes with tr -d '\\000'.`,
  );
}

/** Bytes that show whether a text is in UTF-16: its header, in letters of ASCII. */
const UTF16_SAMPLE = 16;

/** Whether most letters at the beginning are of two bytes, one of them zero. */
function everySecondIsZero(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, UTF16_SAMPLE);
  return [0, 1].some((parity) => {
    const zeros = sample.filter((byte, i) => byte === 0 && i % 2 === parity).length;
    return 4 * zeros >= sample.length && sample.filter((byte) => byte === 0).length === zeros;
  });
}
