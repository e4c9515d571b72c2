import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { loadGraph } from "./graph/load-graph.js";
import { loadLabels } from "./tables/labels.js";
import { inputError, temporaryFolder, writeParquet } from "./test-files.js";

const { folder, write } = temporaryFolder();

/** The message of the error, without the path of the temporary folder. */
async function fault(...parameters: Parameters<typeof loadGraph>): Promise<string> {
  return (await inputError(loadGraph(...parameters))).replaceAll(`${folder}/`, "");
}

const ROWS = Array.from({ length: 3000 }, (_, i) => `a${i},b${i},1`).join("\n");

test.each([
  ["empty.csv", "", "empty.csv: the file is empty (0 bytes)."],
  ["blank.csv", "\n\n", "blank.csv: the file has no rows"],
  ["header.csv", "source,target\n", "header.csv: only a header and no rows; expected at least one."],
  [
    "other.csv",
    "p1,p2,s\nx,y,1\n",
    'other.csv: no source or target column; found the columns "p1", "p2", "s". Name them, as in --columns source=NAME,target=NAME.',
  ],
  ["half.csv", "source,other\na,b\n", 'half.csv: no target column; found the columns "source", "other".'],
  ["one.csv", "a\nb\n", "one.csv: one column and no header that names source and target; line 1 is"],
  ["three.csv", "a,b,c\nd,e,f\n", "three.csv: 3 columns and no header that names source and target"],
  [
    "named.csv",
    "caller,callee,kind\nx,y,msg\n",
    'line 1 is "caller,callee,kind". Name the columns, as in --columns source=1,target=2,relation=3, or, if that line is a header, --columns source=caller,target=callee,relation=kind.',
  ],
  ["graph.gml", "graph [\n  node [ id 1 ]\n]\n", "graph.gml: GML is not read; expected a table of edges."],
  ["sets.gmt", "s1\thttp\ta\tb\n", "sets.gmt: sets of genes (GMT) are not read"],
  ["multi.txt", "#TYPE\nmultiplex\n\n#EDGES\na,b,work\n", "multi.txt: sections such as #EDGES are not read"],
  ["graph.net", '*Vertices 2\n1 "a"\n', "graph.net: Pajek is not read"],
  [
    "triples.tsv",
    Array.from({ length: 9 }, (_, i) => `h${i}\t${i % 2 ? "likes" : "knows"}\tt${i}`).join("\n"),
    "Name the columns, as in --columns source=1,relation=2,target=3",
  ],
  [
    "layers.tsv",
    Array.from({ length: 9 }, (_, i) => `${i % 2 ? "likes" : "knows"}\th${i}\tt${i}`).join("\n"),
    "Name the columns, as in --columns relation=1,source=2,target=3",
  ],
  [
    "comma.csv",
    "source;target;weight\na;b;0,5\n",
    'comma.csv:2: weight "0,5"; expected a finite number that is not negative, with a point instead of the comma.',
  ],
  ["twins.csv", "source,source,target\na,b,c\n", 'twins.csv: two columns are called "source"; expected one.'],
  ["zeros.csv", "s\0o\0u\0r\0c\0e\0\n\0", "zeros.csv: the text seems to be in UTF-16; expected UTF-8."],
  [
    "times.txt",
    "1 2 1082040961\n3 4 1082155839\n5 2 1082414391\n",
    'times.txt: 3 columns and no header that names source and target; line 1 is "1 2 1082040961". Name the columns, as in --columns source=1,target=2.',
  ],
  ["rated.txt", "1 2 5 1082040961\n3 4 1 1082155839\n", "rated.txt: 4 columns and no header"],
  [
    "days.txt",
    Array.from({ length: 60 }, (_, i) => `${i} ${i + 1} ${5000 + i}`).join("\n"),
    "days.txt: 3 columns and no header",
  ],
  ["five.edges", "1 2 3 4 5\n", "five.edges: 5 columns and no header"],
  ["ragged.csv", `source,target,weight\n${ROWS}\nc,d\n`, "ragged.csv:3002: 2 fields; expected 3 as in the first row."],
  ["wide.csv", "# c\n# c\nsource,target\na,b\nc,d,e\n", "wide.csv:5: 3 fields; expected 2"],
  ["ragged.edges", "1 2 3\n1 2\n", "ragged.edges:2: 2 fields; expected 3"],
  ["open.csv", 'source,target\n"a\nx",b\n"c,d\ne,f\n', "open.csv:4: a quote is opened and never closed"],
  ["after.csv", 'source,target\na,b\n"c"x,d\n', "after.csv:3: text follows a closing quote"],
  ["null.csv", "source,target\r\na,b\r\n\r\n,d\r\n", "null.csv:4: source is empty; expected a name."],
  ["quoted-null.csv", 'source,target\na,""\n', "quoted-null.csv:2: target is empty"],
  ["relation.csv", "source,target,type\na,b,x\na,c,\n", "relation.csv:3: relation is empty"],
  [
    "word.csv",
    `source,target,weight\n${ROWS}\nc,d,heavy\n`,
    'word.csv:3002: weight "heavy"; expected a finite number that is not negative.',
  ],
  [
    "negative.csv",
    "source,target,weight\na,b,1\nc,d,-0.5\n",
    'negative.csv:3: weight "-0.5"; expected a finite number that is not negative. To ignore all weights, use --columns weight=none.',
  ],
  ["nan.csv", "source,target,weight\na,b,NaN\n", 'nan.csv:2: weight "NaN"'],
  ["inf.csv", "source,target,weight\na,b,inf\n", 'inf.csv:2: weight "inf"'],
  ["huge.csv", "source,target,weight\na,b,1e39\n", 'huge.csv:2: weight "1e39"'],
  ["underscore.csv", "source,target,weight\na,b,1_000\n", 'underscore.csv:2: weight "1_000"'],
  [
    "noweight.csv",
    "source,target,weight\na,b,\n",
    "noweight.csv:2: weight is empty; expected a number. To ignore all weights, use --columns weight=none. To fill them in",
  ],
  ["json.jsonl", '{"source": "a", "target": "b"}\n{"source": "a",\n', "json.jsonl:2: not valid JSON"],
  ["null.jsonl", '{"source": "a", "target": "b"}\n\n{"source": "a"}\n', "null.jsonl:3: target is empty"],
  ["keys.jsonl", '{"a": "a", "b": "b"}\n', 'keys.jsonl: no source or target column; found the columns "a", "b".'],
  ["weight.jsonl", '{"source": "a", "target": "b", "weight": -1}\n', 'weight.jsonl:1: weight "-1"'],
  ["pairs.edgelist", "a b {'weight': 1.0}", "pairs.edgelist: a list of edges with dictionaries is not read"],
  [
    "layers.edges",
    "1 1 2 1 1\n1 2 2 2 1\n1 1 1 2 1\n",
    "as in --columns source=1,relation=2,target=3,weight=5 for node, layer, node, layer, weight; remove the edges between layers first",
  ],
  [
    "unnamed.csv",
    "relation,source,target\nr,a,b\n,b,c\n",
    "unnamed.csv:3: relation is empty; expected a name. Fill in a relation, or remove these edges from the file.",
  ],
  ["text.parquet", "not parquet at all", "text.parquet: not a Parquet file"],
  ["archive.csv", "PK\x03\x04zip", "archive.csv: this is a zip archive or a spreadsheet"],
])("%s", async (name, content, message) => {
  expect(await fault(write(name, content))).toContain(message);
  if (!name.endsWith(".parquet") && content !== "" && !content.startsWith("PK")) {
    const packed = `${name}.gz`;
    expect(await fault(write(packed, gzipSync(content)))).toContain(message.replace(name, packed));
  }
});

test.each([
  ["paper.pdf", "%PDF-1.4\n1 0 obj\n", "paper.pdf: this is a PDF document; expected text"],
  ["chart.png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "chart.png: this is an image"],
  ["base.csv", "SQLite format 3\0\x10\0", "base.csv: this is an SQLite database"],
  ["old.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "old.xls: this is an old Office file"],
  ["frame.pkl", "\x80\x04\x95\x10\0", "frame.pkl: this is a Python pickle"],
  ["vectors.npy", "\x93NUMPY\x01\0v\0{", "vectors.npy: this is a NumPy array"],
  ["plain.tar", `${"edges.csv".padEnd(257, "\0")}ustar\0`, "plain.tar: this is a tar archive; expected text"],
  ["hole.csv", "source,target\na,b\nb\0,c\n", "hole.csv:3: a zero byte; expected text. The file may be damaged"],
  ["page.csv", "<!DOCTYPE html>\n<html><body>404 not found</body></html>\n", "page.csv: this is a web page"],
  ["page", "<html><body>404 not found</body></html>\n", "page: this is a web page"],
  [
    "lfs.csv",
    "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 1\n",
    "Fetch the file with git lfs pull.",
  ],
  ["links.gdf", "nodedef>name VARCHAR\na\nedgedef>node1 VARCHAR\na,b\n", "links.gdf: GDF is not read"],
  ["table.md", "| source | target |\n|---|---|\n| a | b |\n", "table.md: Markdown tables are not read"],
  [
    "keys.log",
    "ts=1 src=10.0.0.1 dst=10.0.0.2\nts=2 src=10.0.0.2 dst=10.0.0.3\n",
    "keys.log: fields written as key=value",
  ],
  ["arrows.txt", "a -> b\nb -> c\n", "Name the columns, as in --columns source=1,target=3."],
  ["dashes.txt", "a -- b\nb -- c\n", "Name the columns, as in --columns source=1,target=3."],
  ["caret.txt", "source^target\na^b\n", 'is "source^target". Separate the fields by commas, tabs, semicolons or |.'],
  ["graph.dl", "dl n=3 format=edgelist1\nlabels embedded\ndata:\na b 1\nb c 2\n", "graph.dl: UCINET DL is not read"],
  ["matrix.txt", "DL NR=2, NC=2\nDATA:\n0 1\n1 0\n", "matrix.txt: UCINET DL is not read"],
  ["triples.nt", "<http://a> <http://p> <http://b> .\n", "triples.nt: RDF triples are not read"],
])("%s is refused; the error names its format", async (name, content, message) => {
  const found = await fault(write(name, Buffer.from(content, "latin1")));
  expect(found).toContain(message);
  expect(found).not.toContain("adjacency matrix");
});

test("a zero byte after the head of a file is refused; the error names the line", async () => {
  const rows = "abcdef,ghijkl\n".repeat(20_000); // 280 kB, more than the head of 256 KiB
  const late = `source,target\n${rows}a\0,b\n`;
  const message = "late.csv:20002: a zero byte; expected text. The file may be damaged";
  expect(await fault(write("late.csv", late))).toContain(message);
  expect(await fault(write("late.csv.gz", gzipSync(late)))).toContain(message.replace("csv", "csv.gz"));
  expect(await fault(write("late.sif", `${"a\tpp\tb\n".repeat(40_000)}c\tpp\td\0\n`))).toContain(
    "late.sif:40001: a zero byte",
  );
  const escaped = '{"source": "a", "target": "b"}\n{"source": "a\\u0000", "target": "b"}\n';
  expect(await fault(write("escaped.jsonl", escaped))).toContain(
    'escaped.jsonl:2: source "a\\u0000" contains a zero byte; expected text.',
  );
  const stored = await writeParquet(join(folder, "zero.parquet"), "SELECT 'a' AS source, 'b' || chr(0) AS target");
  expect(await fault(stored)).toContain('zero.parquet: row 1: target "b\\u0000" contains a zero byte');
});

test("text that contains the signature of an archive by chance is read", async () => {
  const rows = `source,target\n${"a".repeat(240)},b\nustar,d\n`;
  expect(rows.indexOf("ustar")).toBe(257);
  expect((await loadGraph(write("star.csv", rows))).ids).toContain("ustar");
});

test("other encodings than UTF-8 and mixed line ends are refused", async () => {
  const latin = write("latin.csv", Buffer.from("source,target\na,b\ncaf\xe9,d\n", "latin1"));
  expect(await fault(latin)).toBe("latin.csv:3: the text is not UTF-8. Save the file as UTF-8.");
  const mixed = write("mixed.csv", "source,target\r\na,b\r\nc,d\ne,f\r\n");
  expect(await fault(mixed)).toContain("mixed.csv: some lines end with CR LF, others with LF");
  const wide = write("utf16.csv", Buffer.from("\uFEFFsource,target\na,b\n", "utf16le"));
  expect(await fault(wide)).toContain("utf16.csv: the text is in UTF-16");
});

test("missing files and folders without edges are refused", async () => {
  expect(await fault(join(folder, "nowhere.csv"))).toBe("nowhere.csv: no such file or folder. Check the path.");
  mkdirSync(join(folder, "bare"));
  expect(await fault(join(folder, "bare"))).toContain("bare: the folder has no edge file; expected edges.tsv");
  write("bare/edges.csv", "source,target\na,b\n");
  write("bare/edges.tsv", "source\ttarget\na\tb\n");
  expect(await fault(join(folder, "bare"))).toContain("bare: found both edges.csv and edges.tsv");
  expect(await fault([])).toContain("source: missing");
});

test("damaged gzip and Parquet files are refused", async () => {
  const lines = `source,target,weight\n${ROWS}\n`;
  const packed = gzipSync(lines);
  // Cut at the end of a line, the file would otherwise be read as a shorter table.
  expect(await fault(write("cut.csv.gz", packed.subarray(0, packed.length - 8)))).toBe(
    "cut.csv.gz: the gzip file is cut off before its end. Fetch or write it again.",
  );
  const wrong = Buffer.from(packed);
  wrong[packed.length - 6] ^= 1;
  expect(await fault(write("crc.csv.gz", wrong))).toContain("crc.csv.gz: the gzip file is damaged");
  const whole = await writeParquet(
    join(folder, "whole.parquet"),
    "SELECT range::VARCHAR AS source, 'x' || range AS target FROM range(5000)",
  );
  const bytes = readFileSync(whole);
  expect(await fault(write("cut.parquet", bytes.subarray(0, bytes.length - 9)))).toContain(
    "cut.parquet: cannot be read as Parquet",
  );
  const holed = Buffer.from(bytes);
  holed.fill(0x5a, 10, 2000);
  expect(await fault(write("holed.parquet", holed))).toContain("holed.parquet: cannot be read as Parquet");
});

test("faults in Parquet files are reported with the number of the row", async () => {
  const query = (weight: string, target = "'b'") =>
    `SELECT 'a' AS source, ${target} AS target, 1.5 AS weight FROM range(3) UNION ALL SELECT 'c', 'd', ${weight}`;
  const negative = await writeParquet(join(folder, "negative.parquet"), query("-2"));
  expect(await fault(negative)).toContain('negative.parquet: row 4: weight "-2.0"; expected');
  const empty = await writeParquet(join(folder, "null.parquet"), query("1", "NULL"));
  expect(await fault(empty)).toBe(
    "null.parquet: row 1: target is empty; expected a name. Remove these edges from the file, or read it with --sql and a WHERE clause that excludes them.",
  );
});

test("--columns that do not match the table are refused", async () => {
  const path = write("cols.csv", "p1,p2,score\na,b,1\n");
  expect(await fault(path, { columns: { source: "p1", target: "p3" } })).toContain(
    'cols.csv: there is no column "p3" for target; did you mean "p1"? The columns are "p1", "p2", "score".',
  );
  expect(await fault(path, { columns: { source: 1, target: 9 } })).toContain(
    "cols.csv: there is no column 9 for target",
  );
  expect(await fault(path, { columns: { source: "p1", target: "p1" } })).toContain(
    'column "p1" is named for both source and target',
  );
  const ids = write("ids.csv", "ann,17\n3,4\n5,6\n");
  expect(await fault(ids, { columns: { source: 1, target: 2 } })).toContain(
    'ids.csv:1: "ann 17" may be a header or an edge.',
  );
});

test("two files that would become the same relation are refused", async () => {
  mkdirSync(join(folder, "again"));
  const files = [write("same.csv", "source,target\na,b\n"), write("again/same.csv", "source,target\na,b\n")];
  expect(await fault(files)).toContain('would become relation "same", like same.csv');
});

test("invalid queries are refused", async () => {
  expect(await fault([], { sql: "SELEC 1" })).toBe('--sql: syntax error at or near "SELEC"');
  expect(await fault([], { sql: "SELECT * FROM nosuch" })).toContain("--sql: Table with name nosuch does not exist!");
  expect(await fault([], { sql: "SELECT 1 AS a" })).toContain(
    '--sql: no source or target column; found the columns "a".',
  );
  expect(await fault([], { sql: "SELECT 1 AS source, NULL AS target" })).toContain(
    "--sql: target is empty or not accepted in 1 rows",
  );
  expect(await fault([], { sql: "SELECT 1 AS source, 2 AS target, 'nan'::DOUBLE AS weight" })).toContain(
    "--sql: weight is",
  );
  expect(await fault([], { sql: "SELECT 1 AS source, 2 AS target WHERE false" })).toContain(
    "--sql: the query returns no rows",
  );
  expect(await fault("x.csv", { sql: "SELECT 1" })).toContain("--sql: found together with x.csv");
});

test("devices and empty pipes are refused", async () => {
  expect(await fault("/dev/null")).toBe("/dev/null: no data arrived (0 bytes). Check the command that writes to it.");
  expect(await fault("/dev/zero")).toBe("/dev/zero: this is a device; expected a file or a pipe.");
});

test("missingFeatures without features is refused", async () => {
  const edges = write("edges-m.csv", "source,target\na,b\n");
  expect(await fault(edges, { missingFeatures: "zero" })).toBe(
    "--missing-features: found zero without features; expected --features FILE or a dataset folder with features. Leave the option out, or give the features.",
  );
  expect((await loadGraph(edges, { missingFeatures: "error" })).features).toBeUndefined(); // the default
});

test("invalid features are refused", async () => {
  const edges = write("edges-f.csv", "source,target\na,b\nb,c\n");
  const features = (name: string, content: string) => ({ features: write(name, content) });
  expect(await fault(edges, features("unknown.csv", "node,feature\nx,f\ny,f\n"))).toBe(
    'unknown.csv: none of its 2 nodes is in the graph; expected ids such as "a". Check that both use the same ids.',
  );
  const exact = await loadGraph(edges, features("exact.csv", "node,feature\na,f\nb,f\nc,f\n"));
  const more = await loadGraph(edges, features("more.csv", "node,feature\na,f\nb,f\nc,f\nx,g\ny,f\n"));
  expect([more.ids, more.features]).toEqual([exact.ids, exact.features]);
  expect(more.notes).toContainEqual(
    expect.stringContaining('more.csv: 2 of its 5 nodes are not in the graph, such as "x", "y"; they are ignored.'),
  );
  const one = await loadGraph(edges, features("one.csv", "node,feature\na,f\nb,f\nc,f\nx,g\n"));
  expect(one.notes).toContainEqual(
    expect.stringContaining('one.csv: 1 of its 4 nodes is not in the graph, "x"; it is ignored.'),
  );
  for (const [table, isRefused] of [
    ["node,feature\na,f\n", false], // sparse rows list no zeros
    ["node,f\na,1\n", true],
  ] as const) {
    const missing = features("missing.csv", table);
    const refusal = 'missing.csv: 2 nodes of the graph have no features, such as "b", "c"';
    expect(await fault(edges, { ...missing, missingFeatures: "error" })).toContain(refusal);
    if (isRefused) expect(await fault(edges, missing)).toContain(refusal);
    else {
      const graph = await loadGraph(edges, missing);
      expect([...graph.features!.values!]).toEqual([1, 0, 0]); // b and c keep one zero each
      expect(graph.notes).toContainEqual(
        expect.stringContaining("missing.csv: 2 of 3 nodes have no feature row; their features are all 0."),
      );
    }
    const rowStart = (await loadGraph(edges, { ...missing, missingFeatures: "zero" })).features!.rowStart;
    expect([...rowStart]).toEqual(isRefused ? [0, 1, 1, 1] : [0, 1, 2, 3]);
  }
  expect(await fault(edges, features("word.csv", "node,feature,value\na,f,1\nb,f,tall\n"))).toContain(
    'word.csv:3: value "tall"; expected a finite number.',
  );
  expect(await fault(edges, features("wide.csv", "node,age,size\na,1,2\nb,1,x\nc,1,1\n"))).toContain(
    'wide.csv:3: size "x"; expected a finite number.',
  );
  const unnamed = await fault(edges, features("unnamed.csv", "city,x,y\na,1,2\nb,1,3\nc,1,1\n"));
  expect(unnamed).toContain("unnamed.csv: no node");
  expect(unnamed).not.toContain("--columns");
  expect(await fault(edges, features("twice.csv", "node,feature,value\na,f,1\na,f,2\nb,f,1\nc,f,1\n"))).toContain(
    'twice.csv: node "a" has two values for feature "f"; expected one.',
  );
  // Numbers next to nodes may be values or names of features.
  expect(await fault(edges, features("dense.csv", "a,0.5,0.7\nb,0.25,0.1\nc,0.3,0.9\n"))).toMatch(
    /^dense.csv: 3 columns and no header .* Add a header line, such as node,f1,f2 for a column per feature, node,feature,value for a row per feature\.$/,
  );
  expect(await fault(edges, features("single.csv", "a,1\nb,2\nc,3\n"))).toContain("such as node,f1 for a column");
  expect(await fault(edges, features("four.csv", "a,1,2,3\nb,1,2,4\nc,3,4,5\n"))).toMatch(
    /four.csv: 4 columns .* such as node,f1,f2,f3\.$/,
  );
  const long = features("long.csv", "a,17,1\na,3,1\nb,17,1\nc,3,1\n");
  expect((await loadGraph(edges, long)).features?.names).toEqual(["3", "17"]);
  expect(await fault(edges, features("index.csv", ",node,x\n0,a,1\n1,b,2\n2,c,3\n"))).toContain(
    "index.csv: column 1 has no name; expected a name for each feature.",
  );
  expect(await fault(edges, features("same.csv", "node,x,x\na,1,2\nb,1,2\nc,1,2\n"))).toContain(
    'same.csv: two columns are called "x"; expected one.',
  );
  // Decimal commas and missing-value tokens do not make a column categorical.
  expect(await fault(edges, features("comma.csv", 'node,x\na,"0,5"\nb,"1,5"\nc,"2,5"\n'))).toContain(
    'comma.csv:2: x "0,5"; expected a finite number, with a point instead of the comma.',
  );
  expect(await fault(edges, features("nan.csv", "node,x\na,NaN\nb,NA\nc,NaN\n"))).toContain('nan.csv:2: x "NaN"');
  const names = Array.from({ length: 30 }, (_, i) => `${"abc"[i % 3]},title ${i}`).join("\n");
  expect(await fault(edges, features("titles.csv", `node,title\n${names}\n`))).toBe(
    'titles.csv: column "title" has 30 different texts in 30 rows; expected numbers, or categories that nodes share. Remove the column.',
  );
  expect(await fault(edges, features("alone.csv", "node\na\n"))).toContain("alone.csv: only a node column");
});

test("labels are read, and invalid ones refused", async () => {
  const path = write("labels.csv", "node,label\nb,x10\nb,x2\na,x2\nb,x2\n");
  const labels = await loadLabels(path, ["a", "b", "c"]);
  expect([...labels.byNode]).toEqual([
    ["a", ["x2"]],
    ["b", ["x2", "x10"]],
  ]);
  expect(labels.names).toEqual(["x2", "x10"]);
  expect(labels.multiLabel).toBe(true);
  expect(await inputError(loadLabels(path, ["a"]))).toContain('1 labelled node is unknown, such as "b"');
  expect(await inputError(loadLabels(write("l.csv", "node,label\na,\n")))).toContain(
    "l.csv:2: label is empty; expected a name. Remove nodes without a label from the file.",
  );
});
