import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { referenceEngine } from "../../engine/reference.js";
import { createWasmEngine } from "../../engine/wasm/wasm-engine.js";
import type { GraphInput } from "../../nn/model.js";
import { similarityLists } from "./random-walk-restart.js";

type Matrix = number[][];

const zeros = (size: number): Matrix => Array.from({ length: size }, () => new Array<number>(size).fill(0));

/** Adjacency of `numNodes` nodes; some never get an edge. */
function randomAdjacency(numNodes: number, edges: number, directed: boolean, weighted: boolean, seed: number): Matrix {
  const rng = new Rng(seed, "adjacency");
  const a = zeros(numNodes);
  for (let e = 0; e < edges; e++) {
    // the last node stays alone, the two before it are a component of their own
    const [i, j] = [rng.below(numNodes - 3), rng.below(numNodes - 3)];
    if (i === j) continue;
    a[i][j] = weighted ? Math.fround(0.2 + 3 * rng.uniform()) : 1;
    if (!directed) a[j][i] = a[i][j];
  }
  a[numNodes - 3][numNodes - 2] = 1;
  a[numNodes - 2][numNodes - 3] = 1;
  return a;
}

function toGraph(adjacencies: readonly Matrix[], directed: boolean, weighted: boolean): GraphInput {
  const relations = adjacencies.map((a, d) => {
    const rowStart = [0];
    const columns: number[] = [];
    const values: number[] = [];
    for (const row of a) {
      row.forEach((weight, j) => {
        if (weight !== 0) {
          columns.push(j);
          values.push(weight);
        }
      });
      rowStart.push(columns.length);
    }
    return {
      name: `r${d}`,
      rowStart: Uint32Array.from(rowStart),
      columns: Uint32Array.from(columns),
      values: weighted ? Float32Array.from(values) : undefined,
      numEdges: columns.length,
    };
  });
  return { numNodes: adjacencies[0].length, relations, directed };
}

/** S[w][seed], with the supra-adjacency written out, its columns normalised, and the walk iterated to its end. */
function denseSimilarities(adjacencies: readonly Matrix[], restart: number, jump: number): Matrix {
  const n = adjacencies[0].length;
  const count = adjacencies.length;
  const delta = count === 1 ? 0 : jump;
  const supra = zeros(count * n);
  adjacencies.forEach((a, k) => {
    for (let i = 0; i < n; i++) {
      // column: from, row: to
      for (let j = 0; j < n; j++) supra[k * n + j][k * n + i] = (1 - delta) * a[i][j];
      for (let l = 0; l < count; l++) if (l !== k) supra[l * n + i][k * n + i] = delta / (count - 1);
    }
  });
  for (let from = 0; from < count * n; from++) {
    const sum = supra.reduce((total, row) => total + row[from], 0);
    if (sum > 0) for (const row of supra) row[from] /= sum;
  }
  const s = zeros(n);
  for (let seed = 0; seed < n; seed++) {
    const start = new Array<number>(count * n).fill(0);
    for (let k = 0; k < count; k++) start[k * n + seed] = 1 / count;
    let p = start; // the error after 30 steps is below 0.3^30 = 2e-16
    for (let step = 0; step < 30; step++) {
      const before = p;
      p = supra.map((row, i) => {
        return (1 - restart) * row.reduce((sum, x, j) => sum + x * before[j], 0) + restart * start[i];
      });
    }
    for (let w = 0; w < n; w++) {
      for (let k = 0; k < count; k++) s[w][seed] += p[k * n + w];
    }
  }
  return s;
}

const engines = [referenceEngine, await createWasmEngine({ threads: 1 }), await createWasmEngine({ threads: 2 })];
const NODES = 83; // more than one block of seeds
const cases = [
  { relations: 3, directed: false, weighted: false },
  { relations: 3, directed: false, weighted: true },
  { relations: 2, directed: true, weighted: true },
  { relations: 1, directed: false, weighted: false },
  { relations: 1, directed: true, weighted: true },
].map(({ relations, directed, weighted }) => {
  const adjacencies = Array.from({ length: relations }, (_, d) => randomAdjacency(NODES, 130, directed, weighted, d));
  if (relations === 2) adjacencies.push(zeros(NODES)); // a relation without edges
  return {
    name: `${relations} relations, ${directed ? "directed" : "undirected"}, ${weighted ? "weighted" : "plain"}`,
    graph: toGraph(adjacencies, directed, weighted),
    dense: denseSimilarities(adjacencies, 0.7, 0.5),
  };
});

describe.each(engines)("$description", (engine) => {
  test.each(cases)("lists against the dense walk: $name", async ({ graph, dense }) => {
    const size = 20;
    const { nodes, shares } = await similarityLists(graph, { restart: 0.7, jump: 0.5 }, size, { engine, seed: 1 });
    for (let u = 0; u < NODES; u++) {
      const others = dense.map((row, w) => ({ w, value: row[u] })).filter(({ w, value }) => w !== u && value > 0);
      const own = others.length === 0 ? 1 : Math.min(...others.map(({ value }) => value));
      const ranked = [...others.sort((a, b) => b.value - a.value), { w: u, value: own }].slice(0, size);
      const total = ranked.reduce((sum, { value }) => sum + value, 0);
      const expected = new Map([...others, { w: u, value: own }].map(({ w, value }) => [w, value / total]));
      const seen = new Set<number>();
      for (let e = 0; e < size; e++) {
        const share = shares[u * size + e];
        const node = nodes[u * size + e];
        if (e >= ranked.length) {
          expect(share).toBe(0);
          continue;
        }
        seen.add(node);
        // single precision, and 14 steps leave 0.3^14 = 5e-8 of the walk out; equal values may change places
        expect(Math.abs(share - ranked[e].value / total)).toBeLessThan(1e-6);
        expect(Math.abs(share - (expected.get(node) ?? Number.NaN))).toBeLessThan(1e-6);
      }
      expect(seen.size).toBe(ranked.length);
    }
  });

  test("the list of a node without edges contains only itself; the nodes of a pair are first on each other's list", async () => {
    const n = 70;
    const graph = toGraph([randomAdjacency(n, 100, false, false, 5), zeros(n)], false, false);
    const { nodes, shares } = await similarityLists(graph, { restart: 0.7, jump: 0.5 }, 4, { engine, seed: 1 });
    expect([...nodes.subarray(4 * (n - 1), 4 * n)]).toEqual([n - 1, n - 1, n - 1, n - 1]);
    expect([...shares.subarray(4 * (n - 1), 4 * n)]).toEqual([1, 0, 0, 0]);
    expect([...nodes.subarray(4 * (n - 2), 4 * (n - 1))]).toEqual([n - 3, n - 2, n - 2, n - 2]);
    expect([...shares.subarray(4 * (n - 2), 4 * (n - 1))]).toEqual([0.5, 0.5, 0, 0]);
  });

  test("stops when the signal aborts", async () => {
    const graph = toGraph([randomAdjacency(300, 900, false, false, 5)], false, false);
    const options = { restart: 0.7, jump: 0.5 };
    const signal = AbortSignal.abort();
    const { shares } = await similarityLists(graph, options, 4, { engine, seed: 1, signal });
    expect(shares.every((share) => share === 0)).toBe(true);
  });
});
