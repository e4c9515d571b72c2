import { expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import { searchSimilar } from "../neighbors/similarity-search.js";
import { matchLabels, matchNotes } from "./labelled-nodes.js";

test("a label that is not among the names is refused, a node without labels is not labelled", () => {
  const ids = ["a", "b", "c"];
  const byNode = new Map([
    ["a", ["x"]],
    ["b", ["y"]],
    ["c", []],
  ]);
  expect(() => matchLabels(ids, { byNode, names: ["x"] })).toThrow('"y" is a node\'s, but not among the names');
  const nodes = matchLabels(ids, { byNode, names: ["x", "y"] });
  expect([nodes.ids, nodes.numUnlabelled]).toEqual([["a", "b"], 1]);
});

test("lists in one cell and words for no label are told of", () => {
  const labels = ["x;y", "x", "y | z", "NA", "p|q"];
  const byNode = new Map(labels.map((label, i) => [`n${i}`, [label]]));
  const notes = matchNotes(matchLabels([...byNode.keys()], { byNode, names: labels })).join("\n");
  expect(notes).toMatch(/labels such as "x;y", "y \| z" count as one each/);
  expect(notes).toMatch(/"NA" counts as a label/);
});

test("embeddings of different size are searched for the numbers that all of them have", () => {
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

test("of many sets of labels, chance is measured on drawn pairs", () => {
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
