import { expect, test } from "vitest";
import { relationOverlaps, sampleEdges } from "./relation-overlap.js";
import { loadRelations } from "./relation-rows.js";
import { type TestEdges, testScene } from "./test-scene.js";

const NUM_NODES = 300;
const ids = Array.from({ length: NUM_NODES }, (_, i) => `n${i}`);
const ring = (step: number, from = 0): TestEdges =>
  ids.slice(from).map((_, i) => [i + from, (i + from + step) % NUM_NODES] as const);

test("the share is of the smaller relation's edges", async () => {
  const scene = testScene({
    ids,
    relations: { one: ring(1), both: [...ring(1, 200), ...ring(2, 250)], none: [], loops: [[1, 1]] },
  });
  const overlaps = await relationOverlaps(await loadRelations(scene, [0, 1, 2, 3]));
  expect(overlaps.map(({ a, b, share, compared, sampled }) => [a, b, share, compared, sampled])).toEqual([
    [0, 1, 100 / 150, 150, false],
    [0, 2, Number.NaN, 0, false],
    [0, 3, Number.NaN, 0, false],
    [1, 2, Number.NaN, 0, false],
    [1, 3, Number.NaN, 0, false],
    [2, 3, Number.NaN, 0, false],
  ]);
});

test("directed edges are sampled and compared in their direction", async () => {
  const reversed = ring(1).map(([a, b]) => [b, a] as const);
  const some = ring(1)
    .slice(0, 50)
    .map(([a, b]) => [b, a] as const);
  const scene = testScene({
    ids,
    directed: true,
    relations: { one: ring(1), two: reversed, mixed: [...ring(1), ...some] },
  });
  const [one, two, mixed] = await loadRelations(scene, [0, 1, 2]);
  const overlaps = await relationOverlaps([one, two, mixed]);
  expect(overlaps.map(({ share, compared }) => [share, compared])).toEqual([
    [0, 300],
    [1, 300],
    [50 / 300, 300],
  ]);
  for (const max of [100, 1000]) {
    const { source, target, sampled } = sampleEdges(two, max);
    expect([source.length, sampled]).toEqual([Math.min(max, 300), max < 300]);
    expect([...source].every((a, i) => (target[i] + 1) % NUM_NODES === a)).toBe(true);
  }
});

test("a sample has the size asked, holds edges only, and is the same each time", async () => {
  const scene = testScene({ ids, relations: { one: ring(1), half: [...ring(1, 150), ...ring(3, 140)] } });
  const [one, half] = await loadRelations(scene, [0, 1]);
  const sample = sampleEdges(one, 100);
  expect(sample.sampled).toBe(true);
  expect(sample.source).toHaveLength(100);
  const steps = [...sample.source].map((a, i) => Math.abs(a - sample.target[i]));
  expect(steps.filter((step) => step !== 1 && step !== NUM_NODES - 1)).toEqual([]);
  expect(sampleEdges(one, 100)).toEqual(sample);
  const [overlap] = await relationOverlaps([one, half], 250);
  expect(overlap).toMatchObject({ sampled: true, compared: 250 });
  // 150 of 300 edges: the standard error of 250 draws is 0.03
  expect(Math.abs(overlap.share - 0.5)).toBeLessThan(0.13);
});
