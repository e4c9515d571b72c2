import { expect, test } from "vitest";
import { Rng } from "../core/rng.js";
import { buildMultiplex } from "./build-multiplex.js";
import { contentHash } from "./content-hash.js";
import { findNode, type Multiplex } from "./multiplex.js";
import { multiplexFromEdges } from "./multiplex-from-edges.js";
import { compareNatural } from "./order/natural-order.js";

/** All entries as `relation row column value`, for comparison with a naive construction. */
function entries(graph: Multiplex): string[] {
  return graph.relations.flatMap(({ name, rowStart, columns, values }) =>
    graph.ids.flatMap((id, row) =>
      Array.from(columns.subarray(rowStart[row], rowStart[row + 1]), (column, k) =>
        [name, id, graph.ids[column], values?.[rowStart[row] + k] ?? 1].join(" "),
      ),
    ),
  );
}

function randomEdges(seed: number, rows: number) {
  const rng = new Rng(seed, "edges");
  const pick = (names: string[]) => Array.from({ length: rows }, () => names[rng.below(names.length)]);
  const ids = ["b", "a", "é", "\u{1F600}", "\uFFEE", "007", "7", "x y", 'q"', "c"];
  return {
    source: pick(ids),
    target: pick(ids),
    relation: pick(["t10", "t2", "t1"]),
    weight: Array.from({ length: rows }, () => Math.floor(rng.uniform() * 10) / 7),
  };
}

test.each([false, true])("agrees with a map of pairs, directed %s", (directed) => {
  const edges = randomEdges(1, 300);
  const sums = new Map<string, number[]>();
  const counts = { selfLoops: 0, zeroWeights: 0, rows: 300 };
  edges.source.forEach((a, i) => {
    const b = edges.target[i];
    if (a === b) counts.selfLoops++;
    else if (edges.weight[i] === 0) counts.zeroWeights++;
    else {
      const ends = directed || a < b ? [a, b] : [b, a];
      const key = JSON.stringify([edges.relation[i], ...ends]);
      sums.set(key, [...(sums.get(key) ?? []), edges.weight[i]]);
    }
  });
  const expected: string[] = [];
  let repeats = 0;
  for (const [key, weights] of sums) {
    const [relation, a, b] = JSON.parse(key);
    repeats += weights.length - 1;
    const sum = Math.fround(weights.sort((x, y) => x - y).reduce((x, y) => x + y));
    expected.push([relation, a, b, sum].join(" "));
    if (!directed) expected.push([relation, b, a, sum].join(" "));
  }
  const graph = multiplexFromEdges(edges, { directed });
  expect(entries(graph).sort()).toEqual(expected.sort());
  expect(graph.report).toEqual({ ...counts, parallelEdges: repeats });
  expect(graph.relations.reduce((sum, relation) => sum + relation.numEdges, 0)).toBe(sums.size);
  expect(graph.ids).toEqual([...new Set([...edges.source, ...edges.target])].sort());
  expect(graph.relations.map((relation) => relation.name)).toEqual(["t1", "t2", "t10"]);
  for (const { rowStart, columns } of graph.relations) {
    for (let row = 0; row < graph.numNodes; row++) {
      for (let k = rowStart[row] + 1; k < rowStart[row + 1]; k++) expect(columns[k]).toBeGreaterThan(columns[k - 1]);
    }
  }
});

test("shuffling the rows or exchanging the endpoints of undirected edges changes no bit", () => {
  const edges = randomEdges(2, 2000);
  const order = new Uint32Array(2000);
  new Rng(3, "shuffle").permutation(order);
  const moved = <T>(values: T[]) => Array.from(order, (i) => values[i]);
  const shuffled = {
    source: moved(edges.target),
    target: moved(edges.source),
    relation: moved(edges.relation),
    weight: moved(edges.weight),
  };
  expect(contentHash(multiplexFromEdges(shuffled))).toBe(contentHash(multiplexFromEdges(edges)));
  expect(contentHash(multiplexFromEdges(shuffled, { directed: true }))).not.toBe(
    contentHash(multiplexFromEdges(edges, { directed: true })),
  );
});

test("parallel edges without weights merge into one entry; weights that all sum to 1 are dropped", () => {
  const pairs = { source: ["a", "b", "a", "c"], target: ["b", "a", "b", "c"] };
  const plain = multiplexFromEdges(pairs, { nodes: ["z", "a"] });
  expect(entries(plain)).toEqual(["edges a b 1", "edges b a 1"]);
  expect(plain.relations[0].values).toBeUndefined();
  expect(plain.report).toEqual({ rows: 4, selfLoops: 1, parallelEdges: 2, zeroWeights: 0 });
  expect(plain.ids).toEqual(["a", "b", "c", "z"]);
  expect([findNode(plain, "c"), findNode(plain, "nobody")]).toEqual([2, -1]);
  const halves = multiplexFromEdges({ ...pairs, weight: [0.5, 0.25, 0.25, 9] });
  expect(halves.relations[0].values).toBeUndefined();
  const heavy = multiplexFromEdges({ ...pairs, weight: [1, 1, 1, 1] });
  expect([...heavy.relations[0].values!]).toEqual([3, 3]);
});

test("ids that are not strings are refused", () => {
  const numbers = [1, 2] as unknown as string[];
  expect(() => multiplexFromEdges({ source: numbers, target: ["2", "3"] })).toThrow(
    'edges: row 1 of "source" is 1; expected a string, as of String(id).',
  );
  expect(() => multiplexFromEdges({ source: ["a"], target: ["b"] }, { nodes: [null as unknown as string] })).toThrow(
    'row 1 of "nodes" is null',
  );
});

test("a relation without edges is kept", () => {
  const graph = multiplexFromEdges({ source: ["a", "b"], target: ["b", "b"], relation: ["x", "e"] });
  expect(graph.relations.map(({ name, numEdges }) => [name, numEdges])).toEqual([
    ["e", 0],
    ["x", 1],
  ]);
  expect([...graph.relations[0].rowStart]).toEqual([0, 0, 0]);
});

test("invalid columns are refused; the message names the row", () => {
  const one = Uint32Array.of(0);
  const columns = { source: one, target: one, relation: one, ids: ["a"], relationNames: ["r"] };
  const build = (change: object) => () => buildMultiplex({ ...columns, ...change });
  expect(build({ source: Uint32Array.of(0, 1) })).toThrow("edges: the columns have 2, 1, 1 rows");
  expect(build({ target: Uint32Array.of(5) })).toThrow("edges: row 1: node 5 is out of range; there are 1 ids.");
  expect(build({ relation: Uint32Array.of(1) })).toThrow("edges: row 1: relation 1 is out of range");
  expect(build({ ids: ["a", "a"] })).toThrow('edges: node id "a" is listed twice');
  for (const weight of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e39]) {
    expect(build({ weight: Float64Array.of(weight) })).toThrow(`edges: row 1: weight ${weight}; expected`);
  }
  expect(() => multiplexFromEdges({ source: ["a", "a"], target: ["b", "b"], weight: [3e38, 3e38] })).toThrow(
    "add up to weight 6e+38",
  );
  expect(() => multiplexFromEdges({ source: ["a"], target: [] })).toThrow('column "target" has 0 rows; expected 1');
});

test("natural order compares digits as numbers", () => {
  const names = ["t10", "t2", "t02", "t", "a", "10", "9", "t2b", "t2a", "T2", "t1x10", "t1x9"];
  expect([...names].sort(compareNatural)).toEqual([
    "9",
    "10",
    "T2",
    "a",
    "t",
    "t1x9",
    "t1x10",
    "t02",
    "t2",
    "t2a",
    "t2b",
    "t10",
  ]);
});
