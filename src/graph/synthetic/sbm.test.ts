import { expect, test } from "vitest";
import { contentHash } from "../content-hash.js";
import { generateSbm } from "./sbm.js";

const options = { nodes: 501, relations: 5, pIn: 0.05, pOut: 0.01, seed: 1 };

test("densities, community sizes and labels follow the model", () => {
  const { graph, labels, communities } = generateSbm(options);
  expect([graph.ids[0], graph.ids[500], graph.numNodes]).toEqual(["n0000", "n0500", 501]);
  expect(graph.relations.map((relation) => relation.name)).toEqual(["r01", "r02", "r03", "r04", "r05"]);
  expect(graph.report).toMatchObject({ selfLoops: 0, parallelEdges: 0 });
  graph.relations.forEach(({ rowStart, columns }, r) => {
    const bits = communities[r];
    expect(bits.reduce((x, y) => x + y)).toBe(251);
    let within = 0;
    let across = 0;
    for (let row = 0; row < 501; row++) {
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        if (bits[row] === bits[columns[k]]) within += 0.5;
        else across += 0.5;
      }
    }
    const pairsWithin = (250 * 249) / 2 + (251 * 250) / 2;
    const pairsAcross = 250 * 251;
    // five standard deviations of the binomial counts
    expect(Math.abs(within - 0.05 * pairsWithin)).toBeLessThan(5 * Math.sqrt(0.05 * 0.95 * pairsWithin));
    expect(Math.abs(across - 0.01 * pairsAcross)).toBeLessThan(5 * Math.sqrt(0.01 * 0.99 * pairsAcross));
  });
  labels.forEach((label, node) => {
    const ones = communities.filter((bits) => bits[node] === 1).length;
    expect(label).toBe(ones >= 3 ? "c1" : "c0");
  });
});

test("every pair is equally likely, including the first and the last", () => {
  const hits = new Map<string, number>();
  for (let seed = 0; seed < 2000; seed++) {
    const { graph } = generateSbm({ nodes: 6, relations: 1, pIn: 0.3, pOut: 0.3, seed });
    const { rowStart, columns } = graph.relations[0];
    for (let row = 0; row < 6; row++) {
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        if (row < columns[k]) hits.set(`${row} ${columns[k]}`, (hits.get(`${row} ${columns[k]}`) ?? 0) + 1);
      }
    }
  }
  expect(hits.size).toBe(15);
  for (const count of hits.values()) expect(Math.abs(count - 600)).toBeLessThan(5 * Math.sqrt(2000 * 0.3 * 0.7));
});

test("probabilities 0 and 1 give no pair and every pair; other seeds give other graphs", () => {
  const extreme = generateSbm({ ...options, nodes: 10, pIn: 1, pOut: 0 });
  for (const relation of extreme.graph.relations) expect(relation.numEdges).toBe(20);
  expect(contentHash(generateSbm(options).graph)).toBe(contentHash(generateSbm(options).graph));
  expect(contentHash(generateSbm({ ...options, seed: 2 }).graph)).not.toBe(contentHash(generateSbm(options).graph));
});

test("bad options are refused", () => {
  expect(() => generateSbm({ ...options, nodes: 1 })).toThrow(
    "sbm: nodes is 1; expected a whole number of at least 2.",
  );
  expect(() => generateSbm({ ...options, relations: 0 })).toThrow("sbm: relations is 0");
  expect(() => generateSbm({ ...options, pIn: 1.5 })).toThrow("sbm: pIn is 1.5; expected a number from 0 to 1.");
});

test("relations of noise have the same density and change neither the other relations nor the labels", () => {
  const [plain, noisy] = [generateSbm(options), generateSbm({ ...options, noise: 2 })];
  expect(noisy.labels).toEqual(plain.labels);
  expect(noisy.graph.relations.slice(0, 5)).toEqual(plain.graph.relations);
  const expected = (0.03 * 501 * 500) / 2;
  for (const { name, numEdges } of noisy.graph.relations.slice(5)) {
    expect(name).toMatch(/^random0[12]$/);
    expect(Math.abs(numEdges - expected)).toBeLessThan(5 * Math.sqrt(expected));
  }
});

test("weights within a community are larger by the ratio; edges and labels do not change", () => {
  const noisy = { ...options, noise: 1 };
  const { graph, labels, communities } = generateSbm({ ...noisy, weightRatio: 3 });
  const plain = generateSbm(noisy);
  expect(labels).toEqual(plain.labels);
  graph.relations.forEach(({ rowStart, columns, values }, r) => {
    expect(columns).toEqual(plain.graph.relations[r].columns);
    const logarithms: number[][] = [[], []];
    for (let row = 0; row < 501; row++) {
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        const within = r < 5 && communities[r][row] === communities[r][columns[k]];
        logarithms[within ? 0 : 1].push(Math.log(values?.[k] ?? 0));
      }
    }
    const mean = (list: readonly number[]) => list.reduce((sum, x) => sum + x, 0) / list.length;
    // some thousand draws of deviation 0.5
    expect(mean(logarithms[1])).toBeCloseTo(0, 1);
    if (r < 5) expect(mean(logarithms[0])).toBeCloseTo(Math.log(3), 1);
  });
  expect(() => generateSbm({ ...options, weightRatio: 0 })).toThrow("weightRatio is 0");
});
