import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inputError, temporaryFolder } from "../test-files.js";
import {
  decodeSafetensors,
  dtypeOf,
  encodeSafetensors,
  openSafetensors,
  readSafetensors,
  type TensorData,
  writeSafetensors,
  writeSealedSafetensors,
} from "./safetensors.js";

const { folder, write } = temporaryFolder();

const tensors = [
  { name: "bytes", shape: [3], data: Uint8Array.of(1, 2, 3) },
  { name: "weight", shape: [2, 3], data: Float32Array.of(1, -2, 3.5, 1e-45, -0, 6) },
  { name: "0", shape: [], data: Float64Array.of(Math.PI) },
  { name: "long", shape: [1, 2], data: BigInt64Array.of(-1n, 2n ** 62n) },
  { name: "empty", shape: [0, 4], data: new Uint32Array(0) },
  { name: "naïve/ü", shape: [2], data: Int32Array.of(-7, 7) },
];

/** A reader written from the published specification alone: https://huggingface.co/docs/safetensors, "Format". */
function independentRead(bytes: Buffer) {
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + length));
  const { __metadata__: metadata, ...entries } = header;
  const names = Object.keys(entries);
  const spans = names.map((name) => entries[name].data_offsets).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return {
    metadata,
    names,
    spans,
    end: bytes.length - 8 - length,
    first: bytes[8],
    floats(name: string): number[] {
      const { dtype, data_offsets } = entries[name];
      const size = { F32: 4, F64: 8 }[dtype as "F32" | "F64"];
      const values: number[] = [];
      for (let at = 8 + length + data_offsets[0]; at < 8 + length + data_offsets[1]; at += size) {
        values.push(size === 4 ? bytes.readFloatLE(at) : bytes.readDoubleLE(at));
      }
      return values;
    },
    entries,
  };
}

test("written tensors are read back, also by a reader written from the specification", async () => {
  const path = join(folder, "model.safetensors");
  await writeSafetensors(path, tensors, { format: "pt", note: "é" });
  const back = await readSafetensors(path);
  expect(back.metadata).toEqual({ format: "pt", note: "é" });
  expect([...back.tensors.keys()].sort()).toEqual(tensors.map(({ name }) => name).sort());
  for (const { name, shape, data } of tensors) expect(back.tensors.get(name)).toEqual({ shape, data });

  const seen = independentRead(readFileSync(path));
  expect(seen.first).toBe("{".charCodeAt(0));
  expect(seen.metadata).toEqual({ format: "pt", note: "é" });
  expect(seen.floats("weight")).toEqual([...tensors[1].data]);
  expect(seen.floats("0")).toEqual([Math.PI]);
  expect(seen.entries["long"]).toMatchObject({ dtype: "I64", shape: [1, 2] });
  let end = 0;
  for (const [from, to] of seen.spans) {
    expect(from).toBe(end);
    end = to;
  }
  expect(end).toBe(seen.end);
  for (const name of ["0", "long", "weight"]) expect((8 + seen.entries[name].data_offsets[0]) % 4).toBe(0);
});

test("every truncation is refused", () => {
  const bytes = encodeSafetensors(tensors, { a: "b" });
  for (let length = 0; length < bytes.length; length++) {
    expect(() => decodeSafetensors(bytes.subarray(0, length), "cut")).toThrow(/^cut: not a valid safetensors file: /);
  }
});

function withHeader(header: string, data = 8): Uint8Array {
  const json = Buffer.from(header);
  const bytes = Buffer.alloc(8 + json.length + data);
  bytes.writeBigUInt64LE(BigInt(json.length), 0);
  json.copy(bytes, 8);
  return bytes;
}

const entry = (from: number, to: number, shape = `[${(to - from) / 4}]`, dtype = "F32") =>
  `{"dtype":"${dtype}","shape":${shape},"data_offsets":[${from},${to}]}`;

test.each([
  ["not JSON", '{"a":', "the header is not JSON"],
  ["no object", "[1]", "the header is not a JSON object"],
  ["twice", `{"a":${entry(0, 4)},"a":${entry(4, 8)}}`, 'the name "a" occurs twice'],
  ["overlap", `{"a":${entry(0, 8)},"b":${entry(4, 8)}}`, 'tensor "b" begins at byte 4, inside the tensor before it'],
  ["hole", `{"a":${entry(4, 8)}}`, "bytes 0 to 4 of the data belong to no tensor"],
  ["rest", `{"a":${entry(0, 4)}}`, "the data has 8 bytes, but the tensors end at 4"],
  ["beyond", `{"a":${entry(0, 12)}}`, 'tensor "a" ends at byte 12 of the data, which has 8'],
  ["size", `{"a":${entry(0, 8, "[3]")}}`, 'tensor "a" holds 8 bytes, but F32 [3] needs 12'],
  ["dtype", `{"a":${entry(0, 8, "[2]", "BF16")}}`, 'tensor "a" has dtype "BF16"'],
  ["shape", `{"a":${entry(0, 8, "[-2]")}}`, 'tensor "a" has shape [-2]'],
  ["offsets", `{"a":${entry(8, 0, "[2]")}}`, 'tensor "a" has data_offsets [8,0]'],
  ["metadata", `{"__metadata__":{"x":1},"a":${entry(0, 8)}}`, '__metadata__ entry "x" is not a string'],
])("%s", async (name, header, reason) => {
  const path = write(`${name}.safetensors`, withHeader(header));
  expect(await inputError(readSafetensors(path))).toContain(`${path}: not a valid safetensors file: ${reason}`);
});

test("a header length beyond the limit, wrong sizes and repeated names are refused", async () => {
  const bytes = new Uint8Array(16).fill(0xff);
  expect(() => decodeSafetensors(bytes, "x")).toThrow("above the limit");
  expect(() => encodeSafetensors([{ name: "a", shape: [2], data: new Float32Array(3) }])).toThrow('"a" has 3 elements');
  const one = { name: "a", shape: [1], data: new Float32Array(1) };
  expect(() => encodeSafetensors([one, one])).toThrow('two tensors are called "a"');
  expect(await inputError(readSafetensors(join(folder, "none")))).toContain("no such file");
});

/** A tensor in slices of one element. */
function sliced({ name, shape, data }: { name: string; shape: number[]; data: TensorData }) {
  const slices = () => Array.from({ length: data.length }, (_, i) => data.slice(i, i + 1));
  return { name, shape, dtype: dtypeOf(data), slices };
}

test("tensors in slices give the same bytes, with and without a check sum that is known last", async () => {
  const path = join(folder, "sliced.safetensors");
  const whole = Buffer.from(encodeSafetensors(tensors, { sum: "ab" }));
  await writeSafetensors(path, tensors.map(sliced), { sum: "ab" });
  expect(readFileSync(path).equals(whole)).toBe(true);
  const seen: (string | Uint8Array)[] = [];
  const sealed = tensors.map(sliced);
  await writeSealedSafetensors(path, sealed, { sum: "00" }, { update: (data) => seen.push(data) }, () => ({
    sum: "ab",
  }));
  expect(readFileSync(path).equals(whole)).toBe(true);
  // the order of the names, each followed by its elements
  expect(seen.filter((data) => typeof data === "string")).toEqual(tensors.map(({ name }) => name).sort());
  expect(seen.slice(0, 2)).toEqual(["0", new Uint8Array(Float64Array.of(Math.PI).buffer)]);

  const file = await openSafetensors(path);
  expect(file.read("weight", 2, 5)).toEqual(Float32Array.of(3.5, 1e-45, -0));
  expect(file.read("long", 1, 2)).toEqual(BigInt64Array.of(2n ** 62n));
  expect((await readSafetensors(path, ["bytes"])).tensors).toEqual(
    new Map([["bytes", { shape: [3], data: Uint8Array.of(1, 2, 3) }]]),
  );
});

test("a tensor whose slices do not fill its shape is not written", async () => {
  const short = { ...sliced(tensors[1]), slices: () => [Float32Array.of(1, 2)] };
  const before = readdirSync(folder);
  await expect(writeSafetensors(join(folder, "short.safetensors"), [short])).rejects.toThrow('"weight" has 8 bytes');
  expect(readdirSync(folder)).toEqual(before);
});
