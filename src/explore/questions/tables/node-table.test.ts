import { expect, test } from "vitest";
import { isEdgeTable, readNodeTable, tableText } from "./node-table.js";

const ids = ["a", "b", "c"];
const read = (text: string, name = "nodes.csv") => readNodeTable(new File([text], name), ids);

test("columns become attributes of the nodes, by the column that holds their ids", async () => {
  const text = 'age,person,team,level\r\n30,a,"red, dark",1\r\n,c,blue,2\r\n99,zed,green,3\r\n31.5,b,blue,\r\n';
  expect(await read(text)).toEqual({
    matched: 3,
    unmatched: 1,
    repeated: 0,
    attributes: [
      { name: "age", kind: "number", values: Float32Array.of(30, 31.5, Number.NaN) },
      { name: "team", kind: "category", categories: ["blue", "red, dark"], codes: Int32Array.of(1, 0, 0) },
      { name: "level", kind: "category", categories: ["1", "2"], codes: Int32Array.of(0, -1, 1) },
    ],
  });
});

test("a file of another graph and a file without more columns are refused with a line that says why", async () => {
  await expect(read("id,x\nq,1\n", "other.csv")).rejects.toThrow(
    'other.csv: none of its 1 rows is a node of the graph, whose ids look like "a". Check that both use the same ids.',
  );
  await expect(read("person,x\nq,r\n", "other.csv")).rejects.toThrow("other.csv: none of its 1 rows is a node");
  await expect(read(`id${",x".repeat(1001)}\na${",1".repeat(1001)}\n`)).rejects.toThrow("found 1002 columns");
  await expect(read("id\na\n")).rejects.toThrow("nodes.csv: found a node column only");
  await expect(read("")).rejects.toThrow("nodes.csv");
});

test("the message names ignored rows only if there are any", () => {
  const found = (matched: number, unmatched: number, repeated: number) =>
    tableText("t.csv", { attributes: [], matched, unmatched, repeated });
  expect(found(100, 0, 0)).toBe("t.csv: values of 100 nodes.");
  expect(found(1, 1, 0)).toBe("t.csv: values of 1 node. 1 row of other nodes is ignored.");
  expect(found(2, 1, 2)).toBe(
    "t.csv: values of 2 nodes. 1 row of other nodes and 2 rows of nodes that came before are ignored.",
  );
});

test("a table with both ends of an edge is no table of nodes", async () => {
  const isEdges = (text: string) => isEdgeTable(new File([text], "table.csv"));
  expect(await isEdges("Source\tTarget\tlayer\na\tb\tx\n")).toBe(true);
  expect(await isEdges('protein1,"protein2",combined_score\na,b,1\n')).toBe(true);
  expect(await isEdges("node,source,label\na,b,c\n")).toBe(false);
  expect(await isEdges("person,team\na,b\n")).toBe(false);
  expect(await isEdges("")).toBe(false);
});
