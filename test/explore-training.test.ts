/** The part of the explorer that trains: files are read as on the command line, and vectors have the same bits as in Node. */

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { toEdgeList } from "../src/explore/training/coded-edges.js";
import { readEdges } from "../src/explore/training/read-edges.js";
import { MAX_TEXT_BYTES } from "../src/explore/training/table/unpack.js";
import { contentHash, InputError, multiplexFromEdges, multiview, train } from "../src/index.js";
import { withDatabase } from "../src/io/duckdb.js";
import { loadGraph, readEmbeddings } from "../src/io/index.js";
import { temporaryFolder, writeParquet } from "../src/io/test-files.js";
import { COMMAND_LINE_ONLY, type OddFile, READABLE, REFUSED } from "./explore-training/odd-files.js";
import type { Reported } from "./explore-training/page.js";
import { browserPath, fileBrowser, WEBGPU_ARGUMENTS } from "./support/browser.js";
import { type Bundle, bundlePage, servePage, singleFile } from "./support/explore-page.js";
import { root } from "./support/repository.js";

const { folder, write } = temporaryFolder();

/** The hash of the graph, or the message of the refusal. */
async function outcome(graph: Promise<Parameters<typeof contentHash>[0]>): Promise<string> {
  try {
    return contentHash(await graph);
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll(`${folder}/`, "");
    throw error;
  }
}

async function inPage(path: string, userColumns?: OddFile["columns"]): Promise<string> {
  const file = new File([readFileSync(path)], basename(path));
  return outcome(readEdges(file, { userColumns }).then((edges) => multiplexFromEdges(toEdgeList(edges))));
}

const onCommandLine = (path: string, columns?: OddFile["columns"]) => outcome(loadGraph(path, { columns }));

const HASH = /^[0-9a-f]{32}$/;

describe("the page and the command line", () => {
  test.each(READABLE)("read the same graph: $name", async ({ name, content, columns }) => {
    const path = write(name, content);
    const expected = await onCommandLine(path, columns);
    expect(expected).toMatch(HASH);
    expect(await inPage(path, columns)).toBe(expected);
  });

  test.each(REFUSED)("refuse with the same message: $name", async ({ name, content, columns }) => {
    const path = write(name, content);
    const expected = await onCommandLine(path, columns);
    expect(expected).not.toMatch(HASH);
    expect(await inPage(path, columns)).toBe(expected);
  });

  test.each(COMMAND_LINE_ONLY)("formats of the command line are named: $name", async ({ name, content, kind }) => {
    const path = write(name, content);
    expect(await onCommandLine(path)).toMatch(HASH);
    expect(await inPage(path)).toBe(
      `${name}: this file is ${kind}; expected a table with one row per edge. The command line reads it: hmge embed.`,
    );
  });

  test("read gzip files of one member or several", async () => {
    const rows = (from: number) => Array.from({ length: 2000 }, (_, i) => `a${from + i}\tb${(i * i) % 97}\n`).join("");
    const plain = write("edges.tsv", `source\ttarget\n${rows(0)}${rows(5)}`);
    const expected = await onCommandLine(plain);
    const members = Buffer.concat([gzipSync(`source\ttarget\n${rows(0)}`), gzipSync(rows(5))]);
    expect(await inPage(write("edges.tsv.gz", members))).toBe(expected);
    // The bytes at which a member may begin, inside a member: level 0 stores the text as it is.
    const stored = gzipSync(`source\ttarget\n${rows(0)}${rows(5)}`, { level: 0 });
    const name = Buffer.concat([
      stored.subarray(0, 10),
      Buffer.from("\x1f\x8b\x08\x01name\0", "latin1"),
      stored.subarray(10),
    ]);
    name[3] = 8; // the flag of a file name
    expect(await inPage(write("edges.tsv.gz", name))).toBe(expected);
  });

  test("refuse damaged gzip files with the same message", async () => {
    const packed = gzipSync(`source,target\n${"a,b\nb,c\n".repeat(500)}`);
    const wrong = Buffer.from(packed);
    wrong[packed.length - 6] ^= 1;
    const twice = gzipSync(packed);
    for (const bytes of [packed.subarray(0, -8), wrong, Buffer.concat([packed, Buffer.from("more")]), twice]) {
      const path = write("damaged.csv.gz", bytes);
      expect(await inPage(path)).toBe(await onCommandLine(path));
    }
  });

  test("read the same graph from Parquet", async () => {
    const queries = [
      "SELECT 'n' || (range * 7919 % 500) AS source, 'n' || (range * 13 % 499) AS target, range % 3 AS layer FROM range(5000)",
      "SELECT * FROM (VALUES (1::DOUBLE, 2::BIGINT, 0.3::DECIMAL(9,2)), (2, 3, 1.1), (9e15, 4, 2), (2.5, 4, 0.7)) edges(source, target, weight)",
      "SELECT 1.5::FLOAT AS u, 0.1::FLOAT AS v, true AS type UNION ALL SELECT 2, 3, false",
      "SELECT 1::DECIMAL(18,2) AS source, 2.50::DECIMAL(18,2) AS target, DATE '2024-02-03' AS view, 7::UTINYINT AS weight",
      "SELECT 'a' AS source, 'b' AS target, TIMESTAMP '2024-02-03 04:05:06' AS view, 2.5::FLOAT AS weight",
      "SELECT 'a'::BLOB AS source, 'b ' AS target",
      "SELECT 0.3::DECIMAL(9,1) AS source, 1.1::DECIMAL(9,1) AS target", // 3 × 0.1 is not 0.3
    ];
    for (const query of queries) {
      const path = await writeParquet(`${folder}/edges.parquet`, query);
      const expected = await onCommandLine(path);
      expect(expected).toMatch(HASH);
      expect([query, await inPage(path)]).toEqual([query, expected]);
    }
  });

  test("refuse faults in Parquet with the same message", async () => {
    const queries = [
      "SELECT 'a' AS source, 'b' AS target, 1.5 AS weight FROM range(3) UNION ALL SELECT 'c', 'd', -2",
      "SELECT 'a' AS source, 'b' AS target UNION ALL SELECT 'a', NULL",
      "SELECT 'a' AS source, ['b', 'c'] AS target",
      "SELECT 'a' AS source, 'b' || chr(0) AS target",
      "SELECT 'a' AS p, 'b' AS q",
    ];
    for (const query of queries) {
      const path = await writeParquet(`${folder}/edges.parquet`, query);
      expect(await inPage(path)).toBe(await onCommandLine(path));
    }
    const inexact = await writeParquet(`${folder}/cards.parquet`, "SELECT 16777217::FLOAT AS source, 'a' AS target");
    const start = "cards.parquet: ids are floating-point numbers that are too large to be exact";
    expect(await inPage(inexact)).toContain(start);
    expect(await onCommandLine(inexact)).toContain(start);
    await withDatabase((connection) =>
      connection.run(
        `COPY (SELECT 'a' AS source, 'b' AS target) TO '${folder}/zstd.parquet' (FORMAT parquet, COMPRESSION zstd)`,
      ),
    );
    expect(await inPage(`${folder}/zstd.parquet`)).toBe(
      "zstd.parquet: Parquet compressed with ZSTD; expected Snappy or no compression in a page. The command line reads it: hmge embed.",
    );
    const bytes = readFileSync(`${folder}/cards.parquet`);
    expect(await inPage(write("cut.parquet", bytes.subarray(0, -9)))).toMatch(
      /^cut\.parquet: cannot be read as Parquet: .* The file may be cut off or damaged\.$/,
    );
  });

  test("refuse a relation column of ids", async () => {
    const rows = Array.from({ length: 12_000 }, (_, i) => `n${i},n${i + 1},t${i}\n`).join("");
    const file = new File([`source,target,type\n${rows}`], "times.csv");
    await expect(readEdges(file)).rejects.toThrow(
      'times.csv: column "type" has 12000 distinct values; as relations of 12001 nodes they would need about 3.5 GB of memory, but 2 GB are available.',
    );
  });

  test("refuse files above the limit of the page", async () => {
    const file = new File(["source,target\na,b\n"], "big.csv");
    Object.defineProperty(file, "size", { value: MAX_TEXT_BYTES + 1 });
    await expect(readEdges(file)).rejects.toThrow(
      "big.csv: more than 200 MB of text; expected at most 200 MB in a page. Train it with the command line: hmge embed.",
    );
  });
});

/** The policy of the explorer's page. */
const POLICY = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self' blob:; img-src blob: data:; form-action 'none'",
};
const ISOLATED = {
  ...POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** A small graph with two relations and groups of nodes, as a file without known column names. */
const EDGES = `who;whom;how\n${Array.from({ length: 400 }, (_, i) => {
  const a = (i * 7919) % 60;
  const b = i % 3 === 0 ? (a * 31 + i) % 60 : 20 * Math.floor(a / 20) + ((i * 13) % 20);
  return `n${a};n${b};${i % 2 === 0 ? "calls" : "meets"}`;
}).join("\n")}\n`;
const COLUMNS = { source: "who", target: "whom", relation: "how" };
const SETTINGS = { dim: 16, epochs: 4, seed: 3 };

describe("the panel in a browser", () => {
  const browser = fileBrowser();
  const browserWithGpu = fileBrowser(WEBGPU_ARGUMENTS);
  let bundle: Bundle;
  let page: Awaited<ReturnType<typeof servePage>>;
  let isolated: Awaited<ReturnType<typeof servePage>>;
  let tab: Page;

  beforeAll(async () => {
    if (browserPath === undefined) return;
    bundle = await bundlePage(join(root, "test/explore-training"));
    [page, isolated] = await Promise.all([servePage(bundle, POLICY), servePage(bundle, ISOLATED)]);
    tab = await (await browser()).newPage({ viewport: { width: 1280, height: 900 } });
    tab.setDefaultTimeout(10_000);
  });
  afterAll(() => {
    page?.close();
    isolated?.close();
  });

  /** Drops a file on the panel as a visitor does. */
  async function drop(name: string, content: string): Promise<void> {
    const data = await tab.evaluateHandle(
      ({ name, content }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], name));
        return transfer;
      },
      { name, content },
    );
    await tab.dispatchEvent(".training-panel-drop", "drop", { dataTransfer: data });
  }

  /** Drops the edges, names their columns, and fills in the form. */
  async function chooseTraining(settings: Readonly<Record<string, number>>): Promise<void> {
    await drop("town.csv", EDGES);
    await tab.getByLabel("The first row holds names").check();
    for (const [role, name] of Object.entries(COLUMNS))
      await tab.getByLabel(`Role of ${name}`, { exact: true }).selectOption(role);
    await tab.getByText("400 rows, 60 nodes, 2 relations.").waitFor();
    await tab.getByRole("button", { name: "Use these edges" }).click();
    await tab.getByText(/^All options of multiview/).click();
    for (const [name, value] of Object.entries(settings)) await tab.fill(`#training-form-${name}`, String(value));
  }

  const reported = () => tab.evaluate(() => window.reported);

  async function trainInPage(): Promise<Reported["results"][number]> {
    await chooseTraining(SETTINGS);
    await tab.getByRole("button", { name: "Train", exact: true }).click();
    await tab.getByText(/^Trained: multiview, 60 nodes, width 16, 4 epochs/).waitFor();
    return (await reported()).results[0];
  }

  /** The vectors in Node with the same kernels, from the command line's reader, as hexadecimal digits. */
  async function trainInNode(kernels: string) {
    const graph = await loadGraph(write("town.csv", EDGES), { columns: COLUMNS });
    const engine = await createWasmEngine({ threads: 1, relaxed: kernels === "wasm relaxed SIMD" });
    const { embedding, losses } = await train(graph, multiview, { ...SETTINGS, engine });
    const { buffer, byteOffset, byteLength } = embedding.vectors;
    return { ids: graph.ids, losses, vectors: Buffer.from(buffer, byteOffset, byteLength).toString("hex") };
  }
  let known: ReturnType<typeof trainInNode> | undefined;
  const inNode = (kernels: string) => (known ??= trainInNode(kernels));

  test("trains from a dropped file with the bits of the command line, and saves the vectors", async (context) => {
    if (browserPath === undefined) return context.skip("no Chromium on this machine");
    await tab.goto(page.address);
    const result = await trainInPage();
    expect(result).toMatchObject({ title: "town", stopped: false, ...(await inNode(result.kernels)) });
    expect(result.facets.reduce((sum, { width }) => sum + width, 0)).toBe(16);
    expect(result.decoderWidths).toHaveLength(2);
    const [{ epoch, positions }] = (await reported()).snapshots;
    expect([epoch, positions.length, positions.every(Number.isFinite)]).toEqual([1, 120, true]);
    const [saved] = await Promise.all([
      tab.waitForEvent("download"),
      tab.getByRole("button", { name: "Save vectors (TSV)" }).click(),
    ]);
    await saved.saveAs(join(folder, saved.suggestedFilename()));
    const { ids, vectors } = await readEmbeddings(join(folder, "town-vectors.tsv"));
    expect(ids).toEqual(result.ids);
    expect(Buffer.from(vectors.buffer).toString("hex")).toBe(result.vectors);
  });

  test("trains on an isolated page, and from a file without a server; the bits are the same", async (context) => {
    if (browserPath === undefined) return context.skip("no Chromium on this machine");
    for (const address of [isolated.address, pathToFileURL(write("page.html", singleFile(bundle))).href]) {
      await tab.goto(address);
      expect(await tab.evaluate(() => crossOriginIsolated)).toBe(address === isolated.address);
      const { kernels, vectors } = await trainInPage();
      expect(vectors).toBe((await inNode(kernels)).vectors);
    }
  });

  test("says why it does not use the graphics card, and offers it only in browsers with WebGPU", async (context) => {
    if (browserPath === undefined) return context.skip("no Chromium on this machine");
    await tab.goto(page.address);
    const choice = "#training-form-engine";
    expect(await tab.evaluate(() => navigator.gpu === undefined)).toBe((await tab.locator(choice).count()) === 0);
    const first = tab;
    tab = await (await browserWithGpu()).newPage({ viewport: { width: 1280, height: 900 } });
    try {
      await tab.goto(page.address);
      await chooseTraining(SETTINGS);
      await tab.selectOption(choice, "auto");
      await tab.getByRole("button", { name: "Train", exact: true }).click();
      await tab.getByText(/^Trained: multiview/).waitFor();
      const [{ kernels, notes, vectors }] = (await reported()).results;
      expect(notes).toEqual([
        expect.stringMatching(/^Computed on wasm, because webgpu cannot be used: the only WebGPU adapter is .*\.$/),
      ]);
      expect(vectors).toBe((await inNode(kernels)).vectors);
    } finally {
      await tab.close();
      tab = first;
    }
  });

  test("pauses, continues and stops between epochs", async (context) => {
    if (browserPath === undefined) return context.skip("no Chromium on this machine");
    await tab.goto(page.address);
    await chooseTraining({ dim: 8, epochs: 1_000_000, patience: 1_000_000 });
    await tab.getByRole("button", { name: "Train", exact: true }).click();
    const status = tab.locator(".training-panel-status");
    await tab.getByText(/^Epoch \d+ of at most 1000000/).waitFor();
    await tab.getByRole("button", { name: "Pause" }).click();
    const epochNow = async () => Number(/^Epoch (\d+)/.exec(await status.innerText())?.[1]);
    let last = -1;
    await expect.poll(async () => last === (last = await epochNow()), { interval: 100 }).toBe(true);
    await tab.getByRole("button", { name: "Continue" }).click();
    await expect.poll(epochNow).toBeGreaterThan(last);
    await tab.getByRole("button", { name: "Stop" }).click();
    await tab.getByText(/^Stopped: multiview/).waitFor();
    const [{ stopped, losses, vectors }] = (await reported()).results;
    expect([stopped, losses.length > last, vectors.length]).toEqual([true, true, 60 * 8 * 8]);
  });

  test("finds the header and the columns whose names are known, also if the visitor must choose the endpoints", async (context) => {
    if (browserPath === undefined) return context.skip("no Chromium on this machine");
    await tab.goto(page.address);
    const header = tab.getByLabel("The first row holds names");
    const rows = "P1,P2,physical,0.5\nP2,P3,genetic,0.25\nP3,P4,physical,1\n";
    await drop("pairs.csv", `protein_a,protein_b,type,score\n${rows}`);
    await tab.getByText("3 rows, 4 nodes, 2 relations.").waitFor();
    expect(await header.isChecked()).toBe(true);
    await drop("others.csv", `bait,prey,type,score\n${rows}`);
    await tab.getByLabel("Role of bait").selectOption("source");
    await tab.getByLabel("Role of prey").selectOption("target");
    await tab.getByText("3 rows, 4 nodes, 2 relations.").waitFor();
    expect(await header.isChecked()).toBe(true);
    expect(await tab.getByLabel("Role of score").inputValue()).toBe("weight");
  });

  test("shows faults of files and options in place, and names as text", async (context) => {
    if (browserPath === undefined) return context.skip("no Chromium on this machine");
    await tab.goto(page.address);
    await drop("matrix.csv", ",a,b,c\na,0,1,0\nb,1,0,2\nc,0,2,0\n");
    await tab.getByText("matrix.csv: this file is an adjacency matrix").waitFor();
    await drop("ragged.csv", "source,target\na,b\nc\n");
    await tab.getByText("ragged.csv:3: 1 field; expected 2 as in the first row.").waitFor();
    const hostile = "<img src=x onerror=alert(1)>";
    await drop(`${hostile}.csv`, `a,b,c,${hostile}\nd,e,f,g\n`);
    const problem = await tab.getByText("4 columns and no header").innerText();
    expect(problem).toMatch(/Choose a source and a target column above the rows\.$/);
    expect(problem).not.toContain("--columns");
    expect(await tab.getByRole("cell", { name: hostile }).count()).toBe(1);
    await tab.getByLabel("The first row holds names").check();
    await tab.getByLabel("Role of a", { exact: true }).selectOption("source");
    await tab.getByLabel(`Role of ${hostile}`).selectOption("target");
    await tab.getByText("1 row, 2 nodes, 1 relation.").waitFor();
    expect(await tab.locator("img").count()).toBe(0);
    await tab.getByRole("button", { name: "Use these edges" }).click();
    await tab.getByLabel("Model").selectOption("hmge");
    await tab.getByText(/^All options of hmge/).click();
    await tab.getByLabel("Width", { exact: true }).fill("0");
    await tab.getByLabel("dropout").fill("2");
    await tab.getByRole("button", { name: "Train", exact: true }).click();
    await tab.getByText('dim is "0"; expected integer from 1 to 4096.').waitFor();
    await tab.getByText('dropout is "2"; expected number from 0 to 0.95.').waitFor();
    expect(await tab.locator(".training-panel-run").count()).toBe(0);
  });

  test("reads gzip files of several members, and refuses damaged ones", async (context) => {
    if (browserPath === undefined) return context.skip("no Chromium on this machine");
    await tab.goto(page.address);
    const choose = (name: string, buffer: Buffer) =>
      tab.setInputFiles("#training-panel-file", { name, mimeType: "application/gzip", buffer });
    const members = ["source,target\na,b\n", "b,c\nc,d\n", "d,e\n"].map((text) => gzipSync(text));
    await choose("members.csv.gz", Buffer.concat(members));
    await tab.getByText("4 rows, 5 nodes, 1 relation.").waitFor();
    await choose("cut.csv.gz", members[0].subarray(0, -5));
    await tab.getByText("cut.csv.gz: the gzip file is cut off before its end.").waitFor();
    await choose("more.csv.gz", Buffer.concat([...members, Buffer.from("more")]));
    await tab.getByText("more.csv.gz: the gzip file is damaged: other bytes follow its end.").waitFor();
  });

  test("fits on a narrow screen", async (context) => {
    if (browserPath === undefined) return context.skip("no Chromium on this machine");
    await tab.setViewportSize({ width: 380, height: 800 });
    await tab.goto(page.address);
    await chooseTraining({});
    expect(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  });
});
