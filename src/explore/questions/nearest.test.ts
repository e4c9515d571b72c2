import { expect, test } from "vitest";
import { centered, neighborsOf, Rng } from "../../index.js";
import { centeredVectors, centerVectors, facetParts, nearestNodes } from "./nearest.js";
import { testScene } from "./test-scene.js";

const NUM_NODES = 60;
const DIM = 7;

function randomVectors(): Float32Array {
  const rng = new Rng(3, "nearest test");
  // a mean of 5 in every column: without centring all cosines would be near 1
  return Float32Array.from({ length: NUM_NODES * DIM }, () => 5 + rng.normal());
}

test("the nearest nodes are those of hmge neighbors", async () => {
  const ids = Array.from({ length: NUM_NODES }, (_, i) => `n${i}`);
  const vectors = randomVectors();
  const own = await centeredVectors(testScene({ ids, dim: DIM, vectors }));
  for (const node of [0, 17, 59]) {
    const expected = neighborsOf(centered({ ids, dim: DIM, vectors }), ids[node], 8);
    const found = await nearestNodes(own, node, 8);
    expect(found.map((near) => ids[near.node])).toEqual(expected.map((near) => near.node));
    // the library rounds the centred vectors to float32
    for (const [i, near] of found.entries()) expect(near.cosine).toBeCloseTo(expected[i].cosine, 6);
  }
});

test("the parts of the facets add up to the cosine", async () => {
  const own = await centerVectors(randomVectors(), DIM);
  const [{ node, cosine }] = await nearestNodes(own, 4, 1);
  const parts = facetParts(
    own,
    [
      { name: "a", width: 3 },
      { name: "b", width: 4 },
    ],
    4,
    node,
  );
  expect(parts.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(parts[0].part + parts[1].part).toBeCloseTo(cosine, 12);
  let first = 0;
  for (let k = 0; k < 3; k++) first += centredValue(own, 4, k) * centredValue(own, node, k);
  expect(parts[0].part).toBeCloseTo(first / (own.lengths[4] * own.lengths[node]), 12);
});

function centredValue(own: Awaited<ReturnType<typeof centerVectors>>, node: number, k: number): number {
  return own.vectors[node * DIM + k] - own.mean[k];
}

test("scenes that share their vectors share the lengths", async () => {
  const scene = testScene({ ids: ["a", "b"], vectors: Float32Array.of(1, 2, 3, 4) });
  expect(await centeredVectors({ ...scene, attributes: [] })).toBe(await centeredVectors(scene));
});

test("columns that no facet names are a part of their own, and without facets the vector is one part", async () => {
  const own = await centerVectors(randomVectors(), DIM);
  const names = (facets: { name: string; width: number }[]) => facetParts(own, facets, 0, 1).map(({ name }) => name);
  expect(names([{ name: "a", width: 3 }])).toEqual(["a", "other columns"]);
  expect(names([])).toEqual(["vector"]);
});

test("a node whose vector is the mean has no neighbours and is nobody's", async () => {
  const own = await centerVectors(Float32Array.of(1, 0, -1, 0, 0, 0, 2, 1, -2, -1), 2);
  expect(await nearestNodes(own, 2, 5)).toEqual([]);
  expect((await nearestNodes(own, 0, 5)).map(({ node }) => node)).toEqual([3, 4, 1]);
  const same = await centerVectors(new Float32Array(30).fill(0.1), 3);
  expect(await nearestNodes(same, 0, 5)).toEqual([]);
  expect(await nearestNodes(await centerVectors(Float32Array.of(3, 4), 2), 0, 5)).toEqual([]);
});

test("of equal cosines the first nodes are kept, in their order", async () => {
  const own = await centerVectors(Float32Array.of(1, 1, 1, 1, -1, -1, -1, -1), 1);
  expect(await nearestNodes(own, 1, 2)).toEqual([
    { node: 0, cosine: 1 },
    { node: 2, cosine: 1 },
  ]);
});
