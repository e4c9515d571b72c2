/** Folders of runs that somebody changed: nothing of other files is shown, no file outside is written, and one line says what is wrong. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { writeEmbeddings } from "../../src/io/formats/embedding-files.js";
import { embeddedScene } from "../support/embedded-scene.js";
import { documentOf, hmgeInProcess, refusalOf } from "./in-process.js";
import { temporaryFolder } from "./program.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const RUN = at("run");
const VECTORS = join(RUN, "embeddings.parquet");
const MODEL = join(RUN, "model.safetensors");
const RECORD = join(RUN, "run.json");
/** A file outside the run that nobody may see or change. */
const SECRET = at("secret.csv");
const SECRET_TEXT = "source,target\nsecret-1,secret-2\nsecret-2,secret-3\n";

beforeAll(async () => {
  const rows = Array.from({ length: 30 }, (_, i) => `n${i},n${(i + 1) % 30},ring\nn${i},n${(7 * i + 3) % 30},star\n`);
  writeFileSync(at("edges.csv"), `source,target,relation\n${rows.join("")}`);
  writeFileSync(SECRET, SECRET_TEXT);
  const words = ["--model", "hmge", "--dim", "4", "--epochs", "1", "--no-report", "--quiet"];
  await documentOf(["embed", at("edges.csv"), "--out", at("intact"), ...words]);
  await documentOf(["explore", at("intact"), "--out", at("intact.html"), "--quiet"]);
});

/** Puts the run as it was trained into RUN. */
async function restoreRun(): Promise<void> {
  rmSync(RUN, { recursive: true, force: true });
  await cp(at("intact"), RUN, { recursive: true, preserveTimestamps: true });
}

const WORDS = ["explore", RUN, "--out", at("page.html"), "--overwrite", "--quiet"];

/** The scene of the page that explore writes; the page must not hold the secret. */
async function shownScene() {
  const result = await hmgeInProcess(WORDS);
  expect([result.code, result.stderr]).toEqual([0, expect.not.stringContaining("    at ")]);
  const page = readFileSync(at("page.html"), "utf8");
  const scene = await embeddedScene(page);
  expect(scene.ids.join()).not.toContain("secret");
  expect(readFileSync(SECRET, "utf8")).toBe(SECRET_TEXT);
  return scene;
}

/** Changes the record. */
function record(change: (record: Record<string, unknown>) => object): () => void {
  return () => writeFileSync(RECORD, JSON.stringify(change(JSON.parse(readFileSync(RECORD, "utf8")))));
}

const command = (fields: object) =>
  record((old) => ({ ...old, command: { ...(old["command"] as object), ...fields } }));
const link = (to: string, path: string) => () => {
  rmSync(path, { force: true });
  symlinkSync(to, path);
};

const QUERY = `SELECT 'secret-1' AS source, 'b' AS target FROM read_text('${SECRET}')`;

describe("a run is shown without edges, and a note says why", () => {
  test.each<[what: string, tamper: () => void, note: string]>([
    ["run.json that is no JSON", () => writeFileSync(RECORD, "{"), "has no run.json with its source"],
    ["run.json that is a list", record(() => []), "has no run.json with its source"],
    ["run.json of a deep nesting", () => writeFileSync(RECORD, "[".repeat(1e6)), "has no run.json with its source"],
    ["run.json that links to another file", link(SECRET, RECORD), "has no run.json with its source"],
    ["a query", command({ sources: [], sql: QUERY }), "a query in run.json is not executed"],
    ["a path with ..", command({ sources: [join(RUN, "..", "secret.csv")] }), "secret.csv has changed since the run"],
    ["an absolute path", command({ sources: [SECRET] }), "secret.csv has changed since the run"],
    ["a web address", command({ sources: ["https://evil.example/x.csv"] }), "cannot be read"],
    ["a device", command({ sources: ["/dev/zero"] }), "/dev/zero is no file or folder"],
    ["standard input", command({ sources: ["-"] }), "- is no file or folder"],
    ["features from a device", command({ features: "/dev/zero" }), "/dev/zero is no file or folder"],
    ["sources of other types", command({ sources: [{ toString: 1 }] }), "has no run.json with its source"],
    ["no command", record((old) => ({ ...old, command: null })), "has no run.json with its source"],
    ["an option of another type", command({ "min-weight": "many" }), "run.json is damaged (--min-weight"],
    ["another hash", record((old) => ({ ...old, graph: { hash: "0" } })), "has changed since the run"],
  ])("%s", async (_, tamper, note) => {
    await restoreRun();
    tamper();
    const { header } = await shownScene();
    expect(header.relations).toEqual([]);
    expect(header.notes[0]).toMatch(/^There are no edges: [^\n]* Give the graph with --graph\.$/);
    expect(header.notes[0]).toContain(note);
  });
});

test("a query that the user gives is executed", async () => {
  const query = `SELECT * FROM '${at("edges.csv")}'`;
  const words = ["--model", "hmge", "--dim", "4", "--epochs", "1", "--quiet", "--out", at("query.html")];
  await documentOf(["explore", "--sql", query, ...words]);
  expect((await embeddedScene(readFileSync(at("query.html"), "utf8"))).header.relations).toHaveLength(2);
});

describe("values that do not fit are left out", () => {
  test.each<[what: string, tamper: () => void]>([
    ["facets of a wrong width", record((old) => ({ ...old, views: [{ name: "a", width: 1e300 }] }))],
    ["facets of other types", record((old) => ({ ...old, views: [null, { name: { toString: 1 }, width: "4" }] }))],
    ["a model and a seed of other types", record((old) => ({ ...old, model: {}, seed: "<b>" }))],
    ["keys of JavaScript", record((old) => ({ ...old, constructor: 1, toString: { valueOf: 1 } }))],
    ["another format", record((old) => ({ ...old, format: 99, version: "<script>" }))],
    ["a map that is no Parquet file", () => writeFileSync(join(RUN, "map.parquet"), "PAR1 not")],
  ])("%s", async (_, tamper) => {
    await restoreRun();
    tamper();
    const { header, maps } = await shownScene();
    expect([header.relations.length, header.facets, header.notes.length]).toEqual([2, [], 1]);
    expect(maps[0].positions.every(Number.isFinite)).toBe(true);
  });

  test("labels from a file outside", async () => {
    await restoreRun();
    command({ labels: SECRET })();
    const { header } = await shownScene();
    expect(header.attributes.map(({ name }) => name)).not.toContain("label");
    expect(header.notes.join()).toMatch(/There are no labels: [^\n]*secret\.csv/);
  });

  test("a map that links to another file is replaced; that file stays", async () => {
    await restoreRun();
    const map = join(RUN, "map.parquet");
    link(SECRET, map)();
    utimesSync(SECRET, new Date(), new Date());
    await shownScene();
    expect(readFileSync(map).subarray(0, 4).toString()).toBe("PAR1");
  });
});

describe("a run is refused in one line", () => {
  const vectors = (rows: readonly number[], ids: readonly string[]) => async () => {
    rmSync(VECTORS);
    await writeEmbeddings(VECTORS, { ids, dim: 1, vectors: Float32Array.from(rows) });
  };
  const overwrite = (path: string, place: number, bytes: readonly number[]) => () => {
    const content = readFileSync(path);
    content.set(bytes, place < 0 ? content.length + place : place);
    writeFileSync(path, content);
  };
  const folderOfVectors = () => {
    rmSync(VECTORS);
    mkdirSync(VECTORS);
  };
  const text = (content: string) => () => {
    rmSync(VECTORS);
    writeFileSync(join(RUN, "embeddings.tsv"), content);
  };
  test.each<[what: string, tamper: () => void | Promise<void>, line: RegExp]>([
    ["vectors that are cut off", () => truncateSync(VECTORS, 300), /embeddings\.parquet: /],
    ["vectors of no bytes", () => truncateSync(VECTORS, 0), /embeddings\.parquet: /],
    ["a footer whose length lies", overwrite(VECTORS, -8, [255, 255, 255, 127]), /embeddings\.parquet: /],
    ["damaged pages", overwrite(VECTORS, 4, new Array(200).fill(255)), /embeddings\.parquet: /],
    ["vectors that link to another file", link(SECRET, VECTORS), /embeddings\.parquet: /],
    ["vectors of another run", vectors([1, 2, 3], ["a", "b", "c"]), /does not hold the vectors of the run/],
    ["NaN", text("a\tNaN\nb\t1\n"), /embeddings\.tsv/],
    ["an id twice", text("a\t1\na\t2\n"), /embeddings\.tsv.*"a"/],
    ["a folder in place of vectors", folderOfVectors, /holds no embeddings/],
    [
      "a model whose header length lies",
      overwrite(MODEL, 0, [255, 255, 255, 255, 255, 255, 255, 127]),
      /model\.safetensors: /,
    ],
    ["a model whose header is no JSON", overwrite(MODEL, 8, [0, 0]), /model\.safetensors: /],
    ["a model that is cut off", () => truncateSync(MODEL, 100), /model\.safetensors: /],
  ])("%s", async (_, tamper, line) => {
    await restoreRun();
    rmSync(at("page.html"), { force: true });
    await tamper();
    const refusal = await refusalOf(WORDS);
    expect(refusal).toMatch(line);
    expect(refusal).not.toMatch(/\n|secret-/);
    expect(existsSync(at("page.html"))).toBe(false);
    expect(readdirSync(RUN).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
