import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { encodePng } from "./png.js";

/** Chunks by type; throws if a length does not lead to the next chunk. */
function chunks(png: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(png);
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const found = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    found.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return found;
}

test("the file contains the pixels", () => {
  const [width, height] = [3, 2];
  const data = Uint8Array.from({ length: 18 }, (_, i) => (i * 37) % 256);
  const parts = chunks(encodePng({ width, height, data }));
  expect([...parts.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  expect([...parts.get("IHDR")!]).toEqual([0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
  const rows = inflateSync(parts.get("IDAT")!);
  const back: number[] = [];
  for (let y = 0; y < height; y++) {
    expect(rows[y * 10]).toBe(2);
    for (let x = 0; x < 9; x++) back.push((rows[y * 10 + 1 + x] + (y === 0 ? 0 : back[(y - 1) * 9 + x])) % 256);
  }
  expect(back).toEqual([...data]);
});

test("the file ends with the IEND chunk and its checksum", () => {
  const png = encodePng({ width: 1, height: 1, data: new Uint8Array(3) });
  expect(Buffer.from(png.subarray(-12)).toString("hex")).toBe("0000000049454e44ae426082");
});
