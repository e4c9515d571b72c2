import { expect, test } from "vitest";
import { Rng } from "../../index.js";
import { centerVectors } from "./nearest.js";
import { meanAgreement, nodeAgreement } from "./run-agreement.js";

/** Nodes on a circle; their nearest nodes are those next to them. `places` says where each node stands. */
const circle = (places: readonly number[]) =>
  centerVectors(
    Float32Array.from(
      places.flatMap((place) => [Math.cos, Math.sin].map((f) => f((2 * Math.PI * place) / places.length))),
    ),
    2,
  );
const order = Array.from({ length: 40 }, (_, i) => i);

test("the common nearest nodes of a node are named; chance is the mean overlap of random lists", async () => {
  const moved = order.map((i) => (i === 5 ? 25 : i === 25 ? 5 : i));
  const found = await nodeAgreement(await circle(order), await circle(moved), 3);
  // nodes −2 to 8 are nearest in the first run; in the second node 25 stands in the place of node 5
  expect([...found!.common].sort((a, b) => a - b)).toEqual([0, 1, 2, 4, 6, 7, 8, 38, 39]);
  expect(found).toMatchObject({ compared: 10, chance: 10 / 39 });
});

test("the same vectors agree on all nodes, random ones as chance predicts", async () => {
  const rng = new Rng(1, "agreement test");
  const random = () =>
    centerVectors(
      Float32Array.from({ length: 300 * 8 }, () => rng.normal()),
      8,
    );
  const [first, second] = [await random(), await random()];
  const nodes = Array.from({ length: 300 }, (_, i) => i);
  expect(await meanAgreement(first, first, nodes, { max: 50 })).toEqual({
    mean: 1,
    chance: 10 / 299,
    numNodes: 50,
    sampled: true,
  });
  const { mean, chance, numNodes, sampled } = (await meanAgreement(first, second, nodes))!;
  expect([numNodes, sampled]).toEqual([300, false]);
  // the standard deviation of one node's share is about 0.057, of the mean of 300 nodes 0.0033
  expect(Math.abs(mean - chance)).toBeLessThan(0.0132);
  expect(await meanAgreement(first, second, nodes, { wanted: () => false })).toBeUndefined();
});

test("a node at the mean of all vectors is left out", async () => {
  const first = await centerVectors(Float32Array.of(0, 1, -1, 2, -2), 1);
  expect(await nodeAgreement(first, first, 0)).toBeUndefined();
  expect(await meanAgreement(first, first, [0, 1])).toMatchObject({ mean: 1, numNodes: 1 });
});
