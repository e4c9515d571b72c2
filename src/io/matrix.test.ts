/** Relations as adjacency matrices. */

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type LoadedGraph, loadGraph } from "./load-graph.js";
import { temporaryFolder } from "./test-files.js";

const { write } = temporaryFolder();

/** Edges as `a-b weight`, those of an undirected graph once. */
function edgesOf({ ids, relations, directed }: LoadedGraph): string[] {
  return relations.flatMap(({ name, rowStart, columns, values }) =>
    ids.flatMap((id, i) =>
      Array.from(columns.subarray(rowStart[i], rowStart[i + 1]), (j, k) => ({ j, weight: values?.[rowStart[i] + k] }))
        .filter(({ j }) => directed || i < j)
        .map(({ j, weight }) => `${name} ${id}-${ids[j]}${weight === undefined ? "" : ` ${weight}`}`),
    ),
  );
}

test("rows and columns of the same names, however they are written", async () => {
  const rows = ["g1,1,2,0.5,0", "g2,2,NA,0,0", "g3,0.5,0,1,0", "lone,0,0,0,0"];
  const forms = [
    write("pandas.csv", `,g1,g2,g3,lone\n${rows.join("\n")}\n`),
    write("named.csv", `gene,g1,g2,g3,lone\n${rows.join("\n")}\n`),
    write("r.txt", `g1 g2 g3 lone\n${rows.join("\n").replaceAll(",", " ")}\n`),
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
    expect(graph.notes).toEqual([`${path}: a matrix of 4 nodes; cells are read as edges, 0 as none.`]);
  }
  expect(edgesOf(await loadGraph(forms[0], { minWeight: 1 }))).toEqual(["pandas g1-g2 2"]);
});

test("numbers alone, in as many rows as columns; several of them are relations of the same nodes", async () => {
  const brain = write("rest.txt", "0 1 0 0 0\n1 0 0 0 0\n0 0 0 1 0\n0 0 1 0 0\n0 0 0 0 0\n");
  const task = write("task.txt", "0 0 0 0 3\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n1 0 0 0 0\n");
  const graph = await loadGraph([brain, task]);
  expect(graph.ids).toEqual(["1", "2", "3", "4", "5"]);
  // the two directions of an edge that is not symmetric are added, as parallel edges are
  expect(edgesOf(graph)).toEqual(["rest 1-2", "rest 3-4", "task 1-5 4"]);
  expect(edgesOf(await loadGraph(task, { directed: true }))).toEqual(["task 1-5 3", "task 5-1 1"]);
  expect(edgesOf(await loadGraph(brain))).toEqual(["rest 1-2", "rest 3-4"]);
  await expect(loadGraph(brain, { minWeight: 1 })).rejects.toThrow(/cells of .*rest.txt are 0 and 1/);
});

test("what is no matrix is read, or refused, as it was", async () => {
  const list = write("list.txt", "1 2 0.5\n2 3 0.5\n3 1 0.25\n");
  expect((await loadGraph(list)).relations.map(({ numEdges }) => numEdges)).toEqual([3]);
  const path = write("path.csv", "a,b,0.5\nb,c,0.25\n");
  expect(edgesOf(await loadGraph(path))).toEqual(["path a-b 0.5", "path b-c 0.25"]);
  const long = write("long.txt", "1 2 3 4 5\n2 3 4 5 6\n");
  await expect(loadGraph(long)).rejects.toThrow(/5 columns and no header/);
  const wide = write("six.txt", "1 2 3 4 5\n".repeat(6));
  await expect(loadGraph(wide)).rejects.toThrow(/5 columns and no header/);
});

test("faults are told with their line", async () => {
  const fault = (name: string, text: string) =>
    loadGraph(write(name, text)).then(
      () => "none",
      (error) => String(error.message).replace(/^.*\//, ""),
    );
  expect(await fault("negative.csv", ",a,b\na,1,-0.5\nb,-0.5,1\n")).toBe(
    'negative.csv:2: the cell of "a" and "b", "-0.5"; expected a finite number that is not negative.',
  );
  expect(await fault("empty.csv", ",a,b\na,1,\nb,2,1\n")).toBe(
    'empty.csv:2: the cell of "a" and "b", is empty; expected a number.',
  );
  expect(await fault("ragged.csv", ",a,b,c\na,0,1,1\nb,1,0\nc,1,0,0\n")).toBe(
    'ragged.csv:3: row "b" of 2 cells; expected row "b" of 3.',
  );
  expect(await fault("short.csv", ",a,b,c\na,0,1,1\nb,1,0,0\n")).toBe(
    "short.csv: 2 rows and 3 columns; expected as many.",
  );
  expect(await fault("zeros.csv", ",a,b\na,1,0\nb,0,1\n")).toBe("zeros.csv: a matrix of zeros; expected edges.");
  expect(await fault("numbers.txt", "0 1 0 0 0\n1 0 0 0 0\n0 0 0 -1 0\n0 0 1 0 0\n0 0 0 0 0\n")).toContain(
    'numbers.txt:3: the cell of "3" and "4", "-1"; expected',
  );
});

test("a .sif file of Cytoscape is source, relation, target", async () => {
  const graph = await loadGraph(write("net.sif", "a\tpp\tb\nb\tpd\tc\n"));
  expect(edgesOf(graph)).toEqual(["pd b-c", "pp a-b"]);
});
