import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { type Embedding, sliceRows, type VectorRows, vectorRows } from "../../core/embedding.js";
import { floatText, floatTextByTrial } from "../../core/float-text.js";
import { Rng } from "../../core/rng.js";
import { inputError, temporaryFolder } from "../test-files.js";
import { formatByPath, readEmbeddings, writeEmbeddings, writeEmbeddingsFolder } from "./embedding-files.js";
import { embeddingFormats } from "./index.js";
import { vectorsHash } from "./run-vectors.js";

const { folder, write } = temporaryFolder();

/** Random bit patterns, so that all exponents and both zeros occur. */
function randomFloats(count: number, seed: number): Float32Array {
  const rng = new Rng(seed, "floats");
  const bits = Uint32Array.from({ length: count }, () => rng.uint32());
  const floats = new Float32Array(bits.buffer).map((value) => (Number.isFinite(value) ? value : -0));
  floats.set([0, -0, 1, 0.1, 1e-45, -3.4028234663852886e38, 16777216, 1.17549435e-38].slice(0, count));
  return floats;
}

const PLAIN_IDS = ["a", "007", "é", "\u{1F600}", "x,y", "#tag", "it's", '"q"', "p%20q"];
const ODD_IDS = ["New York", 'say "hi"', "tab\there", "two\nlines", "crlf\r\nhere", " lead", "a,b"];

function embeddingOf(ids: string[], dim = 5): Embedding {
  return { ids, dim, vectors: randomFloats(ids.length * dim, ids.length) };
}

function bits(floats: Float32Array): number[] {
  return [...new Uint32Array(floats.buffer, floats.byteOffset, floats.length)];
}

test.each(embeddingFormats)("$name: every bit and every id is read back", async (format) => {
  const ids = format.checkIds === undefined ? [...PLAIN_IDS, ...ODD_IDS] : PLAIN_IDS;
  for (const embedding of [embeddingOf(ids), embeddingOf(ids, 1), embeddingOf(["only"], 8)]) {
    const path = join(folder, `case.${format.extension}`);
    const files = await writeEmbeddings(path, embedding);
    expect(formatByPath(path)).toBe(format);
    for (const file of files) expect(readdirSync(folder)).toContain(basename(file));
    const back = await readEmbeddings(path);
    expect(back.ids).toEqual(embedding.ids);
    expect(back.dim).toBe(embedding.dim);
    expect(bits(back.vectors)).toEqual(bits(embedding.vectors));
  }
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test.each(embeddingFormats.filter(({ checkIds }) => checkIds !== undefined))(
  "$name refuses ids that it cannot represent",
  async ({ name, extension }) => {
    const before = readdirSync(folder);
    const message = await inputError(writeEmbeddings(join(folder, `refused.${extension}`), embeddingOf(["a", "x\ny"])));
    expect(message).toContain(`format ${name}: node id "x\\ny" cannot be written`);
    expect(readdirSync(folder)).toEqual(before);
  },
);

test.each(embeddingFormats)(
  "$name: truncated and invalid files are refused; the error names the file",
  async ({ extension }) => {
    const embedding = embeddingOf(
      Array.from({ length: 40 }, (_, i) => `node${i}`),
      6,
    );
    const path = join(folder, `whole.${extension}`);
    const files = await writeEmbeddings(path, embedding);
    const whole = readFileSync(path);
    for (const share of [0.02, 0.3, 0.7, 0.97]) {
      const cut = join(folder, `cut.${extension}`);
      for (const file of files) writeFileSync(file.replace("whole.", "cut."), readFileSync(file));
      writeFileSync(cut, whole.subarray(0, Math.ceil(whole.length * share)));
      const message = await readEmbeddings(cut).then(
        (back) => `read ${back.ids.length}`,
        () => inputError(readEmbeddings(cut)),
      );
      // CSV and TSV store no count: a file cut after a line or inside the last number looks complete.
      if ((extension === "csv" || extension === "tsv") && message.startsWith("read")) continue;
      expect(message).toContain("cut.");
    }
    write(`rubbish.${extension}`, "rubbish \x00\x01\x02\n, , ,\n");
    expect(await inputError(readEmbeddings(join(folder, `rubbish.${extension}`)))).toContain("rubbish.");
    write(`empty.${extension}`, "");
    expect(await inputError(readEmbeddings(join(folder, `empty.${extension}`)))).toContain("the file is empty");
  },
);

test("csv: a short row, a word among numbers and a repeated id are refused; the error names the line or the id", async () => {
  expect(await inputError(readEmbeddings(write("short.csv", "node,v1,v2\na,1,2\nb,3\n")))).toContain(
    "short.csv:3: 1 numbers; expected 2",
  );
  expect(await inputError(readEmbeddings(write("word.csv", "node,v1\na,1\nb,x\n")))).toContain(
    'word.csv:3: "x"; expected a number.',
  );
  expect(await inputError(readEmbeddings(write("twice.csv", "node,v1\na,1\na,2\n")))).toContain(
    'twice.csv: node "a" has two vectors',
  );
});

test("another Parquet reader reads the same vectors", async () => {
  const embedding = embeddingOf(
    Array.from({ length: 5000 }, (_, i) => `n${i}`),
    3,
  );
  const path = join(folder, "second.parquet");
  await writeEmbeddings(path, embedding);
  const buffer = readFileSync(path);
  const file = buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
  const rows = await parquetReadObjects({ file });
  expect(rows.map((row) => row["node"])).toEqual(embedding.ids);
  expect(bits(Float32Array.from(rows.flatMap((row) => row["vector"])))).toEqual(bits(embedding.vectors));
});

test("npy files follow the specification", async () => {
  const embedding = embeddingOf(["b", "a"], 4);
  const path = join(folder, "spec.npy");
  await writeEmbeddings(path, embedding);
  const bytes = readFileSync(path);
  expect([...bytes.subarray(0, 8)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
  const length = bytes.readUInt16LE(8);
  expect((10 + length) % 64).toBe(0);
  expect(bytes.toString("latin1", 10, 10 + length).trimEnd()).toBe(
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }",
  );
  expect(bytes[9 + length]).toBe(0x0a);
  expect(bytes.readFloatLE(10 + length + 4 * 5)).toBe(embedding.vectors[5]);
  expect(readFileSync(join(folder, "spec.ids.txt"), "utf8")).toBe("b\na\n");
});

test("text formats have exactly the expected content", async () => {
  const embedding = { ids: ["b", "x y"], dim: 2, vectors: Float32Array.of(0.1, -2, 1e-7, 3) };
  const files = await writeEmbeddingsFolder(folder, embedding, ["csv", "tsv", "projector", "csv"]);
  expect(files.map((file) => basename(file))).toEqual([
    "embeddings.csv",
    "embeddings.tsv",
    "embeddings.vectors.tsv",
    "embeddings.metadata.tsv",
  ]);
  const text = (name: string) => readFileSync(join(folder, name), "utf8");
  expect(text("embeddings.csv")).toBe("node,v1,v2\nb,0.1,-2\nx y,1e-7,3\n");
  expect(text("embeddings.vectors.tsv")).toBe("0.1\t-2\n1e-7\t3\n");
  expect(text("embeddings.metadata.tsv")).toBe("b\nx y\n");
  const vec = join(folder, "two.vec");
  await writeEmbeddings(vec, { ...embedding, ids: ["b", "c"] });
  expect(readFileSync(vec, "utf8")).toBe("2 2\nb 0.1 -2\nc 1e-7 3\n");
});

test("a folder is read in the format found there; NaN and unknown formats are refused", async () => {
  const found = join(folder, "found");
  mkdirSync(found);
  await writeEmbeddings(join(found, "embeddings.csv"), embeddingOf(["b", "x y"]));
  expect((await readEmbeddings(found)).ids).toEqual(["b", "x y"]);
  const bad = { ids: ["a"], dim: 1, vectors: Float32Array.of(Number.NaN) };
  expect(await inputError(writeEmbeddings(join(folder, "nan.csv"), bad))).toContain('the vector of node "a" holds NaN');
  expect(await inputError(writeEmbeddings(join(folder, "x.xlsx"), embeddingOf(["a"])))).toContain(
    "x.xlsx: no embedding format has this extension",
  );
  expect(await inputError(writeEmbeddings(join(folder, "x"), embeddingOf(["a"]), "parket"))).toContain(
    'unknown format "parket"; did you mean "parquet"?',
  );
});

test.each(embeddingFormats)("$name: writing into a missing folder is refused", async ({ extension }) => {
  const path = join(folder, `nowhere/x.${extension}`);
  expect(await inputError(writeEmbeddings(path, embeddingOf(["a"])))).toBe(
    `${path}: cannot write: the folder does not exist. Create it first.`,
  );
});

test("floats are written as the shortest text that reads back as the same bits", () => {
  // Mismatches are collected: an expect for each of 40,000 values takes longer than the computation.
  const notRestored = [...randomFloats(20_000, 9)].filter(
    (value) => !Object.is(Math.fround(Number(floatText(value))), value),
  );
  expect(notRestored).toEqual([]);
  const rng = new Rng(11, "usual sizes");
  const usual = Array.from({ length: 20_000 }, () => Math.fround(rng.normal() * 10 ** (rng.below(12) - 6)));
  expect(usual.filter((value) => Math.fround(Number(floatText(value))) !== value)).toEqual([]);
  // As short as the result of floatTextByTrial; the last digit may differ.
  expect(usual.filter((value) => floatText(value).length !== floatTextByTrial(value).length)).toEqual([]);
  expect([0.1, 1 / 3, 16777216, 1e-45, -0].map((value) => floatText(Math.fround(value)))).toEqual([
    "0.1",
    "0.33333334",
    "16777216",
    "1e-45",
    "-0",
  ]);
});

/** Two slices: 2048 vectors and one more. */
function twoSlices(): Embedding {
  const dim = 512;
  const ids = Array.from({ length: sliceRows(dim) + 1 }, (_, i) => `n${i}`);
  return { ids, dim, vectors: randomFloats(ids.length * dim, 4) };
}

/** The vectors as a run gives them: every slice is a new array. */
function copiedRows(embedding: Embedding): VectorRows {
  const { ids, dim, at, range } = vectorRows(embedding);
  return { ids, dim, at, range: (first, end) => range(first, end).slice() };
}

test("vectors that are read in slices give the same files and the same hash", async () => {
  const embedding = twoSlices();
  expect(vectorsHash(copiedRows(embedding))).toBe(vectorsHash(embedding));
  for (const name of ["parquet", "npy"]) {
    const [whole, sliced] = ["whole", "sliced"].map((stem) => join(folder, `${stem}.${name}`));
    await writeEmbeddings(whole, embedding);
    await writeEmbeddings(sliced, copiedRows(embedding));
    expect(readFileSync(sliced).equals(readFileSync(whole))).toBe(true);
  }
  expect(bits((await readEmbeddings(join(folder, "sliced.parquet"))).vectors)).toEqual(bits(embedding.vectors));
});

test("a number in the last slice that is not finite is refused, and no file remains", async () => {
  const { ids, dim, vectors } = twoSlices();
  // short text is written fast
  vectors.fill(0);
  vectors[vectors.length - 1] = Number.NaN;
  const before = readdirSync(folder);
  for (const { extension } of embeddingFormats) {
    const path = join(folder, `bad.${extension}`);
    const message = await inputError(writeEmbeddings(path, copiedRows({ ids, dim, vectors })));
    expect(message).toBe('embedding: the vector of node "n2048" holds NaN; expected finite numbers.');
  }
  expect(readdirSync(folder)).toEqual(before);
});
