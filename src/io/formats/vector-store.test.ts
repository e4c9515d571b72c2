import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { type Embedding, isVectorRows, type VectorRows, wholeEmbedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import { inputError, temporaryFolder } from "../test-files.js";
import { openEmbeddings, writeEmbeddings } from "./embedding-files.js";
import { embeddingFormats } from "./index.js";
import { VectorStore } from "./vector-store.js";

const { folder } = temporaryFolder();

const numbers = (count: number) => {
  const data = new Float32Array(count);
  new Rng(3, "numbers").fillSymmetric(data, 1);
  return data;
};

function requireRows(found: Embedding | VectorRows): VectorRows {
  if (!isVectorRows(found)) throw new Error("the vectors are in memory");
  return found;
}

test.each(embeddingFormats)(
  "$name: vectors that are read in slices have the same bits and are written as the same bytes",
  async ({ extension }) => {
    const embedding = { ids: Array.from({ length: 50 }, (_, i) => `n${i}`), dim: 3, vectors: numbers(150) };
    const path = join(folder, `from.${extension}`);
    await writeEmbeddings(path, embedding);
    const rows = requireRows(await openEmbeddings(path, 149));
    expect(await openEmbeddings(path, 150)).toEqual(embedding);
    expect(wholeEmbedding(rows)).toEqual(embedding);
    expect(rows.range(7, 20)).toEqual(embedding.vectors.subarray(21, 60));
    const nodes = Uint32Array.of(49, 3, 4, 5, 5, 0);
    const expected = [...nodes].flatMap((node) => [...embedding.vectors.subarray(3 * node, 3 * node + 3)]);
    expect([...rows.at(nodes)]).toEqual(expected);
    for (const other of embeddingFormats) {
      const [files, again] = [
        await writeEmbeddings(join(folder, `a.${other.extension}`), embedding),
        await writeEmbeddings(join(folder, `b.${other.extension}`), rows),
      ];
      expect(again.map((file) => basename(file))).toEqual(files.map((file) => basename(file).replace("a.", "b.")));
      expect(again.map((file) => readFileSync(file, "hex"))).toEqual(files.map((file) => readFileSync(file, "hex")));
    }
  },
);

test("reading in slices refuses numbers that are not finite, and two vectors of one node", async () => {
  const path = join(folder, "bad.npy");
  await writeEmbeddings(path, { ids: ["a", "b", "c"], dim: 2, vectors: numbers(6) });
  const bytes = readFileSync(path);
  bytes.writeFloatLE(Number.NaN, bytes.length - 8);
  writeFileSync(path, bytes);
  expect(await inputError(openEmbeddings(path, 0))).toBe(
    `${path}: the vector of node "c" holds NaN; expected finite numbers.`,
  );
  const twice = join(folder, "twice.csv");
  writeFileSync(twice, "node,v1\na,1\na,2\n");
  expect(await inputError(openEmbeddings(twice, 0))).toBe(`${twice}: node "a" has two vectors; expected one.`);
});

test.each([
  { isWhole: true, max: 10, inMemory: true },
  { isWhole: false, max: 2 ** 21, inMemory: false },
  { isWhole: false, max: 2 ** 22, inMemory: true },
])("numbers that are added in several pieces keep their order: %o", ({ isWhole, max, inMemory }) => {
  const [dim, count] = [3001, 800];
  const data = numbers(dim * count);
  const store = new VectorStore(isWhole, max);
  for (let i = 0; i < count; i++) store.add(data.subarray(i * dim, (i + 1) * dim));
  const ids = Array.from({ length: count }, (_, i) => `n${i}`);
  const found = store.finish(ids, dim);
  expect(isVectorRows(found)).toBe(!inMemory);
  expect(Buffer.compare(Buffer.from(wholeEmbedding(found).vectors.buffer), Buffer.from(data.buffer))).toBe(0);
});
