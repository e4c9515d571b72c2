/** Edge weights as copies, and in which relations they are used. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/rng.js";
import type { Engine } from "../../../engine/engine.js";
import { referenceEngine } from "../../../engine/reference.js";
import { createWasmEngine } from "../../../engine/wasm/wasm-engine.js";
import { countedRelations, hasWeights } from "../../../graph/counted-relations.js";
import type { Multiplex } from "../../../graph/multiplex.js";
import { multiplexFromEdges } from "../../../graph/multiplex-from-edges.js";
import { undirectedUnion } from "../../../graph/union.js";
import { train } from "../../../train/train.js";
import { multiview } from "../multiview.js";
import { splitInHalves } from "../significance/direction-test.js";
import { collapsed, type SimpleGraph, unionOfCopies } from "./edge-copies.js";
import { usefulWeights, weightsInWords } from "./edge-weights.js";

type Edge = readonly [relation: string, source: string, target: string, weight: number];

function multiplex(edges: readonly Edge[], options: { readonly directed?: boolean } = {}) {
  const [relation, source, target] = ([0, 1, 2] as const).map((k) => edges.map((edge) => edge[k]));
  return multiplexFromEdges({ relation, source, target, weight: edges.map((edge) => edge[3]) }, options);
}

interface Planted {
  /** Probability of an edge within a group and between groups. */
  readonly chances: readonly [number, number];
  /** Mean weight of an edge within a group and between groups. */
  readonly weights: readonly [number, number];
  /** Names of the relations, which all have the same groups. */
  readonly names?: readonly string[];
}

/** Two groups, the even and the odd nodes; a weight is 0.5 to 1.5 times its mean. */
function planted(numNodes: number, { chances, weights, names = ["r"] }: Planted) {
  const rng = new Rng(7, "planted");
  const id = (i: number) => `n${String(i).padStart(4, "0")}`;
  const edges = names.flatMap((relation) =>
    Array.from({ length: numNodes }, (_, i) => i).flatMap((i) =>
      Array.from({ length: numNodes - i - 1 }, (_, k) => i + k + 1).flatMap((j) => {
        const other = (i + j) % 2;
        const weight = weights[other] * (0.5 + rng.uniform());
        return rng.uniform() < chances[other] ? [[relation, id(i), id(j), weight] as const] : [];
      }),
    ),
  );
  return multiplex(edges);
}

const small = multiplex([
  ["a", "0", "1", 1],
  ["a", "0", "2", 2],
  ["a", "1", "2", 3],
  ["a", "2", "3", 0.01],
  ["a", "0", "3", 100],
  ["b", "0", "1", 5],
  ["b", "1", "3", 5],
]);

/** "i-j" for every entry of the rows, copies included. */
function pairs({ numRows, rowStart, columns }: SimpleGraph): string[] {
  return Array.from({ length: numRows }, (_, i) =>
    Array.from(columns.subarray(rowStart[i], rowStart[i + 1]), (j) => `${i}-${j}`),
  ).flat();
}

describe("copies", () => {
  test("an edge of median weight has four, others 1 to 16, in the rows of both endpoints", () => {
    const [a, b] = countedRelations(small, [1, 1]);
    const count = (pair: string) => pairs(a).filter((own) => own === pair).length;
    expect(["0-1", "0-2", "1-2", "2-3", "0-3"].map(count)).toEqual([2, 4, 6, 1, 16]);
    expect(["1-0", "2-0", "2-1", "3-2", "3-0"].map(count)).toEqual([2, 4, 6, 1, 16]);
    // equal weights carry no information
    expect(b.columns).toBe(small.relations[1].columns);
  });

  test("are omitted if every edge has the same number", () => {
    const near = multiplex([
      ["a", "0", "1", 1],
      ["a", "0", "2", 1.05],
      ["a", "1", "2", 0.95],
    ]);
    const [a] = countedRelations(near, [1]);
    expect([a.columns, a.ordinary]).toEqual([near.relations[0].columns, undefined]);
  });

  test("do not depend on the unit of the weights", () => {
    for (const directed of [false, true]) {
      const edges: Edge[] = [
        ["a", "0", "1", 3e38],
        ["a", "1", "0", 3e38],
        ["a", "1", "2", 3e38],
        ["a", "0", "2", 1e38],
      ];
      const some = directed ? edges : edges.filter(([, i, j]) => i < j);
      const [large, small] = [1, 1e-38].map((unit) =>
        multiplex(
          some.map(([relation, i, j, weight]) => [relation, i, j, weight * unit]),
          { directed },
        ),
      );
      const [found, expected] = [large, small].map((graph) => pairs(countedRelations(graph, [1])[0]));
      expect(found).toEqual(expected);
      expect(new Set(found).size).toBe(6);
    }
  });

  test("add up the weights of both directions of a directed edge", () => {
    const edges: Edge[] = [
      ["a", "0", "1", 1],
      ["a", "1", "0", 2],
      ["a", "2", "1", 6],
    ];
    const [directed] = countedRelations(multiplex(edges, { directed: true }), [1]);
    expect(pairs(directed)).toEqual([
      ...Array(2).fill("0-1"),
      ...Array(2).fill("1-0"),
      ...Array(4).fill("1-2"),
      ...Array(4).fill("2-1"),
    ]);
  });

  test("collapse into values", () => {
    const [a] = countedRelations(small, [1, 1]);
    const { rowStart, columns, values } = collapsed(a);
    expect(columns).toEqual(small.relations[0].columns);
    expect(rowStart).toEqual(small.relations[0].rowStart);
    expect(Array.from(values ?? [])).toEqual([2, 4, 16, 2, 6, 4, 6, 1, 16, 1]);
    const [plain] = countedRelations(small, [0, 0]);
    expect(collapsed(plain)).toEqual({ rowStart: plain.rowStart, columns: plain.columns });
  });

  test("in a union are the maximum over the relations", () => {
    const union = pairs(unionOfCopies(countedRelations(small, [1, 1])));
    const of = (node: string) => union.filter((pair) => pair.startsWith(node));
    expect(of("0")).toEqual([...Array(4).fill("0-1"), ...Array(4).fill("0-2"), ...Array(16).fill("0-3")]);
    expect(of("1")).toEqual([...Array(4).fill("1-0"), ...Array(6).fill("1-2"), ...Array(4).fill("1-3")]);
    const { rowStart, columns } = undirectedUnion(small);
    expect(unionOfCopies(countedRelations(small, []))).toMatchObject({ rowStart, columns });
  });

  test("stay together when edges are split into halves", () => {
    const [graph] = countedRelations(planted(40, { chances: [0.5, 0.5], weights: [1, 4] }), [1]);
    const halves = splitInHalves(graph, 1, "test").map(pairs);
    expect([...halves[0], ...halves[1]].sort()).toEqual(pairs(graph).sort());
    const other = new Set(halves[1]);
    for (const pair of halves[0]) {
      expect(other.has(pair)).toBe(false);
      expect(other.has(pair.split("-").reverse().join("-"))).toBe(false);
    }
  });
});

/** 1 for each relation whose weights are used. */
async function used(graph: Multiplex, engine: Engine): Promise<number[]> {
  const unweighted = countedRelations(graph, []);
  const versions = { unweighted, counted: countedRelations(graph, graph.relations.map(hasWeights), unweighted) };
  return [...(await usefulWeights(versions, { engine, seed: 1 }))];
}

describe("edge weights are used", () => {
  const informative = { chances: [0.2, 0.2], weights: [3, 1] } as const;
  const unrelated = { chances: [0.3, 0.1], weights: [1, 1] } as const;

  test("if they show structure, not if they hide it; the same on every engine", async () => {
    for (const engine of [referenceEngine, await createWasmEngine({ threads: 2 })]) {
      expect(await used(planted(200, informative), engine)).toEqual([1]);
      expect(await used(planted(200, unrelated), engine)).toEqual([0]);
    }
  });

  test("if no direction is significant either way; never in relations without weights", async () => {
    expect(await used(planted(30, { chances: [0.2, 0.2], weights: [1, 1] }), referenceEngine)).toEqual([1]);
    expect(await used(small, referenceEngine)).toEqual([1, 0]);
  });

  test("in the vectors: groups that differ only in weights are separated", async () => {
    const graph = planted(200, { ...informative, names: ["r", "s"] });
    const settings = { dim: 16, seed: 1, epochs: 60, threads: 2 };
    const blind = { ...graph, relations: graph.relations.map((relation) => ({ ...relation, values: undefined })) };
    const [withWeights, without] = [await train(graph, multiview, settings), await train(blind, multiview, settings)];
    expect(withWeights.findings[0]).toBe("edge weights are used: they show at least as much structure as edges alone");
    expect(without.findings).toEqual([]);
    expect(separation(withWeights.embedding)).toBeGreaterThan(1); // measured: 1.4
    expect(Math.abs(separation(without.embedding))).toBeLessThan(0.05);
  });

  test("as the findings say", () => {
    const names = ["a", undefined, "c", "d", "e", "f", "g"];
    expect(weightsInWords(names, [0, 0, 0, 0, 0, 0, 0])).toEqual([
      "edge weights are not used: edges alone show more structure",
    ]);
    expect(weightsInWords(names, [1, 0, 0, 0, 0, 0, 0])).toEqual([
      "edge weights are used in a; edges alone show more structure in c, d, e, f and 1 more",
    ]);
    expect(weightsInWords([undefined], [0])).toEqual([]);
  });
});

/** Mean cosine of nodes of the same group minus that of nodes of different groups. */
function separation({ vectors, dim }: { readonly vectors: Float32Array; readonly dim: number }): number {
  const rows = Array.from({ length: vectors.length / dim }, (_, i) => {
    const row = vectors.subarray(i * dim, (i + 1) * dim);
    const length = Math.hypot(...row);
    return row.map((x) => x / length);
  });
  const sums = [0, 0];
  const counts = [0, 0];
  rows.forEach((row, i) => {
    for (let j = 0; j < i; j++) {
      const other = (i + j) % 2;
      sums[other] += row.reduce((sum, x, k) => sum + x * rows[j][k], 0);
      counts[other]++;
    }
  });
  return sums[0] / counts[0] - sums[1] / counts[1];
}
