/** What is said of files whose columns may mean something else than they were taken for. */

import { expect, test } from "vitest";
import { loadGraph } from "./load-graph.js";
import { temporaryFolder } from "./test-files.js";

const { write } = temporaryFolder();

async function notesOf(name: string, text: string, columns?: Record<string, string>): Promise<readonly string[]> {
  return (await loadGraph(write(name, text), { columns })).notes;
}

test("columns of numbers that are not read are named, unless edges have weights or there are only texts", async () => {
  const rows = ["a,b,12.5,7,x", "b,c,3,,y", "c,d,1e3,9,z"].join("\n");
  expect(await notesOf("paid.csv", `from,to,amount,day,city\n${rows}\n`)).toEqual([
    expect.stringContaining("amount, day not read. If one says how strong an edge is"),
  ]);
  expect(await notesOf("paid2.csv", `from,to,amount,day,city\n${rows}\n`, { weight: "amount" })).toEqual([]);
  expect(await notesOf("texts.csv", "from,to,city,date\na,b,x,2024-01-01\nb,c,y,2024-01-02\n")).toEqual([]);
  expect(await notesOf("lines.json", '{"source":"a","target":"b","value":3}\n')).toEqual([
    expect.stringContaining("value not read. If it says how strong an edge is"),
  ]);
});

test("ids that two kinds of nodes share are told, with a query that keeps them apart", async () => {
  const rows = "1,2,5\n1,3,4\n2,3,1\n";
  const columns = { source: "userId", target: "movieId", weight: "rating" };
  const [note, ...others] = await notesOf("ratings.csv", `userId,movieId,rating\n${rows}`, columns);
  expect(others).toEqual([]);
  expect(note).toContain("ids found in both userId and movieId (1) are read as the same nodes");
  const sql = /--sql "(.*)" instead/.exec(note)?.[1] ?? "";
  const { ids, relations } = await loadGraph([], { sql });
  expect(ids).toEqual(["movieId 2", "movieId 3", "userId 1", "userId 2"]);
  expect([...(relations[0].values ?? [])].sort()).toEqual([1, 1, 4, 4, 5, 5]);
  // ends of one kind, and ids that differ
  expect(
    await notesOf("same.csv", "source_id,target_id\n1,2\n2,3\n", { source: "source_id", target: "target_id" }),
  ).toEqual([]);
  expect(await notesOf("apart.csv", "user_id,item_id\nu1,i2\nu2,i3\n")).toEqual([]);
});

test("what Gephi calls type is no relation", async () => {
  const rows = "1,2,Undirected,1,work\n2,3,Directed,2,home\n";
  const header = "Source,Target,Type,Weight,Label";
  const gephi = await loadGraph(write("gephi.csv", `${header}\n${rows}`));
  expect(gephi.relations.map(({ name }) => name)).toEqual(["gephi"]);
  expect(gephi.notes).toEqual([
    expect.stringMatching(/Type says whether edges are directed.*Give --directed.*as in --columns relation=Type/),
  ]);
  expect(await notesOf("named.csv", `${header}\n${rows}`, { relation: "Label" })).toEqual([]);
  const lines = await loadGraph(write("gephi.jsonl", '{"source":"a","target":"b","type":"Undirected"}\n'));
  expect(lines.relations.map(({ name }) => name)).toEqual(["gephi"]);
  // a relation of that name, however late the others come
  const films = `${"a,b,DIRECTED\n".repeat(1200)}b,c,ACTED_IN\n`;
  const typed = await loadGraph(write("films.csv", `source,target,type\n${films}`));
  expect(typed.relations.map(({ name }) => name)).toEqual(["ACTED_IN", "DIRECTED"]);
  expect(typed.notes).toEqual([]);
});
