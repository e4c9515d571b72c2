import { describe, expect, test } from "vitest";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { evaluateLinks } from "./evaluate-links.js";
import { countLeaks, placesWithoutLeaks, selectPairs } from "./link-leaks.js";
import { cosineScorer, decoderScorer, dotScorer, type LabeledPairs, scorePairs } from "./pair-scorers.js";

const embedding = { ids: ["a", "b", "c"], dim: 2, vectors: Float32Array.of(3, 4, 1, 0, 0, 0) };
const pairs = { source: Uint32Array.of(0, 1, 0), target: Uint32Array.of(1, 0, 2) };

test("dot and cosine use the vectors of both nodes; a zero vector has cosine 0", () => {
  expect([...dotScorer(embedding)(0, pairs)]).toEqual([3, 3, 0]);
  const cosines = cosineScorer(embedding)(0, pairs);
  expect(cosines[0]).toBeCloseTo(0.6, 12);
  expect(cosines[1]).toBeCloseTo(0.6, 12);
  expect(cosines[2]).toBe(0);
});

describe("a decoder", () => {
  const tails = { ids: embedding.ids, dim: 2, vectors: Float32Array.of(1, 0, 0, 2, 5, 5) };
  const vectors = (relation: number) => (relation === 2 ? { source: embedding, target: tails } : { source: tails });

  test("multiplies the source vector of the first node by the target vector of the second", () => {
    // heads (3,4) (1,0) (0,0), tails (1,0) (0,2) (5,5): 3·0+4·2, 1·1+0·0, 3·5+4·5
    expect([...decoderScorer({ score: "dot", directed: true, vectors })(2, pairs)]).toEqual([8, 1, 35]);
  });

  test("averages both directions if edges are undirected", () => {
    expect([...decoderScorer({ score: "dot", directed: false, vectors })(2, pairs)]).toEqual([4.5, 4.5, 17.5]);
  });

  test("uses the vectors of the relation, and cosines if it says so", () => {
    const scores = decoderScorer({ score: "cosine", directed: false, vectors })(0, pairs);
    expect([...scores]).toEqual([0, 0, expect.closeTo(Math.SQRT1_2, 12)]);
  });
});

function labeled(relation: number, labels: readonly number[]): LabeledPairs {
  const ends = Uint32Array.from(labels, (_, i) => i);
  return { relation, source: ends, target: ends, labels: Uint8Array.from(labels) };
}

describe("evaluateLinks", () => {
  // relation 0: one of four comparisons is wrong; relation 2: all right, on another scale
  const tests = [labeled(0, [1, 1, 0, 0]), labeled(2, [1, 0, 0])];
  const scores = [Float64Array.of(0.9, 0.3, 0.5, 0.1), Float64Array.of(30, 20, 10)];
  const results = evaluateLinks(tests, scores, { hitsAt: 2 });

  test("scores each relation as computed by hand", () => {
    const [first, second] = results.perRelation;
    expect(first).toMatchObject({ relation: 0, positives: 2, negatives: 2, auc: 0.75, f1: 0.5, hits: 1 });
    expect(first.averagePrecision).toBeCloseTo((1 + 2 / 3) / 2, 12);
    expect(second).toMatchObject({ relation: 2, auc: 1, averagePrecision: 1, f1: 1, hits: 1 });
  });

  test("`mean` weighs relations equally, `pooled` ranks all pairs in one list", () => {
    expect(results.mean).toMatchObject({ positives: 3, negatives: 4, auc: 0.875, f1: 0.75, hits: 1 });
    // the order is 30+ 20− 10− 0.9+ 0.5− 0.3+ 0.1−: of 12 comparisons 4 + 2 + 1 are right
    expect(results.pooled.auc).toBeCloseTo(7 / 12, 12);
    expect(results.pooled.hits).toBeCloseTo(1 / 3, 12);
  });

  test("hits@k is null with fewer than k negative pairs", () => {
    const few = evaluateLinks(tests, scores, { hitsAt: 3 });
    expect(few.mean.hits).toBeNull();
    expect(few.pooled.hits).not.toBeNull();
  });

  test("relations with only edges or only negative pairs are skipped; if all are, it throws", () => {
    const one = evaluateLinks([...tests, labeled(3, [1, 1])], [...scores, Float64Array.of(0, 0)]);
    expect(one.mean.auc).toBe(0.875);
    expect(() => evaluateLinks([labeled(0, [1])], [Float64Array.of(1)])).toThrow(/no relation has both/);
  });
});

describe("leaks", () => {
  const edges = { source: ["a", "c", "a"], target: ["b", "b", "d"], relation: ["r", "r", "s"] };
  // a–b is a training edge, b–a its reverse, c–d in no relation, d–a in the other relation; then a–b as a negative
  const pairs: LabeledPairs = {
    relation: 0,
    source: Uint32Array.of(0, 1, 2, 3, 0),
    target: Uint32Array.of(1, 0, 3, 0, 1),
    labels: Uint8Array.of(1, 1, 1, 1, 0),
  };

  test.each([
    [false, null],
    [true, 1],
  ])("are counted by relation and direction (directed %s)", (directed, reversed) => {
    const graph = multiplexFromEdges(edges, { directed });
    expect(countLeaks(graph, [pairs])).toEqual({
      positives: 4,
      sameRelation: 2,
      reversed,
      otherRelation: 1,
      falseNegatives: 1,
    });
    expect([...placesWithoutLeaks(graph, pairs, false)]).toEqual([2, 3, 4]);
    const kept = selectPairs(pairs, placesWithoutLeaks(graph, pairs, true));
    expect(kept).toEqual({
      relation: 0,
      source: Uint32Array.of(2, 0),
      target: Uint32Array.of(3, 1),
      labels: Uint8Array.of(1, 0),
    });
  });
});

test("scorePairs passes each relation its pairs", () => {
  const seen: number[][] = [];
  scorePairs([labeled(1, [1, 0]), labeled(4, [1])], (relation, { source }) => {
    seen.push([relation, source.length]);
    return new Float64Array(source.length);
  });
  expect(seen).toEqual([
    [1, 2],
    [4, 1],
  ]);
});
