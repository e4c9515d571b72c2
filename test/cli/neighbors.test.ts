import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { neighbors } from "../../src/cli/neighbors/neighbors.js";
import { Rng } from "../../src/core/rng.js";
import { withDatabase } from "../../src/io/duckdb.js";
import { readEmbeddings, writeEmbeddings } from "../../src/io/formats/embedding-files.js";
import { centered, nearestNodes } from "../../src/tasks/neighbors/neighbors-of-node.js";
import { refusalOf, runCommand } from "./in-process.js";
import { temporaryFolder } from "./program.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const run = (...words: string[]) => runCommand(neighbors, words);
const refusal = (...words: string[]) => refusalOf(["neighbors", ...words]);

const N = 60;
const DIM = 4;
const ids = Array.from({ length: N }, (_, i) => (i % 3 === 0 ? `user:${i}` : `item:"${i}, a`));

beforeAll(async () => {
  const rng = new Rng(4, "vectors");
  // far from the origin: centred and raw neighbours differ
  const vectors = Float32Array.from({ length: N * DIM }, () => 3 + rng.normal());
  await writeEmbeddings(at("v.parquet"), { ids, dim: DIM, vectors });
  const fresh = Float32Array.from({ length: 2 * DIM }, () => 3 + rng.normal());
  await writeEmbeddings(at("new.tsv"), { ids: ["fresh", "user:0"], dim: DIM, vectors: fresh });
});

interface Row {
  node: string;
  neighbors: { node: string; cosine: number }[];
}
const resultsOf = (document: unknown) => (document as { results: Row[] }).results;
const names = (list: readonly { node: string }[]) => list.map(({ node }) => node);

async function readTable(path: string): Promise<unknown[][]> {
  return withDatabase(async (connection) => (await connection.runAndReadAll(`SELECT * FROM '${path}'`)).getRows());
}

describe("hmge neighbors", () => {
  test("subtracts the mean unless --raw is given, and prints which", async () => {
    const embedding = await readEmbeddings(at("v.parquet"));
    const usual = await run(at("v.parquet"), "user:3", "--k", "5");
    expect(names(resultsOf(usual.document)[0].neighbors)).toEqual(names(nearestNodes(centered(embedding), 3, 5)));
    expect(usual.text).toContain("cosine after subtracting the mean vector; all pairs compared");
    const raw = await run(at("v.parquet"), "user:3", "--count", "5", "--raw");
    expect(names(resultsOf(raw.document)[0].neighbors)).toEqual(names(nearestNodes(embedding, 3, 5)));
    expect(raw.text).toContain("cosine of the unchanged vectors");
    expect(raw.text).not.toEqual(usual.text);
    expect((await run(at("v.parquet"), "user:3", "--k", "5", "--center")).document).toEqual(usual.document);
  });

  test("writes the neighbours of all nodes in every format, and no file when it fails", async () => {
    const embedding = centered(await readEmbeddings(at("v.parquet")));
    const expected = ids.flatMap((node, i) =>
      nearestNodes(embedding, i, 3).map((found, e) => [node, found.node, e + 1, expect.closeTo(found.cosine, 5)]),
    );
    for (const name of ["all.parquet", "all.csv", "all.tsv"]) {
      const { text, document } = await run(at("v.parquet"), "--all", "--k", "3", "--out", at(name));
      expect(document).toMatchObject({ nodes: N, rows: 3 * N, centered: true, search: { method: "exact" } });
      expect(text).toContain(`nearest neighbours of 60 nodes: 180 rows`);
      const rows = await readTable(at(name));
      expect(rows.map(([node, other, rank, cosine]) => [node, other, Number(rank), Number(cosine)])).toEqual(expected);
    }
    expect(readFileSync(at("all.csv"), "utf8").split("\n")[0]).toBe("node,neighbor,rank,cosine");
    expect(await refusal(at("v.parquet"), "--all", "--out", at("all.csv"))).toContain("exists. Choose another --out");
    expect(await refusal(at("v.parquet"), "--all", "--out", at("all.xls"))).toContain(
      "unknown extension; expected one of .parquet, .csv, .tsv",
    );
    expect(await refusal(at("v.parquet"), "user:1", "--out", at("none.csv"))).toContain('no node "user:1"');
    // ids of this file have six letters or more, so none is similar
    expect(await refusal(at("v.parquet"), "Q")).toMatch(/no node "Q" among \d+; ids look like/);
    expect(existsSync(at("none.csv"))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("reports the recall of an approximate search", async () => {
    const { text, document } = await run(
      at("v.parquet"),
      "--all",
      "--approximate",
      "--k",
      "3",
      "--out",
      at("near.csv"),
    );
    expect(document).toMatchObject({ search: { method: "approximate", sampled: 60 } });
    expect(text).toMatch(/approximate: recall@3 (1\.00|0\.9\d) on 60 sampled nodes \(\d of 3 lists searched/);
  });

  test("reads nodes from a file, and candidates from a file or by a prefix of ids", async () => {
    writeFileSync(at("some.txt"), `user:3\r\n\nuser:9\nuser:3\n`);
    writeFileSync(at("items.csv"), `label,node\nx,user:0\ny,user:6\n`);
    const found = await run(at("v.parquet"), "--nodes", at("some.txt"), "--among", "item:", "--k", "50");
    const [first, second] = resultsOf(found.document);
    expect([first.node, second.node]).toEqual(["user:3", "user:9"]);
    expect(first.neighbors).toHaveLength(40);
    expect(first.neighbors.every(({ node }) => node.startsWith("item:"))).toBe(true);
    const two = await run(at("v.parquet"), "user:0", "--among", at("items.csv"));
    expect(names(resultsOf(two.document)[0].neighbors)).toEqual(["user:6"]);
    expect(await refusal(at("v.parquet"), "user:0", "--among", "thing:")).toContain(
      '"thing:" is neither a file nor the beginning',
    );
    writeFileSync(at("wrong.txt"), "user:4\n");
    expect(await refusal(at("v.parquet"), "--nodes", at("wrong.txt"))).toMatch(/wrong\.txt: no node "user:4"/);
    expect(await refusal(at("v.parquet"), "user:0", "--among", at("wrong.txt"))).toMatch(
      /wrong\.txt: no node "user:4"/,
    );
  });

  test("reads vectors from the command line or a file", async () => {
    const { vectors } = await readEmbeddings(at("v.parquet"));
    const own = [...vectors.subarray(5 * DIM, 6 * DIM)].join(",");
    const { document } = await run(at("v.parquet"), "--vector", own, "--k", "1");
    expect(resultsOf(document)).toEqual([{ node: "vector", neighbors: [{ node: ids[5], cosine: 1 }] }]);
    writeFileSync(at("vectors.txt"), `${own}\n${own.replaceAll(",", " ")}\n`);
    const both = resultsOf((await run(at("v.parquet"), "--vector", at("vectors.txt"), "--k", "1")).document);
    expect(both.map(({ node }) => node)).toEqual(["vector 1", "vector 2"]);
    expect(both[1].neighbors).toEqual(both[0].neighbors);
    expect(await refusal(at("v.parquet"), "--vector", "1,2")).toContain("--vector: 2 numbers per vector; expected 4");
    expect(await refusal(at("v.parquet"), "--vector", "1,2,x,4")).toContain('--vector: found "x"; expected numbers');
  });

  test("refuses to compare two runs that were trained separately", async () => {
    const record = { format: 1, started: "2026-11-17", stopReason: "epochs", epochs: 1, outputs: [] };
    for (const name of ["first", "second"]) {
      mkdirSync(at(name));
      copyFileSync(at("v.parquet"), join(at(name), "embeddings.parquet"));
      writeFileSync(join(at(name), "run.json"), JSON.stringify(record));
    }
    expect(await refusal(at("first"), "--all", "--known", at("second"))).toContain("were trained separately");
    // placed nodes belong to the training that placed them
    writeFileSync(join(at("first"), "run.json"), JSON.stringify({ kind: "new nodes", outputs: [] }));
    expect(resultsOf((await run(at("first"), "--all", "--known", at("second"))).document)).toHaveLength(N);
  });

  test("places new nodes among the known ones", async () => {
    const known = await readEmbeddings(at("v.parquet"));
    const fresh = await readEmbeddings(at("new.tsv"));
    const found = resultsOf((await run(at("new.tsv"), "--all", "--known", at("v.parquet"), "--k", "3")).document);
    // the mean is taken over the known nodes
    const mean = Array.from(
      { length: DIM },
      (_, c) => known.vectors.filter((_, e) => e % DIM === c).reduce((a, b) => a + b) / N,
    );
    const less = (vectors: Float32Array) => vectors.map((value, e) => value - mean[e % DIM]);
    const joined = {
      ids: [...ids, "fresh"],
      dim: DIM,
      vectors: Float32Array.from([...less(known.vectors), ...less(fresh.vectors.slice(0, DIM))]),
    };
    expect(names(found[0].neighbors)).toEqual(names(nearestNodes(joined, N, 3)));
    expect(names(found[1].neighbors)).not.toContain("user:0");
    const one = await run(at("new.tsv"), "fresh", "--known", at("v.parquet"), "--k", "3");
    expect(resultsOf(one.document)).toEqual([found[0]]);
    expect(await refusal(at("v.parquet"), "--all", "--known", at("v.parquet"))).toContain("expected another");
  });

  test("refuses options that contradict each other", async () => {
    expect(await refusal(at("v.parquet"))).toContain("at least one node, --all");
    expect(await refusal(at("v.parquet"), "user:0", "--all")).toContain("found nodes by name and --all");
    expect(await refusal(at("v.parquet"), "user:0", "--raw", "--center")).toContain(
      "--raw: found together with --center",
    );
    expect(await refusal(at("v.parquet"), "user:0", "--exact", "--approximate")).toContain(
      "--exact: found together with",
    );
    expect(await refusal(at("v.parquet"), "user:0", "--k", "2", "--count", "2")).toContain(
      "--count: found together with --k",
    );
    expect(await refusal(at("v.parquet"), "user:0", "--overwrite")).toContain("--out is missing");
    const many = {
      ids: Array.from({ length: 1001 }, (_, i) => `n${i}`),
      dim: 1,
      vectors: new Float32Array(1001).fill(1),
    };
    await writeEmbeddings(at("many.npy"), many);
    expect(await refusal(at("many.npy"), "--all")).toContain("too many to print");
  });
});
