/** Files found in practice that are easily read in a wrong way. */

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readEmbeddings } from "./formats/embedding-files.js";
import { loadGraph } from "./graph/load-graph.js";
import { loadLabels } from "./tables/labels.js";
import { inputError, temporaryFolder, writeParquet } from "./test-files.js";

const { folder, write } = temporaryFolder();

async function relationsOf(path: string, options = {}) {
  const { relations, ids, notes } = await loadGraph(path, options);
  return { names: relations.map(({ name }) => name), edges: relations.map(({ numEdges }) => numEdges), ids, notes };
}

describe("comments above the rows", () => {
  test("are the header if they name source and target", async () => {
    const weighted = await loadGraph(write("snap.txt", "# source target weight\n0 17 5\n2 40 3\n17 2 1\n"));
    expect(weighted.relations).toHaveLength(1);
    expect([...(weighted.relations[0].values ?? [])].sort()).toEqual([1, 1, 3, 3, 5, 5]);
  });

  test("are the header if --columns contains their names", async () => {
    const path = write("grid.tsv", "#Id\tSym A\tSym B\tSys\n1\tP\tQ\tppi\n2\tP\tR\tgen\n");
    const columns = { source: "Sym A", target: "Sym B", relation: "Sys" };
    expect((await relationsOf(path, { columns })).names).toEqual(["gen", "ppi"]);
    expect((await relationsOf(path, { columns: { source: 2, target: 3 } })).ids).toEqual(["P", "Q", "R"]);
    expect(await inputError(loadGraph(path))).toMatch(
      /If line 1 is the header, name two of its columns \("Id", "Sym A", "Sym B", "Sys"\)/,
    );
  });

  test("are reported if they look like rows", async () => {
    const { notes, edges } = await relationsOf(write("tags.csv", "#art,#music\n#art,bob\nann,#cats\nbob,ann\n"));
    expect(edges).toEqual([2]);
    expect(notes.join("\n")).toMatch(/the first lines that begin with # or % are not read, such as "#art,bob"/);
  });

  test("are ignored without a note if they are prose", async () => {
    const { notes, edges } = await relationsOf(write("prose.csv", "# made by hand, in 2020\na,b\nb,c\n"));
    expect(edges).toEqual([2]);
    expect(notes.join("\n")).not.toMatch(/begin with #/);
  });
});

describe("delimiters", () => {
  test("give all rows the same number of fields", async () => {
    const path = write("towns.txt", "New York|Paris, TX\nParis, TX|Rome\nRome|New York\n");
    expect((await relationsOf(path)).ids).toEqual(["New York", "Paris, TX", "Rome"]);
    const decimal = write("decimal.csv", "a;b;0,5\nb;c;0,7\n");
    expect(await inputError(loadGraph(decimal, { columns: { source: 1, target: 2, weight: 3 } }))).toMatch(
      /with a point instead of the comma/,
    );
  });

  test("leave decimal commas to the numbers of a table without a header", async () => {
    const files = ["\t", " ", ";"].flatMap((blank) =>
      ["2,25", "3"].map((last) => ["a b 0,5", "b c 1", `c a ${last}`].join("\n").replaceAll(" ", blank)),
    );
    for (const rows of files) {
      expect(await inputError(loadGraph(write("commas.txt", `${rows}\n`)))).toMatch(
        /commas\.txt:1: weight "0,5"; expected a finite number .*with a point instead of the comma/,
      );
    }
  });

  test("are preferably those of the extension, because names may contain others", async () => {
    const path = write("uniprot.csv", "sp|P1|A_HUMAN,sp|P2|B_HUMAN\nsp|P2|B_HUMAN,sp|P3|C_HUMAN\n");
    expect((await relationsOf(path)).ids).toEqual(["sp|P1|A_HUMAN", "sp|P2|B_HUMAN", "sp|P3|C_HUMAN"]);
    const numbers = write("numbers.txt", "1,2\n2,3\n3,4\n");
    expect((await relationsOf(numbers)).ids).toEqual(["1", "2", "3", "4"]);
  });

  test("may occur in names of a table with a header", async () => {
    const path = write("kinds.csv", "source,target,relation\na,b,x;y;z\nb,c,x;y;z\n");
    expect((await relationsOf(path)).names).toEqual(["x;y;z"]);
  });
});

test("columns of the same name are distinguished by position", async () => {
  const path = write("bank.csv", "From,Account,To,Account,Amount\n1,A,2,B,3.5\n1,B,2,C,2.5\n");
  expect((await relationsOf(path, { columns: { source: 2, target: 4 } })).ids).toEqual(["A", "B", "C"]);
  expect(await inputError(loadGraph(path, { columns: { source: "Account", target: 4 } }))).toMatch(
    /--columns source=2/,
  );
});

describe("JSON", () => {
  test("is read with the keys of all objects and with nested values", async () => {
    const nested = write("nested.json", '[{"source":"a","target":"b{","meta":{"x":1}},{"source":"c","target":"d"}]');
    expect((await relationsOf(nested)).ids).toEqual(["a", "b{", "c", "d"]);
    const late = write("late.json", '[{"source":"a","target":"b"},{"source":"c","target":"d","weight":5}]');
    expect(await inputError(loadGraph(late))).toMatch(/weight is empty/);
  });

  test("lines with a byte order mark are refused", async () => {
    const path = write("marked.jsonl", '\uFEFF{"source":"a","target":"b"}\n{"source":"b","target":"c"}\n');
    expect(await inputError(loadGraph(path))).toMatch(/byte order mark/);
  });
});

test("text that is not UTF-8 is refused in every format", async () => {
  const path = join(folder, "latin.sif");
  writeFileSync(path, Buffer.from("a\tpp\tb\n\xc9\tpp\tc\n", "latin1"));
  expect(await inputError(loadGraph(path))).toMatch(/latin\.sif:2: the text is not UTF-8/);
});

test("all tables of a folder are read, and unread tables are reported", async () => {
  const path = join(folder, "tables");
  mkdirSync(path);
  for (const name of ["citation.csv", "notes.csv", "edges.work.csv", "labels.old.csv"]) {
    writeFileSync(join(path, name), "source,target\na,b\nb,c\n");
  }
  writeFileSync(join(path, "notes.txt"), "Made by hand.\n");
  const { names, notes } = await relationsOf(path);
  expect(names).toEqual(["citation", "edges.work", "notes"]);
  expect(notes.join("\n")).toMatch(/not read: labels\.old\.csv/);
});

describe("tables of vectors", () => {
  test("are read with the headers of data frames", async () => {
    for (const first of ["", "id"]) {
      const { ids, dim } = await readEmbeddings(write(`frame${first}.csv`, `${first},0,1,2\na,0.5,1,2\nb,1,2,3\n`));
      expect([ids, dim]).toEqual([["a", "b"], 3]);
    }
  });

  test("lose no first row that resembles a header", async () => {
    expect(await inputError(readEmbeddings(write("nan.csv", "a,1,nan\nb,2,3\n")))).toMatch(/nan\.csv:1: "nan"/);
    expect(await inputError(readEmbeddings(write("last.csv", "v1,v2,node\n1,2,10\n")))).toMatch(
      /expected the node in the first/,
    );
    expect((await readEmbeddings(write("node.csv", "id,0.5,1\na,1,2\n"))).ids).toEqual(["id", "a"]);
  });
});

describe("tables of R", () => {
  test.each([
    ["blanks", '"from" "to" "weight"\n"a b" "c" 2\n"c" "d" 1\n'],
    ["row names", '"from" "to" "weight"\n"1" "a b" "c" 2\n"2" "c" "d" 1\n'],
    ["tabs", '"from"\t"to"\t"weight"\n"1"\t"a b"\t"c"\t2\n"2"\t"c"\t"d"\t1\n'],
    ["no quotes in the header", 'from to weight\n"a b" "c" 2\n"c" "d" 1\n'],
  ])("%s", async (name, text) => {
    const graph = await loadGraph(write(`${name}.txt`, text));
    expect(graph.ids).toEqual(["a b", "c", "d"]);
    expect(graph.relations[0].values?.[0]).toBe(2);
  });

  test("positions count the row names as a column", async () => {
    const path = write("positions.txt", '"x" "y"\n"1" "a" "b"\n"2" "b" "c"\n');
    const graph = await loadGraph(path, { columns: { source: 2, target: 3 } });
    expect(graph.ids).toEqual(["a", "b", "c"]);
  });
});

test("a misspelt name in --columns is reported with the names of a header behind #", async () => {
  const path = write("biogrid.tsv", "#ID\tSymbol A\tSymbol B\tSystem\n1\tx\ty\tMS\n2\ty\tz\tMS\n");
  const columns = { source: "Symbol A", target: "Symbol B", relation: "Sistem" };
  await expect(loadGraph(path, { columns })).rejects.toThrow('no column "Sistem" for relation; did you mean "System"?');
});

test("a folder of gzip tables without another extension is read", async () => {
  mkdirSync(join(folder, "tissues"));
  for (const name of ["brain_top", "liver_top"]) {
    writeFileSync(join(folder, "tissues", `${name}.gz`), gzipSync("a\tb\t0.5\nb\tc\t0.25\n"));
  }
  expect(await relationsOf(join(folder, "tissues"))).toMatchObject({
    names: ["brain_top", "liver_top"],
    edges: [2, 2],
  });
});

test("whole numbers stored as floats become ids without a fraction", async () => {
  const rows = "(VALUES (1::DOUBLE, 2), (2, 3), (9e15, 4), (2.5, 4)) edges(source, target)";
  const { ids } = await loadGraph([], { sql: `SELECT * FROM ${rows}` });
  expect(ids).toEqual(["1", "2", "2.5", "3", "4", "9000000000000000"]);
  const stored = await writeParquet(join(folder, "floats.parquet"), `SELECT * FROM ${rows}`);
  expect((await loadGraph(stored)).ids).toEqual(ids);
});

test("decimals become ids without trailing zeros", async () => {
  const rows = "(VALUES (1::DECIMAL(18,2), 2), (10, 1), (2.50, 10)) edges(source, target)";
  const { ids } = await loadGraph([], { sql: `SELECT * FROM ${rows}` });
  expect(ids).toEqual(["1", "10", "2", "2.5"]);
});

test("floats that are too large to be exact are refused as ids", async () => {
  const path = write("cards.csv", "source,target\n89490200001234567117,89490200001234567118\n");
  expect((await loadGraph(path)).ids).toEqual(["89490200001234567117", "89490200001234567118"]);
  const beyond = "ids are floating-point numbers that are too large to be exact";
  expect(await inputError(loadGraph([], { sql: `SELECT * FROM '${path}'` }))).toContain(`--sql: ${beyond}`);
  const stored = await writeParquet(join(folder, "cards.parquet"), "SELECT 16777217::FLOAT AS source, 'a' AS target");
  expect(await inputError(loadGraph(stored))).toContain(`cards.parquet: ${beyond}`);
});

test("the first line of a KONECT file declares its columns", async () => {
  const rows = Array.from({ length: 200 }, (_, i) => `${1 + (i % 40)} ${1 + ((7 * i) % 43)} ${1 + ((i * i) % 997)}`);
  const { relations, numNodes } = await loadGraph(write("k.txt", `% sym positive\n% 200 43 43\n${rows.join("\n")}\n`));
  expect([relations.length, numNodes, relations[0].values !== undefined]).toEqual([1, 43, true]);
  expect(await inputError(loadGraph(write("bip.txt", `% bip positive\n${rows.join("\n")}\n`)))).toContain(
    "two kinds of nodes that are numbered separately",
  );
  // Without that line the columns are ambiguous.
  expect(await inputError(loadGraph(write("bare.txt", `${rows.join("\n")}\n`)))).toContain(
    "--columns source=1,target=2,weight=3",
  );
});

test("rows that look like comments are reported, and a table of labels is refused", async () => {
  const { notes } = await loadGraph(write("c.txt", `${"a b\nb c\nc d\n".repeat(4)}# colleagues\na c\n`));
  expect(notes.join()).toContain('one row begins with # or %, such as "# colleagues", and is read as an edge.');
  const tags = await loadGraph(write("tags.csv", "source,target\n#a,#b\n#b,#c\n"));
  expect(tags.notes).toEqual([]);
  expect(await inputError(loadGraph(write("lab.csv", "node,label\na,x\nb,y\n")))).toContain("a table of labels");
});

test("empty files of a folder are skipped, and a note that concerns several files is given once", async () => {
  mkdirSync(join(folder, "daily"));
  for (let day = 1; day <= 6; day++) {
    writeFileSync(
      join(folder, "daily", `${day}.csv`),
      day === 2 ? "" : `source,target,amount\n${day === 3 ? "" : "a,b,1\n"}`,
    );
  }
  const { relations, notes } = await loadGraph(join(folder, "daily"));
  expect(relations.map(({ name }) => name)).toEqual(["1", "4", "5", "6"]);
  const path = (day: number) => join(folder, "daily", `${day}.csv`);
  expect(notes).toContain(`${path(2)}, ${path(3)}: have no rows and are skipped.`);
  expect(notes.filter((note) => note.includes("amount is not read"))).toHaveLength(1);
  expect(notes[0]).toContain(`--sql "SELECT * FROM '${join(folder, "daily", "*.csv")}'"`);
});

test("the suggested query reads each score column as a relation", async () => {
  const tables: readonly (readonly [string, string])[] = [
    ["links.csv", "protein1,protein2,fusion,database,combined_score\na,b,0,300,400\nb,c,200,100,500\n"],
    ["9606.detailed.txt", "protein1 protein2 fusion database combined_score\na b 0 300 400\nb c 200 100 500\n"],
    ["words.csv", "from,to,weight,fusion,database\na,b,1,0,300\nb,c,1,200,100\n"],
  ];
  for (const [name, text] of tables) {
    const { notes } = await loadGraph(write(name, text));
    const advised = /--sql (.*)\.$/m.exec(notes.find((note) => note.includes("UNPIVOT")) ?? "")?.[1] ?? "";
    // The shell removes the quotation marks.
    const sql = execFileSync("sh", ["-c", `printf %s ${advised}`], { encoding: "utf8" });
    const { relations } = await loadGraph([], { sql });
    expect(relations.map(({ name, numEdges, values }) => [name, numEdges, [...(values ?? [])]])).toEqual([
      ["database", 2, [300, 300, 100, 100]],
      ["fusion", 1, [200, 200]],
    ]);
  }
});

test("the query suggested for bipartite KONECT files works", async () => {
  for (const [name, blank] of [
    ["bip-blank.txt", " "],
    ["bip-tab.txt", "\t"],
  ]) {
    const rows = ["1 1 3", "2 1 4", "2 2 5"].map((row) => row.replaceAll(" ", blank)).join("\n");
    const message = await inputError(loadGraph(write(name, `% bip weighted\n${rows}\n`)));
    const sql = execFileSync("sh", ["-c", `printf %s ${/--sql (.*)\.$/.exec(message)?.[1]}`], { encoding: "utf8" });
    const { ids, relations } = await loadGraph([], { sql });
    expect(ids).toEqual(["a1", "a2", "b1", "b2"]);
    expect(relations[0].values?.reduce((sum, weight) => sum + weight, 0)).toBe(24);
  }
});

test("layers are recognised in a graph with more nodes than sampled rows", async () => {
  const rows = Array.from(
    { length: 3000 },
    (_, i) => `${1 + ((i * 7) % 30)} ${1 + ((i * 7919) % 5000)} ${1 + ((i * 104729 + 13) % 5000)}`,
  );
  expect((await loadGraph(write("layers.txt", `${rows.join("\n")}\n`))).relations).toHaveLength(30);
});

test("large numbers and categories of one Parquet file are read as features", async () => {
  const edges = write("pq.csv", "source,target\na,b\n");
  const query = "SELECT * FROM (VALUES ('a', 2e7::FLOAT, 'red'), ('b', 3e7::FLOAT, 'blue')) t(node, income, dept)";
  const features = await writeParquet(join(folder, "income.parquet"), query);
  expect((await loadGraph(edges, { features })).features?.names).toEqual(["dept=blue", "dept=red", "income"]);
});

test("lists and objects are refused as names", async () => {
  expect(await inputError(loadGraph(write("lists.jsonl", '{"source":"a","target":["b","c"]}\n')))).toContain(
    'lists.jsonl: "target", read as target, holds lists or objects; expected names or numbers.',
  );
  const objects = '[{"a/b":{"id":1},"target":"c"}]';
  const columns = { source: "a/b" };
  expect(await inputError(loadGraph(write("objects.json", objects), { columns }))).toContain('"a/b", read as source');
  const stored = await writeParquet(join(folder, "lists.parquet"), "SELECT 'a' AS source, ['b', 'c'] AS target");
  expect(await inputError(loadGraph(stored))).toContain('"target", read as target, holds lists or objects');
});

test("an unnamed first column, as pandas and R write it, holds the nodes", async () => {
  const edges = write("plain.csv", "source,target\n1,2\n2,3\n");
  for (const [name, text] of [
    ["pandas.csv", ",kind,age\n1,a,3\n2,b,4\n3,a,5\n"],
    ["r.tsv", "kind\tage\n1\ta\t3\n2\tb\t4\n3\ta\t5\n"],
  ]) {
    const { features } = await loadGraph(edges, { features: write(name, text) });
    expect(features?.names).toEqual(["age", "kind=a", "kind=b"]);
  }
  const labels = await loadLabels(write("plabels.csv", ",label\n1,x\n2,y\n"));
  expect([...labels.byNode]).toEqual([
    ["1", ["x"]],
    ["2", ["y"]],
  ]);
});

test("files of other tools are refused; the error explains how to convert them", async () => {
  const graphml = '<?xml version="1.0"?>\n<graphml xmlns="x">\n<graph/>\n</graphml>\n';
  expect(await inputError(loadGraph(write("g.xml", graphml)))).toContain("nx.to_pandas_edgelist(nx.read_graphml(");
  expect(await inputError(loadGraph(write("g.txt", "# mine\n*Vertices 2\n1 a\n2 b\n*Edges\n1 2\n")))).toContain(
    "nx.to_pandas_edgelist(nx.read_pajek(",
  );
});

test("LGL and METIS files are refused; the error contains a command that converts them", async () => {
  const convert = async (name: string, text: string, format: string) => {
    const message = await inputError(loadGraph(write(name, text)));
    expect(message).toContain(`${name}: ${format} is not read; expected a table of edges.`);
    const [, command, output] = /: (awk .*) > (\S+)\.$/.exec(message) ?? [];
    return relationsOf(write(output, execFileSync("sh", ["-c", command], { encoding: "utf8" })));
  };
  for (const name of ["links.lgl", "links.txt"]) {
    const lgl = await convert(name, "# ann\nbob 2.5\ncy\n# bob\ncy\n", "LGL");
    expect([lgl.ids, lgl.edges]).toEqual([["ann", "bob", "cy"], [3]]);
  }
  const path = "% a path of four nodes\n4 3\n2\n1 3\n2 4\n3\n";
  const cycle = "4 4\n2 4\n1 3\n2 4\n1 3\n";
  for (const name of ["path.metis", "path.graph", "path.txt"]) {
    expect(await convert(name, path, "METIS")).toMatchObject({ ids: ["1", "2", "3", "4"], edges: [3] });
    expect(await convert(name, cycle, "METIS")).toMatchObject({ edges: [4] });
  }
  // Edge lists that resemble them are read.
  expect((await relationsOf(write("pairs.graph", "2 3\n3 4\n4 2\n"))).edges).toEqual([3]);
  expect((await relationsOf(write("layers.graph", "2 3 0\n1 2 3\n1 3 4\n"))).names).toEqual(["1", "2"]);
  expect((await relationsOf(write("commented.csv", "# one\n# two\nsource,target\na,b\n"))).edges).toEqual([1]);
  expect((await relationsOf(write("noted.txt", "# friends\n1 2\n2 3\n# family\n1 3\n"))).edges).toEqual([4]);
});

describe("lines that are not rows", () => {
  test("trailing delimiters add no column and are not row names", async () => {
    const path = write("ends.csv", "source,target,weight\na,b,1,\nb,c,2,\nc,a,4,\n");
    const { relations, ids } = await loadGraph(path);
    expect(ids).toEqual(["a", "b", "c"]);
    expect([...(relations[0].values ?? [])].sort()).toEqual([1, 1, 2, 2, 4, 4]);
    const unweighted = await relationsOf(write("ends.tsv", "source\ttarget\na\tb\t\nb\tc\t\n"));
    expect(unweighted.ids).toEqual(["a", "b", "c"]);
  });

  test.each([
    [
      "Export of 2024-01-01\nsource,target\na,b\nb,c\n",
      ":2: this line looks like the header",
      "Delete line 1, or start it with #",
    ],
    [
      "Export,2024-01-01\nsource,target\na,b\nb,c\n",
      ":2: this line looks like the header",
      "Delete line 1, or start it with #",
    ],
    [
      "Links\nDate: 2024\n\nfrom,to,weight\na,b,1\n",
      ":4: this line looks like the header",
      "Delete lines 1 to 3, or start them with #",
    ],
  ])("a title above the header is refused: %j", async (text, found, advice) => {
    const message = await inputError(loadGraph(write("title.csv", text)));
    expect(message).toContain(found);
    expect(message).toContain(advice);
  });

  test("ids that are also column names are not a header", async () => {
    const { edges, ids } = await relationsOf(write("words.csv", "cat,dog\nhead,tail\nu,v\n"));
    expect(edges).toEqual([3]);
    expect(ids).toContain("tail");
  });

  test("a repeated header is reported", async () => {
    const repeated = /one row repeats the header and is read as an edge/;
    const joined = write("joined.csv", "source,target\na,b\nb,c\nsource,target\nc,d\n");
    expect((await relationsOf(joined)).notes.join("\n")).toMatch(repeated);
    const marked = write("marked.csv", "\uFEFFSource,Target\na,b\nb,c\n\uFEFFSource,Target\nc,d\n");
    expect((await relationsOf(marked)).notes.join("\n")).toMatch(repeated);
    const plain = write("plain.csv", "source,target\na,b\nb,target\nsource,c\n");
    expect((await relationsOf(plain)).notes.join("\n")).not.toMatch(/repeat/);
  });

  test("adjacency lists are refused", async () => {
    expect(await inputError(loadGraph(write("list.txt", "a b c d\nb c\nc d e\n")))).toMatch(
      /list\.txt: line 1 has 4 fields, line 2 has 2; expected one edge per line\. .*read_adjlist/,
    );
  });
});

test("ids that differ only in invisible characters are reported", async () => {
  const { notes } = await relationsOf(write("invisible.csv", "source,target\na\u200B,b\na,c\nb,c\n"));
  expect(notes.join("\n")).toMatch(/ids that differ only in invisible characters \(1\), such as "a", are different/);
  const joiners = await relationsOf(write("joiners.csv", "source,target\n👩\u200D👧,👩👧\nb,c\n"));
  expect(joiners.notes.join("\n")).not.toMatch(/invisible/);
});

test("a file given twice and an empty path are refused", async () => {
  const path = write("twice.csv", "relation,source,target,weight\nr,a,b,1\nr,b,c,2\n");
  expect(await inputError(loadGraph([path, path]))).toBe(`${path}: given twice; expected each file once.`);
  const other = join(folder, ".", "link.csv");
  symlinkSync(path, other);
  expect(await inputError(loadGraph([path, other]))).toBe(
    `${other}: given twice (also as ${path}); expected each file once.`,
  );
  expect(await inputError(loadGraph(""))).toMatch(/^source: the path is empty; expected a file or a folder\./);
});

test("lock files of Office in a folder are not read", async () => {
  mkdirSync(join(folder, "office"));
  write("office/calls.csv", "source,target\na,b\nb,c\n");
  write("office/~$calls.csv", "\u0005user");
  expect((await relationsOf(join(folder, "office"))).names).toEqual(["calls"]);
});

test("edges written with arrows are read with positions", async () => {
  const { ids, edges } = await relationsOf(write("arrows.txt", "a -> b\nb -> c\n"), {
    columns: { source: 1, target: 3 },
  });
  expect(ids).toEqual(["a", "b", "c"]);
  expect(edges).toEqual([2]);
});

test("relations that differ only in case are reported", async () => {
  const { notes } = await relationsOf(write("case.csv", "relation,source,target\nknows,a,b\nKnows,b,c\nowns,a,c\n"));
  expect(notes.join("\n")).toMatch(/relations that differ only in case, "Knows", "knows", are different relations/);
});

test("ids that a spreadsheet has changed are reported", async () => {
  const genes = await relationsOf(write("genes.csv", "source,target\n1-Mar,TP53\n2-Sep,BRCA1\n"));
  expect(genes.notes.join("\n")).toMatch(/ids such as "1-Mar", "2-Sep" look as if a spreadsheet/);
  const accounts = await relationsOf(write("accounts.csv", "source,target\n1.23E+11,a\n9.87E+11,a\n"));
  expect(accounts.notes.join("\n")).toMatch(/ids such as "1.23E\+11", "9.87E\+11" look as if/);
  const plain = await relationsOf(write("dashes.csv", "source,target\nHLA-A,1-2\n2024-03-01,E+1\n"));
  expect(plain.notes.join("\n")).not.toMatch(/spreadsheet/);
});

test("ids with an equals sign are not taken for fields of a log", async () => {
  expect((await relationsOf(write("names.txt", "uid=ann uid=bob\nuid=bob uid=cleo\n"))).edges).toEqual([2]);
});
