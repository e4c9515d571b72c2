import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { narrowRows } from "../../numeric/rows.js";
import { matchLabels } from "../labels/labelled-nodes.js";
import { drawFolds } from "../labels/node-split.js";
import { classScores, multiLabelScores } from "../metrics/classification-metrics.js";
import { calibrationError, chooseTemperature, logLoss, probabilitiesOf } from "./calibration.js";
import { expectScores, rankCandidates, weightedScores } from "./expected-score.js";
import { predictLabels } from "./predict-labels.js";

/** Nodes whose label shifts their vector by `shift` along one of `dim` axes, with noise of standard deviation 1. */
function planted(n: number, { classes = 3, dim = 6, shift = 1.5, seed = 1 } = {}) {
  const rng = new Rng(seed, "planted labels");
  const ids = Array.from({ length: n }, (_, i) => `n${String(i).padStart(4, "0")}`);
  const truth = ids.map(() => rng.below(classes));
  const vectors = new Float32Array(n * dim);
  truth.forEach((label, i) => {
    for (let k = 0; k < dim; k++) vectors[i * dim + k] = rng.normal() + (k === label ? shift : 0);
  });
  const names = Array.from({ length: classes }, (_, c) => `c${c}`);
  const labelsOf = (places: readonly number[]) => ({
    byNode: new Map(places.map((i) => [ids[i], [names[truth[i]]]])),
    names,
  });
  return { embedding: { ids, dim, vectors }, ids, truth, names, labelsOf };
}

const range = (n: number) => Array.from({ length: n }, (_, i) => i);

describe("drawFolds", () => {
  it("puts each node into one fold, and nodes of every label into the complement of each fold", () => {
    const { ids, labelsOf } = planted(103, { classes: 4 });
    const labels = labelsOf(range(103));
    labels.byNode.set(ids[5], ["rare"]).set(ids[80], ["rare"]);
    const nodes = matchLabels(ids, { byNode: labels.byNode, names: [...labels.names, "rare"] });
    const folds = drawFolds(nodes, 10, new Rng(1, "folds"));
    expect(folds.map(({ length }) => length).sort()).toEqual([...new Array(7).fill(10), 11, 11, 11]);
    expect(folds.flatMap((fold) => [...fold]).sort((a, b) => a - b)).toEqual(range(103));
    for (const fold of folds) {
      const left = nodes.labels.filter((_, place) => !fold.includes(place)).flat();
      expect(new Set(left).size).toBe(5);
      // every label has its share of the fold, up to one node
      const counts = range(4).map((c) => [...fold].filter((place) => nodes.labels[place][0] === c).length);
      counts.forEach((count, c) => {
        const all = nodes.labels.filter(([label]) => label === c).length;
        expect(Math.abs(count - all / 10)).toBeLessThanOrEqual(1.1);
      });
    }
  });
});

describe("weightedScores", () => {
  it("agrees with the scores of repeated nodes", () => {
    const rng = new Rng(2, "weights");
    const labels = range(40).map(() => [rng.below(3)]);
    const predicted = range(40).map(() => [rng.below(4)]);
    const weights = Float64Array.from(range(40), () => rng.below(3));
    const places = range(40).flatMap((i) => new Array<number>(weights[i]).fill(i));
    const nodes = {
      ids: range(40).map(String),
      rows: new Int32Array(40),
      names: ["a", "b", "c", "d"],
      labels,
      unknown: [],
      numUnlabelled: 0,
    };
    const single = weightedScores({ ...nodes, multiLabel: false }, predicted, weights);
    const expected = classScores(
      places.map((i) => labels[i][0]),
      places.map((i) => predicted[i][0]),
      4,
    );
    for (const metric of ["macroF1", "microF1", "accuracy"] as const)
      expect(single[metric]).toBeCloseTo(expected[metric], 12);
    const several = weightedScores(
      { ...nodes, labels: labels.map(([c]) => [c, 3]), multiLabel: true },
      predicted,
      weights,
    );
    const table = (lists: readonly (readonly number[])[]) =>
      places.flatMap((i) => range(4).map((c) => (lists[i].includes(c) ? 1 : 0)));
    const all = multiLabelScores(table(labels.map(([c]) => [c, 3])), table(predicted), 4);
    for (const metric of ["macroF1", "microF1", "accuracy"] as const)
      expect(several[metric]).toBeCloseTo(all[metric], 12);
  });
});

describe("expectScores", () => {
  it("corrects the score of the best of many random guesses", () => {
    const { ids, labelsOf } = planted(120, { classes: 2 });
    const nodes = matchLabels(ids, labelsOf(range(120)));
    const rng = new Rng(3, "guesses");
    const candidates = range(30).map(() => ({ logits: [Float64Array.from(range(240), () => rng.normal())] }));
    const best = rankCandidates(nodes, candidates).score;
    const { expected, chosen } = expectScores(nodes, candidates, 1);
    expect(chosen.score).toBe(best);
    // one guess has a standard deviation of 0.046, so the best of 30 is near 0.59; the true score is 0.5
    expect(best).toBeGreaterThan(0.56);
    expect(Math.abs(expected.macroF1.mean - 0.5)).toBeLessThan(0.045);
    expect(expected.macroF1.deviation).toBeGreaterThan(0.03);
    expect(expected.macroF1.deviation).toBeLessThan(0.06);
  });
});

describe("calibration", () => {
  it("finds the temperature of overconfident logits", () => {
    const rng = new Rng(4, "calibration");
    const n = 4000;
    const logits = Float64Array.from(range(3 * n), () => 1.5 * rng.normal());
    const p = probabilitiesOf(logits, 3, false, 1);
    const labels = range(n).map((i) => {
      const draw = rng.uniform();
      return [draw < p[3 * i] ? 0 : draw < p[3 * i] + p[3 * i + 1] ? 1 : 2];
    });
    const nodes = {
      ids: range(n).map(String),
      rows: new Int32Array(n),
      names: ["a", "b", "c"],
      labels,
      multiLabel: false,
      unknown: [],
      numUnlabelled: 0,
    };
    const sure = logits.map((value) => 3 * value);
    const temperature = chooseTemperature(nodes, [sure]);
    // with 4000 nodes the estimate has a standard deviation of 0.07
    expect(temperature).toBeGreaterThan(2.75);
    expect(temperature).toBeLessThan(3.25);
    expect(logLoss(nodes, sure, temperature)).toBeLessThan(logLoss(nodes, sure, 1));
    expect(calibrationError(nodes, sure, temperature)).toBeLessThan(0.03);
    expect(calibrationError(nodes, sure, 1)).toBeGreaterThan(0.1);
  });
});

describe("narrowRows", () => {
  it("keeps inner products in fewer columns, also of linearly dependent rows", () => {
    const rng = new Rng(5, "rows");
    const data = Float64Array.from(range(6 * 40), () => rng.normal());
    for (let k = 0; k < 40; k++) data[3 * 40 + k] = data[k] + data[40 + k];
    const { data: narrow, width } = narrowRows({ data, width: 40 });
    expect(width).toBe(6);
    const product = (rows: Float64Array, w: number, i: number, j: number) =>
      range(w).reduce((sum, k) => sum + rows[i * w + k] * rows[j * w + k], 0);
    for (const i of range(6)) {
      for (const j of range(6)) expect(product(narrow, 6, i, j)).toBeCloseTo(product(data, 40, i, j), 8);
    }
  });
});

describe("predictLabels", () => {
  const known = range(100);

  it("predicts the labels of unlabelled nodes, with the expected score", () => {
    const differences = [1, 2].map((seed) => {
      const { embedding, ids, truth, labelsOf } = planted(900, { seed });
      const found = predictLabels(embedding, labelsOf(known), { seed, repeats: 1, baselines: false });
      expect(found.predicted.ids).toEqual(ids.slice(100));
      const right = found.predicted.labels.filter(([label], i) => label === truth[100 + i]).length / 800;
      expect(right).toBeGreaterThan(0.55);
      // the predicted label is the most probable one
      found.predicted.labels.forEach(([label], i) => {
        const own = [...found.predicted.probabilities.subarray(3 * i, 3 * i + 3)];
        expect(own[label]).toBe(Math.max(...own));
        expect(own.reduce((sum, p) => sum + p)).toBeCloseTo(1, 10);
      });
      expect(found.choice.threshold).toBeNull();
      return found.expected.accuracy.mean - right;
    });
    // with 200 labels the score has a standard deviation of 0.033
    expect(Math.abs(differences.reduce((sum, value) => sum + value) / 2)).toBeLessThan(0.07);
  });

  it("expects a score of chance if vectors do not predict the labels, with many columns too", () => {
    const { embedding, labelsOf } = planted(200, { classes: 2, dim: 60, shift: 0 });
    const { expected, choice } = predictLabels(embedding, labelsOf(known), { repeats: 1, baselines: false });
    expect(choice.macroF1[choice.rows]).toBeGreaterThan(expected.macroF1.mean);
    expect(Math.abs(expected.accuracy.mean - 0.5)).toBeLessThan(0.12); // two standard deviations with 100 nodes
  });

  it("chooses a threshold if nodes have several labels, and predicts at least one label", () => {
    const { embedding, ids, truth, names } = planted(400, { classes: 4, shift: 2.5 });
    const extra = (i: number) => (i % 3 === 0 ? [names[(truth[i] + 1) % 4]] : []);
    const byNode = new Map(range(100).map((i) => [ids[i], [names[truth[i]], ...extra(i)]]));
    const found = predictLabels(embedding, { byNode, names }, { baselines: false, repeats: 1, folds: 5 });
    expect(found.multiLabel).toBe(true);
    expect(found.choice.threshold).toBeGreaterThan(0);
    expect(found.choice.threshold).toBeLessThan(0.8);
    expect(found.predicted.labels.every((own) => own.length >= 1)).toBe(true);
    found.predicted.labels.forEach((own, i) => {
      const p = found.predicted.probabilities.subarray(4 * i, 4 * i + 4);
      if (own.length < 2) return;
      for (const c of range(4)) expect(own.includes(c)).toBe(p[c] >= (found.choice.threshold ?? 0) - 1e-12);
    });
    const right = found.predicted.labels.filter((own, i) => own.includes(truth[100 + i])).length / 300;
    expect(right).toBeGreaterThan(0.75);
  });

  it("scores baselines on the same folds: votes and features that predict the label, degrees that do not", () => {
    const { embedding, ids, truth, names, labelsOf } = planted(300, { classes: 2, shift: 0.4 });
    const rng = new Rng(6, "edges");
    const pairs: [number, number][] = [];
    range(300).forEach((i) => {
      for (let e = 0; e < 6; e++) {
        let j = rng.below(300);
        while (j === i || (truth[j] !== truth[i] && rng.uniform() < 0.85)) j = rng.below(300);
        pairs.push([i, j]);
      }
    });
    const graph = multiplexFromEdges({ source: pairs.map(([i]) => ids[i]), target: pairs.map(([, j]) => ids[j]) });
    const features = {
      names: ["is c0", "noise"],
      numColumns: 2,
      rowStart: Uint32Array.from(range(301), (i) => 2 * i),
      columns: Uint32Array.from(range(600), (e) => e % 2),
      values: Float32Array.from(range(600), (e) => (e % 2 === 1 ? rng.normal() : truth[e / 2] === 0 ? 1 : 0)),
    };
    const found = predictLabels(embedding, labelsOf(known), { graph: { ...graph, features }, repeats: 1 });
    const score = new Map(found.baselines.map(({ name, expected }) => [name, expected.macroF1.mean]));
    expect([...score.keys()]).toEqual(["majority", "neighbour vote", "degrees", "features"]);
    expect(score.get("majority")).toBeLessThan(0.45);
    expect(score.get("neighbour vote")).toBeGreaterThan(0.75);
    expect(score.get("degrees")).toBeLessThan(0.65);
    expect(score.get("features")).toBe(1);
    expect(found.expected.macroF1.mean).toBeLessThan(0.75);
    expect(names).toHaveLength(2);
  });

  it("notes which labels the log-loss omits, and omits nothing otherwise", () => {
    const { embedding, ids, labelsOf } = planted(60);
    const options = { repeats: 1, folds: 5, baselines: false };
    expect(predictLabels(embedding, labelsOf(range(30)), options).notes.join("\n")).not.toContain("log-loss");
    const labels = labelsOf(range(30));
    labels.byNode.set(ids[3], ["alone"]);
    const { notes, logLoss: loss } = predictLabels(
      embedding,
      { ...labels, names: [...labels.names, "alone"] },
      options,
    );
    expect(notes).toContain(
      'the log-loss omits "alone" for 1 labelled node: in a fold, no training node has it, so the probe has no probability to score.',
    );
    expect(Number.isFinite(loss)).toBe(true);
  });

  it("notes labels without vectors, classes of one node, and words that mark unlabelled nodes", () => {
    const { embedding, ids, labelsOf } = planted(60);
    const labels = labelsOf(range(30));
    labels.byNode.set(ids[3], ["alone"]).set("stranger", ["c0"]).set(ids[4], ["?"]).set(ids[7], ["?"]);
    const found = predictLabels(embedding, { ...labels, names: [...labels.names, "?", "alone"] }, { repeats: 1 });
    expect(found.notes.join("\n")).toMatch(/1 of 31 labelled nodes is not in the embedding.*"stranger"/);
    expect(found.notes.join("\n")).toMatch(/1 class has only one node: "alone"/);
    expect(found.notes.join("\n")).toMatch(/"\?" counts as a label and is predicted/);
    expect(() => predictLabels(embedding, labelsOf(known.slice(0, 0)))).toThrow("labels");
    expect(() => predictLabels(embedding, labelsOf(range(30)), { folds: 1 })).toThrow("folds");
  });
});
