import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { withDatabase } from "./duckdb.js";
import { loadGraph } from "./graph/load-graph.js";
import { type ReadingProgress, watchReading } from "./reading-progress.js";
import { readHead } from "./sniff/file-head.js";
import { temporaryFolder } from "./test-files.js";

const { write } = temporaryFolder();

test("reading reports each file with its bytes and the rows before it, then the later steps", async () => {
  const first = write("first.csv", "source,target\na,b\nb,c\nc,d\n");
  const second = write("second.csv", "source,target\na,c\n");
  const seen: ReadingProgress[] = [];
  await loadGraph([first, second], { onProgress: (progress) => seen.push(progress) });
  const [one, two] = [statSync(first).size, statSync(second).size];
  const files = seen.filter(({ file }) => file !== undefined);
  expect(files[0]).toEqual({
    step: "reading",
    file: first,
    bytes: 0,
    totalBytes: one + two,
    share: 0,
    rows: 0,
    estimated: true,
  });
  expect(files.find(({ file }) => file === second)).toMatchObject({ bytes: one, share: one / (one + two), rows: 3 });
  const steps = seen.map(({ step }) => step);
  expect([...new Set(steps)]).toEqual(["reading", "finding the nodes", "numbering the edges"]);
});

test("DuckDB's measure moves while a query runs, and rows of text follow from the length of its lines", async () => {
  const path = write("edges.csv", `source,target\n${"a,b\n".repeat(1000)}`);
  const head = await readHead(path);
  const seen: ReadingProgress[] = [];
  await withDatabase(async (connection) => {
    const watch = await watchReading(connection, [path], (progress) => seen.push(progress));
    watch.file(head, 7);
    // A scan of a table has a measure. It is repeated until it was polled once.
    await connection.run("CREATE TEMP TABLE numbers AS SELECT range AS number FROM range(1000000)");
    for (let i = 0; i < 20 && !seen.some(({ share = 0 }) => share > 0); i++) {
      await connection.run("SELECT max(sha256(number::VARCHAR)) FROM numbers");
    }
    watch.end();
  });
  const moved = seen.filter(({ step }) => step === "reading").filter(({ share }) => share !== undefined && share > 0);
  expect(moved.length).toBeGreaterThan(0);
  for (const { share = 0, bytes, rows = 0 } of moved) {
    expect(share).toBeLessThanOrEqual(1);
    expect(bytes).toBeCloseTo(share * statSync(path).size);
    expect(rows - 7).toBeCloseTo(share * 1001, -1);
  }
});
