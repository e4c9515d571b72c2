import { expect, test } from "vitest";
import { InternalError } from "../core/errors.js";
import { ALIGNMENT, type PackedValue, packValue, unpackValue } from "./packed-value.js";

/** Unpacks from a copy of all bytes; `numRead` counts the arrays that were read. */
function unpack(packed: PackedValue, withLists = false) {
  const bytes = new Uint8Array(packed.numBytes);
  for (const piece of packed.pieces) bytes.set(piece.bytes, piece.offset);
  let numRead = 0;
  const read = (offset: number, length: number) => {
    expect(offset % ALIGNMENT).toBe(0);
    numRead++;
    return bytes.buffer.slice(offset, offset + length);
  };
  const structure = bytes.subarray(packed.structureAt);
  return { value: unpackValue(structure, read, withLists ? packed.lists : undefined), numRead };
}

test("a value keeps its arrays, numbers and texts", () => {
  const value = {
    arrays: [Float32Array.of(1.5, -2), BigInt64Array.of(-3n), new Uint16Array([1, 2, 3]).subarray(1), new Int8Array(0)],
    numbers: [Number.NaN, -0, 1e300, Number.NEGATIVE_INFINITY],
    nested: { list: [[], {}, [null, undefined, true]], text: "\ud800 \u{1f600}", missing: undefined },
  };
  expect(unpack(packValue(value)).value).toStrictEqual(value);
  expect(unpack(packValue("text")).value).toBe("text");
});

test("an array in two places is stored once", () => {
  const array = new Float64Array(1000);
  const packed = packValue([array, { array }, array.subarray(0, 1)]);
  expect(packed.structureAt).toBe(8000 + ALIGNMENT);
  const [first, { array: second }] = unpack(packed).value as [Float64Array, { array: Float64Array }];
  expect(first).toBe(second);
});

test("long lists of strings are built from bytes when they are read", () => {
  const narrow = Array.from({ length: 1000 }, (_, i) => (i % 7 === 0 ? "" : `n${i}\0\xff`));
  const wide = narrow.map((text, i) => (i === 500 ? "\ud83d\ude00 \udc00" : text));
  const packed = packValue({ narrow, wide });
  const { value, numRead } = unpack(packed);
  const found = value as { narrow: string[]; wide: string[] };
  expect(numRead).toBe(4);
  expect(Array.isArray(found.narrow)).toBe(true);
  expect([...found.narrow]).toEqual(narrow);
  expect(found.wide.map((text) => text)).toEqual(wide);
  expect(found.wide.indexOf("n999\0\xff")).toBe(999);
  expect([found.wide[1000], found.wide[-1], 999 in found.wide, 1000 in found.wide]).toEqual([
    undefined,
    undefined,
    true,
    false,
  ]);
  // the owner keeps its lists
  const own = unpack(packed, true);
  expect((own.value as { narrow: string[] }).narrow).toBe(narrow);
  expect(own.numRead).toBe(0);
});

test.each([[new Map()], [() => 1], [10n], [new Date(0)], [new DataView(new ArrayBuffer(1))]])(
  "%o cannot be shared",
  (value) => {
    expect(() => packValue({ value })).toThrow(InternalError);
  },
);
