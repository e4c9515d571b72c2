import { describe, expect, test } from "vitest";
import { contentHash } from "./content-hash.js";
import { findSides, NO_SIDE, sidesWith } from "./find-sides.js";
import type { Multiplex } from "./multiplex.js";
import { type EdgeList, multiplexFromEdges } from "./multiplex-from-edges.js";
import { reorderNodes } from "./reorder-nodes.js";
import { holdOutEdges } from "./split.js";

// ids out of order, so that nodes move when they are put into theirs
const bought: EdgeList = {
  source: ["m", "z", "m", "b", "z"],
  target: ["a", "y", "y", "c", "a"],
  relation: ["bought", "bought", "seen", "seen", "seen"],
};

const named = ({ ids, sides }: Pick<Multiplex, "ids" | "sides">) =>
  sides && Object.fromEntries(ids.map((id, i) => [id, sides[i]]));

describe("sides", () => {
  test("of a bipartite graph: sources and targets over all relations, nodes without edges apart", () => {
    const graph = multiplexFromEdges(bought, { directed: true, nodes: ["k"] });
    expect(named(graph)).toEqual({ a: 1, b: 0, c: 1, k: NO_SIDE, m: 0, y: 1, z: 0 });
  });

  test("do not change when the columns of an undirected graph are exchanged", () => {
    const exchanged = { ...bought, source: bought.target, target: bought.source };
    const sides = named(multiplexFromEdges(bought));
    // a is the first node
    expect(sides).toEqual({ a: 0, b: 1, c: 0, m: 1, y: 0, z: 1 });
    expect(named(multiplexFromEdges(exchanged))).toEqual(sides);
    expect(named(multiplexFromEdges(exchanged, { directed: true }))).toEqual(sides);
  });

  test.each([false, true])("are not there where a node is source and target, directed %s", (directed) => {
    const add = (source: string, target: string, weight = 1) =>
      multiplexFromEdges(
        {
          source: [...bought.source, source],
          target: [...bought.target, target],
          relation: [...bought.relation!, "other"],
          weight: [1, 1, 1, 1, 1, weight],
        },
        { directed },
      ).sides;
    expect(add("m", "z")).toBeUndefined();
    expect(add("y", "m")).toBeUndefined();
    expect(add("a", "new")).toBeUndefined();
    expect(add("m", "c")).toBeDefined();
    // what is dropped is no edge
    expect(add("m", "m")).toBeDefined();
    expect(add("m", "z", 0)).toBeDefined();
  });

  test("need two nodes each", () => {
    expect(multiplexFromEdges({ source: ["a", "a"], target: ["b", "c"] }).sides).toBeUndefined();
    expect(multiplexFromEdges({ source: ["b", "c"], target: ["a", "a"] }).sides).toBeUndefined();
    expect(multiplexFromEdges({ source: [], target: [] }, { nodes: ["a", "b"] }).sides).toBeUndefined();
    expect(multiplexFromEdges({ source: ["a", "b"], target: ["c", "d"] }).sides).toBeDefined();
    const none = { source: new Uint32Array(), target: new Uint32Array(), ids: [] };
    expect(findSides(none, undefined, false)).toBeUndefined();
  });

  test("are no part of the hash: an edge given the other way round is the same edge", () => {
    const mixed = { ...bought, source: ["a", ...bought.source.slice(1)], target: ["m", ...bought.target.slice(1)] };
    const graph = multiplexFromEdges(mixed);
    expect(graph.sides).toBeUndefined();
    expect(contentHash(graph)).toBe(contentHash(multiplexFromEdges(bought)));
  });

  test.each([false, true])("stay with what is left of the graph, and with its nodes in another order", (directed) => {
    const graph = multiplexFromEdges(bought, { directed });
    expect(named(holdOutEdges(graph, { share: 0.4 }).training)).toEqual(named(graph));
    const moved = reorderNodes(graph, Uint32Array.of(3, 5, 0, 1, 4, 2));
    expect(moved.sides).not.toEqual(graph.sides);
    expect(named(moved)).toEqual(named(graph));
  });

  test("end with an edge against them", () => {
    for (const directed of [false, true]) {
      const graph = multiplexFromEdges(bought, { directed, nodes: ["k", "l"] });
      const pair = (a: string, b: string) => {
        const [source, target] = [a, b].map((id) => Uint32Array.of(graph.ids.indexOf(id)));
        return sidesWith(graph, [{ source, target }]);
      };
      expect(pair("m", "c")).toBe(graph.sides);
      expect(pair("m", "k")).toBe(graph.sides);
      expect(pair("k", "l")).toBe(graph.sides);
      expect(pair("m", "m")).toBe(graph.sides);
      expect(pair("m", "z")).toBeUndefined();
      expect(pair("c", "m")).toBe(directed ? undefined : graph.sides);
    }
  });
});
