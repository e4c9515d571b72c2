/** Adjacency matrices as relations. */

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test-files.js";
import { type LoadedGraph, loadGraph } from "./load-graph.js";

const { write } = temporaryFolder();

/** Edges as `relation a-b weight`, each undirected edge once. */
function edgesOf({ ids, relations, directed }: LoadedGraph): string[] {
  return relations.flatMap(({ name, rowStart, columns, values }) =>
    ids.flatMap((id, i) =>
      Array.from(columns.subarray(rowStart[i], rowStart[i + 1]), (j, k) => ({ j, weight: values?.[rowStart[i] + k] }))
        .filter(({ j }) => directed || i < j)
        .map(({ j, weight }) => `${name} ${id}-${ids[j]}${weight === undefined ? "" : ` ${weight}`}`),
    ),
  );
}

test("matrices with names are read in every way of writing them", async () => {
  const rows = ["g1,1,2,0.5,0", "g2,2,NA,0,0", "g3,0.5,0,1,0", "lone,0,0,0,0"];
  const forms = [
    write("pandas.csv", `,g1,g2,g3,lone\n${rows.join("\n")}\n`),
    write("named.csv", `gene,g1,g2,g3,lone\n${rows.join("\n")}\n`),
    write(
      "r.txt",
      `"g1" "g2" "g3" "lone"\n${rows.map((row) => row.replace(/^\w+/, '"$&"').replaceAll(",", " ")).join("\n")}\n`,
    ),
    write("ends.csv", `,g1,g2,g3,lone,\n${rows.map((row) => `${row},`).join("\n")}\n`),
    write("pivot.csv", `,g1,g2,g3,lone\n${rows.join("\n").replaceAll(/,0(?=,|$)/gm, ",")}\n`),
    write("rounded.csv", `,g1,g2,g3,lone\n${rows.join("\n").replace("g3,0.5", "g3,0.5000000001")}\n`),
    write(
      "quoted.tsv",
      `""\t"g1"\t"g2"\t"g3"\t"lone"\n${rows.map((row) => row.replace(/^\w+/, '"$&"').replaceAll(",", "\t")).join("\n")}`,
    ),
    write("packed.csv.gz", gzipSync(`,g1,g2,g3,lone\n${rows.join("\n")}\n`)),
  ];
  for (const path of forms) {
    const graph = await loadGraph(path);
    expect(graph.ids).toEqual(["g1", "g2", "g3", "lone"]);
    const [{ name }] = graph.relations;
    expect(edgesOf(graph)).toEqual([`${name} g1-g2 2`, `${name} g1-g3 0.5`]);
    expect(graph.notes).toEqual([`${path}: an adjacency matrix of 4 nodes; cells other than 0 are read as edges.`]);
  }
  expect(edgesOf(await loadGraph(forms[0], { minWeight: 1 }))).toEqual(["pandas g1-g2 2"]);
});

test("square matrices without names are read; several files are relations of the same nodes", async () => {
  const brain = write("rest.txt", "0 1 0 0 0\n1 0 0 0 0\n0 0 0 1 0\n0 0 1 0 0\n0 0 0 0 0\n");
  const task = write("task.txt", "0 0 0 0 3\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n1 0 0 0 0\n");
  const graph = await loadGraph([brain, task]);
  expect(graph.ids).toEqual(["1", "2", "3", "4", "5"]);
  // The weights of both directions are added, as for parallel edges.
  expect(edgesOf(graph)).toEqual(["rest 1-2", "rest 3-4", "task 1-5 4"]);
  expect(edgesOf(await loadGraph(task, { directed: true }))).toEqual(["task 1-5 3", "task 5-1 1"]);
  expect(edgesOf(await loadGraph(brain))).toEqual(["rest 1-2", "rest 3-4"]);
  await expect(loadGraph(brain, { minWeight: 1 })).rejects.toThrow(/all cells of .*rest.txt are 0 or 1/);
});

test("small matrices, true and false, an empty diagonal and numbers as names are read", async () => {
  const small = write("x3.csv", "1.0,0.5,0.2\n0.5,1.0,0\n0.2,0,1.0\n");
  expect(edgesOf(await loadGraph(small))).toEqual(
    ["x3 1-2 0.5", "x3 1-3 0.2"].map((text) => expect.stringContaining(text)),
  );
  const logical = write("logical.csv", ",A,B,C\nA,False,True,False\nB,True,False,False\nC,False,False,False\n");
  expect(edgesOf(await loadGraph(logical))).toEqual(["logical A-B"]);
  const bare = write("bare.txt", "NaN 1 0 0 1\n1 NaN 0 0 0\n0 0 NaN 1 0\n0 0 1 NaN 0\n1 0 0 0 NaN\n");
  expect(edgesOf(await loadGraph(bare))).toEqual(["bare 1-2", "bare 1-5", "bare 3-4"]);
  const counted = write("counted.csv", "0,10,20,30\n10,0,1,0\n20,1,0,0\n30,0,0,0\n");
  expect(edgesOf(await loadGraph(counted))).toEqual(["counted 10-20"]);
});

test("a header longer than the head of a file is read", async () => {
  const names = Array.from({ length: 400 }, (_, i) => `${"x".repeat(800)}${i}`);
  const rows = names.map((name, i) => `${name},${names.map((_, j) => Number(Math.abs(i - j) === 1)).join(",")}`);
  const graph = await loadGraph(write("wide.csv", `gene,${names.join(",")}\n${rows.join("\n")}\n`));
  expect(graph.relations[0].numEdges).toBe(399);
});

test("tables that resemble a matrix are not read as one", async () => {
  const list = write("list.txt", "1 2 0.5\n2 3 0.5\n3 1 0.25\n");
  expect((await loadGraph(list)).relations.map(({ numEdges }) => numEdges)).toEqual([3]);
  const path = write("path.csv", "a,b,0.5\nb,c,0.25\n");
  expect(edgesOf(await loadGraph(path))).toEqual(["path a-b 0.5", "path b-c 0.25"]);
  const long = write("long.txt", "1 2 3 4 5\n2 3 4 5 6\n");
  await expect(loadGraph(long)).rejects.toThrow(/5 columns and no header/);
  const wide = write("six.txt", "1 2 3 4 5\n".repeat(6));
  await expect(loadGraph(wide)).rejects.toThrow(/5 columns and no header/);
  const layered = write("layered.txt", "1 0 2 0 1.5\n2 0 3 0 1\n1 1 3 1 2\n2 1 3 1 1\n3 0 1 1 1\n");
  await expect(loadGraph(layered)).rejects.toThrow(/5 columns and no header/);
  expect((await loadGraph(write("four.txt", "1 1 2 1\n1 2 3 1\n2 1 3 1\n2 1 2 1\n"))).relations.length).toBe(2);
});

test("faults are reported with their line", async () => {
  const fault = (name: string, text: string) =>
    loadGraph(write(name, text)).then(
      () => "none",
      (error) => String(error.message).replace(/^.*\//, ""),
    );
  expect(await fault("negative.csv", ",a,b\na,1,-0.5\nb,-0.5,1\n")).toBe(
    'negative.csv:2: "-0.5" for "a" and "b"; expected a finite number that is not negative. Use absolute values, or replace negative ones by 0.',
  );
  expect(await fault("word.csv", ",a,b,c\na,1,1,0\nb,1,1,x\nc,0,0,1\n")).toBe(
    'word.csv:3: "x" for "b" and "c"; expected a finite number that is not negative. Write 0 for no edge.',
  );
  expect(await fault("ragged.csv", ",a,b,c\na,0,1,1\nb,1,0\nc,1,0,0\n")).toBe(
    'ragged.csv:3: row "b" of 2 cells; expected row "b" of 3.',
  );
  expect(await fault("short.csv", ",a,b,c\na,0,1,1\nb,1,0,0\n")).toBe(
    "short.csv: 2 rows and 3 columns; expected as many rows as columns.",
  );
  expect(await fault("order.csv", ",A,B,C\nB,1,0,1\nA,0,1,1\nC,1,1,0\n")).toMatch(
    /no source or target column.* If this is an adjacency matrix: rows and columns need the same distinct names/,
  );
  expect(await fault("comma.csv", ";A;B;C\nA;0;0,5;0\nB;0,5;0;0\nC;0;0;0\n")).toContain(
    "Write a point instead of the comma.",
  );
  expect(await fault("zeros.csv", ",a,b\na,1,0\nb,0,1\n")).toBe(
    "zeros.csv: an adjacency matrix without an edge; expected cells other than 0.",
  );
  expect(await fault("numbers.txt", "0 1 0 0 0\n1 0 0 0 0\n0 0 0 -1 0\n0 0 1 0 0\n0 0 0 0 0\n")).toContain(
    'numbers.txt:3: "-1" for "3" and "4"; expected',
  );
});
