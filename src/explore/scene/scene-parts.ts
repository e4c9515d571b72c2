/**
 * The binary parts of a scene. A part is a list of typed arrays: the number of arrays, the bytes of each (Uint32), then the
 * arrays, each padded to four bytes. Numbers are little-endian, as on every platform that runs a browser.
 *
 * | part          | arrays                                                            |
 * | ---           | ---                                                               |
 * | `ids`         | Uint32 offsets (numNodes + 1), Uint8 text (UTF-8)                 |
 * | `map.K`       | Float32 positions (2 numNodes)                                    |
 * | `attribute.K` | Int32 codes or Float32 values (numNodes)                          |
 * | `vectors`     | Float32 (numNodes × dim)                                          |
 * | `adjacency.R` | Uint32 rowStart (numNodes + 1), Uint32 columns, Float32 weights if the relation is weighted, Uint8 directions if the graph is directed |
 * | `decoder.R`   | Float32 source (numNodes × width), Float32 target unless it is the same |
 */

import { InputError } from "../../index.js";
import type { Adjacency, Attribute, AttributeFacts, DecoderVectors } from "./scene.js";

/** Arrays and their padding are multiples of so many bytes. */
const ALIGNMENT = 4;
/** Maximum bytes of an array: its length is written as a Uint32. */
const MAX_BYTES = 2 ** 32 - 1;

/** Maximum bytes of ids that are decoded at once: half the longest string of V8. */
const MAX_TEXT = 2 ** 28;

type PartArray = Uint8Array | Uint32Array | Int32Array | Float32Array;

export function encodeArrays(arrays: readonly PartArray[], name: string): Uint8Array<ArrayBuffer> {
  let size = ALIGNMENT * (1 + arrays.length);
  for (const { byteLength } of arrays) {
    if (byteLength > MAX_BYTES) {
      throw new InputError(`scene: part ${name} has ${byteLength} bytes; expected at most ${MAX_BYTES} in one array.`);
    }
    size += padded(byteLength);
  }
  const part = new Uint8Array(size);
  const head = new Uint32Array(part.buffer, 0, 1 + arrays.length);
  head[0] = arrays.length;
  let at = head.byteLength;
  arrays.forEach(({ buffer, byteOffset, byteLength }, k) => {
    head[1 + k] = byteLength;
    part.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += padded(byteLength);
  });
  return part;
}

function padded(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** The buffers of the arrays as views of the part. Throws unless the part is complete and has one of the expected numbers of arrays. */
function decodeArrays(part: ArrayBuffer, name: string, counts: readonly number[]): Uint8Array<ArrayBuffer>[] {
  if (part.byteLength < ALIGNMENT || part.byteLength % ALIGNMENT !== 0) throw damaged(name, `${part.byteLength} bytes`);
  const words = new Uint32Array(part);
  const count = words[0];
  if (!counts.includes(count) || words.length < 1 + count) throw damaged(name, `${count} arrays`, counts.join(" or "));
  let at = ALIGNMENT * (1 + count);
  const arrays = Array.from({ length: count }, (_, k) => {
    const bytes = words[1 + k];
    if (at + padded(bytes) > part.byteLength) throw damaged(name, "an array beyond the end");
    const array = new Uint8Array(part, at, bytes);
    at += padded(bytes);
    return array;
  });
  if (at !== part.byteLength) throw damaged(name, `${part.byteLength} bytes`, at);
  return arrays;
}

/** The error for a part that is cut off or was changed. */
function damaged(name: string, found: string, expected?: string | number): InputError {
  const expectation = expected === undefined ? "a complete part" : String(expected);
  return new InputError(
    `scene: part ${name} is damaged: found ${found}; expected ${expectation}. Make the page again.`,
  );
}

/** The bytes as numbers of four bytes each, `length` of them if it is given. */
function numbers<T>(
  make: new (buffer: ArrayBuffer, offset: number, length: number) => T,
  { buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>,
  name: string,
  length = byteLength / ALIGNMENT,
): T {
  if (byteLength !== ALIGNMENT * length || !Number.isInteger(length)) {
    throw damaged(name, `${byteLength} bytes in an array`, ALIGNMENT * Math.ceil(length));
  }
  return new make(buffer, byteOffset, length);
}

export function encodeIds(ids: readonly string[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const texts = ids.map((id) => encoder.encode(id));
  const offsets = new Uint32Array(ids.length + 1);
  let end = 0;
  texts.forEach(({ length }, i) => {
    end += length;
    offsets[i + 1] = end;
  });
  if (end > MAX_BYTES) throw new InputError(`scene: ids of ${end} bytes; expected at most ${MAX_BYTES}.`);
  const bytes = new Uint8Array(end);
  texts.forEach((text, i) => {
    bytes.set(text, offsets[i]);
  });
  return encodeArrays([offsets, bytes], "ids");
}

export function decodeIds(part: ArrayBuffer, numNodes: number): string[] {
  const [places, bytes] = decodeArrays(part, "ids", [2]);
  const offsets = numbers(Uint32Array, places, "ids", numNodes + 1);
  requireAscending(offsets, bytes.length, "ids");
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const whole = bytes.length <= MAX_TEXT ? decoder.decode(bytes) : "";
  // ASCII has one byte per character: cutting one text is faster than decoding every id
  const isAscii = whole.length === bytes.length;
  return Array.from({ length: numNodes }, (_, i) => {
    const [start, end] = [offsets[i], offsets[i + 1]];
    return isAscii ? whole.slice(start, end) : decoder.decode(bytes.subarray(start, end));
  });
}

/** Throws unless the offsets ascend from 0 to `end`. */
function requireAscending(offsets: Uint32Array, end: number, name: string): void {
  const last = offsets[offsets.length - 1];
  if (offsets[0] !== 0 || last !== end) throw damaged(name, `offsets from ${offsets[0]} to ${last}`, `0 to ${end}`);
  for (let i = 1; i < offsets.length; i++) {
    if (offsets[i] < offsets[i - 1])
      throw damaged(name, `offset ${offsets[i]} after ${offsets[i - 1]}`, "ascending offsets");
  }
}

/** A part of numbers only, such as vectors or positions. */
export function encodeFloats(values: Float32Array, name: string): Uint8Array<ArrayBuffer> {
  return encodeArrays([values], name);
}

export function decodeFloats(part: ArrayBuffer, name: string, length: number): Float32Array {
  const [values] = decodeArrays(part, name, [1]);
  return numbers(Float32Array, values, name, length);
}

export function encodeAttribute(attribute: Attribute, name: string): Uint8Array<ArrayBuffer> {
  return encodeArrays([attribute.kind === "category" ? attribute.codes : attribute.values], name);
}

export function decodeAttribute(part: ArrayBuffer, name: string, facts: AttributeFacts, numNodes: number): Attribute {
  if (facts.kind === "number") return { ...facts, values: decodeFloats(part, name, numNodes) };
  const [bytes] = decodeArrays(part, name, [1]);
  const codes = numbers(Int32Array, bytes, name, numNodes);
  const count = facts.categories.length;
  for (const code of codes)
    if (code < -1 || code >= count) throw damaged(name, `category ${code}`, `-1 to ${count - 1}`);
  return { ...facts, codes };
}

export function encodeAdjacency(adjacency: Adjacency, name: string): Uint8Array<ArrayBuffer> {
  const { rowStart, columns, weights, directions } = adjacency;
  return encodeArrays([rowStart, columns, ...(weights ? [weights] : []), ...(directions ? [directions] : [])], name);
}

/** What the header says of the edges of a relation. */
export interface AdjacencyFacts {
  readonly numNodes: number;
  readonly weighted: boolean;
  readonly directed: boolean;
}

export function decodeAdjacency(part: ArrayBuffer, name: string, facts: AdjacencyFacts): Adjacency {
  const { numNodes, weighted, directed } = facts;
  const [starts, neighbours, ...others] = decodeArrays(part, name, [2 + Number(weighted) + Number(directed)]);
  const rowStart = numbers(Uint32Array, starts, name, numNodes + 1);
  const columns = numbers(Uint32Array, neighbours, name);
  requireAscending(rowStart, columns.length, name);
  for (const node of columns) if (node >= numNodes) throw damaged(name, `node ${node}`, `0 to ${numNodes - 1}`);
  const directions = directed ? others.at(-1) : undefined;
  if (directions !== undefined && directions.length !== columns.length)
    throw damaged(name, `${directions.length} directions`, columns.length);
  return {
    rowStart,
    columns,
    ...(weighted ? { weights: numbers(Float32Array, others[0], name, columns.length) } : {}),
    ...(directions === undefined ? {} : { directions }),
  };
}

export function encodeDecoder({ source, target }: DecoderVectors, name: string): Uint8Array<ArrayBuffer> {
  return encodeArrays(target === source ? [source] : [source, target], name);
}

export function decodeDecoder(part: ArrayBuffer, name: string, numNodes: number): DecoderVectors {
  const [sources, targets] = decodeArrays(part, name, [1, 2]);
  const width = Math.floor(sources.length / ALIGNMENT / Math.max(1, numNodes));
  const source = numbers(Float32Array, sources, name, numNodes * width);
  const target = targets === undefined ? source : numbers(Float32Array, targets, name, numNodes * width);
  return { width, source, target };
}
