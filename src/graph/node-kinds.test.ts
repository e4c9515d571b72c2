import { describe, expect, test } from "vitest";
import { contentHash } from "./content-hash.js";
import type { Multiplex } from "./multiplex.js";
import { type EdgeList, multiplexFromEdges } from "./multiplex-from-edges.js";
import { findKinds, isBipartite, kindsWith, NO_KIND } from "./node-kinds.js";
import { reorderTables } from "./order/reorder-nodes.js";
import { holdOutEdges } from "./split.js";

// ids out of order, so that sorting them renumbers the nodes
const bought: EdgeList = {
  source: ["m", "z", "m", "b", "z"],
  target: ["a", "y", "y", "c", "a"],
  relation: ["bought", "bought", "seen", "seen", "seen"],
};

const named = ({ ids, kinds }: Pick<Multiplex, "ids" | "kinds">) =>
  kinds && Object.fromEntries(ids.map((id, i) => [id, kinds.of[i]]));

describe("kinds of nodes", () => {
  test("of a bipartite graph are its sources and its targets; nodes without edges have none", () => {
    const graph = multiplexFromEdges(bought, { directed: true, nodes: ["k"] });
    expect(graph.kinds?.ends).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(graph.kinds && isBipartite(graph.kinds)).toBe(true);
    expect(named(graph)).toEqual({ a: 0, b: 1, c: 0, k: NO_KIND, m: 1, y: 0, z: 1 });
  });

  test("do not change when the columns of an undirected graph are exchanged", () => {
    const exchanged = { ...bought, source: bought.target, target: bought.source };
    const sides = named(multiplexFromEdges(bought));
    // a is the first node
    expect(sides).toEqual({ a: 0, b: 1, c: 0, m: 1, y: 0, z: 1 });
    expect(named(multiplexFromEdges(exchanged))).toEqual(sides);
    expect(named(multiplexFromEdges(exchanged, { directed: true }))).toEqual(sides);
  });

  test.each([false, true])("are derived from all relations together, directed %s", (directed) => {
    const add = (source: string, target: string, weight = 1) =>
      multiplexFromEdges(
        {
          source: [...bought.source, source],
          target: [...bought.target, target],
          relation: [...bought.relation!, "other"],
          weight: [1, 1, 1, 1, 1, weight],
        },
        { directed },
      ).kinds;
    const across = directed ? [1, 0] : [0, 1];
    expect(add("m", "z")?.ends).toEqual([across, [1, 1], across]); // relations by name: bought, other, seen
    expect(add("y", "m")?.ends).toEqual([across, [0, 1], across]);
    // a single node is no kind
    expect(add("a", "new")?.ends).toEqual([across, [0, 0], across]);
    expect(add("m", "c")?.ends).toEqual([across, across, across]);
    // self-loops and zero weights are dropped
    expect(add("m", "m")?.ends[1]).toEqual([NO_KIND, NO_KIND]);
    expect(add("m", "z", 0)?.ends[1]).toEqual([NO_KIND, NO_KIND]);
  });

  test.each([false, true])("are undefined if a node is source and target in one relation, directed %s", (directed) => {
    const chain = { source: ["a", "b", "c"], target: ["b", "c", "d"] };
    expect(multiplexFromEdges(chain, { directed }).kinds).toBeUndefined();
  });

  test("need two nodes each", () => {
    expect(multiplexFromEdges({ source: ["a", "a"], target: ["b", "c"] }).kinds).toBeUndefined();
    expect(multiplexFromEdges({ source: ["b", "c"], target: ["a", "a"] }).kinds).toBeUndefined();
    expect(multiplexFromEdges({ source: [], target: [] }, { nodes: ["a", "b"] }).kinds).toBeUndefined();
    expect(multiplexFromEdges({ source: ["a", "b"], target: ["c", "d"] }).kinds).toBeDefined();
    const empty = new Uint32Array();
    const none = { source: empty, target: empty, relation: empty, ids: [], relationNames: [] };
    expect(findKinds(none, {}, false)).toBeUndefined();
  });

  test("do not enter the hash: an edge with its ends exchanged is the same edge", () => {
    const mixed = { ...bought, source: ["a", ...bought.source.slice(1)], target: ["m", ...bought.target.slice(1)] };
    const graph = multiplexFromEdges(mixed);
    expect(graph.kinds).toBeUndefined();
    expect(contentHash(graph)).toBe(contentHash(multiplexFromEdges(bought)));
  });

  test.each([false, true])("stay the same in the training graph and with reordered nodes", (directed) => {
    const graph = multiplexFromEdges(bought, { directed });
    expect(named(holdOutEdges(graph, { share: 0.4 }).training)).toEqual(named(graph));
    const order = Uint32Array.of(3, 5, 0, 1, 4, 2);
    const ids = Array.from(order, (node) => graph.ids[node]);
    const moved = { ...graph, ids, ...reorderTables(graph, order) };
    expect(moved.kinds?.of).not.toEqual(graph.kinds?.of);
    expect(named(moved)).toEqual(named(graph));
  });

  test("become undefined with an edge that contradicts them", () => {
    for (const directed of [false, true]) {
      const graph = multiplexFromEdges(bought, { directed, nodes: ["k", "l"] });
      const pair = (a: string, b: string) => {
        const [source, target] = [a, b].map((id) => Uint32Array.of(graph.ids.indexOf(id)));
        return kindsWith(graph, [{ relation: 0, source, target }]);
      };
      expect(pair("m", "c")).toBe(graph.kinds);
      expect(pair("m", "k")).toBe(graph.kinds);
      expect(pair("k", "l")).toBe(graph.kinds);
      expect(pair("m", "m")).toBe(graph.kinds);
      expect(pair("m", "z")).toBeUndefined();
      expect(pair("c", "m")).toBe(directed ? undefined : graph.kinds);
    }
  });
});
