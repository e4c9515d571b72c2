import { describe, expect, it } from "vitest";
import type { Embedding } from "../../core/embedding.js";
import { Rng } from "../../core/rng.js";
import { fitAdamProbe } from "./adam-probe.js";
import { classifyNodes } from "./node-classification.js";
import { fitLogisticProbe, scoreDecision } from "./probe.js";

/** Three classes around the corners of a triangle; a tiny column separates what the other columns do not. */
function planted(n: number, seed: number, noise = 0.3, scale = 1e-4) {
  const rng = new Rng(seed, "planted");
  const ids = Array.from({ length: n }, (_, i) => `v${i}`);
  const classes = ids.map((_, i) => i % 3);
  const vectors = new Float32Array(n * 3);
  classes.forEach((c, i) => {
    vectors[3 * i] = (c === 0 ? 1 : 0) + noise * rng.normal();
    vectors[3 * i + 1] = scale * ((c === 1 ? 1 : 0) + noise * rng.normal());
    vectors[3 * i + 2] = 5 + noise * rng.normal();
  });
  const embedding: Embedding = { ids, dim: 3, vectors };
  const byNode = new Map(ids.map((id, i): [string, string[]] => [id, [`c${classes[i]}`]]));
  return { embedding, labels: { byNode, names: ["c0", "c1", "c2"] } };
}

describe("classifyNodes", () => {
  it("uses small columns if standardised, and hardly if raw", () => {
    const { embedding, labels } = planted(600, 1);
    const found = classifyNodes([embedding], labels, { split: { train: 0.2 }, repeats: 4 });
    const [standardised, raw] = found.results;
    expect(standardised).toMatchObject({ rows: "standardised", decision: "largest" });
    expect(standardised.macroF1.mean).toBeGreaterThan(0.88);
    expect(raw.macroF1.mean).toBeLessThan(0.7);
    expect(standardised.accuracy.values[0]).toHaveLength(4);
    expect(standardised.accuracy.overRepeats).toBeGreaterThan(0);
    expect(standardised.accuracy.overEmbeddings).toBeNull();
    expect(found.split).toEqual({ kind: "random", train: 120, validation: 0, test: 480 });
    // the predicted class has 200 of 600 nodes: precision 1/3, recall 1; the other two classes have F1 0
    expect(found.largestClass).toEqual({ name: "c0", macroF1: expect.closeTo(0.5 / 3, 12), accuracy: 1 / 3 });
    expect(found.notes).toEqual([]);
  });

  it("notes that a few nodes have several labels, because this changes the scoring of all nodes", () => {
    const { embedding, labels } = planted(60, 1);
    const byNode = new Map(labels.byNode).set("v1", ["c0", "c1"]);
    const found = classifyNodes([embedding], { ...labels, byNode }, { split: { train: 0.5 }, repeats: 1 });
    expect(found.multiLabel).toBe(true);
    expect(found.notes).toContainEqual(
      expect.stringContaining('1 of 60 nodes has several labels, so each label is predicted separately: "v1"'),
    );
    const repeated = { ...labels, byNode: new Map(labels.byNode).set("v1", ["c1", "c1"]) };
    expect(classifyNodes([embedding], repeated, { split: { train: 0.5 }, repeats: 1 }).multiLabel).toBe(false);
  });

  it("refuses vectors and options that would give a meaningless score", () => {
    const { embedding, labels } = planted(60, 1);
    const split = { train: 0.5 };
    const classify = (vectors: object, options: object) => () =>
      Reflect.apply(classifyNodes, undefined, [[{ ...embedding, ...vectors }], labels, options]);
    expect(classify({ dim: 2 }, { split })).toThrow("classify: 180 numbers; expected 60 × 2.");
    const broken = embedding.vectors.map((value, k) => (k === 4 ? Number.NaN : value));
    expect(classify({ vectors: broken }, { split })).toThrow('classify: the vector of node "v1" holds NaN');
    expect(classify({}, { split, strength: -1 })).toThrow("strength is -1; expected a number above 0");
    expect(classify({}, { split, repeats: 0 })).toThrow("repeats is 0;");
    expect(classify({}, {})).toThrow("classify: the split is missing");
  });

  it("gives a permuted embedding the same score, and random labels a score of chance", () => {
    const { embedding, labels } = planted(300, 2);
    const order = Array.from({ length: 300 }, (_, i) => (i * 7) % 300);
    const permuted: Embedding = {
      ids: order.map((i) => embedding.ids[i]),
      dim: 3,
      vectors: Float32Array.from({ length: 900 }, (_, i) => embedding.vectors[3 * order[Math.floor(i / 3)] + (i % 3)]),
    };
    const options = { split: { train: 0.3 }, repeats: 3 };
    const [a, b] = [embedding, permuted].map((each) => classifyNodes([each], labels, options).results[0].accuracy);
    expect(b.values).toEqual(a.values);
    const rng = new Rng(1, "random labels");
    const random = new Map(embedding.ids.map((id): [string, string[]] => [id, [`c${rng.below(3)}`]]));
    const chance = classifyNodes([embedding], { ...labels, byNode: random }, options).results[0].accuracy.mean;
    expect(Math.abs(chance - 1 / 3)).toBeLessThan(0.08);
  });

  it("reports separate deviations over repeats and over embeddings", () => {
    const { labels, embedding } = planted(240, 3, 0.6);
    const found = classifyNodes([embedding, planted(240, 4, 0.6).embedding], labels, {
      split: { train: 0.2 },
      repeats: 3,
    });
    const { accuracy } = found.results[0];
    expect(accuracy.values.map((row) => row.length)).toEqual([3, 3]);
    expect(accuracy.overEmbeddings).not.toBeNull();
    expect(found.embeddings).toBe(2);
  });

  it("uses a fixed split once, and chooses C on its validation nodes", () => {
    const { embedding, labels } = planted(300, 5, 0.3, 0.01);
    const part = (i: number) => (i < 60 ? "train" : i < 120 ? "val" : "test");
    const split = new Map(embedding.ids.map((id, i) => [id, part(i)]));
    const found = classifyNodes([embedding], labels, { split, strength: "validate", repeats: 7 });
    expect(found.repeats).toBe(1);
    expect(found.split).toEqual({ kind: "given", train: 60, validation: 60, test: 180 });
    const [standardised, raw] = found.results;
    expect(standardised.accuracy.overRepeats).toBeNull();
    // the small column needs a weak penalty
    expect(raw.strengths?.[0][0]).toBeGreaterThanOrEqual(100);
    const fixed = classifyNodes([embedding], labels, { split }).results[1];
    // the deprecated form of the option
    expect(classifyNodes([embedding], labels, { split: { given: split } }).results[1]).toEqual(fixed);
    expect(fixed.strengths).toEqual([[1]]);
    expect(raw.accuracy.mean).toBeGreaterThan(fixed.accuracy.mean + 0.1);
    expect(standardised.accuracy.mean).toBeGreaterThan(0.85);
  });

  it("follows the paper's protocol, with one label per node and with several", () => {
    const { embedding, labels } = planted(300, 6);
    const found = classifyNodes([embedding], labels, { split: { train: 0.2 }, protocol: "paper", repeats: 3 });
    expect(found.split).toMatchObject({ train: 60, validation: 30, test: 210 });
    expect(found.results[0].accuracy.mean).toBeGreaterThan(0.85);
    expect(found.results[0].strengths).toBeNull();
    const several = new Map([...labels.byNode].map(([id, [name]]) => [id, name === "c0" ? ["c0", "x"] : [name]]));
    const multi = { byNode: several, names: ["c0", "c1", "c2", "x"] };
    for (const protocol of ["paper", "logistic"] as const) {
      const { results, multiLabel } = classifyNodes([embedding], multi, {
        split: { train: 0.3 },
        protocol,
        repeats: 2,
      });
      expect(multiLabel).toBe(true);
      expect(results.map(({ rows, decision }) => `${rows} ${decision}`)).toEqual([
        "standardised threshold",
        "standardised top-k",
        "raw threshold",
        "raw top-k",
      ]);
      expect(results[1].microF1.mean).toBeGreaterThan(0.85);
    }
    const split = new Map(embedding.ids.map((id, i) => [id, i < 60 ? "train" : "test"]));
    expect(() => classifyNodes([embedding], labels, { split, protocol: "paper" })).toThrow("the part val");
  });

  it("notes classes without training nodes, which stratification avoids", () => {
    const { embedding, labels } = planted(60, 7);
    const byNode = new Map(labels.byNode);
    byNode.set("v0", ["rare"]);
    byNode.set("v1", ["rare"]);
    const rare = { byNode, names: [...labels.names, "rare"] };
    const plain = classifyNodes([embedding], rare, { split: { train: 0.1 }, repeats: 10 });
    expect(plain.notes.join(" ")).toMatch(
      /in \d+ of 10 splits no training node has a class that test nodes have.*"rare"/,
    );
    const stratified = classifyNodes([embedding], rare, { split: { train: 0.1, stratify: true }, repeats: 10 });
    expect(stratified.notes).toEqual([]);
    const tiny = classifyNodes([embedding], rare, { split: { train: 0.05 }, strength: "validate", repeats: 2 });
    expect(tiny.notes.join(" ")).toContain("too few training nodes");
    const names = Array.from({ length: 20 }, (_, i) => `c${i}`);
    const twenty = { byNode: new Map(embedding.ids.map((id, i) => [id, [names[i % 20]]])), names };
    const one = classifyNodes([embedding], twenty, { split: { train: 0.34 }, strength: "validate", repeats: 2 });
    expect(one.notes.join(" ")).toContain("too few training nodes");
    const same = { byNode: new Map(embedding.ids.map((id) => [id, ["all"]])), names: ["all"] };
    expect(() => classifyNodes([embedding], same, { split: { train: 0.5 } })).toThrow("two labels or more");
    const two = { byNode: new Map(embedding.ids.slice(0, 2).map((id, i) => [id, [`c${i}`]])), names: ["c0", "c1"] };
    expect(() => classifyNodes([embedding], two, { split: { train: 0.5 } })).toThrow(
      "no two of the 2 labelled nodes share a label",
    );
  });
});

describe("probes", () => {
  it("predict the only class of the training nodes, and never a class that no training node has", () => {
    const rows = { data: Float64Array.of(1, 2, 3), width: 1 };
    const one = fitLogisticProbe(rows, { labels: [[1], [1], [1]], numLabels: 3, multiLabel: false }, 1);
    expect([...one.score({ data: Float64Array.of(9), width: 1 })]).toEqual([-Infinity, 0, -Infinity]);
    const labels = [[0], [0, 2], [0]];
    const several = fitLogisticProbe(rows, { labels, numLabels: 3, multiLabel: true }, 1).score(rows);
    expect([several[0], several[1]]).toEqual([Infinity, -Infinity]);
    const truth = { labels, numLabels: 3, multiLabel: true };
    expect(scoreDecision(several, truth, "top-k").accuracy).toBe(1);
  });

  it("of the paper's protocol keep the weights with the best validation score", () => {
    // validation nodes contradict training nodes, so the initial weights or early ones are best
    const rows = { data: Float64Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 1 : -1)), width: 1 };
    const truth = Array.from({ length: 40 }, (_, i) => [i % 2]);
    const flipped = truth.map(([label]) => [1 - label]);
    const targets = (labels: number[][]) => ({ labels, numLabels: 2, multiLabel: false });
    const probed = (validation: number[][]) =>
      fitAdamProbe(rows, targets(truth), {
        validation: rows,
        validationTargets: targets(validation),
        rng: new Rng(2, "start"),
      }).score(rows);
    expect(scoreDecision(probed(truth), targets(truth), "largest").accuracy).toBe(1);
    const rng = new Rng(2, "start");
    const start = Array.from({ length: 4 }, () => 2 * rng.uniform() - 1);
    const startAccuracy = truth.filter(([label], i) => {
      const [a, b] = [start[0] * rows.data[i] + start[1], start[2] * rows.data[i] + start[3]];
      return (b > a ? 1 : 0) !== label;
    }).length;
    expect(startAccuracy).toBe(20);
    const kept = scoreDecision(probed(flipped), targets(flipped), "largest").accuracy;
    expect(kept).toBeGreaterThanOrEqual(startAccuracy / 40);
  });
});

describe("the choice of raw or standardised vectors", () => {
  const options = { split: { train: 0.3 }, repeats: 3 } as const;

  it("is standardised if a small column predicts the label", () => {
    const { embedding, labels } = planted(240, 3);
    const { chosen, results } = classifyNodes([embedding], labels, options);
    expect(chosen?.rows).toBe("standardised");
    expect(chosen?.splits).toEqual({ standardised: 3, raw: 0 });
    expect(chosen?.results[0].macroF1).toEqual(results[0].macroF1);
  });

  it("is raw if small columns are noise", () => {
    // two large columns predict the label, sixty small ones are noise
    const rng = new Rng(7, "noise");
    const { embedding: small, labels } = planted(120, 3, 0.3, 1);
    const dim = 62;
    const vectors = Float32Array.from({ length: 120 * dim }, (_, at) => {
      const [i, k] = [Math.floor(at / dim), at % dim];
      return k < 2 ? small.vectors[3 * i + k] : 0.01 * rng.normal();
    });
    const { chosen, results } = classifyNodes([{ ids: small.ids, dim, vectors }], labels, options);
    expect(chosen?.rows).toBe("raw");
    expect(chosen?.validation.raw).toBeGreaterThan(chosen?.validation.standardised ?? 1);
    expect(results[1].macroF1.mean).toBeGreaterThan(results[0].macroF1.mean + 0.05);
  });

  it("does not depend on the labels of test nodes", () => {
    const { embedding, labels } = planted(150, 3);
    const split = new Map(embedding.ids.map((id, i) => [id, i < 60 ? "train" : "test"]));
    const shuffled = new Map(
      embedding.ids.map((id, i): [string, string[]] => [
        id,
        i < 60 ? (labels.byNode.get(id) ?? []) : [`c${(i + Math.floor(i / 3)) % 3}`],
      ]),
    );
    const [a, b] = [labels.byNode, shuffled].map((byNode) =>
      classifyNodes([embedding], { ...labels, byNode }, { split }),
    );
    expect(a.chosen?.validation).toEqual(b.chosen?.validation);
    expect(a.results[0].macroF1.mean).toBeGreaterThan(b.results[0].macroF1.mean + 0.2);
  });

  it("is not made with too few training nodes", () => {
    const { embedding, labels } = planted(40, 3);
    expect(classifyNodes([embedding], labels, { split: { train: 0.2 }, repeats: 2 }).chosen).toBeNull();
  });
});
