import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import type { Sharing } from "../../core/sharing.js";
import { referenceEngine } from "../../engine/reference.js";
import type { CsrMatrix } from "../../numeric/csr.js";
import { symmetricEigen } from "../../numeric/eigen/symmetric-eigen.js";
import { computeRows } from "../row-threads/compute-rows.js";
import { diffusionDirections } from "./diffusion-directions.js";
import { logRatios } from "./log-ratio-matrix.js";
import { keptEntries, pageRanks } from "./page-ranks.js";
import { type TransitionMatrix, transitionMatrix } from "./transition-matrix.js";

const N = 40;
/** The last node has no edges. */
const relations = [0, 1].map((d) => randomRelation(N, 0.12, new Rng(5, "relation", d)));
const tools = { engine: referenceEngine, seed: 1 };

function randomRelation(n: number, density: number, rng: Rng): CsrMatrix {
  const rows = Array.from({ length: n }, () => new Set<number>());
  for (let i = 0; i < n - 1; i++) {
    for (let j = 0; j < i; j++) {
      if (rng.uniform() >= density) continue;
      rows[i].add(j);
      rows[j].add(i);
    }
  }
  const rowStart = new Uint32Array(n + 1);
  rows.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.size;
  });
  return { rowStart, columns: Uint32Array.from(rows.flatMap((row) => [...row].sort((a, b) => a - b))) };
}

/** The formulas of the package in dense float64 matrices. */
function dense() {
  const walk = Array.from({ length: N }, () => new Float64Array(N));
  for (let i = 0; i < N; i++) {
    const active = relations.filter(({ rowStart }) => rowStart[i + 1] > rowStart[i]);
    for (const { rowStart, columns } of active) {
      const degree = rowStart[i + 1] - rowStart[i];
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) walk[i][columns[e]] += 1 / degree / active.length;
    }
  }
  const ranks = walk.map((_, i) => {
    let x = new Float64Array(N);
    x[i] = 1;
    const sum = new Float64Array(N);
    for (let k = 0; k < 12; k++) {
      for (let j = 0; j < N; j++) sum[j] += 0.15 * 0.85 ** k * x[j];
      const next = new Float64Array(N);
      for (let u = 0; u < N; u++) for (let j = 0; j < N; j++) next[j] += x[u] * walk[u][j];
      x = next;
    }
    return sum;
  });
  const means = ranks[0].map((_, j) => ranks.reduce((sum, row) => sum + row[j], 0) / N);
  const ratios = ranks.map((row, i) =>
    row.map((rank, j) =>
      i === j ? 0 : Math.log(Math.max(1, (rank + ranks[j][i]) / 2 / Math.sqrt(means[i] * means[j]))),
    ),
  );
  return { walk, ranks, means, ratios };
}

/** Row i of R in float64. */
function denseRow({ numRows, rowStart, columns, values }: TransitionMatrix, i: number): Float64Array {
  let x = new Float64Array(numRows);
  x[i] = 1;
  const sum = new Float64Array(numRows);
  for (let k = 0; k < 12; k++) {
    const next = new Float64Array(numRows);
    for (let u = 0; u < numRows; u++) {
      sum[u] += 0.15 * 0.85 ** k * x[u];
      for (let e = rowStart[u]; e < rowStart[u + 1]; e++) next[columns[e]] += x[u] * values[e];
    }
    x = next;
  }
  return sum;
}

function expectRows({ rowStart, columns, values = new Float32Array(0) }: CsrMatrix, rows: readonly Float64Array[]) {
  rows.forEach((row, i) => {
    const found = new Float64Array(row.length);
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) found[columns[e]] = values[e];
    row.forEach((value, j) => {
      expect(found[j], `${i}, ${j}`).toBeCloseTo(value, 4);
    });
  });
}

/** Processes of one machine, simulated by promises: a call returns when all have made it. */
function simulatedProcesses(size: number): Sharing[] {
  const calls: { results: unknown[]; waiting: ((results: unknown[]) => void)[] }[] = [];
  return Array.from({ length: size }, (_, rank) => {
    let number = 0;
    const contribute = (result: unknown) =>
      new Promise<unknown[]>((resolve) => {
        const call = (calls[number++] ??= { results: [], waiting: [] });
        call.results[rank] = result;
        call.waiting.push(resolve);
        if (call.waiting.length === size) for (const wake of call.waiting) wake(call.results);
      });
    const bound = (r: number, numRows: number) => Math.floor((numRows * r) / size);
    return {
      size,
      once: async (make) => (await contribute(rank === 0 ? await make() : undefined))[0] as never,
      byRows: async (numRows, make) =>
        (await contribute(await make(bound(rank, numRows), bound(rank + 1, numRows)))) as never,
    };
  });
}

describe("diffusion", () => {
  const expected = dense();
  const walk = transitionMatrix(relations, N);

  test("a step chooses a relation, then a neighbour", () => {
    expectRows(walk, expected.walk);
  });

  test("weights decide how probable a neighbour is", () => {
    const weighted = { rowStart: Uint32Array.of(0, 2, 3, 4), columns: Uint32Array.of(1, 2, 0, 0) };
    const { values } = transitionMatrix([{ ...weighted, values: Float32Array.of(3, 1, 3, 1) }], 3);
    expect([...values]).toEqual([0.75, 0.25, 1, 1]);
  });

  test("PageRanks are the sum of twelve terms, without the diagonal", async () => {
    const found = await pageRanks(walk, tools);
    expectRows(
      found.parts[0],
      expected.ranks.map((row, i) => row.map((rank, j) => (i === j ? 0 : rank))),
    );
    found.columnMeans.forEach((mean, j) => {
      expect(mean).toBeCloseTo(expected.means[j], 4);
    });
  });

  test("a row keeps its 128 largest PageRanks; means count the others too", async () => {
    const numNodes = 200;
    const large = transitionMatrix([randomRelation(numNodes, 0.05, new Rng(2, "large"))], numNodes);
    const {
      parts: [{ rowStart, columns, values }],
      columnMeans,
    } = await pageRanks(large, tools);
    for (const i of [0, 77]) {
      const ranks = denseRow(large, i);
      const order = [...ranks.keys()].filter((j) => j !== i).sort((a, b) => ranks[b] - ranks[a]);
      expect(rowStart[i + 1] - rowStart[i]).toBe(128);
      const kept = [...columns.subarray(rowStart[i], rowStart[i + 1])];
      // entries are compared after rounding to 16 bits
      const smallest = Math.min(...kept.map((j) => ranks[j]));
      expect(smallest / ranks[order[127]]).toBeGreaterThan(1 - 1e-3);
      kept.forEach((j, k) => {
        expect(values[rowStart[i] + k]).toBeCloseTo(ranks[j], 4);
      });
    }
    // the node without edges keeps only the first term of its sum
    expect(columnMeans.reduce((sum, mean) => sum + mean, 0)).toBeCloseTo((199 * (1 - 0.85 ** 12) + 0.15) / 200, 2);
  });

  test("rows of large graphs keep fewer entries", () => {
    expect([30, 48_000, 131_072, 1e6].map(keptEntries)).toEqual([30, 128, 64, 32]);
  });

  test("the log-ratio matrix compares PageRanks with their means", async () => {
    const [found] = await computeRows(logRatios, await pageRanks(walk, tools), { begin: 0, end: N, threads: 1 });
    const largest = Math.max(...expected.ratios.flatMap((row) => [...row]));
    expect(largest).toBeGreaterThan(1);
    expected.ratios.forEach((row, i) => {
      const got = new Float64Array(N);
      for (let e = found.rowStart[i]; e < found.rowStart[i + 1]; e++) got[found.columns[e]] = found.values[e];
      row.forEach((value, j) => {
        expect(got[j]).toBeCloseTo(value, 2);
      });
    });
  });

  test("directions are its eigenvectors, the largest first; a node without edges has zeros", async () => {
    const { data, width } = await diffusionDirections(async () => walk, 3, tools);
    expect(width).toBe(3);
    const { values, vectors } = symmetricEigen(Float64Array.from(expected.ratios.flatMap((row) => [...row])), N);
    for (let k = 0; k < 3; k++) {
      const column = vectors[0].map((_, i) => data[i * width + k]);
      const dot = Math.abs(column.reduce((sum, x, i) => sum + x * vectors[k][i], 0));
      expect(dot).toBeCloseTo(Math.sqrt(values[k] / values[0]), 2);
    }
    expect([...data.subarray((N - 1) * width)]).toEqual([0, 0, 0]);
  });

  test.each([2, 3])("%i processes that divide the rows give the bits of one", async (size) => {
    const run = async (sharing?: Sharing) => {
      const { columnMeans } = await pageRanks(walk, { ...tools, sharing });
      return { columnMeans, ...(await diffusionDirections(async () => walk, 3, { ...tools, sharing })) };
    };
    const alone = await run();
    for (const found of await Promise.all(simulatedProcesses(size).map(run))) expect(found).toEqual(alone);
  });

  test("the same seed gives the same bits", async () => {
    const [first, second] = [
      await diffusionDirections(async () => walk, 3, tools),
      await diffusionDirections(async () => walk, 3, tools),
    ];
    expect(first.data).toEqual(second.data);
  });
});
