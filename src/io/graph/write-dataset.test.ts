import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contentHash } from "../../graph/content-hash.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { generateSbm } from "../../graph/synthetic/sbm.js";
import { loadLabels } from "../tables/labels.js";
import { inputError, temporaryFolder } from "../test-files.js";
import { loadGraph } from "./load-graph.js";
import { writeDataset } from "./write-dataset.js";

const { folder, write } = temporaryFolder();

test("a generated graph and its labels are read back", async () => {
  const { graph, labels } = generateSbm({ nodes: 60, relations: 11, pIn: 0.1, pOut: 0.02, seed: 4 });
  const path = join(folder, "deep/sbm");
  const files = await writeDataset(path, graph, { labels, description: { title: "block model" } });
  expect(files.length).toBe(3);
  const back = await loadGraph(path);
  expect(contentHash(back)).toBe(contentHash(graph));
  expect(back.description).toMatchObject({ title: "block model", nodes: 60 });
  const read = await loadLabels(back.labelsFile!, back.ids);
  expect(back.ids.map((id) => read.byNode.get(id))).toEqual(labels.map((label) => [label]));
});

test.each([false, true])("weights, unusual ids and isolated nodes are read back, directed %s", async (directed) => {
  const graph = multiplexFromEdges(
    { source: ["#1", "b c", 'd"'], target: ["b c", "tab\t", "#1"], relation: ["r 1", "s", "s"], weight: [0.1, 1, 3] },
    { directed, nodes: ["alone\nhere"] },
  );
  const path = join(folder, `odd-${directed}`);
  await writeDataset(path, graph);
  const back = await loadGraph(path, { directed });
  expect(contentHash(back)).toBe(contentHash(graph));
  expect(back.notes).toEqual([]);
  const { notes } = await loadGraph(path);
  expect(notes).toEqual(
    directed
      ? [
          "dataset.json says that edges are directed; they are read as undirected. Give --directed to keep their direction.",
        ]
      : [],
  );
});

test("a folder with parts of another graph is refused, and they stay", async () => {
  const { graph, labels } = generateSbm({ nodes: 20, relations: 2, pIn: 0.3, pOut: 0.1, seed: 4 });
  const path = join(folder, "again");
  await writeDataset(path, graph, { labels });
  await writeDataset(path, graph, { labels });
  const message = await inputError(writeDataset(path, graph));
  expect(message).toBe(
    `${path}: holds labels.tsv.gz of another graph, which would be read with this one. Remove it, or choose another folder.`,
  );
  expect((await loadGraph(path)).labelsFile).toBe(join(path, "labels.tsv.gz"));
});

test("features are read back with their names and values", async () => {
  const graph = multiplexFromEdges({ source: ["a\tb", "c"], target: ["c", "d"] });
  const features = {
    names: ["f 1", 'g"\t'],
    numColumns: 2,
    rowStart: Uint32Array.of(0, 2, 3, 4),
    columns: Uint32Array.of(0, 1, 1, 0),
    values: Float32Array.of(0.1, -2, 1, 3e-9),
  };
  const path = join(folder, "features");
  const files = await writeDataset(path, { ...graph, features });
  expect(files.length).toBe(4);
  const back = await loadGraph(path);
  expect(back.features).toEqual(features);
  expect(contentHash(back)).toBe(contentHash({ ...graph, features }));
});

test("nodes without features and features without nodes are read back", async () => {
  const graph = multiplexFromEdges({ source: ["a", "b"], target: ["b", "c"] });
  const features = {
    names: ["f", "g", "h"],
    numColumns: 3,
    rowStart: Uint32Array.of(0, 0, 1, 2),
    columns: Uint32Array.of(0, 2),
  };
  const path = join(folder, "gaps");
  await writeDataset(path, { ...graph, features });
  const { features: back } = await loadGraph(path);
  expect(back?.names).toEqual(features.names);
  const entries = Array.from(graph.ids, (_, i) => {
    const row = new Float32Array(3);
    for (let k = back!.rowStart[i]; k < back!.rowStart[i + 1]; k++) row[back!.columns[k]] = back!.values?.[k] ?? 1;
    return [...row];
  });
  expect(entries).toEqual([
    [0, 0, 0],
    [1, 0, 0],
    [0, 0, 1],
  ]);
});

test("a folder that cannot be created is refused", async () => {
  const { graph } = generateSbm({ nodes: 4, relations: 1, pIn: 1, pOut: 1, seed: 1 });
  expect(await inputError(writeDataset(join(write("file", "x"), "set"), graph))).toContain(
    "cannot write: a part of this path is a file",
  );
});

test("names that reading would change are refused, and nothing is written", async () => {
  const graph = multiplexFromEdges({ source: ["a", " a"], target: ["b", "b"] });
  const path = join(folder, "changed");
  expect(await inputError(writeDataset(path, graph))).toContain('dataset: " a" begins or ends with a blank');
  const wide = multiplexFromEdges({ source: ["a"], target: ["b\u3000"] });
  expect(await inputError(writeDataset(path, wide))).toContain("begins or ends with a blank");
  const plain = multiplexFromEdges({ source: ["a"], target: ["b"] });
  expect(await inputError(writeDataset(path, plain, { labels: ["x", ""] }))).toBe(
    "dataset: a label has an empty name, which a table cannot hold. Rename it.",
  );
  const message = await inputError(writeDataset(path, plain, { labels: ["x"] }));
  expect(message).toBe("dataset: 1 labels; expected one for each of 2 nodes.");
  expect(existsSync(path)).toBe(false);
});
