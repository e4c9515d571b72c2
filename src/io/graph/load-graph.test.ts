import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { quoteText } from "../../core/text.js";
import { quoteField } from "../../core/vector-text.js";
import { contentHash } from "../../graph/content-hash.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { temporaryFolder, writeParquet } from "../test-files.js";
import { loadGraph } from "./load-graph.js";

const { folder, write } = temporaryFolder();

const IDS = [
  "a",
  "007",
  "7",
  "New York",
  "x,y",
  'say "hi"',
  "two\nlines",
  "é",
  "\u{1F600}",
  "\uFFEE",
  "tab\there",
  "#tag",
];

function oddEdges() {
  const rng = new Rng(5, "odd");
  return Array.from({ length: 400 }, () => ({
    source: IDS[rng.below(IDS.length)],
    target: IDS[rng.below(IDS.length)],
    relation: ["t10", "t9", "with space"][rng.below(3)],
    weight: Math.floor(rng.uniform() * 8) / 3,
  }));
}

type Edge = ReturnType<typeof oddEdges>[number];

const delimited = (edges: Edge[], delimiter: string, lineBreak = "\n") =>
  ["relation,source,target,weight".replaceAll(",", delimiter)]
    .concat(
      edges.map((edge) =>
        [edge.relation, edge.source, edge.target, String(edge.weight)]
          .map((f) => quoteField(f, delimiter))
          .join(delimiter),
      ),
    )
    .join(lineBreak) + lineBreak;

test("every format, gzip and any order of rows give the same graph as arrays in memory", async () => {
  const edges = oddEdges();
  const shuffled = edges.map((_, i) => edges[(i * 7 + 3) % edges.length]); // 7 and 400 have no common factor
  const column = <K extends keyof Edge>(key: K) => edges.map((edge) => edge[key]);
  const expected = multiplexFromEdges({
    source: column("source"),
    target: column("target"),
    relation: column("relation"),
    weight: column("weight"),
  });
  const values = shuffled
    .map((e) => `(${quoteText(e.relation)}, ${quoteText(e.source)}, ${quoteText(e.target)}, ${e.weight}::DOUBLE)`)
    .join(", ");
  const query = `SELECT * FROM (VALUES ${values}) t(relation, source, target, weight)`;
  const sources = [
    write("odd.csv", delimited(edges, ",")),
    write("shuffled.csv", delimited(shuffled, ",")),
    write("odd.tsv", delimited(edges, "\t")),
    write(
      "odd-crlf.csv",
      "\uFEFF# made by a test\r\n" + delimited(edges, ",", "\r\n").replaceAll("two\r\nlines", "two\nlines"),
    ),
    write("odd.csv.gz", gzipSync(delimited(shuffled, ","))),
    write("semicolons.csv", delimited(edges, ";")),
    write("odd.jsonl", edges.map((edge) => JSON.stringify(edge)).join("\n")),
    write("odd.ndjson.gz", gzipSync(shuffled.map((edge) => JSON.stringify(edge)).join("\n"))),
    write("odd.json", JSON.stringify(edges)),
    await writeParquet(join(folder, "odd.parquet"), query),
  ];
  for (const source of sources) {
    const graph = await loadGraph(source);
    expect(graph.ids, source).toEqual(expected.ids);
    expect(graph.report, source).toEqual(expected.report);
    expect(contentHash(graph), source).toBe(contentHash(expected));
    expect(graph.files).toEqual([source]);
  }
  expect(contentHash(await loadGraph([], { sql: `${query};` }))).toBe(contentHash(expected));
  expect(contentHash(await loadGraph(sources[0], { directed: true }))).not.toBe(contentHash(expected));
});

/** Edges as `relation: source-target weight`, each undirected one once. */
async function edgesOf(...parameters: Parameters<typeof loadGraph>): Promise<string[]> {
  const graph = await loadGraph(...parameters);
  const lines: string[] = [];
  for (const { name, rowStart, columns, values } of graph.relations) {
    for (let row = 0; row < graph.numNodes; row++) {
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        if (graph.directed || row < columns[k]) {
          lines.push(
            `${name}: ${graph.ids[row]}-${graph.ids[columns[k]]}${values === undefined ? "" : ` ${values[k]}`}`,
          );
        }
      }
    }
  }
  return lines;
}

test.each([
  ["head.csv", "SRC,To,Layer,Score\nb,a,x,2\n", ["x: a-b 2"]],
  ["friends.csv", "u,v\nb,a\n", ["friends: a-b"]],
  ["letters.csv", "u,v\nu,w\n", ["letters: u-v", "letters: u-w"]],
  ["extra.tsv", "when\tfrom\tto\n2020\tb\ta\n", ["extra: a-b"]],
  ["lit.edges", "1 10 2\n1  3\t2\n2 10 3\n", ["1: 10-2", "1: 2-3", "2: 10-3"]],
  ["lit-weight.edges", "# layer a b w\n1 a b 2\n2 a b 0.5 \n\n", ["1: a-b 2", "2: a-b 0.5"]],
  ["pairs.txt", "% konect\n1 2\n3 1\n", ["pairs: 1-2", "pairs: 1-3"]],
  ["weighted.txt", "1 2 0.5\n3 1 2\n", ["weighted: 1-2 0.5", "weighted: 1-3 2"]],
  ["spaced-header.txt", "layer source target\nx a b\n", ["x: a-b"]],
  ["pairs.csv", "a,b\nb,c\n", ["pairs: a-b", "pairs: b-c"]],
  ["weighted.csv", "a,b,0.5\nb,c,1.5\n", ["weighted: a-b 0.5", "weighted: b-c 1.5"]],
  ["blanks dropped.csv", "source,target\n a,b \n", ["blanks dropped: a-b"]],
  ["wild[1]*.csv", "source,target\na,b\n", ["wild[1]*: a-b"]],
  ["excel.csv", "sep=;\r\nsource;target\r\na;b\r\n", ["excel: a-b"]],
  ["events.csv", "user,item,kind\nann,tea,buy\nbob,tea,view\n", ["buy: ann-tea", "view: bob-tea"]],
  ["string.txt", "protein1 protein2 combined_score\n9.A 9.B 170\n", ["string: 9.A-9.B 170"]],
  ["triples.csv", "subject,predicate,object\na,knows,b\n", ["knows: a-b"]],
  ["ends.tsv", "node_1\tnode_2\tedge_type\na\tb\tx\n", ["x: a-b"]],
  ["noend.csv", "source,target\na,b", ["noend: a-b"]],
  ["oldmac.csv", "source,target\ra,b\r", ["oldmac: a-b"]],
  ["number.jsonl", '{"source": 1, "target": 12345678901234567890}\n', ["number: 1-12345678901234567890"]],
])("%s", async (name, content, expected) => {
  expect(await edgesOf(write(name, content))).toEqual(expected);
});

test("--columns names columns by name or position", async () => {
  const named = write("named.csv", "protein1,protein2,kind,combined\nb,a,x,2\n");
  expect(await edgesOf(named, { columns: { source: "protein1", target: "PROTEIN2", relation: "kind" } })).toEqual([
    "x: a-b",
  ]);
  const bare = write("bare.csv", "x,b,a,2\ny,c,a,1\n");
  expect(await edgesOf(bare, { columns: { source: 2, target: "3", relation: 1, weight: 4 } })).toEqual([
    "x: a-b 2",
    "y: a-c",
  ]);
  const headed = write("headed.csv", "k,p,q,s\nx,b,a,2\ny,c,a,1\n");
  expect(await edgesOf(headed, { columns: { source: 2, target: 3, weight: 4 } })).toEqual([
    "headed: a-b 2",
    "headed: a-c 1",
  ]);
});

test("several files without a relation column are one relation each", async () => {
  const files = [
    write("likes.csv", "source,target\na,b\n"),
    write("follows.tsv.gz", gzipSync("source\ttarget\nb\tc\n")),
  ];
  const graph = await loadGraph(files);
  expect(graph.relations.map(({ name, numEdges }) => [name, numEdges])).toEqual([
    ["follows", 1],
    ["likes", 1],
  ]);
  expect(graph.notes).toEqual([]);
  const bare = await loadGraph(write("bare.edges", "1 2\n"));
  expect(bare.notes).toEqual([`${join(folder, "bare.edges")}: no header; its columns are read as source, target.`]);
});

test("blanks around names and numbers are removed", async () => {
  const plain = await loadGraph(write("plain.csv", "source,target,relation,weight\na,b c,r,1\nb c,d,r,2\nd,a,s,3\n"));
  const rows = "source , target, relation ,weight\na , b c, r , 1\n b c,d ,r, 2 \nd,a ,s,3\n";
  expect(contentHash(await loadGraph(write("blanks.csv", rows)))).toBe(contentHash(plain));
  const labelled = join(folder, "blank-labels");
  mkdirSync(labelled);
  write("blank-labels/edges.csv", "source,target\na, b\nb ,c\n");
  write("blank-labels/labels.csv", "node, label\na, x\n b,y\n c ,x\n");
  expect((await loadGraph(labelled)).ids).toEqual(["a", "b", "c"]);
  await expect(loadGraph(write("blank.csv", "source,target\na,b\n , c\n"))).rejects.toThrow(
    /blank\.csv:3: source is empty/,
  );
});

test("each table of a folder without edges is one relation; other files are ignored", async () => {
  const inside = join(folder, "by-relation");
  mkdirSync(inside);
  write("by-relation/likes.csv", "source,target\na,b\n");
  write("by-relation/follows.tsv", "source\ttarget\nb\tc\n");
  write("by-relation/README.txt", "words about the data\n");
  write("by-relation/.hidden.csv", "x\n");
  write("by-relation/figure.png", "x");
  write("by-relation/labels.tsv", "node\tlabel\na\tx\nd\ty\n");
  const graph = await loadGraph(inside);
  expect(graph.relations.map(({ name }) => name)).toEqual(["follows", "likes"]);
  expect(graph.ids).toEqual(["a", "b", "c", "d"]);
  expect(graph.labelsFile).toBe(join(inside, "labels.tsv"));
  expect(graph.notes).toEqual([
    expect.stringMatching(/by-relation: no file is called edges; all 2 tables are read as edges/),
  ]);
});

test("the folder of a run is refused as a source of edges", async () => {
  const inside = join(folder, "a-run");
  mkdirSync(inside);
  write("a-run/embeddings.parquet", "x");
  write("a-run/run.json", "{}");
  await expect(loadGraph(inside)).rejects.toThrow(/a-run: holds the vectors of a run/);
});

test("a first row of names that no other edge has is read as an edge and reported", async () => {
  const doubt = /the first row, buyer and seller, is read as an edge.*--columns source=buyer,target=seller/;
  const { notes, numNodes } = await loadGraph(write("trade.csv", "buyer,seller\nann,bob\nbob,cy\n"));
  expect(numNodes).toBe(5);
  expect(notes.at(-1)).toMatch(doubt);
  const known = await loadGraph(write("known.csv", "ann,seller\nann,bob\nbob,cy\n"));
  expect(known.notes.join()).not.toContain("first row");
});

test("without a header, numbers after two names are weights, and three numbers are layer, source and target", async () => {
  expect(await edgesOf(write("counts.txt", "p q 3\nq r 1\np r 2\n"))).toEqual([
    "counts: p-q 3",
    "counts: p-r 2",
    "counts: q-r 1",
  ]);
  expect(await edgesOf(write("layers.txt", "1 2 3\n2 3 1\n"))).toEqual(["1: 2-3", "2: 1-3"]);
});

test("nodes without edges come from --nodes and from the labels and features of a dataset folder", async () => {
  const edges = write("e.csv", "source,target\na,b\n");
  const graph = await loadGraph(edges, { nodes: write("n.txt", "a\nNew York\n\nz\n") });
  expect(graph.ids).toEqual(["New York", "a", "b", "z"]);
  expect(graph.notes).toEqual([]);
  const named = await loadGraph(edges, { nodes: write("n2.txt", "nodeID nodeLabel\na Ann\nz Zoe\n") });
  expect(named.ids).toEqual(["a", "b", "z"]);
  const whole = await loadGraph(edges, { nodes: write("n3.txt", "node 1\nnode 2\n") });
  expect(whole.ids).toEqual(["a", "b", "node 1", "node 2"]);
  expect(whole.notes).toEqual([
    expect.stringContaining(
      'n3.txt: none of its ids, such as "node 1", has an edge; all are added as nodes without edges',
    ),
  ]);
  const actors = await loadGraph(edges, { nodes: write("n4.txt", "Gene Kelly\nFred Astaire\n") });
  expect(actors.ids).toEqual(["Fred Astaire", "Gene Kelly", "a", "b"]);
  mkdirSync(join(folder, "set"));
  write("set/edges.csv", "relation,source,target,weight\nr,a,b,1\nr,a,a,1\nempty,b,b,1\n");
  write("set/labels.tsv", "node\tlabel\na\tx\nlabelled\ty\n");
  write("set/features.csv", "node,feature\na,f10\nb,f2\nlabelled,f2\nfeatured,f2\n");
  write("set/split.tsv", "node\tsplit\na\ttrain\n");
  write("set/dataset.json", '{"title": "a test"}');
  const set = await loadGraph(join(folder, "set"));
  expect(set.ids).toEqual(["a", "b", "featured", "labelled"]);
  expect(set.relations.map(({ name, numEdges }) => [name, numEdges])).toEqual([
    ["empty", 0],
    ["r", 1],
  ]);
  expect(set.report.selfLoops).toBe(2);
  expect(set.features?.names).toEqual(["f2", "f10"]);
  expect([...set.features!.rowStart]).toEqual([0, 1, 2, 3, 4]);
  expect([...set.features!.columns]).toEqual([1, 0, 0, 0]);
  expect(set.features?.values).toBeUndefined();
  expect(set.description).toEqual({ title: "a test" });
  expect(set.labelsFile).toBe(join(folder, "set/labels.tsv"));
  expect(set.splitFile).toBe(join(folder, "set/split.tsv"));
  expect(set.linksFile).toBeUndefined();
});

test("minWeight and strongest remove edges and keep their nodes", async () => {
  const weighted = write("w.csv", "source,target,relation,weight\na,b,r,700\nb,c,r,699.5\nc,d,s,10\nb,e,s,900\n");
  const graph = await loadGraph(weighted, { minWeight: 700 });
  expect(graph.ids).toEqual(["a", "b", "c", "d", "e"]);
  expect(graph.relations.map(({ name, numEdges }) => [name, numEdges])).toEqual([
    ["r", 1],
    ["s", 1],
  ]);
  expect(graph.notes).toEqual([
    "2 of 4 edges weigh less than 700 and are removed. Nodes without an edge stay in the graph: 2.",
  ]);
  expect((await loadGraph(weighted, { minWeight: 10 })).notes).toEqual([]);
  const sql = `SELECT * FROM ${quoteText(weighted)}`;
  expect((await loadGraph([], { sql, minWeight: 800 })).relations.map(({ name }) => name)).toEqual(["s"]);
  await expect(loadGraph(weighted, { minWeight: 901 })).rejects.toThrow(
    "found 901; expected at most 900, the largest weight",
  );
  const bare = write("bare.csv", "source,target\na,b\n");
  const star = write("star.csv", "source,target,weight\na,b,3\na,c,2\na,d,2\nb,c,1\n");
  // a keeps b; c and d keep a, and b keeps a; b–c is only the second heaviest of both its ends.
  const strong = await loadGraph(star, { strongest: 1 });
  expect(strong.relations[0].numEdges).toBe(3);
  expect(strong.notes).toEqual(["1 of 4 edges are not among the 1 heaviest of either endpoint and are removed."]);
  expect((await loadGraph(star, { strongest: 2 })).relations[0].numEdges).toBe(4);
  const rows = ["A B 900", "A C 800", "A D 700", "B C 600", "B D 500", "C D 400"];
  const once = write("once.txt", `protein1 protein2 combined_score\n${rows.join("\n")}\n`);
  const both = rows.flatMap((row) => [row, row.replace(/(\w) (\w)/, "$2 $1")]);
  const twice = write("both.txt", `protein1 protein2 combined_score\n${both.join("\n")}\nA A 9999\n`);
  for (const path of [once, twice]) expect((await loadGraph(path, { strongest: 2 })).relations[0].numEdges).toBe(5);
  const gone = await loadGraph(weighted, { strongest: 1, minWeight: 701 });
  expect(gone.notes[0]).toContain("Relations left without an edge are removed: 1.");
  await expect(loadGraph(bare, { strongest: 1 })).rejects.toThrow(/--strongest: .*bare.csv has no weight column/);
  await expect(loadGraph(bare, { minWeight: 1 })).rejects.toThrow(/bare.csv has no weight column; expected one/);
  await expect(loadGraph([], { sql: "SELECT 'a' AS source, 'b' AS target", minWeight: 1 })).rejects.toThrow(
    "the query has no",
  );
});

test("features in long and in wide form give the same matrix", async () => {
  const edges = write("f.csv", "source,target\na,b\nc,\u{1F600}\n\uFFEE,a\n");
  const long = write(
    "long.csv",
    "node,feature,value\na,f1,0.5\nb,f2,-2\nc,f1,0\na,f2,1\n\u{1F600},f1,7\n\uFFEE,f2,9\n",
  );
  const wide = write("wide.csv", "f2,id,f1\n1,a,0.5\n-2,b,0\n0,c,0\n0,\u{1F600},7\n9,\uFFEE,0\n");
  const [fromLong, fromWide] = await Promise.all(
    [long, wide].map(async (features) => (await loadGraph(edges, { features })).features!),
  );
  expect(fromLong.names).toEqual(["f1", "f2"]);
  expect([...fromLong.rowStart]).toEqual([0, 2, 3, 4, 5, 6]);
  expect([...fromLong.columns]).toEqual([0, 1, 1, 0, 0, 1]);
  expect([...fromLong.values!]).toEqual([0.5, 1, -2, 0, 7, 9]);
  expect(fromWide).toEqual(fromLong);
});

test("two values of a category for one node are refused, and missing-value tokens are not values", async () => {
  const edges = write("k.csv", "source,target\na,b\nb,c\n");
  const twice = write("twice.csv", "id,dept\na,hr\na,it\nb,hr\nc,it\n");
  await expect(loadGraph(edges, { features: twice })).rejects.toThrow(
    'twice.csv: node "a" has two values for feature "dept"; expected one.',
  );
  const words = write("words.csv", "id,dept\na,hr\nb,NA\nc,<NA>\n");
  expect((await loadGraph(edges, { features: words })).features?.names).toEqual(["dept=hr"]);
});

test("missingFeatures median fills empty cells with the median of their column", async () => {
  const edges = write("m.csv", "source,target\na,b\nb,c\nc,d\n");
  const text = write("gaps.csv", "id,age,kind,size\na,10,x,1\nb, ,x,2\nc,30,,NA\nd,50,y,4\n");
  const parquet = await writeParquet(
    join(folder, "gaps.parquet"),
    "SELECT * FROM (VALUES ('a', 10, 1.0::DOUBLE), ('b', NULL, 2), ('c', 30, 'nan'::DOUBLE), ('d', 50, 4)) t(id, age, size)",
  );
  for (const features of [text, parquet]) {
    const graph = await loadGraph(edges, { features, missingFeatures: "median" });
    const { names, rowStart, columns, values } = graph.features!;
    const row = (i: number) =>
      Array.from(columns.subarray(rowStart[i], rowStart[i + 1]), (c, at) => `${names[c]} ${values![rowStart[i] + at]}`);
    expect(row(1)).toContain("age 30");
    expect(row(2)).toContain("size 2");
    expect(graph.notes.at(-1)).toContain('2 empty cells of "age", "size" are read as the median of the column.');
  }
  await expect(loadGraph(edges, { features: text })).rejects.toThrow(
    "gaps.csv:3: age is empty; expected a number. Fill it in, or use the median of its column with --missing-features median.",
  );
  const bare = write("none.csv", "id,age\na,\nb,\nc,\nd,\n");
  await expect(loadGraph(edges, { features: bare, missingFeatures: "median" })).rejects.toThrow(
    'none.csv: column "age" has no number; expected at least one. Remove the column.',
  );
  const bad = write("bad.csv", "id,age\na,10\nb,\nc,old\nd,1\n");
  await expect(loadGraph(edges, { features: bad, missingFeatures: "median" })).rejects.toThrow('bad.csv:4: age "old"');
});

test("every value of a text column becomes a feature, with a note", async () => {
  const edges = write("c.csv", "source,target\na,b\nb,c\n");
  const rows = [
    { id: "a", age: 30, country: "FR", member: true },
    { id: "b", age: 41, country: "New Zealand", member: false },
    { id: "c", age: 0, country: "", member: true },
  ];
  const csv = write(
    "kinds.csv",
    `id,age,country\n${rows.map((row) => `${row.id},${row.age},${row.country}`).join("\n")}\n`,
  );
  const json = write("kinds.jsonl", rows.map(({ member: _, ...row }) => JSON.stringify(row)).join("\n"));
  for (const features of [csv, json]) {
    const graph = await loadGraph(edges, { features });
    expect(graph.features?.names).toEqual(["age", "country=FR", "country=New Zealand"]);
    // c has no country and age 0, but it has a row: it keeps one zero.
    expect([...graph.features!.rowStart]).toEqual([0, 2, 4, 5]);
    expect([...graph.features!.columns]).toEqual([0, 1, 0, 2, 0]);
    expect([...graph.features!.values!]).toEqual([30, 1, 41, 1, 0]);
    expect(graph.notes).toEqual([expect.stringContaining('"country" holds text and is read as categories.')]);
  }
  const values = "('a', 'x', true), ('b', NULL, false), ('c', 'x', true)";
  const parquet = await writeParquet(
    join(folder, "kinds.parquet"),
    `SELECT * FROM (VALUES ${values}) t(node, kind, member)`,
  );
  const typed = (await loadGraph(edges, { features: parquet, missingFeatures: "zero" })).features!;
  expect(typed.names).toEqual(["kind=x", "member"]);
  expect([...typed.columns]).toEqual([0, 1, 0, 0, 1]); // b has neither, so it keeps one zero.
});

test("a file without weights stays unweighted next to a file with weights", async () => {
  const weighted = write("wa.csv", "source,target,weight\na,b,2\nb,a,3\n");
  const plain = write("ub.csv", "source,target\na,b\nb,a\na,b\nb,c\n");
  const alone = await loadGraph(plain);
  const graph = await loadGraph([plain, weighted]);
  expect(graph.relations.map(({ name, values }) => [name, values && [...values]])).toEqual([
    ["ub", undefined],
    ["wa", [5, 5]],
  ]);
  expect([...graph.relations[0].columns]).toEqual([...alone.relations[0].columns]);
});

test("nodes without a row of features are counted in a note", async () => {
  const edges = write("bare.csv", "source,target\na,b\nb,c\nc,d\n");
  const features = write("ages.csv", "node,age\na,1\nb,2\n");
  const { notes } = await loadGraph(edges, { features, missingFeatures: "zero" });
  expect(notes).toContainEqual(expect.stringContaining("2 of 4 nodes have no feature row; their features are all 0."));
});

test("in a table of node, feature and value, a node without rows has the same features as a node with zeros", async () => {
  const edges = write("counted.csv", "source,target\na,b\nb,c\nc,d\n");
  const rows = "node,feature,value\na,x,4\na,y,7\nb,x,5\nb,y,9\nc,x,3\nc,y,8\n";
  const [absent, zeros] = await Promise.all(
    [write("absent.csv", rows), write("zeros.csv", `${rows}d,x,0\nd,y,0\n`)].map(
      async (features) => (await loadGraph(edges, { features })).features!,
    ),
  );
  expect(absent).toEqual(zeros);
  expect([...absent.values!]).toEqual([4, 7, 5, 9, 3, 8, 0]);
});

test("features whose values become equal in single precision are reported", async () => {
  const edges = write("seen.csv", "source,target\na,b\nb,c\nc,d\n");
  const features = write(
    "times.csv",
    "node,age,time\na,1,1700000000\nb,2,1700000020\nc,3,1700000040\nd,4,1700000060\n",
  );
  const { notes } = await loadGraph(edges, { features });
  expect(notes.filter((note) => note.includes("single precision"))).toEqual([
    expect.stringContaining("times.csv: many values of time are equal in single precision. Subtract a constant"),
  ]);
});

test("a folder of relations accepts names in capitals and .edges, and reports unread files", async () => {
  const inside = join(folder, "mixed");
  mkdirSync(join(inside, "more"), { recursive: true });
  write("mixed/d.csv", "source,target\nx,y\n");
  write("mixed/C.CSV", "source,target\nx,y\ny,z\n");
  write("mixed/b.edges", "x y\nx z\n");
  write("mixed/Labels.csv", "node,label\nx,p\ny,q\n");
  write("mixed/sheet.xlsx", "PK");
  write("mixed/README.md", "words");
  const graph = await loadGraph(inside);
  expect(graph.relations.map(({ name, numEdges }) => [name, numEdges])).toEqual([
    ["C", 2],
    ["b", 2],
    ["d", 1],
  ]);
  expect(graph.labelsFile).toBe(join(inside, "Labels.csv"));
  write("mixed/d.edges", "x y\n");
  write("mixed/Links.csv", "source,target\nx,y\n");
  const more = await loadGraph(inside);
  expect(more.relations.map(({ name }) => name)).toEqual(["C", "Links", "b", "d"]);
  expect(more.notes).toContainEqual(expect.stringContaining("other tables are not read: d.edges."));
  expect(graph.notes).toContainEqual(
    expect.stringContaining("mixed: not read, because their names are not names of tables: more, sheet.xlsx."),
  );
});

test("Graphviz files are refused", async () => {
  for (const text of [
    "graph { a -- b; b -- c }\n",
    "strict digraph G {\n a -> b;\n}\n",
    "// by hand\ndigraph G\n{\n}\n",
  ]) {
    await expect(loadGraph(write("g.dot", text))).rejects.toThrow("g.dot: Graphviz's DOT is not read");
  }
});

test("lists in cells and codes among features are reported; dates are refused, and the error gives advice", async () => {
  const edges = write("people.csv", "source,target\na,b\nb,c\nc,d\n");
  const table = (name: string, text: string) => loadGraph(edges, { features: write(name, text) });
  const listed = await table("genres.csv", "node,genres\na,Action|Drama\nb,Drama\nc,Action\nd,Drama\n");
  expect(listed.notes).toContainEqual(
    expect.stringContaining('each text of "genres", such as "Action|Drama", is one category.'),
  );
  const coded = await table("zip.csv", "node,zip,age\na,00010,1\nb,00020,2\nc,00030,3\nd,10040,4\n");
  expect(coded.notes).toEqual([expect.stringContaining('"zip" holds numbers with leading zeros, read as quantities.')]);
  await expect(table("dates.csv", "node,signup,age\na,2023-01-01,1\nb,2,2\nc,3,3\nd,4,4\n")).rejects.toThrow(
    'dates.csv:2: signup "2023-01-01"; expected a finite number. Remove the column, or convert it to numbers, such as the year of a date.',
  );
  await expect(table("large.csv", "node,age\na,1e300\nb,2\nc,3\nd,4\n")).rejects.toThrow(
    'age "1e300"; expected a number of a size below 3.4e38.',
  );
});
