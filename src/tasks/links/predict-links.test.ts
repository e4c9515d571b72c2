import { describe, expect, it } from "vitest";
import { type Embedding, sliceRows, type TrainedDecoder } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import { createEngine } from "../../engine/create-engine.js";
import { hasEdge } from "../../graph/edge-ends.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { packDecoder, unpackDecoder } from "./packed-decoder.js";
import { decoderScorer } from "./pair-scorers.js";
import { predictLinks } from "./predict-links.js";

const range = (n: number) => Array.from({ length: n }, (_, i) => i);

/** `n` nodes with a ring and random edges, in two relations. */
function randomGraph(n: number, directed: boolean): Multiplex {
  const rng = new Rng(1, "graph");
  const name = (i: number) => `n${String(i).padStart(5, "0")}`;
  const rows = ["a", "b"].flatMap((relation) => [
    ...range(n).map((i) => ({ relation, source: name(i), target: name((i + 1) % n) })),
    ...range(2 * n).map(() => ({ relation, source: name(rng.below(n)), target: name(rng.below(n)) })),
  ]);
  return multiplexFromEdges(
    {
      relation: rows.map(({ relation }) => relation),
      source: rows.map(({ source }) => source),
      target: rows.map(({ target }) => target),
    },
    { directed },
  );
}

function randomDecoder(ids: readonly string[], directed: boolean, score: "dot" | "cosine", dim = 3): TrainedDecoder {
  const rng = new Rng(2, "decoder");
  const draw = (): Embedding => ({ ids, dim, vectors: Float32Array.from(range(ids.length * dim), () => rng.normal()) });
  const all = range(2).map(() => ({ source: draw(), target: draw() }));
  return { score, directed, vectors: (relation) => all[relation] };
}

/** The `count` best pairs that are not edges, found by scoring every pair. */
function byHand(decoder: TrainedDecoder, graph: Multiplex, relation: number, count: number, only?: number) {
  const sources: number[] = [];
  const targets: number[] = [];
  for (const i of only === undefined ? range(graph.numNodes) : [only]) {
    for (let j = graph.directed || only !== undefined ? 0 : i + 1; j < graph.numNodes; j++) {
      if (i === j || hasEdge(graph.relations[relation], i, j)) continue;
      sources.push(i);
      targets.push(j);
    }
  }
  const pairs = { source: Uint32Array.from(sources), target: Uint32Array.from(targets) };
  const scores = decoderScorer(decoder)(relation, pairs);
  const minScore = scores.slice().sort()[scores.length - count];
  const order = range(scores.length).filter((k) => scores[k] >= minScore);
  return order
    .sort((a, b) => scores[b] - scores[a])
    .map((k) => `${graph.ids[pairs.source[k]]} ${graph.ids[pairs.target[k]]}`);
}

describe("predictLinks", () => {
  it.each([
    [false, "dot"],
    [true, "cosine"],
  ] as const)(
    "lists the pairs with the largest scores that are not edges; directed: %s, %s",
    async (directed, score) => {
      const engine = await createEngine("auto", 1);
      const graph = randomGraph(1100, directed); // more than one tile either way
      const decoder = randomDecoder(graph.ids, directed, score);
      const found = await predictLinks(decoder, graph, { relation: "b", count: 30, engine });
      expect(found.links.map(({ source, target }) => `${source} ${target}`)).toEqual(byHand(decoder, graph, 1, 30));
      for (const { source, target, otherRelations } of found.links) {
        const [i, j] = [graph.ids.indexOf(source), graph.ids.indexOf(target)];
        const linked = hasEdge(graph.relations[0], i, j) || hasEdge(graph.relations[0], j, i);
        expect(otherRelations).toEqual(linked ? ["a"] : []);
      }
      const node = graph.ids[700];
      const ofNode = await predictLinks(decoder, graph, { relation: "a", count: 5, node, engine });
      expect(ofNode.links.map(({ source, target }) => `${source} ${target}`)).toEqual(
        byHand(decoder, graph, 0, 5, 700),
      );
      expect(ofNode.links[0].edgesBelow).toBeGreaterThan(0.9);
      expect(found.symmetric).toBe(!directed);
    },
  );

  it("reports common neighbours, and the share of links that they would list too", async () => {
    const engine = await createEngine("auto", 1);
    // two cliques of 8 without one edge each: the missing edges have six common neighbours
    const edges = [0, 8].flatMap((first) =>
      range(8).flatMap((i) => range(i).map((j) => [first + i, first + j] as const)),
    );
    const kept = edges.filter(([i, j]) => !(i === 1 && j === 0) && !(i === 9 && j === 8));
    const name = (i: number) => `n${String(i).padStart(2, "0")}`;
    const graph = multiplexFromEdges({ source: kept.map(([i]) => name(i)), target: kept.map(([, j]) => name(j)) });
    const vectors = Float32Array.from(range(32), (at) => (at % 2 === Math.floor(at / 16) ? 1 : 0));
    const decoder: TrainedDecoder = {
      score: "dot",
      directed: false,
      vectors: () => ({ source: { ids: graph.ids, dim: 2, vectors } }),
    };
    const { links, baselines, sameAsBaseline } = await predictLinks(decoder, graph, {
      relation: graph.relations[0].name,
      count: 2,
      engine,
    });
    expect(links.map(({ source, target }) => [source, target])).toEqual([
      ["n00", "n01"],
      ["n08", "n09"],
    ]);
    expect(baselines).toEqual(["common neighbours", "Adamic–Adar"]);
    expect(links[0].baselines[0]).toBe(6);
    expect(links[0].baselines[1]).toBeCloseTo(6 / Math.log(7), 6);
    expect(sameAsBaseline).toBe(1);
  });

  it("lists only pairs of the kinds that the relation joins, with the sources of the relation first", async () => {
    const engine = await createEngine("auto", 1);
    const pairs = range(20).flatMap((user) => [0, 1, 2].map((k) => [`u${user}`, `i${(user + k) % 20}`] as const));
    const graph = multiplexFromEdges({ source: pairs.map(([u]) => u), target: pairs.map(([, i]) => i) });
    const decoder = randomDecoder(graph.ids, false, "dot");
    const { links, sameAsBaseline } = await predictLinks(decoder, graph, {
      relation: graph.relations[0].name,
      count: 50,
      engine,
    });
    expect(links).toHaveLength(50);
    for (const { source, target } of links) expect([source[0], target[0]]).toEqual(["u", "i"]);
    const relation = graph.relations[0].name;
    const ofItem = await predictLinks(decoder, graph, { relation, node: "i3", count: 50, engine });
    for (const { source, target } of ofItem.links) expect([source[0], target]).toEqual(["u", "i3"]);
    expect(ofItem.numPairs).toBe(17);
    const exchanged = multiplexFromEdges({ source: pairs.map(([, i]) => i), target: pairs.map(([u]) => u) });
    const other = await predictLinks(decoder, exchanged, { relation, count: 50, engine });
    expect(other.links.map(({ source, target }) => [target, source])).toEqual(
      links.map(({ source, target }) => [source, target]),
    );
    expect(sameAsBaseline).toBeNull();
    const wrong = predictLinks(decoder, graph, { relation: "bougt", engine });
    await expect(wrong).rejects.toThrow('unknown relation "bougt"');
  });

  it.each([false, true])("counts the pairs that it can list; directed: %s", async (directed) => {
    const engine = await createEngine("auto", 1);
    const graph = multiplexFromEdges(
      {
        relation: ["buys", "buys", "buys", "knows", "knows"],
        source: ["u1", "u2", "u3", "u1", "u2"],
        target: ["i1", "i2", "i1", "u2", "u3"],
      },
      { directed, nodes: ["x1", "x2"] }, // without edges: of any kind
    );
    const decoder = randomDecoder(graph.ids, directed, "dot");
    for (const { name } of graph.relations) {
      for (const node of [undefined, "u1", "i1", "x1"]) {
        const { numPairs, links } = await predictLinks(decoder, graph, { relation: name, node, count: 100, engine });
        expect([name, node, numPairs]).toEqual([name, node, links.length]);
      }
    }
  });
});

describe("a packed decoder", () => {
  it("unpacks to the same bits, and stores columns that relations share once", async () => {
    const rng = new Rng(3, "columns");
    const [n, dim] = [200, 8];
    const ids = range(n).map(String);
    const z = Float32Array.from(range(n * dim), () => rng.normal());
    const ends = range(5).map(() => {
      const r = Float32Array.from(range(dim), () => rng.normal());
      const bias = Math.fround(rng.normal());
      const rows = (value: (i: number, k: number) => number) =>
        Float32Array.from(range(n * (dim + 1)), (at) => value(Math.floor(at / (dim + 1)), at % (dim + 1)));
      return {
        source: { ids, dim: dim + 1, vectors: rows((i, k) => (k < dim ? z[i * dim + k] * r[k] : bias)) },
        target: { ids, dim: dim + 1, vectors: rows((i, k) => (k < dim ? z[i * dim + k] : 1)) },
      };
    });
    const decoder: TrainedDecoder = { score: "dot", directed: false, vectors: (relation) => ends[relation] };
    const packed = await packDecoder(decoder, 5);
    expect(packed.columns).toHaveLength(dim + 1);
    const back = unpackDecoder(packed, ids);
    for (const d of range(5)) {
      expect(back.vectors(d).source.vectors).toEqual(ends[d].source.vectors);
      expect(back.vectors(d).target?.vectors).toEqual(ends[d].target.vectors);
    }
  });

  it("compares all slices of the rows", async () => {
    const dim = 512;
    const n = sliceRows(dim) + 1;
    const ids = range(n).map(String);
    const rng = new Rng(4, "columns");
    const first = Float32Array.from(range(n * dim), () => rng.uniform());
    // columns have their peaks in different rows, except the last two
    for (const k of range(dim)) first[Math.min(k, dim - 2) * dim + k] = 2;
    const second = first.map((x) => 3 * x);
    second[n * dim - 1] += 1e-3;
    const ends = [first, second].map((vectors) => ({ source: { ids, dim, vectors } }));
    const decoder: TrainedDecoder = { score: "dot", directed: true, vectors: (relation) => ends[relation] };
    const packed = await packDecoder(decoder, 2);
    expect(packed.columns).toHaveLength(dim + 1);
    expect(packed.relations[1].source.places.at(-1)).toBe(dim);
    const back = unpackDecoder(packed, ids);
    const bytes = ({ buffer }: Float32Array) => Buffer.from(buffer);
    for (const d of range(2)) {
      expect(bytes(back.vectors(d).source.vectors).equals(bytes(ends[d].source.vectors))).toBe(true);
    }
  });

  it("finds multiples within one table", async () => {
    const ids = ["a", "b", "c"];
    // columns: x, 2x, another with the same peak, 4 times that, zeros, zeros: 0 times the first
    const vectors = Float32Array.of(...[4, 8, 4, 16, 0, 0], ...[1, 2, 3, 12, 0, 0], ...[2, 4, 1, 4, 0, 0]);
    const decoder: TrainedDecoder = {
      score: "dot",
      directed: true,
      vectors: () => ({ source: { ids, dim: 6, vectors } }),
    };
    const { columns, relations } = await packDecoder(decoder, 1);
    expect(columns.map((column) => [...column])).toEqual([
      [4, 1, 2],
      [4, 3, 1],
    ]);
    expect([...relations[0].source.places]).toEqual([0, 0, 1, 1, 0, 0]);
    expect([...relations[0].source.factors]).toEqual([1, 2, 1, 4, 0, 0]);
  });

  it("stores columns separately that are not multiples of each other", async () => {
    const ids = range(50).map(String);
    const decoder = randomDecoder(ids, true, "cosine", 4);
    const back = unpackDecoder(await packDecoder(decoder, 2), ids);
    for (const d of range(2)) expect(back.vectors(d)).toEqual(decoder.vectors(d));
    expect([back.score, back.directed]).toEqual(["cosine", true]);
  });
});
