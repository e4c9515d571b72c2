/** The header of a safetensors file: where each tensor is, and the metadata. Reading checks everything that the format guarantees. */

import { InputError } from "../../core/errors.js";

export type TensorData = Float32Array | Float64Array | Uint32Array | Int32Array | BigInt64Array | Uint8Array;

export const DTYPES = {
  F64: Float64Array,
  I64: BigInt64Array,
  F32: Float32Array,
  U32: Uint32Array,
  I32: Int32Array,
  U8: Uint8Array,
} as const;

export type Dtype = keyof typeof DTYPES;

/** The limit of the format on the header, in bytes. */
const MAX_HEADER = 100_000_000;

/** A tensor in a file, by its bytes after the header. */
export interface PlacedTensor {
  readonly shape: readonly number[];
  readonly dtype: Dtype;
  readonly begin: number;
  readonly end: number;
}

export interface SafetensorsHeader {
  readonly tensors: ReadonlyMap<string, PlacedTensor>;
  readonly metadata: Record<string, string>;
}

/** The header in `bytes`, which follow the 8 bytes of its length; the tensors have `dataBytes` bytes. */
export function readHeader(bytes: Uint8Array, dataBytes: number, fail: Fail): SafetensorsHeader {
  const header = parseHeader(bytes, fail);
  const metadata = readMetadata(header["__metadata__"], fail);
  const tensors = new Map<string, PlacedTensor>();
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const placed = readEntry(name, entry, fail);
    const { dtype, shape, begin, end } = placed;
    const expected = numElements(shape) * DTYPES[dtype].BYTES_PER_ELEMENT;
    if (end - begin !== expected) {
      fail(`tensor "${name}" holds ${end - begin} bytes, but ${dtype} [${shape}] needs ${expected}`);
    }
    if (end > dataBytes)
      fail(`tensor "${name}" ends at byte ${end} of the data, which has ${dataBytes}; it was cut off`);
    tensors.set(name, placed);
  }
  let expected = 0;
  for (const [name, { begin, end }] of [...tensors].sort(([, a], [, b]) => a.begin - b.begin || a.end - b.end)) {
    if (begin < expected) fail(`tensor "${name}" begins at byte ${begin}, inside the tensor before it`);
    if (begin > expected) fail(`bytes ${expected} to ${begin} of the data belong to no tensor`);
    expected = end;
  }
  if (expected !== dataBytes) fail(`the data has ${dataBytes} bytes, but the tensors end at ${expected}`);
  return { tensors, metadata };
}

/** The map of strings in a header. */
export function readHeaderMetadata(bytes: Uint8Array, fail: Fail): Record<string, string> {
  return readMetadata(parseHeader(bytes, fail)["__metadata__"], fail);
}

export type Fail = (reason: string) => never;

/** A file is not a valid safetensors file. */
export class SafetensorsError extends InputError {
  /** The fault, without the name of the file. */
  readonly reason: string;

  constructor(where: string, reason: string) {
    super(`${where}: not a valid safetensors file: ${reason}. The file may be damaged; write it again.`);
    this.reason = reason;
  }
}

export function failing(where: string): Fail {
  return (reason) => {
    throw new SafetensorsError(where, reason);
  };
}

export function headerLengthOf(bytes: Uint8Array, fileSize: number, fail: Fail): number {
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

function readEntry(name: string, entry: unknown, fail: Fail): PlacedTensor {
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

export function numElements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}
