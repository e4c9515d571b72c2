import { describe, expect, it } from "vitest";
import { blobs, labelledBlobs } from "../../../test/support/blobs.js";
import { Rng } from "../../core/rng.js";
import { kMeans } from "../../numeric/kmeans.js";
import { searchSimilar } from "../neighbors/sim-at-k.js";
import { clusterNodes } from "./clustering.js";

it("starts every repeat of k-means from other centres", () => {
  const rng = new Rng(1, "noise");
  const n = 120;
  const ids = Array.from({ length: n }, (_, i) => `n${i}`);
  const vectors = Float32Array.from({ length: n * 3 }, () => rng.normal());
  const names = ["a", "b", "c", "d", "e"];
  const byNode = new Map(ids.map((id, i) => [id, [names[i % 5]]]));
  const { results } = clusterNodes([{ ids, dim: 3, vectors }], { byNode, names }, { repeats: 6, restarts: 1 });
  expect(results.every(({ nmi }) => (nmi.overRepeats ?? 0) > 0)).toBe(true);
});

describe("kMeans", () => {
  it("finds separate groups", () => {
    const { rows, classes } = blobs(200, 4, 3, 0.1);
    const { clusters } = kMeans(rows, 4, new Rng(1, "k"));
    const names = new Map(classes.map((c, i) => [c, clusters[i]]));
    expect(new Set(names.values()).size).toBe(4);
    expect(classes.every((c, i) => names.get(c) === clusters[i])).toBe(true);
  });

  it("ends at centres that another iteration would not move", () => {
    for (let seed = 0; seed < 8; seed++) {
      const { rows } = blobs(300, 5, 4, 3, seed);
      const { clusters, centers, inertia } = kMeans(rows, 6, new Rng(seed, "k"), { restarts: 2 });
      const distance = (i: number, c: number) => {
        let sum = 0;
        for (let j = 0; j < 4; j++) sum += (rows.data[i * 4 + j] - centers[c * 4 + j]) ** 2;
        return sum;
      };
      let total = 0;
      clusters.forEach((own, i) => {
        const all = Array.from({ length: 6 }, (_, c) => distance(i, c));
        expect(distance(i, own)).toBeLessThanOrEqual(Math.min(...all) * (1 + 1e-12));
        total += distance(i, own);
      });
      expect(inertia).toBeCloseTo(total, 8);
      for (let c = 0; c < 6; c++) {
        const members = [...clusters.keys()].filter((i) => clusters[i] === c);
        expect(members.length).toBeGreaterThan(0);
        for (let j = 0; j < 4; j++) {
          const mean = members.reduce((sum, i) => sum + rows.data[i * 4 + j], 0) / members.length;
          expect(centers[c * 4 + j]).toBeCloseTo(mean, 10);
        }
      }
    }
  });

  it("gives the same result for the same seed, a better one with restarts, and accepts equal rows", () => {
    const { rows } = blobs(120, 6, 2, 1);
    expect(kMeans(rows, 6, new Rng(3, "k"))).toEqual(kMeans(rows, 6, new Rng(3, "k")));
    const one = kMeans(rows, 6, new Rng(3, "k"), { restarts: 1 }).inertia;
    expect(kMeans(rows, 6, new Rng(3, "k"), { restarts: 20 }).inertia).toBeLessThanOrEqual(one);
    const equal = { data: Float64Array.of(1, 1, 1, 2), width: 1 };
    const { inertia, clusters } = kMeans(equal, 3, new Rng(1, "k"));
    expect(inertia).toBe(0);
    expect(clusters[0]).not.toBe(clusters[3]);
  });
});

describe("clusterNodes", () => {
  it("scores separate groups 1, on all nodes or on the test nodes only", () => {
    const { embedding, labels } = labelledBlobs(90, 3, 3, 0.1);
    const found = clusterNodes([embedding], labels, { repeats: 2 });
    expect(found).toMatchObject({ nodes: 90, part: "all", classes: 3, clusters: 3 });
    for (const { nmi, ari, accuracy } of found.results) {
      expect([nmi.mean, ari.mean, accuracy.mean].map((mean) => mean.toFixed(10))).toEqual(
        Array(3).fill("1.0000000000"),
      );
    }
    const split = new Map(embedding.ids.map((id, i) => [id, i < 30 ? "train" : "test"]));
    expect(clusterNodes([embedding], labels, { split, repeats: 1 })).toMatchObject({ nodes: 60, part: "test" });
  });

  it("refuses labels of one class, which every clustering matches", () => {
    const { embedding, labels } = labelledBlobs(30, 3, 3, 0.1);
    for (const id of labels.byNode.keys()) labels.byNode.set(id, ["c0"]);
    expect(() => clusterNodes([embedding], labels)).toThrow('all 30 labelled nodes have the label "c0"');
  });

  it("refuses labels that no two nodes share", () => {
    const { embedding, labels } = labelledBlobs(30, 3, 3, 0.1);
    for (const id of labels.byNode.keys()) labels.byNode.set(id, [id]);
    const distinct = { ...labels, names: embedding.ids };
    expect(() => clusterNodes([embedding], distinct)).toThrow("no two of the 30 labelled nodes share a label");
  });

  it("does not cluster nodes with several labels, and reports their number", () => {
    const { embedding, labels } = labelledBlobs(30, 3, 3, 0.1);
    labels.byNode.set("v0", ["c0", "c1"]);
    const found = clusterNodes([embedding], labels, { repeats: 1 });
    expect(found.nodes).toBe(29);
    expect(found.notes[0]).toContain("1 of 30 nodes have several labels");
    expect(() => clusterNodes([embedding], labels, { clusters: 99 })).toThrow("99 for 29 nodes");
  });
});

describe("labels without information", () => {
  it("are refused by clustering and by similarity search", () => {
    const ids = Array.from({ length: 12 }, (_, i) => `n${i}`);
    const embedding = { ids, dim: 1, vectors: Float32Array.from(ids, (_, i) => i) };
    const labelled = (label: (i: number) => string) => ({
      byNode: new Map(ids.map((id, i) => [id, [label(i)]])),
      names: [...new Set(ids.map((_, i) => label(i)))],
    });
    for (const work of [clusterNodes, searchSimilar]) {
      expect(() =>
        work(
          [embedding],
          labelled(() => "x"),
        ),
      ).toThrow('all 12 labelled nodes have the label "x"');
      expect(() => work([embedding], labelled(String))).toThrow("no two of the 12 labelled nodes share a label");
    }
  });
});
