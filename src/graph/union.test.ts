import { expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { multiplexFromEdges } from "./multiplex-from-edges.js";
import { unionAdjacency } from "./union.js";

test.each([false, true])(
  "the union lists each neighbour once, in ascending order, in the rows of both endpoints (directed %s)",
  (directed) => {
    const rng = new Rng(1, "union test");
    const pick = () => `n${10 + rng.below(30)}`;
    const source = Array.from({ length: 200 }, pick);
    const target = Array.from({ length: 200 }, pick);
    const relation = source.map(() => `r${rng.below(3)}`);
    const graph = multiplexFromEdges({ source, target, relation }, { directed });
    const neighbours = graph.ids.map(() => new Set<number>());
    source.forEach((id, i) => {
      const a = graph.ids.indexOf(id);
      const b = graph.ids.indexOf(target[i]);
      if (a !== b) {
        neighbours[a].add(b);
        neighbours[b].add(a);
      }
    });
    const { rowStart, columns } = unionAdjacency(graph);
    graph.ids.forEach((_, row) => {
      expect([...columns.subarray(rowStart[row], rowStart[row + 1])]).toEqual(
        [...neighbours[row]].sort((a, b) => a - b),
      );
    });
  },
);
