import { expect, test } from "vitest";
import { matchLabels, matchNotes } from "./labelled-nodes.js";

test("a label that `names` does not list is refused; a node with an empty list of labels is unlabelled", () => {
  const ids = ["a", "b", "c"];
  const byNode = new Map([
    ["a", ["x"]],
    ["b", ["y"]],
    ["c", []],
  ]);
  expect(() => matchLabels(ids, { byNode, names: ["x"] })).toThrow(
    'a node has the label "y", which names does not list',
  );
  const nodes = matchLabels(ids, { byNode, names: ["x", "y"] });
  expect([nodes.ids, nodes.numUnlabelled]).toEqual([["a", "b"], 1]);
});

test("notes mention lists in one cell and words for a missing label", () => {
  const labels = ["x;y", "x", "y | z", "NA", "p|q"];
  const byNode = new Map(labels.map((label, i) => [`n${i}`, [label]]));
  const notes = matchNotes(matchLabels([...byNode.keys()], { byNode, names: labels })).join("\n");
  expect(notes).toMatch(/labels such as "x;y", "y \| z" count as one label each/);
  expect(notes).toMatch(/"NA" counts as a label/);
});
