/**
 * Scores of models on graphs whose labels are not communities of densely connected nodes.
 *
 *   node bench/run.mjs unusual-structures [--models multiview,hmge,gatne,multiverse] [--seeds 1,2,3] [--only tree,rivals]
 *
 * unlike    four groups in two pairs; most edges connect a group with the other group of its pair
 * both      the graph of `unlike`, and a second relation with edges inside each pair of groups
 * rivals    most edges of one relation connect two camps; another relation connects points that are near each other on a plane; the
 *           labels are the camps
 * tree      a tree with three children per node, and random edges inside its subtrees; the labels are subtrees
 * roles     small trees with heads, middle nodes and leaves, which have different degrees; the labels are these three roles
 * shop      three relations between users and items: seen, basket, bought; users prefer items of one taste, which is their label
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
  /** Label of each node; an empty string if it has no label. */
  readonly labels: readonly string[];
}

/** Random edges between nodes for which `accept` is true; an edge may occur several times. */
function randomEdges(
  rng: Rng,
  relation: string,
  numNodes: number,
  count: number,
  accept: (a: number, b: number) => boolean,
) {
  const edges: Edge[] = [];
  while (edges.length < count) {
    const [a, b] = [rng.below(numNodes), rng.below(numNodes)];
    if (a !== b && accept(a, b)) edges.push([relation, a, b]);
  }
  return edges;
}

function pairedGroups(rng: Rng, withInnerEdges: boolean): Structure {
  const group = Array.from({ length: 1200 }, (_, i) => i % 4);
  const across = randomEdges(rng, "across", 1200, 9000, (a, b) => (group[a] ^ 1) === group[b] || rng.uniform() < 0.03);
  const within = withInnerEdges
    ? randomEdges(rng, "within", 1200, 7000, (a, b) => group[a] >> 1 === group[b] >> 1)
    : [];
  return { edges: [...across, ...within], labels: group.map(String) };
}

function rivals(rng: Rng): Structure {
  const count = 1500;
  const positions = Array.from({ length: count }, () => [rng.uniform(), rng.uniform()]);
  const camp = Array.from({ length: count }, () => rng.below(2));
  const near: Edge[] = [];
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < a; b++) {
      if (Math.hypot(positions[a][0] - positions[b][0], positions[a][1] - positions[b][1]) < 0.05)
        near.push(["near", a, b]);
    }
  }
  const against = randomEdges(rng, "rival", count, 9000, (a, b) => camp[a] !== camp[b] || rng.uniform() < 0.15);
  return { edges: [...near, ...against], labels: camp.map(String) };
}

function tree(rng: Rng): Structure {
  const count = 2000;
  const subtreeOf = (node: number) => {
    let root = node;
    while (root > 12) root = Math.floor((root - 1) / 3);
    return root;
  };
  const treeEdges: Edge[] = Array.from({ length: count - 1 }, (_, k) => ["tree", k + 1, Math.floor(k / 3)]);
  const inside = randomEdges(rng, "inside", count, 300, (a, b) => a > 3 && subtreeOf(a) === subtreeOf(b));
  const labels = Array.from({ length: count }, (_, i) => (i > 3 ? String(subtreeOf(i)) : ""));
  return { edges: [...treeEdges, ...inside], labels };
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
  const talks = randomEdges(rng, "talks", between.length, 180, () => true);
  return { edges: [...edges, ...talks.map(([r, a, b]): Edge => [r, between[a], between[b]])], labels };
}

function shop(rng: Rng): Structure {
  const [users, items, tastes] = [1000, 600, 8];
  const taste = Array.from({ length: users + items }, () => rng.below(tastes));
  const itemsByTaste = Array.from({ length: tastes }, (_, t) =>
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
        const preferred = itemsByTaste[taste[user]];
        edges.push([
          relation,
          user,
          rng.uniform() < share ? preferred[rng.below(preferred.length)] : users + rng.below(items),
        ]);
      }
    }
  }
  return { edges, labels: taste.map((t, i) => (i < users ? String(t) : "")) };
}

/** The keys seed the random numbers: a renamed structure would get other graphs. */
const structures: Readonly<Record<string, (rng: Rng) => Structure>> = {
  unlike: (rng) => pairedGroups(rng, false),
  both: (rng) => pairedGroups(rng, true),
  rivals,
  tree,
  roles,
  shop,
};

const names = textOption("models", "multiview,hmge,gatne,multiverse").split(",");
const seeds = textOption("seeds", "1,2,3").split(",").map(Number);
const chosen = textOption("only", Object.keys(structures).join(",")).split(",");

const rows: string[][] = [];
for (const name of chosen) {
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
    const nodeLabels = { byNode, names: [...new Set(labels.filter((label) => label !== ""))].sort() };
    const addScore = (model: string, embedding: Parameters<typeof classifyNodes>[0][number]) => {
      const options = { split: { train: 0.1 }, strength: "validate", repeats: 5, seed } as const;
      const result = classifyNodes([embedding], nodeLabels, options).results.find(
        ({ rows }) => rows === "standardised",
      );
      scores.set(model, [...(scores.get(model) ?? []), 100 * (result?.macroF1.mean ?? Number.NaN)]);
    };
    for (const model of names) {
      const run = await train(graph, (models as unknown as Record<string, Model>)[model], { seed });
      addScore(model, run.embedding);
      await run.dispose();
    }
    addScore("spectral-64, union", spectralEmbedding(unionAdjacency(graph), graph.ids, { dim: 64 }));
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
