import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Embedding } from "../../core/embedding.js";
import { inputError, temporaryFolder } from "../test-files.js";
import { readEmbeddings, writeEmbeddings } from "./embedding-files.js";
import { VECTORS_HASH, vectorsHash } from "./run-vectors.js";
import { writeSafetensors } from "./safetensors.js";

const { folder } = temporaryFolder();

const first: Embedding = { ids: ["a", "b"], dim: 2, vectors: Float32Array.of(1, 2, 3, 0) };
const second: Embedding = { ids: ["a", "b"], dim: 2, vectors: Float32Array.of(1, 2, 3, 5) };

/** Writes the folder of a run as `embed` does. */
async function writeRun(name: string, embedding: Embedding): Promise<string> {
  const path = join(folder, name);
  mkdirSync(path);
  const hash = vectorsHash(embedding);
  await writeEmbeddings(join(path, "embeddings.parquet"), embedding);
  await writeSafetensors(join(path, "model.safetensors"), [{ name: "table", shape: [2, 2], data: embedding.vectors }], {
    [VECTORS_HASH]: hash,
  });
  writeFileSync(join(path, "run.json"), JSON.stringify({ [VECTORS_HASH]: hash }));
  return path;
}

test("the hash changes with ids and numbers, not with the order of nodes or the sign of zero", () => {
  const hash = vectorsHash(first);
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect(vectorsHash({ ids: ["b", "a"], dim: 2, vectors: Float32Array.of(3, -0, 1, 2) })).toBe(hash);
  for (const changed of [
    { ...first, ids: ["a", "c"] },
    second,
    { ids: ["a", "b"], dim: 2, vectors: Float32Array.of(3, 0, 1, 2) },
    { ids: ["a"], dim: 4, vectors: first.vectors },
  ]) {
    expect(vectorsHash(changed)).not.toBe(hash);
  }
});

test("a file of another run in the folder is refused; the error names the file", async () => {
  const other = await writeRun("other", second);
  for (const [file, message] of [
    [
      "embeddings.parquet",
      "embeddings.parquet: does not hold the vectors of the run in this folder (run.json, model.safetensors)",
    ],
    ["model.safetensors", "model.safetensors: belongs to another run than embeddings.parquet and run.json"],
    ["run.json", "run.json: belongs to another run than embeddings.parquet and model.safetensors"],
  ]) {
    const path = await writeRun(`swapped ${file}`, first);
    expect((await readEmbeddings(path)).vectors).toEqual(first.vectors);
    copyFileSync(join(other, file), join(path, file));
    expect(await inputError(readEmbeddings(path))).toContain(join(path, message));
    // A single file of vectors is not checked.
    expect((await readEmbeddings(join(path, "embeddings.parquet"))).ids).toEqual(["a", "b"]);
  }
});

test("the record or the model alone suffices, and folders without hashes are read", async () => {
  const path = await writeRun("cut off", first);
  const text = readFileSync(join(path, "run.json"), "utf8");
  writeFileSync(join(path, "run.json"), text.slice(0, 20));
  expect((await readEmbeddings(path)).ids).toEqual(first.ids);
  await writeEmbeddings(join(path, "embeddings.parquet"), second);
  expect(await inputError(readEmbeddings(path))).toContain("(model.safetensors)");
  await writeSafetensors(join(path, "model.safetensors"), []);
  expect((await readEmbeddings(path)).vectors).toEqual(second.vectors);
});
