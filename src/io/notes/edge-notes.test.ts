/** Notes about edge files whose columns or names may have been misinterpreted. */

import { expect, test } from "vitest";
import { loadGraph } from "../graph/load-graph.js";
import { temporaryFolder } from "../test-files.js";

const { write } = temporaryFolder();

async function notesOf(name: string, text: string, columns?: Record<string, string>): Promise<readonly string[]> {
  return (await loadGraph(write(name, text), { columns })).notes;
}

test("unread columns of numbers are reported, unless edges have weights", async () => {
  const rows = ["a,b,12.5,7,x", "b,c,3,,y", "c,d,1e3,9,z"].join("\n");
  expect(await notesOf("paid.csv", `from,to,amount,day,city\n${rows}\n`)).toEqual([
    expect.stringContaining("columns amount, day are not read. If one of them is the weight of an edge"),
  ]);
  expect(await notesOf("paid2.csv", `from,to,amount,day,city\n${rows}\n`, { weight: "amount" })).toEqual([]);
  expect(await notesOf("texts.csv", "from,to,city,date\na,b,x,2024-01-01\nb,c,y,2024-01-02\n")).toEqual([]);
  expect(await notesOf("lines.json", '{"source":"a","target":"b","value":3}\n')).toEqual([
    expect.stringContaining("column value is not read. If it is the weight of an edge"),
  ]);
});

test("an unread column that may name the relation is reported; times are not suggested as weights", async () => {
  const events =
    "user_id,item_id,event,timestamp\nu1,i1,view,1700000001\nu1,i2,buy,1700000002\nu2,i1,view,1700000003\nu2,i2,buy,1700000004\n";
  expect(await notesOf("events.csv", events)).toEqual([
    expect.stringContaining(
      "column event is not read (2 values). If it names the relation of an edge, use --columns relation=event.",
    ),
    expect.stringMatching(/column timestamp is not read\.$/),
  ]);
  expect(await notesOf("kinds.csv", events, { relation: "event" })).toEqual([
    expect.stringMatching(/column timestamp is not read\.$/),
  ]);
});

test("sources that may have been read as relations are refused or reported", async () => {
  const edges = Array.from({ length: 60 }, (_, i) => `${i % 30} ${(7 * i + 1) % 30} ${1 + (i % 4)}`).join("\n");
  const refused = await loadGraph(write("weights.txt", `${edges}\n`)).catch((error: Error) => error.message);
  expect(refused).toContain("as in --columns source=1,target=2,weight=3");
  const few = Array.from({ length: 12 }, (_, i) => `${i} ${(i + 1) % 12} ${1 + (i % 3)}`).join("\n");
  expect((await notesOf("few.txt", `${few}\n`)).join(" ")).toContain(
    "12 relations are many for 12 nodes. If its columns are source, target and weight, use --columns source=1,target=2,weight=3.",
  );
  const many = Array.from({ length: 300 }, (_, i) => `${1 + Math.floor(i / 6)} ${i % 20} ${(i + 7) % 20}`).join("\n");
  expect((await loadGraph(write("many.txt", `${many}\n`))).relations.length).toBe(50);
  const layers = Array.from({ length: 60 }, (_, i) => `${1 + (i % 3)} ${i % 20} ${(i + 7) % 20}`).join("\n");
  expect((await notesOf("layers.txt", `${layers}\n`)).join(" ")).not.toContain("are many");
});

test("a list of nodes with an unknown header is reported", async () => {
  const edges = write("few.csv", "source,target\na,b\nb,c\n");
  const notes = async (name: string, text: string) => (await loadGraph(edges, { nodes: write(name, text) })).notes;
  expect(await notes("accounts.csv", "account\na\nz\n")).toEqual([
    expect.stringContaining(
      "the first row, account, is read as a node without edges. If it is a header, rename it to node.",
    ),
  ]);
  expect(await notes("plain.csv", "a\nz\n")).toEqual([]);
});

test("ids shared by two kinds of nodes are reported with a query that makes them different", async () => {
  const rows = "1,2,5\n1,3,4\n2,3,1\n";
  const columns = { source: "userId", target: "movieId", weight: "rating" };
  const [note, ...others] = await notesOf("ratings.csv", `userId,movieId,rating\n${rows}`, columns);
  expect(others).toEqual([]);
  expect(note).toContain("one id occurs in both userId and movieId and is read as one node");
  const sql = /--sql "(.*)" instead/.exec(note)?.[1] ?? "";
  const { ids, relations } = await loadGraph([], { sql });
  expect(ids).toEqual(["movieId 2", "movieId 3", "userId 1", "userId 2"]);
  expect([...(relations[0].values ?? [])].sort()).toEqual([1, 1, 4, 4, 5, 5]);
  // No note if both endpoints are of one kind, or if no id is shared.
  expect(
    await notesOf("same.csv", "source_id,target_id\n1,2\n2,3\n", { source: "source_id", target: "target_id" }),
  ).toEqual([]);
  expect(await notesOf("apart.csv", "user_id,item_id\nu1,i2\nu2,i3\n")).toEqual([]);
});

test("Gephi's column Type is not read as the relation", async () => {
  const rows = "1,2,Undirected,1,work\n2,3,Directed,2,home\n";
  const header = "Source,Target,Type,Weight,Label";
  const gephi = await loadGraph(write("gephi.csv", `${header}\n${rows}`));
  expect(gephi.relations.map(({ name }) => name)).toEqual(["gephi"]);
  expect(gephi.notes).toEqual([
    expect.stringMatching(
      /column Type states whether edges are directed.*Give --directed.*as in --columns relation=Type/,
    ),
  ]);
  expect(await notesOf("named.csv", `${header}\n${rows}`, { relation: "Label" })).toEqual([]);
  const lines = await loadGraph(write("gephi.jsonl", '{"source":"a","target":"b","type":"Undirected"}\n'));
  expect(lines.relations.map(({ name }) => name)).toEqual(["gephi"]);
  // The next column that may name the relation is read instead.
  const kinds = await loadGraph(write("kind.csv", "Source,Target,Type,kind\na,b,Undirected,x\nb,c,Undirected,y\n"));
  expect(kinds.relations.map(({ name }) => name)).toEqual(["x", "y"]);
  const ways = await notesOf("ways.csv", "Source,Target,Type,kind\na,b,Directed,x\nb,c,Undirected,y\n");
  expect(ways).toEqual([expect.stringMatching(/Give --directed to keep the direction of edges\.$/)]);
  const bare = await loadGraph(write("bare.csv", "Source,Target,Type,kind\na,b,Undirected,\nb,c,Undirected,\n"));
  expect(bare.relations.map(({ name }) => name)).toEqual(["bare"]);
  // A column with other values is a relation, even if they occur late.
  const films = `${"a,b,DIRECTED\n".repeat(1200)}b,c,ACTED_IN\n`;
  const typed = await loadGraph(write("films.csv", `source,target,type\n${films}`));
  expect(typed.relations.map(({ name }) => name)).toEqual(["ACTED_IN", "DIRECTED"]);
  expect(typed.notes).toEqual([]);
});

test("ids with and without .0 are reported, versions of accessions are not", async () => {
  expect(await notesOf("gaps.csv", "source,target\n1.0,2\n2.0,3\n7.0,8\n")).toEqual([
    "ids that occur with and without .0 (1), such as 2.0 and 2, are different nodes. If they should be the same, write them the same way.",
  ]);
  expect(await notesOf("floats.csv", "source,target\n1.0,2.0\n2.0,3.0\n")).toEqual([]);
  expect(await notesOf("versions.csv", "source,target\nNM_1.0,NM_1\nNM_1,NM_2\n")).toEqual([]);
});

test("missing-value tokens that are read as names are reported", async () => {
  expect(await notesOf("hub.csv", "source,target\nA,NA\nB,NA\nA,B\n")).toEqual([
    '"NA" is read as a node (2 rows). If it means a missing value, remove these rows.',
  ]);
  expect(await notesOf("kinds.csv", "source,target,relation\nA,B,x\nB,C,nan\nC,nano,x\n")).toEqual([
    '"nan" is read as a relation (one row). If it means a missing value, remove these rows.',
  ]);
});

test("a second column that may be the relation is reported", async () => {
  const rows = "a,b,x,k\nb,c,y,l\nc,d,x,k\nd,a,y,l\n";
  expect(await notesOf("two.csv", `source,target,type,kind\n${rows}`)).toEqual([
    expect.stringContaining(
      "column type is read as the relation; kind is not read. To read it instead, use --columns relation=kind.",
    ),
  ]);
  expect(await notesOf("one.csv", `source,target,type,kind\n${rows}`, { relation: "type" })).toEqual([]);
});

test("--columns weight=none and relation=none ignore their columns", async () => {
  const text = "source,target,type,score\na,b,x,-\nb,c,x,2\n";
  await expect(notesOf("dash.csv", text)).rejects.toThrow(
    'dash.csv:2: weight "-"; expected a finite number that is not negative. To ignore the weights, use --columns weight=none.',
  );
  const path = write("plain.csv", text);
  const { relations, notes } = await loadGraph(path, { columns: { weight: "none", relation: "none" } });
  expect(notes).toEqual([]);
  expect(relations.map(({ name, values }) => [name, values])).toEqual([["plain", undefined]]);
  const sql = "SELECT 'a' AS source, 'b' AS target, '-' AS score";
  expect((await loadGraph([], { sql, columns: { weight: "none" } })).relations[0].values).toBeUndefined();
});

test("a column source next to another pair of endpoint columns is not read as an endpoint", async () => {
  const rows = "A,B,string,0.5\nB,C,biogrid,0.7\nC,D,string,0.2\nD,A,biogrid,0.1\n";
  const genes = await loadGraph(write("genes.csv", `gene1,gene2,source,score\n${rows}`));
  expect(genes.ids).toEqual(["A", "B", "C", "D"]);
  expect(genes.notes).toEqual([
    expect.stringContaining("column source is not read (2 values). If it names the relation of an edge"),
  ]);
  const logs = "u1,i1,web,1\nu2,i1,app,0\nu2,i2,web,1\nu1,i2,app,1\n";
  expect((await loadGraph(write("logs.csv", `user,item,source,target\n${logs}`))).notes[0]).toContain(
    "source and target are read as the endpoints of edges; user and item are not read. If they are the endpoints, give --columns source=user,target=item.",
  );
  expect((await loadGraph(write("log.csv", `user,item,type,target\n${logs}`))).ids).toEqual(["i1", "i2", "u1", "u2"]);
  for (const columns of [{ target: "gene2" }, { source: 1 }]) {
    const half = await loadGraph(write("half.csv", `gene1,gene2,source,score\n${rows}`), { columns });
    expect(half.ids).toEqual(["A", "B", "C", "D"]);
  }
  const named = await loadGraph(write("said.csv", `user,item,source,target\n${logs}`), {
    columns: { source: "user", target: "item" },
  });
  expect(named.ids).toEqual(["i1", "i2", "u1", "u2"]);
});

test("a second column that may be the weight is reported", async () => {
  expect(await notesOf("weights.csv", "source,target,weight,score\na,b,1,9\nb,c,2,8\n")).toEqual([
    expect.stringContaining(
      "column weight is read as the weight; score is not read. To read it instead, use --columns weight=score.",
    ),
  ]);
});

test("ids that look the same but are encoded differently are reported", async () => {
  const [one, two] = ["NFC", "NFD"].map((form) => "Müller".normalize(form));
  expect(await notesOf("accents.csv", `source,target\n${one},X\nX,Y\n${two},Y\n`)).toEqual([
    expect.stringContaining(
      'ids that look the same but are encoded in two ways (1), such as "Müller", are different nodes',
    ),
  ]);
  expect(await notesOf("plain-accents.csv", `source,target\n${one},X\nX,Zoë\n`)).toEqual([]);
});
