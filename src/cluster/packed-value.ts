/**
 * A value as bytes: its typed arrays and long lists of strings, which other processes read in place, and its structure (records,
 * lists, numbers, short texts), which they copy.
 */

import { deserialize, serialize } from "node:v8";
import { InternalError } from "../core/errors.js";
import { packStrings, unpackStrings } from "./packed-strings.js";

const ARRAY_TYPES = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};
type ArrayType = keyof typeof ARRAY_TYPES;
type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** Where an array is among the bytes. `length` counts elements. */
interface PlacedArray {
  readonly type: ArrayType;
  readonly offset: number;
  readonly length: number;
}

/** Strings by the places of their ends and characters in the list of arrays. */
interface PlacedStrings {
  readonly ends: number;
  readonly text: number;
  readonly wide: boolean;
}

/** The structure: `tree` is the value with a BigInt in place of each array and long list, which is its number in `placed`. */
interface Structure {
  readonly tree: unknown;
  readonly placed: readonly (PlacedArray | PlacedStrings)[];
}

/** Bytes that begin at a place among all bytes of a value. */
export interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface PackedValue {
  readonly numBytes: number;
  /** The structure begins here and ends at `numBytes`. */
  readonly structureAt: number;
  readonly pieces: readonly Piece[];
  /** The long lists of strings, by their numbers. Their owner keeps them: reading them is faster than from bytes. */
  readonly lists: ReadonlyMap<bigint, readonly string[]>;
}

/** Arrays begin at multiples of this number of bytes: a cache line, and more than any element needs. */
export const ALIGNMENT = 64;
/** Lists with at least this number of strings are read in place; shorter ones are copied with the structure. Not tuned. */
const MIN_LONG_LIST = 1000;

export function packValue(value: unknown): PackedValue {
  const pieces: Piece[] = [];
  const placed: (PlacedArray | PlacedStrings)[] = [];
  const numbers = new Map<TypedArray, bigint>();
  const lists = new Map<bigint, readonly string[]>();
  let numBytes = 0;
  const addArray = (array: TypedArray): bigint => {
    const known = numbers.get(array);
    if (known !== undefined) return known;
    pieces.push({ offset: numBytes, bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength) });
    const number = BigInt(placed.push({ type: typeOf(array), offset: numBytes, length: array.length }) - 1);
    numBytes = ALIGNMENT * Math.ceil((numBytes + array.byteLength) / ALIGNMENT);
    numbers.set(array, number);
    return number;
  };
  const addList = (list: readonly string[]): bigint => {
    const { ends, text, wide } = packStrings(list);
    const places = { ends: Number(addArray(ends)), text: Number(addArray(text)), wide };
    const number = BigInt(placed.push(places) - 1);
    lists.set(number, list);
    return number;
  };
  const walk = (part: unknown): unknown => {
    if (part === null || part === undefined) return part;
    if (typeof part === "string" || typeof part === "number" || typeof part === "boolean") return part;
    if (isTypedArray(part)) return addArray(part);
    if (Array.isArray(part)) {
      const isLong = part.length >= MIN_LONG_LIST && part.every((item) => typeof item === "string");
      return isLong ? addList(part) : part.map(walk);
    }
    if (typeof part === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(part))) {
      return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, walk(item)]));
    }
    const found = typeof part === "object" ? part.constructor.name : typeof part;
    throw new InternalError(`sharing: found a value of type ${found}; expected typed arrays, plain records and lists`);
  };
  const structure = serialize({ tree: walk(value), placed });
  pieces.push({ offset: numBytes, bytes: structure });
  return { numBytes: numBytes + structure.length, structureAt: numBytes, pieces, lists };
}

/** Returns memory of the packed value without a copy; it begins at a multiple of ALIGNMENT. */
export type MemoryReader = (offset: number, numBytes: number) => ArrayBuffer;

/** The value, with arrays in the memory that `read` returns. `lists` are those of its owner, for the owner itself. */
export function unpackValue(
  structure: Uint8Array,
  read: MemoryReader,
  lists: ReadonlyMap<bigint, readonly string[]> = new Map(),
): unknown {
  const { tree, placed }: Structure = deserialize(structure);
  const arrays = new Map<number, TypedArray>();
  const arrayAt = (number: number): TypedArray => {
    const known = arrays.get(number);
    if (known !== undefined) return known;
    const place = placed[number];
    if (!("type" in place)) throw new InternalError(`sharing: ${number} is no array`);
    const Type = ARRAY_TYPES[place.type];
    const { offset, length } = place;
    const array = length === 0 ? new Type(0) : new Type(read(offset, length * Type.BYTES_PER_ELEMENT));
    arrays.set(number, array);
    return array;
  };
  const listAt = (number: bigint, { ends, text, wide }: PlacedStrings): readonly string[] => {
    const own = lists.get(number);
    if (own !== undefined) return own;
    const [endsArray, textArray] = [arrayAt(ends), arrayAt(text)];
    if (endsArray instanceof Uint32Array && textArray instanceof Uint8Array) {
      return unpackStrings({ ends: endsArray, text: textArray, wide });
    }
    throw new InternalError(`sharing: the list ${number} has arrays of other types`);
  };
  const walk = (part: unknown): unknown => {
    if (typeof part === "bigint") {
      const place = placed[Number(part)];
      return "type" in place ? arrayAt(Number(part)) : listAt(part, place);
    }
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, walk(item)]));
  };
  return walk(tree);
}

function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** The name of the type; Buffer is a kind of Uint8Array. */
function typeOf(array: TypedArray): ArrayType {
  for (const [name, Type] of Object.entries(ARRAY_TYPES)) if (array instanceof Type) return name as ArrayType;
  throw new InternalError(`sharing: found an array of type ${array.constructor.name}`);
}
