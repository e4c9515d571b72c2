import { describe, expect, it } from "vitest";
import { blobs, labelledBlobs } from "../../../test/support/blobs.js";
import { Rng } from "../../core/rng.js";
import { searchSimilar, simAtK } from "./sim-at-k.js";

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

  it("skips values of k that are too large, draws queries, and reports the score of random vectors", () => {
    const { embedding, labels } = labelledBlobs(30, 3, 2, 0.05);
    const found = searchSimilar([embedding], labels, { queries: 10 });
    expect(found.queries).toBe(10);
    expect(found.results[1].simAtK.map(({ k }) => k)).toEqual([5, 10, 20]);
    expect(found.notes.join(" ")).toMatch(/no Sim@50, Sim@100.*searched for 10 of 30/);
    expect(found.chance).toBeCloseTo((3 * 10 * 9) / (30 * 29), 12);
    expect(() => searchSimilar([embedding], labels, { counts: [30] })).toThrow("expected more than 30");
  });
});

it("uses the values of k that embeddings of all sizes allow", () => {
  const rng = new Rng(1, "search test");
  const embed = (n: number) => ({
    ids: Array.from({ length: n }, (_, i) => `n${i}`),
    dim: 4,
    vectors: Float32Array.from({ length: 4 * n }, () => rng.normal()),
  });
  const ids = embed(40).ids;
  const labels = { byNode: new Map(ids.map((id, i) => [id, [i % 2 ? "x" : "y"]])), names: ["x", "y"] };
  const { results } = searchSimilar([embed(40), embed(15)], labels, { counts: [20, 5] });
  for (const { simAtK } of results) {
    expect(simAtK.map(({ k }) => k)).toEqual([5]);
    expect(simAtK[0].share.mean).toBeGreaterThan(0);
  }
});

it("estimates the score of random vectors from drawn pairs if there are many label sets", () => {
  const rng = new Rng(2, "chance test");
  const names = Array.from({ length: 14 }, (_, i) => `l${i}`);
  const ids = Array.from({ length: 3000 }, (_, i) => `n${i}`);
  const own = ids.map(() => names.filter(() => rng.uniform() < 0.3));
  const byNode = new Map(ids.map((id, i) => [id, own[i].length > 0 ? own[i] : [names[0]]]));
  const vectors = Float32Array.from({ length: ids.length }, () => rng.normal());
  const { chance } = searchSimilar([{ ids, dim: 1, vectors }], { byNode, names }, { counts: [1], queries: 10 });
  // two independent sets share none of 14 labels with probability (1 − 0.09)^14
  expect(chance).toBeGreaterThan(1 - 0.91 ** 14 - 0.02);
  expect(chance).toBeLessThan(1 - 0.91 ** 14 + 0.02);
});
