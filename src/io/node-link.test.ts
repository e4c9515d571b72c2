/** Graphs in one JSON object. */

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { loadGraph } from "./load-graph.js";
import { temporaryFolder } from "./test-files.js";

const { folder, write } = temporaryFolder();
const nodes = ["a", "b", "c", "lone"].map((id) => ({ id, group: 1 }));
const links = [
  { source: "a", target: "b", "kind/of": "x" },
  { source: "b", target: "c", "kind/of": "y" },
];

test("links of d3 and edges of networkx, in one line or many, packed or not", async () => {
  const forms = [
    write("d3.json", JSON.stringify({ nodes, links })),
    write(
      "pretty.json",
      JSON.stringify({ directed: false, multigraph: false, graph: {}, nodes, edges: links }, null, 2),
    ),
    write("packed.json.gz", gzipSync(JSON.stringify({ links, nodes }))),
  ];
  for (const path of forms) {
    const graph = await loadGraph(path);
    expect(graph.ids).toEqual(["a", "b", "c", "lone"]);
    expect(graph.relations.map(({ numEdges }) => numEdges)).toEqual([2]);
    const named = await loadGraph(path, { columns: { relation: "kind/of" } });
    expect(named.relations.map(({ name, numEdges }) => [name, numEdges])).toEqual([
      ["x", 1],
      ["y", 1],
    ]);
  }
});

test("long lists, numbers as ids", async () => {
  const many = Array.from({ length: 30_000 }, (_, i) => ({ source: i, target: (7 * i + 1) % 30_000, weight: 0.5 }));
  const path = write("long.json", JSON.stringify({ nodes: many.map(({ source }) => ({ id: source })), links: many }));
  const graph = await loadGraph(path);
  expect(graph.numNodes).toBe(30_000);
  expect(graph.relations[0].values?.[0]).toBe(0.5);
});

test("faults are told", async () => {
  const fault = (name: string, text: string) =>
    loadGraph(write(name, text)).then(
      () => "none",
      (error) => String(error.message).replace(`${folder}/`, ""),
    );
  expect(await fault("none.json", JSON.stringify({ nodes, links: [] }))).toContain("no list of links or edges in it");
  expect(await fault("ends.json", JSON.stringify({ nodes, links: [{ from_: "a", to: "b" }] }))).toContain(
    'no source column; found the columns "from_", "to"',
  );
  expect(await fault("weight.json", JSON.stringify({ nodes, links: [{ ...links[0], weight: "heavy" }] }))).toBe(
    'weight.json: row 1: weight "heavy"; expected a finite number that is not negative.',
  );
  expect(await fault("cut.json", JSON.stringify({ nodes, links }).slice(0, -20))).toContain("cannot be read as JSON");
});
