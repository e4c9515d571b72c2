import { expect, test } from "vitest";
import type { Scores, TaskResult } from "./compare-table.js";
import { regretRows, sortByRegret, summarizeRegret } from "./regret-scores.js";

const method = (task: string, name: string, ...seeds: Scores[]): TaskResult => {
  return { task, name, baseline: false, results: seeds.map((scores, i) => ({ seed: i + 1, scores })) };
};
const baseline = (task: string, name: string, scores: Scores): TaskResult => {
  return { ...method(task, name, scores), baseline: true };
};

test("the own model is scored by its decoder, a rival by the best of its scores", () => {
  const rows = regretRows("town", "own", [
    method(
      "links",
      "own",
      { pooledAuc: 0.99, pooledCosineAuc: 0.2, pooledDecoderAuc: 0.7, auc: 0.9, cosineAuc: 0.3, decoderAuc: 0.6 },
      { pooledAuc: 0.99, pooledCosineAuc: 0.2, pooledDecoderAuc: 0.8, auc: 0.9, cosineAuc: 0.3, decoderAuc: 0.8 },
    ),
    method("links", "rival", {
      pooledAuc: 0.78,
      pooledCosineAuc: 0.5,
      pooledDecoderAuc: 0.4,
      auc: 0.1,
      cosineAuc: 0.66,
      decoderAuc: 0.4,
    }),
    baseline("links", "heuristic", { pooledAuc: 0.77, auc: 0.65 }),
  ]);
  expect(rows.map(({ measure }) => measure)).toEqual(["pooled AUC", "mean AUC"]);
  const [pooled, mean] = rows;
  expect(pooled.own).toMatchObject({ metric: "pooledDecoderAuc", mean: 0.75 });
  expect(pooled.rivals.map(({ name, metric }) => [name, metric])).toEqual([
    ["rival", "pooledAuc"],
    ["heuristic", "pooledAuc"],
  ]);
  expect(pooled.regret).toBeCloseTo(0.78 - 0.75, 12);
  expect(mean.rivals[0]).toMatchObject({ name: "rival", metric: "cosineAuc" });
  expect(mean.regret).toBeCloseTo(0.66 - 0.7, 12);
});

test("an own model without a decoder gets the better of dot product and cosine", () => {
  const links = { pooledAuc: 0.6, pooledCosineAuc: 0.7, auc: 0.8, cosineAuc: 0.5 };
  const rows = regretRows("town", "own", [
    method("links", "own", links),
    baseline("links", "b", { pooledAuc: 0.9, auc: 0.9 }),
  ]);
  expect(rows.map(({ own }) => own.metric)).toEqual(["pooledCosineAuc", "auc"]);
  expect(rows.map(({ regret }) => regret.toFixed(6))).toEqual(["0.200000", "0.100000"]);
});

test("a graph without a score of the own model has no row", () => {
  expect(regretRows("town", "own", [baseline("links", "b", { pooledAuc: 0.9, auc: 0.9 })])).toEqual([]);
});

test("rows are sorted and summarized by measure and all together; a tie counts as best", () => {
  const graph = (name: string, own: number, rival: number) =>
    regretRows(name, "own", [
      method("links", "own", { pooledDecoderAuc: own, decoderAuc: 0.5 }),
      baseline("links", "b", { pooledAuc: rival, auc: 0.5 }),
    ]);
  const rows = sortByRegret([...graph("a", 0.9, 0.8), ...graph("b", 0.6, 0.9)]);
  expect(rows.map(({ graph: name, measure }) => `${name} ${measure}`)).toEqual([
    "b pooled AUC",
    "a mean AUC",
    "b mean AUC",
    "a pooled AUC",
  ]);
  const summaries = summarizeRegret(rows);
  expect(summaries.map(({ measure, rows: count, best }) => [measure, count, best])).toEqual([
    ["pooled AUC", 2, 1],
    ["mean AUC", 2, 2],
    ["all", 4, 3],
  ]);
  expect(summaries[0].mean).toBeCloseTo((0.3 - 0.1) / 2, 12);
  expect(summaries[2].mean).toBeCloseTo((0.3 - 0.1) / 4, 12);
  expect(summaries[2].worst).toMatchObject({ graph: "b", measure: "pooled AUC" });
  expect(summaries[2].worst.regret).toBeCloseTo(0.3, 12);
});
