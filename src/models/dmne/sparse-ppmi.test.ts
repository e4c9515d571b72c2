import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { referenceEngine } from "../../engine/reference.js";
import { createWasmEngine } from "../../engine/wasm/wasm-engine.js";
import type { GraphInput } from "../../nn/model.js";
import { sparsePpmi } from "./sparse-ppmi.js";

type Matrix = number[][];
const NODES = 70; // more than one block of seeds

/** Weighted, directed on request; the last node has no edge. */
function adjacency(directed: boolean, seed: number): Matrix {
  const rng = new Rng(seed, "adjacency");
  const a = Array.from({ length: NODES }, () => new Array<number>(NODES).fill(0));
  for (let e = 0; e < 90; e++) {
    const [i, j] = [rng.below(NODES - 1), rng.below(NODES - 1)];
    if (i === j) continue;
    a[i][j] = Math.fround(0.5 + rng.uniform());
    if (!directed) a[j][i] = a[i][j];
  }
  return a;
}

function toGraph(adjacencies: readonly Matrix[], directed: boolean): GraphInput {
  const relations = adjacencies.map((a, d) => {
    const rows = a.map((row) => row.flatMap((weight, j) => (weight === 0 ? [] : [j])));
    let end = 0;
    return {
      name: `r${d}`,
      rowStart: Uint32Array.from([0, ...rows.map((row) => (end += row.length))]),
      columns: Uint32Array.from(rows.flat()),
      values: Float32Array.from(rows.flatMap((row, i) => row.map((j) => a[i][j]))),
      numEdges: end,
    };
  });
  return { numNodes: NODES, relations, directed };
}

const sumOf = (row: readonly number[]) => row.reduce((sum, x) => sum + x, 0);

function normalized(a: Matrix): Matrix {
  return a.map((row) => {
    const sum = sumOf(row);
    return row.map((x) => (sum > 0 ? x / sum : 0));
  });
}

/** The formulas, dense. */
function densePpmi(a: Matrix): Matrix {
  const g = normalized(a);
  let p: Matrix = a.map((row, i) => row.map((_, j) => (i === j ? 1 : 0)));
  const sum: Matrix = a.map((row) => row.map(() => 0));
  for (let k = 0; k < 3; k++) {
    const next: Matrix = a.map((row, i) => row.map((_, j) => (i === j ? 0.02 : 0)));
    for (let i = 0; i < NODES; i++) {
      for (let l = 0; l < NODES; l++) for (let j = 0; j < NODES; j++) next[i][j] += 0.98 * p[i][l] * g[l][j];
      for (let j = 0; j < NODES; j++) sum[i][j] += i === j ? 0 : next[i][j];
    }
    p = next;
  }
  const q = normalized(sum);
  const total = sumOf(q.map(sumOf));
  const col = q.map((_, j) => sumOf(q.map((row) => row[j])));
  return q.map((row) => row.map((x, j) => (x > 0 ? Math.max(0, Math.log((total * x) / (sumOf(row) * col[j]))) : 0)));
}

const cases = [false, true].map((directed) => {
  const adjacencies = [adjacency(directed, 1), adjacency(directed, 2)];
  return { directed, graph: toGraph(adjacencies, directed), dense: adjacencies.map(densePpmi) };
});

describe.each([referenceEngine, await createWasmEngine({ threads: 2 })])("$description", (engine) => {
  test.each(cases)("entries against the dense formula, directed $directed", async ({ graph, dense }) => {
    for (const size of [6, NODES]) {
      const options = { walkSteps: 3, continuation: 0.98, size };
      for (const [d, matrix] of dense.entries()) {
        const { rowStart, columns, values } = await sparsePpmi(graph.relations[d], graph, options, { engine, seed: 1 });
        matrix.forEach((row, i) => {
          const expected = row.filter((x) => x > 1e-5).sort((x, y) => y - x);
          const kept = values.slice(rowStart[i], rowStart[i + 1]);
          expect(kept.filter((x) => x > 1e-5).length).toBe(Math.min(size, expected.length));
          // single precision
          for (const [e, x] of [...kept].sort((x, y) => y - x).entries()) expect(x).toBeCloseTo(expected[e] ?? 0, 4);
          for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
            expect(values[e]).toBeCloseTo(row[columns[e]], 4);
            if (e > rowStart[i]) expect(columns[e]).toBeGreaterThan(columns[e - 1]);
          }
        });
        expect(rowStart[NODES] - rowStart[NODES - 1]).toBe(0);
      }
    }
  });
});
