/** Graphs in one JSON object of nodes and links. */

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test-files.js";
import { loadGraph } from "./load-graph.js";

const { folder, write } = temporaryFolder();
const nodes = ["a", "b", "c", "lone"].map((id) => ({ id, group: 1 }));
const links = [
  { source: "a", target: "b", "kind/of": "x" },
  { source: "b", target: "c", "kind/of": "y" },
];

test("links of d3 and edges of networkx are read, on one line or many, plain or gzip", async () => {
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

const graphOf = async (name: string, content: unknown, options = {}) => {
  const { ids, relations, notes } = await loadGraph(write(name, JSON.stringify(content)), options);
  const edges = relations.flatMap(({ rowStart, columns }) =>
    ids.flatMap((id, i) =>
      Array.from(columns.subarray(rowStart[i], rowStart[i + 1]), (j) => `${id}-${ids[j]}`).filter(
        (_, k) => i < columns[rowStart[i] + k],
      ),
    ),
  );
  return { ids, edges, notes: notes.map((note) => note.replace(`${folder}/`, "")) };
};

test("endpoints may be positions in the list of nodes, or node objects", async () => {
  const byPlace = [
    { source: 0, target: 1 },
    { source: 2, target: 0 },
  ];
  const named = ["Myriel", "Napoleon", "Baptistine", "Lone"].map((name) => ({ name, group: 1 }));
  const d3 = await graphOf("d3v3.json", { nodes: named, links: byPlace });
  expect(d3.ids).toEqual(["Baptistine", "Lone", "Myriel", "Napoleon"]);
  expect(d3.edges).toEqual(["Baptistine-Myriel", "Myriel-Napoleon"]);
  expect(d3.notes).toEqual(["d3v3.json: endpoints of links are read as positions in the list of nodes, from 0."]);
  const ids = await graphOf("nx1.json", { nodes: named.map(({ name }) => ({ id: name })), links: byPlace });
  expect(ids.edges).toEqual(d3.edges);
  const simulated = links.map((link) => ({ source: { id: link.source, x: 1 }, target: { id: link.target, x: 2 } }));
  expect((await graphOf("sim.json", { nodes, links: simulated })).edges).toEqual(["a-b", "b-c"]);
  expect((await graphOf("names.json", { nodes: ["a", "b", "z"], links: [links[0]] })).ids).toEqual(["a", "b", "z"]);
  expect((await graphOf("anonymous.json", { nodes: [{}, {}, {}], links: byPlace })).edges).toEqual(["0-1", "0-2"]);
});

test("other first keys and cytoscape's elements are read; direction and keys are reported", async () => {
  expect((await graphOf("first.json", { name: "g", nodes, links })).edges).toEqual(["a-b", "b-c"]);
  const data = (items: readonly object[]) => items.map((item) => ({ data: item }));
  for (const elements of [{ nodes: data(nodes), edges: data(links) }, [...data(nodes), ...data(links)]]) {
    const cytoscape = await graphOf("cyto.json", { format_version: "1.0", elements });
    expect(cytoscape.ids).toEqual(["a", "b", "c", "lone"]);
    expect(cytoscape.edges).toEqual(["a-b", "b-c"]);
  }
  const keyed = { directed: true, multigraph: true, nodes, edges: links.map((link, key) => ({ ...link, key })) };
  expect((await graphOf("keyed.json", keyed)).notes).toEqual([
    "keyed.json: the graph is declared directed and read as undirected. Give --directed to keep the direction of edges.",
    "keyed.json: links have a key, which is not read. To read it as the relation, use --columns relation=key.",
  ]);
  expect((await graphOf("keyed.json", keyed, { directed: true, columns: { relation: "key" } })).notes).toEqual([]);
});

test("a link without a weight among weighted links gets weight 1", async () => {
  const some = [{ ...links[0], weight: 5 }, links[1]];
  const graph = await loadGraph(write("some.json", JSON.stringify({ nodes, links: some })));
  expect([...graph.relations[0].values!].sort()).toEqual([1, 1, 5, 5]);
  expect(graph.notes).toEqual([`${folder}/some.json: 1 link has no weight; it is read as 1.`]);
});

test("long lists and numbers as ids are read", async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => ({ source: i, target: (7 * i + 1) % 10_000, weight: 0.5 }));
  const path = write("long.json", JSON.stringify({ nodes: many.map(({ source }) => ({ id: source })), links: many }));
  const graph = await loadGraph(path);
  expect(graph.numNodes).toBe(10_000);
  expect(graph.relations[0].values?.[0]).toBe(0.5);
});

test("faults are reported", async () => {
  const fault = (name: string, text: string) =>
    loadGraph(write(name, text)).then(
      () => "none",
      (error) => String(error.message).replace(`${folder}/`, ""),
    );
  expect(await fault("none.json", JSON.stringify({ nodes, links: [] }))).toContain("no list of links or edges");
  expect(await fault("ends.json", JSON.stringify({ nodes, links: [{ from_: "a", to: "b" }] }))).toContain(
    'no source column; found the columns "from_", "to"',
  );
  expect(await fault("weight.json", JSON.stringify({ nodes, links: [{ ...links[0], weight: "heavy" }] }))).toBe(
    'weight.json: row 1: weight "heavy"; expected a finite number that is not negative. To ignore the weights, use --columns weight=none.',
  );
  expect(await fault("cut.json", JSON.stringify({ nodes, links }).slice(0, -20))).toContain(
    "cannot be read as a JSON object of nodes and links: Malformed JSON",
  );
  const stray = { nodes, links: [...links, { source: "a", target: "q" }] };
  expect(await fault("stray.json", JSON.stringify(stray))).toBe(
    'stray.json: "q" is the end of a link, but not in the list of nodes; expected it there.',
  );
  expect(await fault("object.json", JSON.stringify({ nodes: { a: {} }, links }))).toContain(
    "cannot be read as a JSON object",
  );
});

test("unread fields of links are reported, as for tables", async () => {
  const valued = Array.from({ length: 8 }, (_, i) => ({
    source: nodes[i % 3].id,
    target: nodes[(i + 1) % 3].id,
    value: i + 1,
    index: i,
    way: i % 2 === 0 ? "rail" : "road",
  }));
  const { notes } = await loadGraph(write("valued.json", JSON.stringify({ nodes, links: valued })));
  expect(notes).toEqual([
    expect.stringContaining("column way is not read (2 values). If it names the relation of an edge"),
    expect.stringContaining("column value is not read. If it is the weight of an edge, use --columns weight=value."),
  ]);
});
