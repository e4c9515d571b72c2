/** The part of the explorer that trains: files are read as on the command line, and vectors have the same bits as in Node. */

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { toEdgeList } from "../src/explore/training/coded-edges.js";
import { readEdges } from "../src/explore/training/read-edges.js";
import { MAX_TEXT_BYTES } from "../src/explore/training/table/unpack.js";
import { contentHash, InputError, multiplexFromEdges } from "../src/index.js";
import { withDatabase } from "../src/io/duckdb.js";
import { loadGraph } from "../src/io/index.js";
import { temporaryFolder, writeParquet } from "../src/io/test-files.js";
import { COMMAND_LINE_ONLY, type OddFile, READABLE, REFUSED } from "./explore-training/odd-files.js";

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

  test("refuse files above the limit of the page", async () => {
    const file = new File(["source,target\na,b\n"], "big.csv");
    Object.defineProperty(file, "size", { value: MAX_TEXT_BYTES + 1 });
    await expect(readEdges(file)).rejects.toThrow(
      "big.csv: more than 200 MB of text; expected at most 200 MB in a page. Train it with the command line: hmge embed.",
    );
  });
});
