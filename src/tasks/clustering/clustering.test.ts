import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import { kMeans } from "../../numeric/kmeans.js";
import type { Rows } from "../../numeric/rows.js";
import { searchSimilar, simAtK } from "../neighbors/similarity-search.js";
import { clusterNodes } from "./clustering.js";

function blobs(n: number, k: number, width: number, noise: number, seed = 1): { rows: Rows; classes: number[] } {
  const rng = new Rng(seed, "blobs");
  const centers = Array.from({ length: k * width }, () => 4 * rng.normal());
  const classes = Array.from({ length: n }, (_, i) => i % k);
  const data = new Float64Array(n * width);
  for (let i = 0; i < n * width; i++) {
    data[i] = centers[classes[Math.floor(i / width)] * width + (i % width)] + noise * rng.normal();
  }
  return { rows: { data, width }, classes };
}

it("repeats begin anew each time", () => {
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

  it("ends where plain iterations from its centres would stay", () => {
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

  it("is the same for the same seed, better with restarts, and takes equal rows", () => {
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

function asEmbedding({ rows, classes }: ReturnType<typeof blobs>) {
  const ids = classes.map((_, i) => `v${i}`);
  const byNode = new Map(ids.map((id, i): [string, string[]] => [id, [`c${classes[i]}`]]));
  const names = [...new Set(classes)].sort().map((c) => `c${c}`);
  return { embedding: { ids, dim: rows.width, vectors: Float32Array.from(rows.data) }, labels: { byNode, names } };
}

describe("clusterNodes", () => {
  it("scores separate groups 1, on all nodes or on the test nodes only", () => {
    const { embedding, labels } = asEmbedding(blobs(90, 3, 3, 0.1));
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

  it("refuses labels of one class, where every clustering is right", () => {
    const { embedding, labels } = asEmbedding(blobs(30, 3, 3, 0.1));
    for (const id of labels.byNode.keys()) labels.byNode.set(id, ["c0"]);
    expect(() => clusterNodes([embedding], labels)).toThrow('all 30 labelled nodes have the label "c0"');
  });

  it("refuses a label of its own for every node, as many clusters as there are nodes", () => {
    const { embedding, labels } = asEmbedding(blobs(30, 3, 3, 0.1));
    for (const id of labels.byNode.keys()) labels.byNode.set(id, [id]);
    const own = { ...labels, names: embedding.ids };
    expect(() => clusterNodes([embedding], own)).toThrow("each of the 30 labelled nodes has a label of its own");
  });

  it("leaves out nodes with several labels, and says so", () => {
    const { embedding, labels } = asEmbedding(blobs(30, 3, 3, 0.1));
    labels.byNode.set("v0", ["c0", "c1"]);
    const found = clusterNodes([embedding], labels, { repeats: 1 });
    expect(found.nodes).toBe(29);
    expect(found.notes[0]).toContain("1 of 30 nodes have several labels");
    expect(() => clusterNodes([embedding], labels, { clusters: 99 })).toThrow("99 for 29 nodes");
  });
});

describe("searchSimilar", () => {
  it("agrees with sorting all cosines", () => {
    const { rows, classes } = blobs(61, 3, 3, 3);
    const labels = classes.map((c, i) => (i % 5 === 0 ? [c, 3] : [c]));
    const unit = (i: number) => {
      const row = [...rows.data.subarray(3 * i, 3 * i + 3)];
      const norm = Math.hypot(...row);
      return row.map((value) => value / norm);
    };
    for (const k of [1, 7, 60]) {
      const expected = classes.map((_, i) => {
        const others = classes.map((_, j) => j).filter((j) => j !== i);
        const cosine = (j: number) => unit(i).reduce((sum, value, d) => sum + value * unit(j)[d], 0);
        const near = others.map((j) => [cosine(j), j]).sort((a, b) => b[0] - a[0]);
        return near.slice(0, k).filter(([, j]) => labels[i].some((label) => labels[j].includes(label))).length / k;
      });
      const [found] = simAtK(
        rows,
        labels,
        classes.map((_, i) => i),
        [k],
      );
      expect(found).toBeCloseTo(expected.reduce((a, b) => a + b, 0) / expected.length, 12);
    }
  });

  it("leaves out k that is too large, draws queries, and knows chance", () => {
    const { embedding, labels } = asEmbedding(blobs(30, 3, 2, 0.05));
    const found = searchSimilar([embedding], labels, { queries: 10 });
    expect(found.queries).toBe(10);
    expect(found.results[1].simAtK.map(({ k }) => k)).toEqual([5, 10, 20]);
    expect(found.notes.join(" ")).toMatch(/no Sim@50, Sim@100.*searched for 10 of 30/);
    expect(found.chance).toBeCloseTo((3 * 10 * 9) / (30 * 29), 12);
    expect(() => searchSimilar([embedding], labels, { counts: [30] })).toThrow("expected more than 30");
  });
});

describe("labels that tell nothing", () => {
  it("are refused by clusters and by searches alike", () => {
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
      expect(() => work([embedding], labelled(String))).toThrow("each of the 12 labelled nodes has a label of its own");
    }
  });
});
