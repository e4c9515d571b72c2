import { describe, expect, it } from "vitest";
import { Rng } from "../../core/rng.js";
import { countLabels, type LabelledNodes, matchLabels, matchNotes } from "./labelled-nodes.js";
import { drawSplit, matchSplit } from "./node-split.js";

/** Nodes 0 … n−1, node i with the labels of entry i. */
function labelled(labels: readonly (readonly string[])[]): LabelledNodes {
  const ids = labels.map((_, i) => `n${String(i).padStart(4, "0")}`);
  return matchLabels(ids, {
    byNode: new Map(labels.map((own, i) => [ids[i], own])),
    names: [...new Set(labels.flat())].sort(),
  });
}

const skewed = labelled(
  Array.from({ length: 200 }, (_, i) => [i < 120 ? "a" : i < 180 ? "b" : i < 197 ? "c" : i < 199 ? "d" : "e"]),
);

describe("drawSplit", () => {
  it("draws disjoint parts of the requested sizes that cover all nodes", () => {
    for (const stratify of [false, true]) {
      const split = drawSplit(skewed, { train: 0.1, validation: 0.2, stratify }, new Rng(1, "split"));
      const all = [...split.train, ...split.validation, ...split.test].sort((a, b) => a - b);
      expect(all).toEqual(Array.from({ length: 200 }, (_, i) => i));
      // with stratification, each of five classes may differ by one through rounding
      const room = stratify ? 5 : 0;
      expect(Math.abs(split.train.length - 20)).toBeLessThanOrEqual(room);
      expect(Math.abs(split.validation.length - 40)).toBeLessThanOrEqual(room);
    }
  });

  it("differs by repeat and is the same for the same seed", () => {
    const draw = (seed: number, repeat: number) => drawSplit(skewed, { train: 0.3 }, new Rng(seed, "split", repeat));
    expect(draw(1, 0)).toEqual(draw(1, 0));
    expect(draw(1, 0).train).not.toEqual(draw(1, 1).train);
    expect(draw(1, 0).train).not.toEqual(draw(2, 0).train);
  });

  it("keeps class shares and trains on every class with two nodes if stratified", () => {
    for (let repeat = 0; repeat < 20; repeat++) {
      const { train, test } = drawSplit(skewed, { train: 0.1, stratify: true }, new Rng(1, "split", repeat));
      const [a, b, c, d, e] = countLabels(skewed, train);
      expect([a, b]).toEqual([12, 6]);
      expect([1, 2]).toContain(c);
      expect(d).toBe(1);
      expect(e).toBeLessThanOrEqual(1);
      expect(countLabels(skewed, test)[3]).toBe(1);
    }
  });

  it("keeps label shares if nodes have several labels", () => {
    const rng = new Rng(2, "labels");
    const names = ["p", "q", "r", "s"];
    const nodes = labelled(
      Array.from({ length: 400 }, () => {
        const own = names.filter((_, c) => rng.uniform() < [0.5, 0.3, 0.1, 0.03][c]);
        return own.length === 0 ? ["p"] : own;
      }),
    );
    const total = countLabels(
      nodes,
      nodes.ids.map((_, i) => i),
    );
    const { train } = drawSplit(nodes, { train: 0.2, stratify: true }, new Rng(1, "split"));
    countLabels(nodes, train).forEach((count, c) => {
      expect(Math.abs(count - 0.2 * total[c])).toBeLessThanOrEqual(3);
    });
  });

  it("refuses shares that leave no test nodes", () => {
    expect(() => drawSplit(skewed, { train: 1 }, new Rng(1, "x"))).toThrow("leaves none for testing");
    expect(() => drawSplit(skewed, { train: 0.6, validation: 0.4 }, new Rng(1, "x"))).toThrow(
      "leaves none for testing",
    );
    expect(() => drawSplit(labelled([["a"]]), { train: 0.5 }, new Rng(1, "x"))).toThrow("expected some of each");
  });
});

describe("matchSplit", () => {
  const nodes = labelled([["a"], ["b"], ["a"], ["b"]]);

  it("accepts the common part names and reports nodes that are not used", () => {
    const partOf = new Map([
      ["n0000", "train"],
      ["n0001", "Valid"],
      ["n0002", "test"],
      ["other", "test"],
    ]);
    const { split, notes } = matchSplit(nodes, partOf);
    expect(split).toEqual({ train: Int32Array.of(0), validation: Int32Array.of(1), test: Int32Array.of(2) });
    expect(notes).toHaveLength(2);
    expect(notes[0]).toContain('1 labelled nodes are in no part of the split and are not used: "n0003"');
    expect(notes[1]).toContain('"other"');
  });

  it("refuses an empty test part and unknown parts", () => {
    expect(() => matchSplit(nodes, new Map([["n0000", "train"]]))).toThrow("in the part test");
    expect(() => matchSplit(nodes, new Map([["n0000", "constructor"]]))).toThrow('"constructor"; expected train, val');
  });
});

describe("matchLabels", () => {
  it("reports labels and nodes that do not match", () => {
    const labels = {
      byNode: new Map([
        ["x", ["a"]],
        ["y", ["b", "c"]],
        ["z", ["d"]],
      ]),
      names: ["a", "b", "c", "d"],
    };
    const nodes = matchLabels(["w", "y", "x"], labels);
    expect(nodes).toMatchObject({ ids: ["x", "y"], names: ["a", "b", "c"], multiLabel: true, unknown: ["z"] });
    expect([...nodes.rows]).toEqual([2, 1]);
    expect(nodes.labels).toEqual([[0], [1, 2]]);
    const notes = matchNotes(nodes);
    expect(notes[0]).toContain('1 of 3 labelled nodes is not in the embedding and is not used: "z"');
    expect(notes[1]).toContain("1 of 3 nodes of the embedding has no label");
    expect(notes[2]).toContain("3 classes have only one node");
    expect(() => matchLabels(["w"], labels)).toThrow('ids look like "w", those of the labels like "x"');
  });
});
