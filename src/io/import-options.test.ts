import { expect, test } from "vitest";
import { looksLikeIds, requireFewRelations } from "../sniff/relation-count.js";
import { loadGraph } from "./graph/load-graph.js";
import { inputError, temporaryFolder } from "./test-files.js";

const { write } = temporaryFolder();

test("countRepeats makes the number of repeated rows the weight if there is no weight column", async () => {
  const path = write("calls.csv", "source,target\na,b\nb,a\na,b\nb,c\n");
  expect((await loadGraph(path)).relations[0].values).toBeUndefined();
  const counted = await loadGraph(path, { countRepeats: true });
  expect([...(counted.relations[0].values ?? [])]).toEqual([3, 3, 1, 1]);
  expect(counted.notes.join()).toContain("repeated rows are counted");
  expect(counted.report.parallelEdges).toBe(2);
  const strongest = await loadGraph(path, { countRepeats: true, strongest: 1 });
  expect(strongest.relations[0].numEdges).toBe(2);
  const query = await loadGraph([], { sql: `FROM '${path}'`, countRepeats: true });
  expect([...(query.relations[0].values ?? [])]).toEqual([3, 3, 1, 1]);
});

test("weights from a column are added with and without countRepeats", async () => {
  const path = write("weighted.csv", "source,target,weight\na,b,0.5\na,b,2\nb,c,1\n");
  const [plain, counted] = [await loadGraph(path), await loadGraph(path, { countRepeats: true })];
  expect(counted.relations[0].values).toEqual(plain.relations[0].values);
  expect(counted.notes.join()).toContain("--count-repeats changes nothing here");
});

test("weights too small for single precision are reported with a query that keeps them", async () => {
  const path = write("p-values.csv", "source,target,weight\na,b,1e-46\nb,c,1e-60\nc,d,0.5\na,c,0\n");
  const graph = await loadGraph(path);
  expect(graph.report).toMatchObject({ zeroWeights: 3, tinyWeights: 2 });
  const note = graph.notes.find((text) => text.includes("single precision")) ?? "";
  expect(note).toContain("2 weights are too small for single precision, the smallest 1e-60");
  const sql = /--sql "(.*)"\.$/.exec(note)?.[1];
  const [relation] = (await loadGraph([], { sql })).relations;
  expect(relation.numEdges).toBe(4);
  expect(relation.values?.[0]).toBe(46);
});

test("a relation column that looks like ids is reported, and refused if it needs too much memory", async () => {
  const rows = Array.from({ length: 300 }, (_, i) => `a${i % 20},b${i % 7},t${i}`);
  const path = write("times.csv", `source,target,type\n${rows.join("\n")}\n`);
  const { notes } = await loadGraph(path);
  expect(notes.join()).toContain(
    'times.csv: column "type" is read as the relation and has 300 distinct values in 300 rows',
  );
  expect((await loadGraph(path, { columns: { relation: "none" } })).relations.length).toBe(1);
  expect([looksLikeIds(10_000, 100_000), looksLikeIds(5, 6), looksLikeIds(1000, 1500)]).toEqual([false, false, true]);
  const count = { relations: 200_000, nodes: 50_000, availableBytes: 32e9, from: 'e.csv: column "time"' };
  expect(() => requireFewRelations(count)).toThrow(
    'e.csv: column "time" has 200000 distinct values; as relations of 50000 nodes they would need about 240 GB',
  );
  expect(() => requireFewRelations({ ...count, relations: 10_000, nodes: 5000 })).not.toThrow();
});

test("a memory limit refuses files before they are read", async () => {
  // The last row has a fault, which is found only if the rows are read.
  const path = write("large.csv", `source,target,weight\n${"node1,node2,0.25\n".repeat(40_000)}a,b,much\n`);
  expect(await inputError(loadGraph(path, { memoryLimit: 110e6 }))).toMatch(
    /--memory-limit: reading .*large.csv \(about 40000 rows\) needs about 117 MB; the limit is 110 MB/,
  );
  expect(await inputError(loadGraph(path, { memoryLimit: 4e9 }))).toContain('large.csv:40002: weight "much"');
});

test("a minWeight beyond single precision is refused", async () => {
  const path = write("w.csv", "source,target,weight\na,b,1\nb,c,2\n");
  expect(await inputError(loadGraph(path, { minWeight: 1e39 }))).toBe(
    "--min-weight: found 1e+39; expected a number below 3.4e38, like all weights.",
  );
});

test("long values are cut in messages", async () => {
  const line = await inputError(loadGraph(write("line.csv", "x".repeat(3e5))));
  expect(line).toContain(`line 1 is "${"x".repeat(80)}…"`);
  expect(line.length).toBeLessThan(300);
  const weight = await inputError(loadGraph(write("word.csv", `source,target,weight\na,b,${"z".repeat(3e4)}\n`)));
  expect(weight).toContain(`word.csv:2: weight "${"z".repeat(80)}…"; expected`);
  const row = await inputError(loadGraph(write("row.csv", `source,target\na,${"b".repeat(25e5)}\n`)));
  expect(row).toContain("row.csv:2: a row of 2.5 million characters; expected at most 2 million.");
});

test.each([
  ["  ", "the query is empty; expected one SELECT over local files"],
  ["COPY (SELECT 1) TO 'x.csv'", "a COPY statement; expected one SELECT over local files"],
  ["CREATE TABLE t AS SELECT 1", "a CREATE statement; expected one SELECT"],
  ["SELECT 1; SELECT 2", "2 statements; expected one SELECT"],
  ["FROM 'https://127.0.0.1/e.parquet'", "the query reads from the network; expected local files"],
  ["SELECT ['a'] AS source, 'b' AS target", '"source", read as source, holds lists or objects'],
  ["SELECT {'a': 1} AS source, 'b' AS target", '"source", read as source, holds lists or objects'],
])("--sql %j", async (sql, message) => {
  expect(await inputError(loadGraph([], { sql }))).toContain(`--sql: ${message}`);
});
