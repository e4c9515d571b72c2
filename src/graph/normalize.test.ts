import { expect, test } from "vitest";
import { transposeRows } from "../numeric/csr.js";
import { multiplexFromEdges } from "./multiplex-from-edges.js";
import { columnSums, normalizedOperator, regularizedOperator, regularizedScales, rowSums } from "./normalize.js";

const edges = { source: ["a", "b", "c", "a"], target: ["b", "c", "a", "d"], weight: [2, 0.5, 3, 1] };
const nodes = ["e"];

test.each([
  [false, 1],
  [false, 0],
  [true, 3],
  [true, 0],
])("equals the dense formula, directed %s, self-loop %d", (directed, c) => {
  const graph = multiplexFromEdges(edges, { directed, nodes });
  const n = graph.numNodes;
  const dense = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  edges.source.forEach((source, i) => {
    const [s, t] = [graph.ids.indexOf(source), graph.ids.indexOf(edges.target[i])];
    dense[s][t] += edges.weight[i];
    if (!directed) dense[t][s] += edges.weight[i];
  });
  const relation = graph.relations[0];
  const rows = dense.map((row) => row.reduce((x, y) => x + y));
  const columns = dense.map((_, j) => dense.reduce((sum, row) => sum + row[j], 0));
  expect([...rowSums(relation, n)]).toEqual(rows);
  expect([...columnSums(relation, n)]).toEqual(columns);

  const m = normalizedOperator(relation, n, { selfLoop: c, directed });
  expect(m.symmetric).toBe(!directed);
  for (let i = 0; i < n; i++) {
    const row = new Array<number>(n).fill(0);
    row[i] = m.diagonal * m.left![i] * m.right![i];
    for (let k = m.rowStart[i]; k < m.rowStart[i + 1]; k++) {
      row[m.columns[k]] += m.left![i] * m.values![k] * m.right![m.columns[k]];
    }
    for (let j = 0; j < n; j++) {
      const scale = Math.sqrt(rows[i] + c) * Math.sqrt((directed ? columns[j] : rows[j]) + c);
      const expected = scale === 0 ? 0 : (dense[i][j] + (i === j ? c : 0)) / scale;
      expect(row[j]).toBeCloseTo(expected, 14);
    }
  }

  const t = transposeRows(relation, n);
  for (let i = 0; i < n; i++) {
    const row = new Array<number>(n).fill(0);
    for (let k = t.rowStart[i]; k < t.rowStart[i + 1]; k++) row[t.columns[k]] = t.values![k];
    expect(row).toEqual(dense.map((r) => r[i]));
  }
});

test("relations without weights have no values", () => {
  const graph = multiplexFromEdges({ source: ["a"], target: ["b"] });
  expect(transposeRows(graph.relations[0], 2).values).toBeUndefined();
  expect(normalizedOperator(graph.relations[0], 2, { selfLoop: 1, directed: false }).values).toBeUndefined();
});

test("the regularised adjacency divides by the roots of degree + mean degree", () => {
  const graph = multiplexFromEdges({ source: ["a", "a"], target: ["b", "c"] }, { nodes: ["d"] });
  const [relation] = graph.relations;
  const scales = regularizedScales(rowSums(relation, 4)); // degrees 2, 1, 1, 0 with mean 1
  expect([...scales]).toEqual([3, 2, 2, 1].map((sum) => 1 / Math.sqrt(sum)));
  expect(regularizedOperator(relation, scales)).toMatchObject({
    left: scales,
    right: scales,
    diagonal: 0,
    symmetric: true,
  });
  expect([...regularizedScales(rowSums(relation, 4), 0)]).toEqual([1 / Math.sqrt(2), 1, 1, 0]);
});
