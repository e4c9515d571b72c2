import { expect, test } from "vitest";
import { decoderScorer, Rng, type TrainedDecoder } from "../../index.js";
import { decoderVectors } from "../scene/build-scene.js";
import { predictEdges, scorer } from "./predictions.js";
import { type TestEdges, testScene } from "./test-scene.js";

const NUM_NODES = 12;
const WIDTH = 3;
const ids = Array.from({ length: NUM_NODES }, (_, i) => `n${i}`);
const rng = new Rng(5, "predictions test");
const random = () => Float32Array.from({ length: NUM_NODES * WIDTH }, () => rng.normal());
const edges: TestEdges = [
  [0, 1],
  [0, 5],
  [2, 3],
  [4, 5],
  [6, 7],
  [3, 11],
];

for (const kind of ["dot", "cosine"] as const) {
  for (const directed of [false, true]) {
    test(`scores by ${kind} in ${directed ? "a directed" : "an undirected"} graph are those of the library's decoder`, async () => {
      const embedding = (vectors: Float32Array) => ({ ids, dim: WIDTH, vectors });
      const ends = { source: embedding(random()), target: embedding(random()) };
      const trained: TrainedDecoder = { score: kind, directed, vectors: () => ends };
      const decoder = decoderVectors(trained, 0);
      const scores = decoderScorer(trained);
      const others = [2, 3, 4, 6, 7, 8, 9, 10, 11];
      const expected = scores(0, { source: new Uint32Array(others.length), target: Uint32Array.from(others) });
      const score = scorer({ decoder, kind });
      for (const [i, other] of others.entries()) expect(score(0, other)).toBeCloseTo(expected[i], 6);

      const scene = testScene({ ids, relations: { r: edges }, directed, decoder: { kind, vectors: [decoder] } });
      const found = await predictEdges(scene, 0, 0, 4);
      const best = others.map((node, i) => ({ node, score: expected[i] })).sort((a, b) => b.score - a.score);
      expect(found!.list.map(({ node }) => node)).toEqual(best.slice(0, 4).map(({ node }) => node));
      expect(found).toMatchObject({ comparedEdges: 6, sampled: false });
      const ofEdges = edges.map(([a, b]) => score(a, b));
      for (const { score: value, edgesBelow } of found!.list) {
        expect(edgesBelow).toBe(ofEdges.filter((edge) => edge < value).length / 6);
      }
    });
  }
}

test("in a directed graph a node is left out only if an edge leads to it, and edges are scored in their direction", async () => {
  // score(i, j) = i − j / 10: the direction matters
  const source = Float32Array.from(ids.flatMap((_, i) => [i, 1]));
  const target = Float32Array.from(ids.flatMap((_, j) => [1, -j / 10]));
  const decoder = { kind: "dot" as const, vectors: [{ width: 2, source, target }] };
  const relations: { r: TestEdges } = {
    r: [
      [0, 1],
      [2, 0],
      [0, 3],
      [3, 0],
    ],
  };
  const found = await predictEdges(testScene({ ids, relations, directed: true, decoder }), 0, 0, NUM_NODES);
  expect(found!.list.map(({ node }) => node)).toEqual([2, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(found!.comparedEdges).toBe(4);
  // edges score −0.1, 2, −0.3 and 3; the pair (0, 2) scores −0.2
  expect(found!.list[0]).toMatchObject({ score: expect.closeTo(-0.2, 6), edgesBelow: 1 / 4 });
});

test("if the decoder does not know the direction of edges, nodes with an edge in either direction are left out", async () => {
  // columns of the target are multiples of those of the source, so both orders have the same score
  const source = Float32Array.from(ids.flatMap((_, i) => [1, i]));
  const target = source.map((value, k) => (k % 2 === 0 ? -2 : 3) * value);
  const relations: { r: TestEdges } = {
    r: [
      [0, 1],
      [2, 0],
    ],
  };
  const predict = (ends: { source: Float32Array; target: Float32Array }, directed: boolean) => {
    const decoder = { kind: "dot" as const, vectors: [{ width: 2, ...ends }] };
    return predictEdges(testScene({ ids, relations, directed, decoder }), 0, 0, NUM_NODES);
  };
  const found = await predict({ source, target }, true);
  expect(found!.list.map(({ node }) => node).sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(found!.ignoresDirection).toBe(true);
  expect((await predict({ source, target: source }, true))!.ignoresDirection).toBe(true);
  expect((await predict({ source, target }, false))!.ignoresDirection).toBe(false);
  const other = target.map((value, k) => (k === 2 ? value + 1 : value));
  expect((await predict({ source, target: other }, true))!.ignoresDirection).toBe(false);
});

test("the edges that scores are compared with are a sample of 10,000 at most", async () => {
  const many = Array.from({ length: 150 }, (_, i) => `m${i}`);
  const complete: [number, number][] = [];
  for (let a = 0; a < 150; a++) for (let b = a + 1; b < 150; b++) if (a > 0 || b < 120) complete.push([a, b]);
  const source = Float32Array.from({ length: 150 }, () => rng.normal());
  const decoder = { kind: "dot" as const, vectors: [{ width: 1, source, target: source }] };
  const found = await predictEdges(testScene({ ids: many, relations: { r: complete }, decoder }), 0, 0, 100);
  expect(found).toMatchObject({ comparedEdges: 10_000, sampled: true });
  expect(found!.list.map(({ node }) => node).sort((a, b) => a - b)).toEqual(many.slice(120).map((_, i) => 120 + i));
});

test("without a decoder there are no predictions, without edges nothing to compare with", async () => {
  expect(await predictEdges(testScene({ ids, relations: { r: edges } }), 0, 0)).toBeUndefined();
  const vectors = [{ width: WIDTH, source: random(), target: random() }];
  const scene = testScene({ ids, relations: { r: [] }, decoder: { kind: "dot", vectors } });
  expect((await predictEdges(scene, 0, 0))!.list[0].edgesBelow).toBeNaN();
});
