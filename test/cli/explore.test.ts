import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sceneForFile } from "../../src/cli/explore/explore-page.js";
import { buildScene } from "../../src/explore/scene/build-scene.js";
import { multiview } from "../../src/index.js";
import { embeddedScene } from "../support/embedded-scene.js";
import { documentOf, hmgeInProcess, refusalOf } from "./in-process.js";
import { PROGRAM, temporaryFolder } from "./program.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const HOSTILE = [
  "</script><img src=x onerror=alert(1)>",
  "line\nbreak",
  `quotes "'\``,
  "🦊 fox",
  "<!--",
  "‮right to left",
];
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const vectors = at("vectors");
const TRAIN = ["--dim", "8", "--epochs", "2", "--threads", "1", "--quiet"];

beforeAll(async () => {
  const names = [...HOSTILE, ...Array.from({ length: 34 }, (_, i) => `n${i}`)];
  const edges = names.flatMap((name, i) => [
    `${quoted(name)},${quoted(names[(i + 1) % 40])},<b>bold</b>,1`,
    `${quoted(name)},${quoted(names[(i + 7) % 40])},plain,${1 + (i % 3)}`,
  ]);
  writeFileSync(at("edges.csv"), `source,target,relation,weight\n${edges.join("\n")}\n`);
  writeFileSync(
    at("labels.csv"),
    `node,label\n${names.map((name, i) => `${quoted(name)},</title>${i % 2}`).join("\n")}\n`,
  );
  const rows = names
    .slice(0, 39)
    .map((name, i) => `${quoted(name)},${i / 2},${i % 4 === 0 ? "" : quoted(`<i>${i % 3}`)}`);
  writeFileSync(at("people.csv"), `node,age,<script>\n${rows.join("\n")}\n`);
  const words = ["embed", at("edges.csv"), "--out", vectors, "--no-report", ...TRAIN];
  expect((await hmgeInProcess(words)).code).toBe(0);
});

describe("hmge explore --out", () => {
  test("writes one file with the scene, in which no name is read as HTML", async () => {
    const out = at("page.html");
    const tables = ["--labels", at("labels.csv"), "--nodes", at("people.csv")];
    const words = ["explore", vectors, ...tables, "--out", out, "--quiet", "--threads", "1"];
    const document = await documentOf(words);
    const html = readFileSync(out, "utf8");
    const scene = await embeddedScene(html);
    expect(document).toMatchObject({ out, scenes: [{ title: "vectors", relations: scene.header.relations }] });
    expect(scene.ids).toEqual(expect.arrayContaining(HOSTILE));
    expect(scene.header).toMatchObject({ title: "vectors", model: "multiview", numNodes: 40, dim: 8, notes: [] });
    expect(scene.header.maps).toEqual(["t-SNE", "principal components"]);
    expect(scene.header.facets.reduce((sum, { width }) => sum + width, 0)).toBe(8);
    expect(scene.header.facets.map(({ doc }) => doc)).toEqual(
      scene.header.facets.map(({ name }) => multiview.viewDocs?.[name] ?? "a sentence"),
    );
    expect(scene.header.attributes.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      "label: category",
      "age: number",
      "<script>: category",
      "cluster: category",
      "degree: number",
    ]);
    expect(scene.header.attributes.filter(({ fromVectors }) => fromVectors).map(({ name }) => name)).toEqual([
      "cluster",
    ]);
    const [label, age, text, , degree] = scene.attributes;
    const fox = scene.ids.indexOf("🦊 fox");
    if (label.kind === "category") expect(label.categories[label.codes[fox]]).toBe("</title>1");
    if (age.kind === "number")
      expect([age.values[fox], age.values[scene.ids.indexOf("n33")]]).toEqual([1.5, Number.NaN]);
    if (text.kind === "category")
      expect([text.categories, text.codes[scene.ids.indexOf("n33")]]).toEqual([["<i>0", "<i>1", "<i>2"], -1]);
    if (degree.kind === "number") expect(degree.values[fox]).toBe(4);
    const { rowStart, columns } = await scene.adjacency(
      scene.header.relations.findIndex(({ name }) => name === "plain"),
    );
    const near = [...columns.subarray(rowStart[fox], rowStart[fox + 1])].map((node) => scene.ids[node]);
    expect(near.sort()).toEqual(["n30", "n4"]);
    expect((await scene.decoder(0))?.source.length).toBeGreaterThan(0);

    for (const name of [...HOSTILE, "<b>bold", "</title>1", "<i>1"])
      expect(html).not.toContain(name.replace("<!--", "<!-- "));
    expect(html).not.toContain("<img");
    expect(html.match(/\b(?:src|href)="(?!data:,)[^"]*"/g) ?? []).toEqual([]);
    expect(html).not.toMatch(/@import|url\(\s*["']?(?:https?:)?\/\//);
    expect(html).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'wasm-unsafe-eval' 'sha256-/,
    );
    expect(await refusalOf(words)).toBe(`${out}: exists. Choose another --out, or add --overwrite.`);
    expect(await refusalOf(["explore", vectors, "--out", at("page.txt")])).toContain("ends with .html");
  });

  test("counts one edge in the singular", async () => {
    writeFileSync(at("pair.csv"), "source,target\na,b\n");
    const words = ["embed", at("pair.csv"), "--out", at("pair"), "--model", "hmge", "--no-report", ...TRAIN];
    expect((await hmgeInProcess(words)).code).toBe(0);
    const { stdout } = await hmgeInProcess(["explore", at("pair"), "--out", at("pair.html")]);
    expect(stdout).toContain("2 nodes, 1 edge in 1 relation;");
  });

  test("keeps the t-SNE map beside the vectors until the vectors are newer", async () => {
    const map = join(vectors, "map.parquet");
    const words = ["explore", vectors, "--out", at("again.html"), "--overwrite", "--quiet", "--threads", "1"];
    const { mtimeMs } = statSync(map);
    await documentOf(words);
    expect(statSync(map).mtimeMs).toBe(mtimeMs);
    writeFileSync(map, "damaged");
    await documentOf(words);
    expect(statSync(map).size).toBeGreaterThan(100);
  });

  test("shows two runs of one graph, and refuses runs of different graphs", async () => {
    const out = at("two.html");
    await documentOf(["explore", vectors, vectors, "--out", out, "--quiet"]);
    expect((await embeddedScene(readFileSync(out, "utf8"), 1)).ids).toHaveLength(40);
    writeFileSync(at("small.csv"), "source,target\na,b\nb,c\nc,d\nd,a\na,c\n");
    const small = [
      "explore",
      at("small.csv"),
      "--model",
      "hmge",
      "--run",
      at("small"),
      "--out",
      at("small.html"),
      ...TRAIN,
    ];
    await documentOf(small);
    expect(existsSync(join(at("small"), "run.json"))).toBe(true);
    expect((await embeddedScene(readFileSync(at("small.html"), "utf8"))).header.title).toBe("small");
    expect(await refusalOf(["explore", vectors, at("small"), "--out", at("x.html"), "--quiet"])).toBe(
      `explore: ${vectors} (40 nodes) and ${at("small")} (4 nodes) have different nodes; expected runs of one graph.`,
    );
    expect(await refusalOf(["explore", vectors, at("small.csv")])).toContain("expected folders of runs only");
    expect(await refusalOf(["explore", vectors, "--dim", "4"])).toContain(`--dim: ${vectors} holds a run`);
    expect(await refusalOf(["explore", "--dim", "4"])).toContain("--dim: no source is given");
  });

  test("opens a run whose source has moved, without edges and with the reason", async () => {
    renameSync(at("edges.csv"), at("moved.csv"));
    const words = ["explore", vectors, "--out", at("moved.html"), "--overwrite", "--quiet"];
    const { header } = await documentOf(words).then(() => embeddedScene(readFileSync(at("moved.html"), "utf8")));
    expect([header.relations, header.decoder]).toEqual([[], undefined]);
    expect(header.notes.join()).toMatch(
      /^There are no edges: the source of the run cannot be read .* Give the graph with --graph\.$/,
    );
    await documentOf([...words, "--graph", at("moved.csv")]);
    const found = await embeddedScene(readFileSync(at("moved.html"), "utf8"));
    expect([found.header.relations.length, found.header.notes]).toEqual([2, []]);
    renameSync(at("moved.csv"), at("edges.csv"));
  });
});

test("decoder vectors beyond the limit of a file are left out with a note", () => {
  const ids = ["a", "b"];
  const source = { ids, dim: 1, vectors: Float32Array.of(1, 2) };
  const relation = { name: "r", numEdges: 1, rowStart: Uint32Array.of(0, 1, 2), columns: Uint32Array.of(1, 0) };
  const scene = buildScene({
    ...{ program: "1", title: "t", model: "m", seed: 1, maps: [], embedding: source },
    graph: { ids, directed: false, relations: [relation, relation] },
    decoder: { score: "dot", directed: false, vectors: () => ({ source }) },
  });
  // two parts of two arrays' heads and two numbers each: 2 × 16 bytes
  expect(sceneForFile(scene, 32)).toBe(scene);
  const { header, names } = sceneForFile(scene, 31);
  expect([header.decoder, names.filter((name) => name.startsWith("decoder"))]).toEqual([undefined, []]);
  expect(header.notes[0]).toContain("no link predictions in this file");
});

test("a decoder that was tampered with is refused in one line", async () => {
  const file = join(vectors, "model.safetensors");
  const content = readFileSync(file);
  // as many bytes as before, so that the header of the file stays valid
  writeFileSync(file, content.toString("latin1").replace('widths\\":[[', 'widths\\":[{'), "latin1");
  expect(readFileSync(file)).not.toEqual(content);
  const words = ["explore", vectors, "--out", at("tampered.html"), "--quiet", "--threads", "1"];
  expect(await refusalOf(words)).toBe(`${file}: the decoder is damaged. Run hmge embed again.`);
  expect(existsSync(at("tampered.html"))).toBe(false);
  writeFileSync(file, content);
});

test("columns of one name get distinct names", async () => {
  writeFileSync(at("same.csv"), "node,degree,age\nn1,high,3\n");
  const words = ["explore", vectors, "--nodes", at("people.csv"), "--nodes", at("same.csv"), "--out", at("same.html")];
  await documentOf([...words, "--quiet"]);
  const { header } = await embeddedScene(readFileSync(at("same.html"), "utf8"));
  expect(header.attributes.map(({ name }) => name)).toEqual([
    ...["age", "<script>", "degree", "age (2)", "cluster", "degree (2)"],
  ]);
});

test("hmge explore --static writes the page without a graph", async () => {
  const words = ["explore", "--static", at("site")];
  expect((await hmgeInProcess(words)).stdout).toBe(`${join(at("site"), "index.html")}\n`);
  expect(readFileSync(join(at("site"), "index.html"), "utf8")).not.toContain('data-part="header">');
  expect(await refusalOf(words)).toContain("exists");
  expect(await refusalOf([...words, vectors])).toContain("expected neither");
});

test("the server answers until Ctrl-C, and the program then ends with exit code 0", async () => {
  const child = spawn(process.execPath, [
    PROGRAM,
    "explore",
    vectors,
    "--no-open",
    "--json",
    "--quiet",
    "--threads",
    "1",
  ]);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let text = "";
  const { address } = await new Promise<{ address: string }>((resolve, reject) => {
    void ended.then((code) => reject(new Error(`ended with exit code ${code}`)));
    child.stdout.on("data", (data) => {
      text += data;
      if (text.endsWith("\n}\n")) resolve(JSON.parse(text));
    });
  });
  expect((await fetch(address)).status).toBe(200);
  expect(await (await fetch(`${address}scene/0/header`)).json()).toMatchObject({ numNodes: 40, title: "vectors" });
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});
