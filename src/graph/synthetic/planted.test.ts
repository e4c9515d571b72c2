import { expect, test } from "vitest";
import { contentHash } from "../content-hash.js";
import { generatePlanted } from "./planted.js";

const options = { nodes: 600, groups: 3, relations: 2, degree: 6, edgeShare: 0.6, wordShare: 0.3, seed: 1 };

test("group sizes, edges within groups and words of the own group match the options", () => {
  const { graph, labels } = generatePlanted(options);
  const sizes = ["g1", "g2", "g3"].map((name) => labels.filter((label) => label === name).length);
  sizes.forEach((size, g) => {
    // five standard deviations of the binomial counts; the first two nodes of each group are fixed
    const chance = (g + 1) / 6;
    expect(Math.abs(size - 600 * chance)).toBeLessThan(2 + 5 * Math.sqrt(600 * chance * (1 - chance)));
  });
  const chanceOfSameGroup = sizes.reduce((sum, size) => sum + (size / 600) ** 2, 0);
  graph.relations.forEach(({ rowStart, columns, numEdges }, r) => {
    expect(numEdges).toBeGreaterThan(0.85 * 600 * 3 * 4 ** r);
    let within = 0;
    for (let i = 0; i < 600; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) within += Number(labels[i] === labels[columns[k]]);
    }
    const share = 0.6 / 4 ** r;
    expect(within / columns.length).toBeGreaterThan(share + (1 - share) * chanceOfSameGroup - 0.06);
    expect(within / columns.length).toBeLessThan(share + (1 - share) * chanceOfSameGroup + 0.06);
  });
  const { rowStart, columns, names, numColumns } = graph.features!;
  expect([names.length, numColumns, names[0], names[999]]).toEqual([1000, 1000, "w000", "w999"]);
  let wordsOfGroup = 0;
  for (let i = 0; i < 600; i++) {
    const words = columns.subarray(rowStart[i], rowStart[i + 1]);
    expect([...words]).toEqual([...new Set(words)].sort((a, b) => a - b));
    wordsOfGroup += words.filter((word) => `g${(word % 3) + 1}` === labels[i]).length;
  }
  expect(wordsOfGroup / columns.length).toBeGreaterThan(0.3 + 0.7 / 3 - 0.05);
  expect(wordsOfGroup / columns.length).toBeLessThan(0.3 + 0.7 / 3 + 0.05);
});

test("each quantity has its own unit and is normally distributed around a mean per group", () => {
  const { graph, labels } = generatePlanted({ ...options, nodes: 4000, quantities: 6 });
  const { names, numColumns, rowStart, columns, values } = graph.features!;
  expect([numColumns, names.length, rowStart[4000], columns.length]).toEqual([6, 6, 24_000, 24_000]);
  const moments = (q: number, isIncluded: (i: number) => boolean) => {
    const sample = labels.flatMap((_, i) => (isIncluded(i) ? [values![6 * i + q]] : []));
    const mean = sample.reduce((sum, x) => sum + x, 0) / sample.length;
    return [mean, Math.sqrt(sample.reduce((sum, x) => sum + (x - mean) ** 2, 0) / sample.length)];
  };
  for (const q of [0, 3, 5]) {
    const unit = 10 ** (q % 4);
    const groupMoments = ["g1", "g2", "g3"].map((group) => moments(q, (i) => labels[i] === group));
    for (const [mean, deviation] of groupMoments) {
      expect(Math.abs(mean / unit - 10 * q)).toBeLessThan(2.5);
      expect(Math.abs(deviation / unit - 1)).toBeLessThan(0.15);
    }
    expect(new Set(groupMoments.map(([mean]) => mean.toFixed(1))).size).toBe(3);
  }
});

test("the same seed gives the same graph; edgeShare 0 draws edges independently of groups; a single group has all nodes", () => {
  expect(contentHash(generatePlanted(options).graph)).toBe(contentHash(generatePlanted(options).graph));
  const { graph, labels } = generatePlanted({ ...options, edgeShare: 0, wordShare: 0, groups: 2 });
  const { rowStart, columns } = graph.relations[1];
  let within = 0;
  for (let i = 0; i < 600; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) within += Number(labels[i] === labels[columns[k]]);
  }
  expect(Math.abs(within / columns.length - 5 / 9)).toBeLessThan(0.05);
  expect(new Set(generatePlanted({ ...options, groups: 1 }).labels)).toEqual(new Set(["g1"]));
});

test("impossible options are refused", () => {
  const generateWith = (changed: Partial<typeof options>) => () => generatePlanted({ ...options, ...changed });
  expect(generateWith({ groups: 301 })).toThrow(/two nodes for each/);
  expect(generateWith({ relations: 4 })).toThrow(/quarter of the 600 nodes/);
  expect(generateWith({ degree: 0 })).toThrow(/more than 0/);
  expect(generateWith({ wordShare: 2 })).toThrow(/0 to 1/);
});
