/**
 * The safetensors format (https://huggingface.co/docs/safetensors): an 8-byte little-endian header length, a JSON header
 * `{name: {dtype, shape, data_offsets}, __metadata__: {…}}` padded with spaces, then the tensors' bytes without holes.
 *
 * The header is padded so that the data begins at a multiple of 8, and tensors are stored by decreasing element size, so every
 * tensor is aligned to its elements. Tensors are written and read in slices, so a large one needs no second copy.
 */

import { closeSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { InputError, InternalError } from "../../core/errors.js";
import { writeAtomically } from "../atomic-write.js";
import { cannotRead, requireFile } from "../read-input.js";
import {
  DTYPES,
  type Dtype,
  failing,
  headerLengthOf,
  numElements,
  readHeader,
  readHeaderMetadata,
  SafetensorsError,
  type SafetensorsHeader,
  type TensorData,
} from "./safetensors-header.js";

export { SafetensorsError, type TensorData };

export interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** A tensor whose elements are computed while they are written. */
export interface SlicedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: Dtype;
  /** A slice is valid until the next one is read. */
  slices(): Iterable<TensorData> | AsyncIterable<TensorData>;
}

export interface StoredTensor {
  readonly shape: readonly number[];
  readonly data: TensorData;
}

export interface Safetensors {
  readonly tensors: Map<string, StoredTensor>;
  readonly metadata: Record<string, string>;
}

/** Maximum number of bytes per read call; Node's limit is 2 GiB. Not tuned. */
const MAX_READ = 2 ** 28;

type Metadata = Readonly<Record<string, string>>;

/** Writes tensors and a map of strings to a safetensors file. */
export async function writeSafetensors(
  path: string,
  tensors: readonly (NamedTensor | SlicedTensor)[],
  metadata: Metadata = {},
): Promise<void> {
  await writeAtomically(path, safetensorsPieces(tensors, metadata));
}

/**
 * Writes a file with a check sum of its tensors in the metadata. `hash` receives the name and the bytes of each tensor, in the order
 * of the names; then `seal` returns the metadata. `draft` has the same keys and values of the same lengths.
 */
export async function writeSealedSafetensors(
  path: string,
  tensors: readonly SlicedTensor[],
  draft: Metadata,
  hash: { update(data: string | Uint8Array): unknown },
  seal: () => Metadata,
): Promise<void> {
  await writeAtomically(path, async (temporary) => {
    const file = await open(temporary, "r+");
    try {
      const { header, placed } = layOut(tensors, draft);
      for (const { tensor, begin } of [...placed].sort((a, b) => (a.tensor.name < b.tensor.name ? -1 : 1))) {
        let at = header.length + begin;
        hash.update(tensor.name);
        for await (const slice of tensor.slices()) {
          const bytes = bytesOf(slice);
          hash.update(bytes);
          await writeAt(file, bytes, at);
          at += bytes.length;
        }
      }
      await writeAt(file, layOut(tensors, seal()).header, 0);
    } finally {
      await file.close();
    }
  });
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

/** A file whose tensors are read in slices. */
export interface OpenSafetensors extends SafetensorsHeader {
  /** The elements from `first` up to `end` of a tensor. */
  read(name: string, first: number, end: number): TensorData;
}

/** Reads and checks the header of a safetensors file. */
export async function openSafetensors(path: string): Promise<OpenSafetensors> {
  await requireFile(path);
  const fail = failing(path);
  const { size, header, start } = await readStart(path).catch((error: unknown) => {
    throw cannotRead(error, path);
  });
  const { tensors, metadata } = readHeader(header, size - start, fail);
  return {
    tensors,
    metadata,
    read(name, first, end) {
      const placed = tensors.get(name);
      if (placed === undefined) return fail(`it has no tensor "${name}"`);
      const type = DTYPES[placed.dtype];
      const data = new type(end - first);
      readAt(path, bytesOf(data), start + placed.begin + first * type.BYTES_PER_ELEMENT, () =>
        fail(`tensor "${name}" was cut off`),
      );
      return data;
    },
  };
}

/** The size of a file, the bytes of its header, and the place of the first tensor. */
async function readStart(path: string) {
  const fail = failing(path);
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = new Uint8Array(8);
    if (size < 8) fail(`it has ${size} bytes, fewer than the 8 of the header length`);
    await file.read(length, 0, 8, 0);
    const header = new Uint8Array(headerLengthOf(length, size, fail));
    await file.read(header, 0, header.length, 8);
    return { size, header, start: 8 + header.length };
  } finally {
    await file.close();
  }
}

function readAt(path: string, bytes: Uint8Array, position: number, cutOff: () => never): void {
  const file = openSync(path, "r");
  try {
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(file, bytes, done, Math.min(MAX_READ, bytes.length - done), position + done);
      if (read === 0) cutOff();
      done += read;
    }
  } finally {
    closeSync(file);
  }
}

/** Reads the map of strings in a safetensors file, without its tensors, which are not checked. */
export async function readSafetensorsMetadata(path: string): Promise<Record<string, string>> {
  return readHeaderMetadata((await readStart(path)).header, failing(path));
}

/** Reads and checks a safetensors file; only the tensors with these names, if they are given. */
export async function readSafetensors(path: string, names?: readonly string[]): Promise<Safetensors> {
  const { tensors, metadata, read } = await openSafetensors(path);
  const found = new Map<string, StoredTensor>();
  for (const [name, { shape }] of tensors) {
    if (names?.includes(name) ?? true) found.set(name, { shape, data: read(name, 0, numElements(shape)) });
  }
  return { tensors: found, metadata };
}

/** The bytes of a safetensors file. */
export function encodeSafetensors(tensors: readonly NamedTensor[], metadata: Metadata = {}): Uint8Array {
  const { header, placed } = layOut(tensors.map(slicedTensor), metadata);
  const data = new Map(tensors.map((tensor) => [tensor.name, tensor.data]));
  const pieces = [header, ...placed.map(({ tensor: { name } }) => bytesOf(data.get(name) ?? new Uint8Array(0)))];
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

async function* safetensorsPieces(
  tensors: readonly (NamedTensor | SlicedTensor)[],
  metadata: Metadata,
): AsyncGenerator<Uint8Array> {
  const { header, placed } = layOut(tensors.map(slicedTensor), metadata);
  yield header;
  for (const { tensor, begin, end } of placed) {
    let at = begin;
    for await (const slice of tensor.slices()) {
      yield bytesOf(slice);
      at += slice.byteLength;
    }
    if (at !== end) throw new InternalError(`safetensors: tensor "${tensor.name}" has ${at - begin} bytes`);
  }
}

function slicedTensor(tensor: NamedTensor | SlicedTensor): SlicedTensor {
  if ("slices" in tensor) return tensor;
  const { name, shape, data } = tensor;
  if (numElements(shape) !== data.length) {
    throw new InputError(
      `safetensors: tensor "${name}" has ${data.length} elements; expected ${numElements(shape)} for shape [${shape}].`,
    );
  }
  return { name, shape, dtype: dtypeOf(data), slices: () => [data] };
}

/** The header, and the tensors in the order of their places after it. */
function layOut(tensors: readonly SlicedTensor[], metadata: Metadata) {
  const entries: [string, unknown][] = Object.keys(metadata).length > 0 ? [["__metadata__", metadata]] : [];
  const sizeOf = ({ dtype }: SlicedTensor) => DTYPES[dtype].BYTES_PER_ELEMENT;
  const seen = new Set(["__metadata__"]);
  let begin = 0;
  const placed = [...tensors]
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .map((tensor) => {
      const { name, shape, dtype } = tensor;
      if (seen.has(name))
        throw new InputError(`safetensors: two tensors are called "${name}"; expected different names.`);
      seen.add(name);
      const place = { tensor, begin, end: begin + numElements(shape) * sizeOf(tensor) };
      entries.push([name, { dtype, shape, data_offsets: [place.begin, place.end] }]);
      begin = place.end;
      return place;
    });
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const headerLength = Math.ceil(json.length / 8) * 8;
  const header = new Uint8Array(8 + headerLength).fill(0x20);
  new DataView(header.buffer).setBigUint64(0, BigInt(headerLength), true);
  header.set(json, 8);
  return { header, placed };
}

function bytesOf({ buffer, byteOffset, byteLength }: TensorData): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Decodes the bytes of a safetensors file; `where` names the file in messages. */
export function decodeSafetensors(bytes: Uint8Array, where: string): Safetensors {
  const fail = failing(where);
  if (bytes.length < 8) fail(`it has ${bytes.length} bytes, fewer than the 8 of the header length`);
  const start = 8 + headerLengthOf(bytes, bytes.length, fail);
  const header = readHeader(bytes.subarray(8, start), bytes.length - start, fail);
  const tensors = new Map<string, StoredTensor>();
  for (const [name, { shape, dtype, begin, end }] of header.tensors) {
    const copy = bytes.slice(start + begin, start + end);
    tensors.set(name, { shape, data: new DTYPES[dtype](copy.buffer, copy.byteOffset, numElements(shape)) });
  }
  return { tensors, metadata: header.metadata };
}

/** The type of the elements of an array. */
export function dtypeOf(data: TensorData): Dtype {
  for (const [name, type] of Object.entries(DTYPES) as [Dtype, (typeof DTYPES)[Dtype]][]) {
    if (data instanceof type) return name;
  }
  throw new InputError(
    `safetensors: unsupported array type; expected a typed array of ${Object.keys(DTYPES).join(", ")}.`,
  );
}
