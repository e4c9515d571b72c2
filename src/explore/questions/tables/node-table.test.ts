import { expect, test } from "vitest";
import { attributeOf, isEdgeTable, parseTable, readNodeTable } from "./node-table.js";

const ids = ["a", "b", "c"];

test("columns become attributes of the nodes, by the column that holds their ids", async () => {
  const text = 'age,name,team,level\r\n30,a,"red, dark",1\r\n,c,blue,2\r\n99,zed,green,3\r\n31.5,b,blue,\r\n';
  expect(await readNodeTable(text, ids, "nodes.csv")).toEqual({
    idColumn: "name",
    numRows: 4,
    matched: 3,
    unmatched: 1,
    attributes: [
      { name: "age", kind: "number", values: Float32Array.of(30, 31.5, Number.NaN) },
      { name: "team", kind: "category", categories: ["blue", "red, dark"], codes: Int32Array.of(1, 0, 0) },
      { name: "level", kind: "category", categories: ["1", "2"], codes: Int32Array.of(0, -1, 1) },
    ],
  });
});

test("tabs and semicolons separate too, a byte-order mark is skipped, the last row of a node counts", async () => {
  for (const mark of ["\t", ";"]) {
    const table = await readNodeTable(`\ufeffid${mark}\na${mark}x\na${mark}y\n`, ids, "t");
    expect(table.attributes[0]).toMatchObject({ name: "column 2", categories: ["y"] });
    expect(table).toMatchObject({ idColumn: "id", matched: 1, unmatched: 0 });
  }
});

test("whole numbers with more than twenty values are numbers", () => {
  const cells = Array.from({ length: 21 }, (_, i) => `${i}`);
  expect(attributeOf("n", cells).kind).toBe("number");
  expect(attributeOf("n", cells.slice(0, 20)).kind).toBe("category");
});

test("quoted cells hold delimiters, quotes and line ends; an open quote reaches to the end", async () => {
  expect(await parseTable('a,"b ""q"", x"\r\n"1\n2",\n\n,z\n"open, x\n', ",")).toEqual([
    ["a", 'b "q", x'],
    ["1\n2", ""],
    ["", "z"],
    ["open, x\n"],
  ]);
});

test("a file of another graph and a file without rows are refused with a line that says why", async () => {
  await expect(readNodeTable("id,x\nq,1\n", ids, "other.csv")).rejects.toThrow(
    'other.csv: no column holds ids of this graph (the first cell is "q"); expected one with ids such as "a".',
  );
  await expect(readNodeTable(`id${",x".repeat(1000)}\na\n`, ids, "wide.csv")).rejects.toThrow("found 1001 columns");
  await expect(readNodeTable("", ids, "empty.csv")).rejects.toThrow("empty.csv: found 0 columns and 0 rows");
});

test("a table with both ends of an edge is no table of nodes", async () => {
  expect(await isEdgeTable("Source\tTarget\tlayer\na\tb\tx\n")).toBe(true);
  expect(await isEdgeTable('protein1,"protein2",combined_score')).toBe(true);
  expect(await isEdgeTable("node,source,label\na,b,c\n")).toBe(false);
  expect(await isEdgeTable("")).toBe(false);
});
