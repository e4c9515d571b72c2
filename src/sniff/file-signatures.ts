/** Recognises files that are neither text nor Parquet by their first bytes, and refuses them with advice. */

import { InputError } from "../core/errors.js";

interface Signature {
  /** The bytes that identify the kind, one character each. */
  readonly magic: string;
  /** Their offset; default 0. Text can contain them at other offsets by chance, so the file must then also contain a zero byte. */
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

/** Refuses files of a known binary kind. */
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
    ({ magic, at = 0 }) => latin1(bytes.subarray(at, at + magic.length)) === magic && (at === 0 || bytes.includes(0)),
  );
}

/** One character for each byte. */
function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function wrongKind(path: string, kind: string, advice: string): InputError {
  return new InputError(`${path}: this is ${kind}; expected text, gzip'd text or Parquet. ${advice}`);
}

/** Refuses the head of a text file if it contains zero bytes: it is in UTF-16, or damaged. */
export function refuseZeroBytes(bytes: Uint8Array, path: string): void {
  const first = bytes.indexOf(0);
  if (first < 0) return;
  if (bytes[0] === 0xff || bytes[0] === 0xfe) {
    throw new InputError(`${path}: the text is in UTF-16; expected UTF-8. Save the file as UTF-8.`);
  }
  if (everySecondIsZero(bytes)) {
    throw new InputError(`${path}: the text seems to be in UTF-16; expected UTF-8. Save the file as UTF-8.`);
  }
  const line = latin1(bytes.subarray(0, first)).split(/\r\n|\n|\r/).length;
  throw zeroByteError(path, line);
}

/** The error for a zero byte on a line of a text file. */
export function zeroByteError(path: string, line: number): InputError {
  return new InputError(
    `${path}:${line}: a zero byte; expected text. The file may be damaged: write it again, or remove the zero bytes with tr -d '\\000'.`,
  );
}

/** Number of first bytes from which UTF-16 is recognised: headers are mostly ASCII, so every second byte is zero. */
const UTF16_SAMPLE = 16;

/** Whether at least half of the first characters are two bytes of which one is zero. */
function everySecondIsZero(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, UTF16_SAMPLE);
  return [0, 1].some((parity) => {
    const zeros = sample.filter((byte, i) => byte === 0 && i % 2 === parity).length;
    return 4 * zeros >= sample.length && sample.filter((byte) => byte === 0).length === zeros;
  });
}
