/**
 * Scores of models on graph structures other than groups of neighbours.
 *
 *   node bench/run.mjs odd-structures [--models multiview,hmge,gatne,multiverse] [--seeds 1,2,3] [--only tree,rivals]
 *
 * unlike    four groups; edges join the first with the second and the third with the fourth
 * both      the same, and a relation inside these two pairs of groups
 * rivals    edges join two camps; another relation joins neighbours on a plane; the labels are the camps
 * tree      a tree with three branches per node, and some edges inside its branches; the labels are twelve branches
 * roles     small trees with heads, middle nodes and leaves, which differ in their degrees
 * shop      users see, put into the basket and buy items of their taste; the labels are the users' tastes
 *
 * Macro-F1 in %: logistic regression on standardised vectors, 10 % of the labels, C by validation, mean of five random splits;
 * mean over the seeds, each with a new graph.
 */

import { Rng } from "../src/core/rng.js";
import { multiplexFromEdges } from "../src/graph/multiplex-from-edges.js";
import { unionAdjacency } from "../src/graph/union.js";
import * as models from "../src/models/index.js";
import type { Model } from "../src/nn/model.js";
import { table } from "../src/report/terminal.js";
import { classifyNodes } from "../src/tasks/classification/node-classification.js";
import { spectralEmbedding } from "../src/tasks/links/spectral-embedding.js";
import { train } from "../src/train/train.js";
import { textOption } from "./options.js";

type Edge = readonly [relation: string, source: number, target: number];

interface Structure {
  readonly edges: readonly Edge[];
  /** Label of each node; empty for none. */
  readonly labels: readonly string[];
}

/** Random pairs that pass the test; some may be repeated. */
function draw(rng: Rng, relation: string, numNodes: number, count: number, passes: (a: number, b: number) => boolean) {
  const edges: Edge[] = [];
  while (edges.length < count) {
    const [a, b] = [rng.below(numNodes), rng.below(numNodes)];
    if (a !== b && passes(a, b)) edges.push([relation, a, b]);
  }
  return edges;
}

function unlike(rng: Rng, withBoth: boolean): Structure {
  const group = Array.from({ length: 1200 }, (_, i) => i % 4);
  const across = draw(rng, "across", 1200, 9000, (a, b) => (group[a] ^ 1) === group[b] || rng.uniform() < 0.03);
  const within = withBoth ? draw(rng, "within", 1200, 7000, (a, b) => group[a] >> 1 === group[b] >> 1) : [];
  return { edges: [...across, ...within], labels: group.map(String) };
}

function rivals(rng: Rng): Structure {
  const count = 1500;
  const places = Array.from({ length: count }, () => [rng.uniform(), rng.uniform()]);
  const camp = Array.from({ length: count }, () => rng.below(2));
  const near: Edge[] = [];
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < a; b++) {
      if (Math.hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]) < 0.05) near.push(["near", a, b]);
    }
  }
  const against = draw(rng, "rival", count, 9000, (a, b) => camp[a] !== camp[b] || rng.uniform() < 0.15);
  return { edges: [...near, ...against], labels: camp.map(String) };
}

function tree(rng: Rng): Structure {
  const count = 2000;
  const branch = (node: number) => {
    let at = node;
    while (at > 12) at = Math.floor((at - 1) / 3);
    return at;
  };
  const branches: Edge[] = Array.from({ length: count - 1 }, (_, k) => ["tree", k + 1, Math.floor(k / 3)]);
  const inside = draw(rng, "inside", count, 300, (a, b) => a > 3 && branch(a) === branch(b));
  const labels = Array.from({ length: count }, (_, i) => (i > 3 ? String(branch(i)) : ""));
  return { edges: [...branches, ...inside], labels };
}

function roles(rng: Rng): Structure {
  const edges: Edge[] = [];
  const labels: string[] = [];
  const between: number[] = [];
  for (let k = 0; k < 60; k++) {
    const head = labels.push("head") - 1;
    for (let j = 0; j < 3; j++) {
      const middle = labels.push("between") - 1;
      between.push(middle);
      edges.push(["leads", head, middle]);
      for (let leaf = 0; leaf < 5; leaf++) edges.push(["leads", middle, labels.push("leaf") - 1]);
    }
  }
  const talks = draw(rng, "talks", between.length, 180, () => true);
  return { edges: [...edges, ...talks.map(([r, a, b]): Edge => [r, between[a], between[b]])], labels };
}

function shop(rng: Rng): Structure {
  const [users, items, tastes] = [1000, 600, 8];
  const taste = Array.from({ length: users + items }, () => rng.below(tastes));
  const ofTaste = Array.from({ length: tastes }, (_, t) =>
    Array.from({ length: items }, (_, i) => users + i).filter((item) => taste[item] === t),
  );
  const edges: Edge[] = [];
  for (let user = 0; user < users; user++) {
    for (const [relation, count, share] of [
      ["seen", 20, 0.6],
      ["basket", 6, 0.8],
      ["bought", 3, 0.9],
    ] as const) {
      for (let k = 0; k < count; k++) {
        const own = ofTaste[taste[user]];
        edges.push([relation, user, rng.uniform() < share ? own[rng.below(own.length)] : users + rng.below(items)]);
      }
    }
  }
  return { edges, labels: taste.map((t, i) => (i < users ? String(t) : "")) };
}

const structures: Readonly<Record<string, (rng: Rng) => Structure>> = {
  unlike: (rng) => unlike(rng, false),
  both: (rng) => unlike(rng, true),
  rivals,
  tree,
  roles,
  shop,
};

const names = textOption("models", "multiview,hmge,gatne,multiverse").split(",");
const seeds = textOption("seeds", "1,2,3").split(",").map(Number);
const only = textOption("only", Object.keys(structures).join(",")).split(",");

const rows: string[][] = [];
for (const name of only) {
  const scores = new Map<string, number[]>();
  for (const seed of seeds) {
    const { edges, labels } = structures[name](new Rng(seed, name));
    const id = (node: number) => String(node).padStart(5, "0");
    const graph = multiplexFromEdges({
      relation: edges.map(([relation]) => relation),
      source: edges.map(([, source]) => id(source)),
      target: edges.map(([, , target]) => id(target)),
    });
    const byNode = new Map(labels.flatMap((label, node) => (label === "" ? [] : [[id(node), [label]] as const])));
    const known = { byNode, names: [...new Set(labels.filter((label) => label !== ""))].sort() };
    const add = (model: string, embedding: Parameters<typeof classifyNodes>[0][number]) => {
      const options = { split: { train: 0.1 }, strength: "validate", repeats: 5, seed } as const;
      const found = classifyNodes([embedding], known, options).results.find(({ rows }) => rows === "standardised");
      scores.set(model, [...(scores.get(model) ?? []), 100 * (found?.macroF1.mean ?? Number.NaN)]);
    };
    for (const model of names) {
      const run = await train(graph, (models as unknown as Record<string, Model>)[model], { seed });
      add(model, run.embedding);
      await run.dispose();
    }
    add("spectral-64, union", spectralEmbedding(unionAdjacency(graph), graph.ids, { dim: 64 }));
  }
  const means = [...names, "spectral-64, union"].map((model) => {
    const values = scores.get(model) ?? [];
    return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1);
  });
  rows.push([name, ...means]);
  console.log(rows.at(-1)?.join("  "));
}
console.log(`\n${table([["structure", ...names, "spectral-64, union"], ...rows])}`);
process.exit(0);
