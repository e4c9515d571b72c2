import { describe, expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { hasEdge, listEdges } from "../graph/edge-ends.js";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import { drawNegatives, type NegativeKind } from "./negatives.js";

/** Node k has about as many edges as its number; `count` rows are drawn. */
function skewedGraph(directed: boolean, count = 300, nodes = 60) {
  const rng = new Rng(2, "negatives test");
  const pick = () => `n${100 + Math.floor(nodes * Math.sqrt(rng.uniform()))}`;
  const source = Array.from({ length: count }, pick);
  const target = Array.from({ length: count }, pick);
  const all = Array.from({ length: nodes }, (_, i) => `n${100 + i}`);
  const graph = multiplexFromEdges({ source, target }, { directed, nodes: all });
  const edges = listEdges(graph.relations[0], directed);
  const positives = {
    source: edges.source.filter((_, i) => i % 3 === 0),
    target: edges.target.filter((_, i) => i % 3 === 0),
  };
  return { graph, relation: graph.relations[0], positives };
}

const draw = (directed: boolean, kind: NegativeKind, seed: number, given = skewedGraph(directed)) =>
  drawNegatives({ ...given, directed, kind, rng: new Rng(seed, "draw") });

describe.each([false, true])("directed %s", (directed) => {
  test.each(["uniform", "degree"] as const)("%s: no edge, no loop, no repeat, as many as positives", (kind) => {
    const { relation, positives } = skewedGraph(directed);
    for (const seed of [1, 2, 3]) {
      const { source, target } = draw(directed, kind, seed);
      const seen = new Set<string>();
      for (let i = 0; i < source.length; i++) {
        expect(hasEdge(relation, source[i], target[i])).toBe(false);
        if (directed) expect(source[i]).not.toBe(target[i]);
        else expect(source[i]).toBeLessThan(target[i]);
        seen.add(`${source[i]} ${target[i]}`);
      }
      expect(seen.size).toBe(positives.source.length);
    }
  });

  test("degree: every node stands in as many negatives as positives", () => {
    const { positives } = skewedGraph(directed);
    const negatives = draw(directed, "degree", 4);
    expect(negatives.unmatched).toBe(0);
    const ends = ({ source, target }: { source: Uint32Array; target: Uint32Array }) =>
      directed ? [[...source].sort(), [...target].sort()] : [[...source, ...target].sort()];
    expect(ends(negatives)).toEqual(ends(positives));
  });
});

test("uniform: every free pair is as likely as another, whether tried or listed", () => {
  // 8 nodes, 28 pairs: with 5 edges pairs are tried, with 24 they are listed
  for (const numEdges of [5, 24]) {
    const names = Array.from({ length: 8 }, (_, i) => `n${i}`);
    const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
    const edges = pairs.slice(0, numEdges);
    const { relations } = multiplexFromEdges(
      { source: edges.map(([a]) => a), target: edges.map(([, b]) => b) },
      { nodes: names },
    );
    const positives = { source: Uint32Array.of(0, 0), target: Uint32Array.of(1, 2) };
    const counts = new Map<string, number>();
    const draws = 3000;
    for (let seed = 0; seed < draws; seed++) {
      const rng = new Rng(seed, "draw");
      const { source, target } = drawNegatives({
        relation: relations[0],
        directed: false,
        positives,
        kind: "uniform",
        rng,
      });
      for (let i = 0; i < 2; i++)
        counts.set(`${source[i]} ${target[i]}`, (counts.get(`${source[i]} ${target[i]}`) ?? 0) + 1);
    }
    const free = pairs.length - numEdges;
    expect(counts.size).toBe(free);
    // five standard deviations of a binomial count
    const share = 2 / free;
    for (const count of counts.values()) {
      expect(Math.abs(count - draws * share)).toBeLessThan(5 * Math.sqrt(draws * share * (1 - share)));
    }
  }
});

test("degree: a star has no pairs to exchange; they are drawn uniformly and counted", () => {
  const leaves = Array.from({ length: 20 }, (_, i) => `leaf${10 + i}`);
  const { relations } = multiplexFromEdges({ source: leaves.map(() => "hub"), target: leaves });
  const { source, target } = listEdges(relations[0], false);
  const positives = { source: source.subarray(0, 5), target: target.subarray(0, 5) };
  const rng = new Rng(1, "draw");
  const negatives = drawNegatives({ relation: relations[0], directed: false, positives, kind: "degree", rng });
  expect(negatives.unmatched).toBeGreaterThan(0);
  for (let i = 0; i < 5; i++) expect(hasEdge(relations[0], negatives.source[i], negatives.target[i])).toBe(false);
});

test("too few free pairs are refused", () => {
  const { relations } = multiplexFromEdges({ source: ["a", "a", "b"], target: ["b", "c", "c"] });
  const positives = { source: Uint32Array.of(0), target: Uint32Array.of(1) };
  const request = {
    relation: relations[0],
    directed: false,
    positives,
    kind: "uniform" as const,
    rng: new Rng(1, "draw"),
  };
  expect(() => drawNegatives(request)).toThrow(/0 pairs are no edges; expected 1/);
});

test("pairs to avoid are not drawn", () => {
  const { relations } = multiplexFromEdges({ source: ["a", "a", "d"], target: ["b", "c", "c"] });
  // free: a–d, b–c, b–d
  const positives = { source: Uint32Array.of(0), target: Uint32Array.of(1) };
  const avoid = { source: Uint32Array.of(3, 2), target: Uint32Array.of(0, 1) };
  for (let seed = 0; seed < 20; seed++) {
    const rng = new Rng(seed, "draw");
    const request = { relation: relations[0], directed: false, positives, avoid, kind: "uniform" as const, rng };
    expect(drawNegatives(request)).toEqual({ source: Uint32Array.of(1), target: Uint32Array.of(3), unmatched: 0 });
  }
});
