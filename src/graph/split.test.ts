import { describe, expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { buildMultiplex } from "./build-multiplex.js";
import { hasEdge, listEdges, removeEdges } from "./edge-ends.js";
import type { Multiplex } from "./multiplex.js";
import { multiplexFromEdges } from "./multiplex-from-edges.js";
import { type HoldOut, holdOutEdges } from "./split.js";

/** Relations that share many pairs; `rows` are their numbers of rows. */
function randomGraph(seed: number, directed: boolean, rows = [400, 150, 60, 3]): Multiplex {
  const rng = new Rng(seed, "split test");
  const numNodes = 40;
  const total = rows.reduce((sum, count) => sum + count, 0);
  const source = new Uint32Array(total);
  const target = new Uint32Array(total);
  const relation = Uint32Array.from(rows.flatMap((count, r) => new Array<number>(count).fill(r)));
  const weight = new Float64Array(total);
  for (let i = 0; i < total; i++) {
    source[i] = rng.below(numNodes);
    target[i] = (source[i] + 1 + rng.below(10)) % numNodes;
    weight[i] = 1 + rng.below(4);
  }
  const ids = Array.from({ length: numNodes }, (_, i) => `n${100 + i}`);
  const relationNames = rows.map((_, r) => `r${r}`);
  return buildMultiplex({ source, target, relation, weight, ids, relationNames }, { directed });
}

/** Every edge with its weight, as text. */
function edgeTexts(graph: Multiplex, r: number): string[] {
  const relation = graph.relations[r];
  const { source, target } = listEdges(relation, graph.directed);
  return Array.from(source, (a, i) => {
    const k =
      relation.rowStart[a] +
      relation.columns.subarray(relation.rowStart[a], relation.rowStart[a + 1]).indexOf(target[i]);
    return `${a} ${target[i]} ${relation.values?.[k] ?? 1}`;
  });
}

function heldTexts({ heldOut }: HoldOut, r: number): string[] {
  return Array.from(heldOut[r].source, (a, i) => `${a} ${heldOut[r].target[i]}`);
}

const withoutWeight = (edge: string) => edge.split(" ").slice(0, 2).join(" ");

function requireSound(graph: Multiplex): void {
  for (const { rowStart, columns, numEdges } of graph.relations) {
    expect(rowStart.at(-1)).toBe(columns.length);
    expect(columns.length).toBe(graph.directed ? numEdges : 2 * numEdges);
    for (let row = 0; row < graph.numNodes; row++) {
      for (let k = rowStart[row] + 1; k < rowStart[row + 1]; k++) expect(columns[k]).toBeGreaterThan(columns[k - 1]);
      if (graph.directed) continue;
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        expect(hasEdge({ rowStart, columns }, columns[k], row)).toBe(true);
      }
    }
  }
}

describe.each([false, true])("holdOutEdges, directed %s", (directed) => {
  test.each([
    [1, 0.1],
    [2, 0.25],
    [3, 0.5],
    [4, 0.9],
  ])("the parts are disjoint and complete and have the requested sizes (seed %d, share %d)", (seed, share) => {
    const graph = randomGraph(seed, directed);
    const split = holdOutEdges(graph, { share, seed });
    requireSound(split.training);
    expect(split.training.ids).toBe(graph.ids);
    for (const [r, { numEdges }] of graph.relations.entries()) {
      const held = heldTexts(split, r);
      const kept = edgeTexts(split.training, r);
      const asked = Math.max(0, Math.min(Math.round(share * numEdges), numEdges - 1));
      // the last pair of a directed relation may hold two edges
      expect(held.length === asked || (directed && held.length === asked + 1)).toBe(true);
      expect(kept.length).toBe(split.training.relations[r].numEdges);
      expect(new Set(held).size).toBe(held.length);
      expect([...kept.map(withoutWeight), ...held].sort()).toEqual(edgeTexts(graph, r).map(withoutWeight).sort());
      expect(edgeTexts(graph, r)).toEqual(expect.arrayContaining(kept)); // with their weights
    }
  });

  test("strict: a held-out pair is in no relation and no direction of the training graph", () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const graph = randomGraph(seed, directed);
      const split = holdOutEdges(graph, { share: 0.2, seed, strict: true });
      requireSound(split.training);
      const heldPairs = new Set<string>();
      for (const { source, target } of split.heldOut) {
        for (let i = 0; i < source.length; i++) {
          heldPairs.add(`${source[i]} ${target[i]}`).add(`${target[i]} ${source[i]}`);
          for (const relation of split.training.relations) {
            expect(hasEdge(relation, source[i], target[i]) || hasEdge(relation, target[i], source[i])).toBe(false);
          }
        }
      }
      for (const [r, { numEdges }] of graph.relations.entries()) {
        // complete: a removed edge is held out in its own relation, so none is lost
        const held = heldTexts(split, r);
        expect([...edgeTexts(split.training, r).map(withoutWeight), ...held].sort()).toEqual(
          edgeTexts(graph, r).map(withoutWeight).sort(),
        );
        if (numEdges > 20) expect(Math.abs(held.length - 0.2 * numEdges)).toBeLessThan(directed ? 5 : 3);
      }
      expect(heldPairs.size).toBeGreaterThan(0);
    }
  });

  test("without strict a held-out pair may stay in another relation", () => {
    const graph = randomGraph(1, directed);
    const { training, heldOut } = holdOutEdges(graph, { share: 0.3 });
    const elsewhere = Array.from(heldOut[1].source).filter((a, i) =>
      hasEdge(training.relations[0], a, heldOut[1].target[i]),
    );
    expect(elsewhere.length).toBeGreaterThan(0);
  });
});

test.each([false, true])(
  "an edge and its reverse are held out together, and the share is kept (strict %s)",
  (strict) => {
    const ring = Uint32Array.from({ length: 100 }, (_, i) => i);
    const next = ring.map((i) => (i + 1) % 100);
    const graph = buildMultiplex(
      {
        source: Uint32Array.from([...ring, ...next]),
        target: Uint32Array.from([...next, ...ring]),
        relation: new Uint32Array(200),
        ids: Array.from(ring, String),
        relationNames: ["follows"],
      },
      { directed: true },
    );
    const { training, heldOut } = holdOutEdges(graph, { share: 0.1, strict });
    const [{ source, target }] = heldOut;
    expect(source.length).toBe(20);
    source.forEach((a, i) => {
      expect(hasEdge(training.relations[0], a, target[i]) || hasEdge(training.relations[0], target[i], a)).toBe(false);
    });
  },
);

test("the same seed draws the same edges, another seed others", () => {
  const graph = randomGraph(1, false);
  for (const strict of [false, true]) {
    const held = (seed: number) => holdOutEdges(graph, { seed, strict }).heldOut.map(({ source }) => [...source]);
    expect(held(5)).toEqual(held(5));
    expect(held(5)).not.toEqual(held(6));
  }
});

test("all edges are held out with the same frequency", () => {
  const graph = randomGraph(1, false, [30, 20, 20]);
  for (const strict of [false, true]) {
    const counts = new Map<string, number>();
    const draws = 2000;
    for (let seed = 0; seed < draws; seed++) {
      const split = holdOutEdges(graph, { share: 0.25, seed, strict });
      split.heldOut.forEach((_, r) => {
        for (const edge of heldTexts(split, r)) counts.set(`${r} ${edge}`, (counts.get(`${r} ${edge}`) ?? 0) + 1);
      });
    }
    for (const [r, { numEdges }] of graph.relations.entries()) {
      const expected = (draws * Math.round(0.25 * numEdges)) / numEdges;
      for (const edge of edgeTexts(graph, r).map(withoutWeight)) {
        const count = counts.get(`${r} ${edge}`) ?? 0;
        // five standard deviations; strict: the relations' sizes are rounded one after another, which moves a share a little
        expect(Math.abs(count - expected)).toBeLessThan(
          5 * Math.sqrt(draws * 0.25 * 0.75) + (strict ? 0.1 * expected : 0),
        );
      }
    }
  }
});

test("small relations are reported; an empty hold-out and a share out of range are refused", () => {
  const graph = randomGraph(1, false);
  expect(graph.relations[3].numEdges).toBeLessThan(5);
  const split = holdOutEdges(graph);
  expect(split.notSplit).toEqual([3]);
  expect(split.heldOut[3].source.length).toBe(0);
  expect(split.training.relations[3]).toEqual(graph.relations[3]);
  const tiny = multiplexFromEdges({ source: ["a", "b"], target: ["b", "c"], relation: ["x", "y"] });
  expect(() => holdOutEdges(tiny, { share: 0.5 })).toThrow(/holds out no edge; the largest relation has 1\./);
  for (const share of [0, 1, -0.1, Number.NaN])
    expect(() => holdOutEdges(graph, { share })).toThrow(/above 0 and below 1/);
});

test("removeEdges drops the values if every remaining edge has weight 1", () => {
  const { relations } = multiplexFromEdges({ source: ["a", "b"], target: ["b", "c"], weight: [1, 2] });
  expect(removeEdges(relations[0], Uint8Array.of(0, 1), false).values).toBeUndefined();
  expect([...(removeEdges(relations[0], Uint8Array.of(1, 0), false).values ?? [])]).toEqual([2, 2]);
});

test("strict: no relation loses all its edges to the draws of others", () => {
  const edges = [
    ["A", "1", "2"],
    ["A", "3", "4"],
    ["B", "3", "4"],
    ["B", "5", "6"],
    ["C", "1", "2"],
    ["C", "5", "6"],
  ];
  const [relation, source, target] = [0, 1, 2].map((column) => edges.map((edge) => edge[column]));
  const graph = multiplexFromEdges({ relation, source, target });
  for (let seed = 1; seed <= 20; seed++) {
    const { training } = holdOutEdges(graph, { share: 0.5, seed, strict: true });
    expect(Math.min(...training.relations.map(({ numEdges }) => numEdges))).toBeGreaterThan(0);
  }
});
