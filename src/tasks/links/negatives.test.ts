import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { hasEdge, listEdges } from "../../graph/edge-ends.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { NO_KIND } from "../../graph/node-kinds.js";
import { holdOutLinks } from "./held-out-links.js";
import { drawNegatives, type NegativeKind, type NegativeRequest } from "./negatives.js";

/** A random graph in which node k has about k edges; `count` edges are drawn. */
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

type Task = Pick<NegativeRequest, "relation" | "positives" | "kinds">;

const draw = (directed: boolean, kind: NegativeKind, seed: number, task: Task = skewedGraph(directed)) =>
  drawNegatives({ ...task, directed, kind, rng: new Rng(seed, "draw") });

describe.each([false, true])("directed %s", (directed) => {
  test.each(["uniform", "degree"] as const)(
    "%s: no edges, no loops, no repeats, as many pairs as positives",
    (kind) => {
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
    },
  );

  test("degree: every node has as many negatives as positives", () => {
    const { positives } = skewedGraph(directed);
    const negatives = draw(directed, "degree", 4);
    expect(negatives.unmatched).toBe(0);
    const ends = ({ source, target }: { source: Uint32Array; target: Uint32Array }) =>
      directed ? [[...source].sort(), [...target].sort()] : [[...source, ...target].sort()];
    expect(ends(negatives)).toEqual(ends(positives));
  });
});

/** The kinds of nodes, with the two that the first relation joins. */
const kindsOf = ({ kinds }: Multiplex) => kinds && { of: kinds.of, ends: kinds.ends[0] };

/** Users and items of skewed degrees with mixed ids; two users have no edge. */
function userItems(directed: boolean, count = 120) {
  const rng = new Rng(3, "negatives test");
  const pick = (kind: string, size: number) =>
    Array.from({ length: count }, () => {
      const node = Math.floor(size * Math.sqrt(rng.uniform()));
      return `${100 + ((37 * node) % 61)}${kind}`;
    });
  const edges = { source: pick("u", 20), target: pick("i", 30) };
  const graph = multiplexFromEdges(edges, { directed, nodes: ["000u", "999u"] });
  const { source, target } = listEdges(graph.relations[0], directed);
  const positives = { source: source.filter((_, i) => i % 3 === 0), target: target.filter((_, i) => i % 3 === 0) };
  return { graph, relation: graph.relations[0], positives, kinds: kindsOf(graph) };
}

describe.each([false, true])("in a bipartite graph, directed %s", (directed) => {
  const task = userItems(directed);
  const sides = task.graph.kinds!.of;
  const kinds = ({ source, target }: { source: Uint32Array; target: Uint32Array }) =>
    Array.from(source, (a, i) => [a, target[i]].map((node) => task.graph.ids[node].at(-1)).join(""));

  test.each(["uniform", "degree"] as const)("%s: distinct pairs of a user and an item that are not edges", (kind) => {
    expect(task.kinds?.of).toHaveLength(task.graph.numNodes);
    for (const seed of [1, 2, 3, 4]) {
      const negatives = draw(directed, kind, seed, task);
      const { source, target } = negatives;
      for (const pair of kinds(negatives)) expect(directed ? ["ui"] : ["ui", "iu"]).toContain(pair);
      expect(Array.from(source).some((a, i) => hasEdge(task.relation, a, target[i]))).toBe(false);
      expect([...source, ...target].map((node) => sides[node])).not.toContain(NO_KIND);
      if (!directed) expect(Array.from(source).every((a, i) => a < target[i])).toBe(true);
      expect(new Set(Array.from(source, (a, i) => `${a} ${target[i]}`)).size).toBe(task.positives.source.length);
    }
  });

  test("degree: every node has as many negatives as positives", () => {
    const negatives = draw(directed, "degree", 5, task);
    expect(negatives.unmatched).toBe(0);
    expect([...negatives.source, ...negatives.target].sort()).toEqual(
      [...task.positives.source, ...task.positives.target].sort(),
    );
  });

  // 3 × 4 pairs: with 4 edges free pairs are drawn by trial, with 9 they are listed
  test.each([4, 9])("uniform: all free pairs of a user and an item are equally likely, %i edges", (numEdges) => {
    const pairs = ["b", "d", "f"].flatMap((user) => ["a", "c", "e", "g"].map((item) => [user, item]));
    const edges = pairs.filter((_, i) => (5 * i) % 12 < numEdges);
    const graph = multiplexFromEdges({ source: edges.map(([a]) => a), target: edges.map(([, b]) => b) }, { directed });
    const { source, target } = listEdges(graph.relations[0], directed);
    const positives = { source: source.subarray(0, 2), target: target.subarray(0, 2) };
    const counts = new Map<string, number>();
    const draws = 2000;
    for (let seed = 0; seed < draws; seed++) {
      const drawn = draw(directed, "uniform", seed, {
        ...graph,
        kinds: kindsOf(graph),
        relation: graph.relations[0],
        positives,
      });
      drawn.source.forEach((a, i) => {
        const pair = `${a} ${drawn.target[i]}`;
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
      });
    }
    const share = 2 / (12 - numEdges);
    expect(counts.size).toBe(12 - numEdges);
    // five standard deviations of a binomial count
    for (const count of counts.values()) {
      expect(Math.abs(count - draws * share)).toBeLessThan(5 * Math.sqrt(draws * share * (1 - share)));
    }
  });

  test.each(["uniform", "degree"] as const)(
    "%s: finds the last free pairs of a user and an item, and refuses if there are too few",
    (kind) => {
      const pairs = ["u1", "u2", "u3"].flatMap((user) => ["i1", "i2", "i3"].map((item) => [user, item]));
      const build = (edges: string[][]) => {
        const graph = multiplexFromEdges(
          { source: edges.map(([a]) => a), target: edges.map(([, b]) => b) },
          { directed, nodes: ["x", "y", "z"] },
        );
        const { source, target } = listEdges(graph.relations[0], directed);
        const positives = { source: source.subarray(0, 2), target: target.subarray(0, 2) };
        return { ...graph, kinds: kindsOf(graph), relation: graph.relations[0], positives };
      };
      expect(() => draw(directed, kind, 1, build(pairs.slice(1)))).toThrow(
        /1 pairs of the kinds that it joins are not edges; expected 2/,
      );
      const last = build(pairs.slice(2));
      const { source, target } = draw(directed, kind, 1, last);
      const named = Array.from(source, (a, i) => [last.ids[a], last.ids[target[i]]].sort().join(" ")).sort();
      expect(named).toEqual(["i1 u1", "i2 u1"]);
    },
  );

  test("degree: for a positive with a node of no kind, a pair is drawn uniformly and counted as unmatched", () => {
    const cold = task.graph.ids.indexOf("000u");
    const positives = { source: Uint32Array.from(task.positives.source), target: task.positives.target.slice() };
    const at = sides[positives.source[0]] === 0 ? positives.source : positives.target;
    at[0] = cold;
    const { source, target, unmatched } = draw(directed, "degree", 1, { ...task, positives });
    expect(unmatched).toBe(1);
    expect([...source, ...target]).not.toContain(cold);
    for (let i = 0; i < source.length; i++) expect(sides[source[i]] + sides[target[i]]).toBe(1);
  });

  test("positives and avoided pairs that do not join a user and an item do not reduce the free pairs", () => {
    const graph = multiplexFromEdges({ source: ["u1", "u2"], target: ["i1", "i2"] }, { directed, nodes: ["x"] });
    const at = (id: string) => graph.ids.indexOf(id);
    const ends = (...pairs: string[][]) => ({
      source: Uint32Array.from(pairs, ([a]) => at(a)),
      target: Uint32Array.from(pairs, ([, b]) => at(b)),
    });
    const request = {
      ...graph,
      kinds: kindsOf(graph),
      relation: graph.relations[0],
      positives: ends(["x", "i1"], ["u1", "i2"]),
    };
    const draw = (avoid: string[][]) =>
      drawNegatives({ ...request, avoid: ends(...avoid), kind: "degree", rng: new Rng(1, "draw") });
    // the only free pair of a user and an item is u2–i1
    expect(() => draw([["u1", "u2"]])).toThrow(/1 pairs of the kinds .* expected 2/);
    expect(() => draw([["u2", "i1"]])).toThrow(/0 pairs of the kinds/);
  });
});

test("in a graph of three kinds, pairs join the kinds that their relation joins", () => {
  const rng = new Rng(5, "three kinds");
  const pick = (kind: string, size: number) => `${kind}${rng.below(size)}`;
  const rows = Array.from({ length: 300 }, (_, k) =>
    k < 100
      ? ["buys", pick("u", 30), pick("i", 20)]
      : k < 200
        ? ["follows", pick("u", 30), pick("u", 30)]
        : ["uses", pick("u", 30), pick("d", 9)],
  );
  const column = (at: number) => rows.map((row) => row[at]);
  const graph = multiplexFromEdges({ relation: column(0), source: column(1), target: column(2) });
  const { tests } = holdOutLinks(graph, { share: 0.3 });
  const joined = tests.map(({ relation, source, target }) => {
    const pairs = Array.from(source, (a, i) =>
      [a, target[i]]
        .map((node) => graph.ids[node][0])
        .sort()
        .join(""),
    );
    return [graph.relations[relation].name, [...new Set(pairs)]];
  });
  expect(joined).toEqual([
    ["buys", ["iu"]],
    ["follows", ["uu"]],
    ["uses", ["du"]],
  ]);
});

test("without kinds, the draws have not changed since the first version", () => {
  const first = (directed: boolean, kind: NegativeKind) => {
    const { source, target } = draw(directed, kind, 1);
    return Array.from(source.subarray(0, 5), (a, i) => `${a} ${target[i]}`).join(", ");
  };
  expect(skewedGraph(false).graph.kinds).toBeUndefined();
  expect(first(false, "uniform")).toBe("41 48, 6 38, 3 5, 17 46, 22 23");
  expect(first(true, "uniform")).toBe("48 41, 38 6, 3 5, 46 17, 22 23");
  expect(first(false, "degree")).toBe("23 32, 42 58, 26 32, 28 46, 31 46");
  expect(first(true, "degree")).toBe("0 37, 5 47, 7 24, 9 59, 12 24");
});

test("uniform: all free pairs are equally likely, drawn by trial or listed", () => {
  // 8 nodes, 28 pairs: with 5 edges free pairs are drawn by trial, with 24 they are listed
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

test("degree: in a star no exchange is possible; pairs are drawn uniformly and counted as unmatched", () => {
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
  expect(() => drawNegatives(request)).toThrow(/0 pairs are not edges; expected 1/);
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
