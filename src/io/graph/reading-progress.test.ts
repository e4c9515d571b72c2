import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withDatabase } from "../duckdb.js";
import { readHead } from "../file-head.js";
import { temporaryFolder } from "../test-files.js";
import { loadGraph } from "./load-graph.js";
import { type ReadingProgress, watchReading } from "./reading-progress.js";

const { folder, write } = temporaryFolder();

test("progress reports each file with the bytes and rows before it, then the later steps", async () => {
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
  expect([...new Set(steps)]).toEqual(["reading", "finding the nodes", "numbering the edges", "building the graph"]);
});

test("labels, features and the list of nodes are steps", async () => {
  const steps: string[] = [];
  mkdirSync(join(folder, "set"));
  write("set/edges.csv", "source,target\na,b\n");
  write("set/nodes.csv", "node\nc\n");
  write("set/labels.csv", "node,label\na,x\n");
  write("set/features.csv", "node,age\na,1\nb,2\nc,3\n");
  await loadGraph(join(folder, "set"), { onProgress: ({ step }) => steps.push(step) });
  expect([...new Set(steps)]).toEqual([
    "reading",
    "reading the node list",
    "reading the labels",
    "reading the features",
    "finding the nodes",
    "building the features",
    "numbering the edges",
    "building the graph",
  ]);
});

test("the share grows while a query runs, and rows of text are estimated from the length of lines", async () => {
  const path = write("edges.csv", `source,target\n${"a,b\n".repeat(1000)}`);
  const head = await readHead(path);
  const seen: ReadingProgress[] = [];
  await withDatabase(async (connection) => {
    const watch = await watchReading(connection, [path], (progress) => seen.push(progress));
    watch.file(head, 7);
    // The scan of a table is repeated until its progress has been polled once.
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
