/**
 * The safetensors format (https://huggingface.co/docs/safetensors): an 8-byte little-endian header length, a JSON header
 * `{name: {dtype, shape, data_offsets}, __metadata__: {…}}` padded with spaces, then the tensors' bytes without holes.
 *
 * Reading checks everything that the format guarantees. The header is padded so that the data begins at a multiple of 8, and tensors
 * are stored by decreasing element size, so every tensor is aligned to its elements.
 */

import { open } from "node:fs/promises";
import { InputError } from "../../core/errors.js";
import { writeAtomically } from "../atomic-write.js";
import { readInput } from "../read-input.js";

export type TensorData = Float32Array | Float64Array | Uint32Array | Int32Array | BigInt64Array | Uint8Array;

export interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

export interface StoredTensor {
  readonly shape: readonly number[];
  readonly data: TensorData;
}

export interface Safetensors {
  readonly tensors: Map<string, StoredTensor>;
  readonly metadata: Record<string, string>;
}

const DTYPES = {
  F64: Float64Array,
  I64: BigInt64Array,
  F32: Float32Array,
  U32: Uint32Array,
  I32: Int32Array,
  U8: Uint8Array,
} as const;

type Dtype = keyof typeof DTYPES;

/** The limit of the format on the header, in bytes. */
const MAX_HEADER = 100_000_000;

/** Writes tensors and a map of strings to a safetensors file. */
export async function writeSafetensors(
  path: string,
  tensors: readonly NamedTensor[],
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  await writeAtomically(path, safetensorsPieces(tensors, metadata));
}

/** Reads and checks a safetensors file. */
export async function readSafetensors(path: string): Promise<Safetensors> {
  return decodeSafetensors(await readInput(path), path);
}

/** Reads the map of strings in a safetensors file, without its tensors. */
export async function readSafetensorsMetadata(path: string): Promise<Record<string, string>> {
  const fail = failing(path);
  const file = await open(path, "r");
  try {
    const length = new Uint8Array(8);
    if ((await file.read(length, 0, 8, 0)).bytesRead < 8)
      return fail("it has fewer than the 8 bytes of the header length");
    const header = new Uint8Array(headerLengthOf(length, (await file.stat()).size, fail));
    await file.read(header, 0, header.length, 8);
    return readMetadata(parseHeader(header, fail)["__metadata__"], fail);
  } finally {
    await file.close();
  }
}

/** The bytes of a safetensors file. */
export function encodeSafetensors(
  tensors: readonly NamedTensor[],
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  const pieces = safetensorsPieces(tensors, metadata);
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** The header, and the tensors as views of their arrays, so that a file is written without a second copy in memory. */
function safetensorsPieces(tensors: readonly NamedTensor[], metadata: Readonly<Record<string, string>>): Uint8Array[] {
  const entries: [string, unknown][] = Object.keys(metadata).length > 0 ? [["__metadata__", metadata]] : [];
  const ordered = [...tensors].sort((a, b) => b.data.BYTES_PER_ELEMENT - a.data.BYTES_PER_ELEMENT);
  const seen = new Set(["__metadata__"]);
  let offset = 0;
  for (const { name, shape, data } of ordered) {
    if (seen.has(name))
      throw new InputError(`safetensors: two tensors are called "${name}"; expected different names.`);
    seen.add(name);
    if (numElements(shape) !== data.length) {
      throw new InputError(
        `safetensors: tensor "${name}" has ${data.length} elements; expected ${numElements(shape)} for shape [${shape}].`,
      );
    }
    const end = offset + data.byteLength;
    entries.push([name, { dtype: dtypeOf(data), shape, data_offsets: [offset, end] }]);
    offset = end;
  }
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const headerLength = Math.ceil(json.length / 8) * 8;
  const header = new Uint8Array(8 + headerLength).fill(0x20);
  new DataView(header.buffer).setBigUint64(0, BigInt(headerLength), true);
  header.set(json, 8);
  return [header, ...ordered.map(({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength))];
}

/** Decodes the bytes of a safetensors file; `where` names the file in messages. */
export function decodeSafetensors(bytes: Uint8Array, where: string): Safetensors {
  const fail = failing(where);
  if (bytes.length < 8) fail(`it has ${bytes.length} bytes, fewer than the 8 of the header length`);
  const headerLength = headerLengthOf(bytes, bytes.length, fail);
  const header = parseHeader(bytes.subarray(8, 8 + headerLength), fail);
  const data = bytes.subarray(8 + headerLength);
  const metadata = readMetadata(header["__metadata__"], fail);
  const placed: { name: string; begin: number; end: number }[] = [];
  const tensors = new Map<string, StoredTensor>();
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const { dtype, shape, begin, end } = readEntry(name, entry, fail);
    const type = DTYPES[dtype];
    const length = numElements(shape);
    if (end - begin !== length * type.BYTES_PER_ELEMENT) {
      fail(
        `tensor "${name}" holds ${end - begin} bytes, but ${dtype} [${shape}] needs ${length * type.BYTES_PER_ELEMENT}`,
      );
    }
    if (end > data.length)
      fail(`tensor "${name}" ends at byte ${end} of the data, which has ${data.length}; it was cut off`);
    placed.push({ name, begin, end });
    const copy = data.slice(begin, end);
    tensors.set(name, { shape, data: new type(copy.buffer, copy.byteOffset, length) });
  }
  placed.sort((a, b) => a.begin - b.begin || a.end - b.end);
  let expected = 0;
  for (const { name, begin, end } of placed) {
    if (begin < expected) fail(`tensor "${name}" begins at byte ${begin}, inside the tensor before it`);
    if (begin > expected) fail(`bytes ${expected} to ${begin} of the data belong to no tensor`);
    expected = end;
  }
  if (expected !== data.length) fail(`the data has ${data.length} bytes, but the tensors end at ${expected}`);
  return { tensors, metadata };
}

type Fail = (reason: string) => never;

/** A file is not a valid safetensors file. */
export class SafetensorsError extends InputError {
  /** The fault, without the name of the file. */
  readonly reason: string;

  constructor(where: string, reason: string) {
    super(`${where}: not a valid safetensors file: ${reason}. The file may be damaged; write it again.`);
    this.reason = reason;
  }
}

function failing(where: string): Fail {
  return (reason) => {
    throw new SafetensorsError(where, reason);
  };
}

function headerLengthOf(bytes: Uint8Array, fileSize: number, fail: Fail): number {
  const headerLength = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  if (headerLength > MAX_HEADER) fail(`the header length ${headerLength} is above the limit of ${MAX_HEADER}`);
  if (8 + headerLength > fileSize) {
    fail(`the header should end at byte ${8 + headerLength}, but the file has ${fileSize} bytes`);
  }
  return headerLength;
}

function parseHeader(bytes: Uint8Array, fail: Fail): Record<string, unknown> {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    return fail("the header is not JSON");
  }
  if (!isRecord(value) || !text.startsWith("{")) return fail("the header is not a JSON object");
  const names = topLevelKeys(text);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) fail(`the name "${repeated}" occurs twice in the header`);
  return value;
}

function readMetadata(value: unknown, fail: Fail): Record<string, string> {
  if (value === undefined) return {};
  if (!isRecord(value)) return fail("__metadata__ is not a map of strings");
  const metadata: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") return fail(`__metadata__ entry "${key}" is not a string`);
    metadata[key] = text;
  }
  return metadata;
}

function readEntry(name: string, entry: unknown, fail: Fail) {
  if (!isRecord(entry)) return fail(`the entry of tensor "${name}" is not an object`);
  const dtype = Object.keys(DTYPES).find((known): known is Dtype => known === entry["dtype"]);
  if (dtype === undefined) {
    return fail(`tensor "${name}" has dtype ${JSON.stringify(entry["dtype"])}; supported are ${Object.keys(DTYPES)}`);
  }
  const shape = entry["shape"];
  if (!isCounts(shape)) return fail(`tensor "${name}" has shape ${JSON.stringify(shape)}`);
  const offsets = entry["data_offsets"];
  if (!isCounts(offsets) || offsets.length !== 2 || offsets[0] > offsets[1]) {
    return fail(`tensor "${name}" has data_offsets ${JSON.stringify(offsets)}`);
  }
  return { dtype, shape, begin: offsets[0], end: offsets[1] };
}

/** Keys of the outermost object of a valid JSON text, with repeats: JSON.parse would keep only the last of equal keys. */
function topLevelKeys(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    const token = match[0];
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && match[1] !== undefined) keys.push(String(JSON.parse(token.slice(0, -match[1].length))));
  }
  return keys;
}

function dtypeOf(data: TensorData): Dtype {
  for (const [name, type] of Object.entries(DTYPES) as [Dtype, (typeof DTYPES)[Dtype]][]) {
    if (data instanceof type) return name;
  }
  throw new InputError(
    `safetensors: unsupported array type; expected a typed array of ${Object.keys(DTYPES).join(", ")}.`,
  );
}

function numElements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}
