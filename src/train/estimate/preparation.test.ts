/** The preparation reports one share over all of its stages, and the estimate lists the same stages. */

import { describe, expect, test } from "vitest";
import { generatePlanted } from "../../graph/synthetic/planted.js";
import { generateSbm } from "../../graph/synthetic/sbm.js";
import { dmne } from "../../models/dmne/dmne.js";
import { multiverse } from "../../models/multiverse/multiverse.js";
import { multiview } from "../../models/multiview/multiview.js";
import type { Model } from "../../nn/model.js";
import { startRun } from "../train.js";
import type { TrainableGraph } from "../trainable.js";
import { estimateRun } from "./estimate.js";
import { stageSeconds } from "./work-rates.js";

const groupsOf = (nodes: number): TrainableGraph =>
  generatePlanted({ nodes, groups: 3, relations: 2, degree: 2, edgeShare: 0.5, wordShare: 0.2, seed: 1 }).graph;
const words = groupsOf(40);
const weighted = generateSbm({ nodes: 150, relations: 2, pIn: 0.2, pOut: 0.1, weightRatio: 3, seed: 1 }).graph;
const cases: readonly (readonly [string, TrainableGraph, Model])[] = [
  ["multiview with features", words, multiview as Model],
  ["multiview with weights", weighted, multiview as Model],
  ["dmne", weighted, dmne as Model],
  ["multiverse", weighted, multiverse as Model],
];

describe.each(cases)("the preparation of %s", (_, graph, model) => {
  test("reports a share that never decreases, over stages that the estimate lists", async () => {
    const reports: { readonly stage: string; readonly done: number; readonly share: number }[] = [];
    const settings = { dim: 16, epochs: 3, threads: 1 };
    const run = await startRun(graph, model, {
      ...settings,
      onStep: (stage: string, done: number, _of: number, share: number) => reports.push({ stage, done, share }),
      onPart: (stage: string, { epoch }: { epoch: number }, _epochs: number, share: number) =>
        reports.push({ stage, done: epoch, share }),
    });
    await run.dispose();
    const shares = reports.map(({ share }) => share);
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBe(1);
    shares.forEach((share, at) => {
      expect(share).toBeGreaterThanOrEqual(at === 0 ? 0 : shares[at - 1]);
    });
    expect(new Set(shares).size).toBeGreaterThan(5);
    const { preparation } = await estimateRun(graph, model, settings);
    const names = new Set(preparation.map(({ name }) => name));
    expect([...new Set(reports.map(({ stage }) => stage))].filter((name) => !names.has(name))).toEqual([]);
    // the estimate of each stage is a range
    for (const stage of preparation) {
      const { least, usual, most } = stageSeconds(stage, 2);
      expect(usual).toBeGreaterThanOrEqual(least);
      expect(most).toBeGreaterThanOrEqual(usual);
      expect(most).toBeGreaterThan(0);
    }
  });
});

test("the work of a preparation grows with the graph; the work of its parts grows with the epochs", async () => {
  const seconds = async (graph: TrainableGraph, epochs: number) => {
    const { preparation } = await estimateRun(graph, multiview, { epochs });
    return preparation.map((stage) => ({ name: stage.name, seconds: stageSeconds(stage, 2).usual }));
  };
  const sum = (stages: readonly { readonly seconds: number }[]) =>
    stages.reduce((all, { seconds }) => all + seconds, 0);
  const [few, many] = [await seconds(words, 10), await seconds(words, 100)];
  for (const [at, { name, seconds: own }] of few.entries()) {
    expect(many[at].seconds).toBeCloseTo((name.startsWith("infomax, ") ? 10 : 1) * own, 12);
  }
  const larger = groupsOf(2000);
  expect(sum(await seconds(larger, 10))).toBeGreaterThan(1.5 * sum(few));
});
