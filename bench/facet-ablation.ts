/**
 * Contribution of each facet of multiview: scores of the facet's columns alone, and of the vector without these columns.
 *
 *   node bench/run.mjs facet-ablation DATASET… [--seeds 1,2,3]
 *
 * macro-F1: standardised vectors, logistic regression (C by validation) on 10 % of the labels, mean of ten random splits; a node
 * with k true labels gets the k most probable labels. links: 10 % of every relation's edges held out, dot product, AUC over the
 * pairs of all relations together. Every training uses all facets; columns are removed afterwards.
 */

import { availableParallelism } from "node:os";
import { basename, resolve } from "node:path";
import type { Embedding } from "../src/core/embedding.js";
import { readCase } from "../src/experiments/graphs/read-case.js";
import { percent } from "../src/experiments/tables/percent.js";
import type { Multiplex } from "../src/graph/multiplex.js";
import { loadGraph } from "../src/io/graph/load-graph.js";
import { FACETS } from "../src/models/multiview/facet-widths.js";
import { multiview } from "../src/models/multiview/multiview.js";
import { selectColumns } from "../src/numeric/columns.js";
import { tableText } from "../src/report/table.js";
import { table } from "../src/report/terminal.js";
import { classifyNodes } from "../src/tasks/classification/node-classification.js";
import { evaluateLinks } from "../src/tasks/links/evaluate-links.js";
import { holdOutLinks } from "../src/tasks/links/held-out-links.js";
import { dotScorer, scorePairs } from "../src/tasks/links/pair-scorers.js";
import { meanDeviation } from "../src/tasks/metrics/mean-deviation.js";
import { train } from "../src/train/train.js";

const args = process.argv.slice(2);
const seedsFlag = args.indexOf("--seeds");
const seeds = seedsFlag < 0 ? [1, 2, 3] : args[seedsFlag + 1].split(",").map(Number);
const folders = args.filter((_, i) => seedsFlag < 0 || (i !== seedsFlag && i !== seedsFlag + 1));
const threads = availableParallelism();

interface FacetEmbedding {
  readonly embedding: Embedding;
  /** First column and number of columns of each facet. */
  readonly columnRanges: ReadonlyMap<string, readonly [number, number]>;
}

async function trainFacets(graph: Multiplex, seed: number): Promise<FacetEmbedding> {
  const { embedding, views } = await train(graph, multiview, { seed, threads });
  const columnRanges = new Map<string, readonly [number, number]>();
  let first = 0;
  for (const { name, width } of views) {
    columnRanges.set(name, [first, width]);
    first += width;
  }
  return { embedding, columnRanges };
}

function selectFacets(
  { embedding: { ids, dim, vectors }, columnRanges }: FacetEmbedding,
  keptFacets: readonly string[],
): Embedding {
  const chosen = keptFacets.flatMap((name) => {
    const [first, width] = columnRanges.get(name) ?? [0, 0];
    return Array.from({ length: width }, (_, k) => first + k);
  });
  return { ids, dim: chosen.length, vectors: selectColumns({ data: vectors, width: dim }, chosen).data };
}

for (const folder of folders) {
  const name = basename(resolve(folder));
  const { graph, labels } = (await readCase(name, await loadGraph(folder))).load();
  const scores = new Map<string, { f1: number[]; auc: number[]; width: number }>();
  for (const seed of seeds) {
    const ofGraph = await trainFacets(graph, seed);
    const task = holdOutLinks(graph, { share: 0.1, strict: false, negatives: "uniform", seed });
    const ofTrainingGraph = await trainFacets(task.training, seed);
    const facets = FACETS.filter((facet) => (ofGraph.columnRanges.get(facet)?.[1] ?? 0) > 0);
    const tableRows: [string, readonly string[]][] = [
      ["all", facets],
      ...facets.map((facet): [string, readonly string[]] => [`${facet} alone`, [facet]]),
      ...facets.map((facet): [string, readonly string[]] => [
        `without ${facet}`,
        facets.filter((other) => other !== facet),
      ]),
    ];
    for (const [title, keptFacets] of tableRows) {
      const row = scores.get(title) ?? { f1: [], auc: [], width: selectFacets(ofGraph, keptFacets).dim };
      scores.set(title, row);
      if (labels !== undefined) {
        const { results, multiLabel } = classifyNodes([selectFacets(ofGraph, keptFacets)], labels, {
          split: { train: 0.1 },
          strength: "validate",
        });
        const result = results.find(
          ({ rows, decision }) => rows === "standardised" && (!multiLabel || decision === "top-k"),
        );
        row.f1.push(result!.macroF1.mean);
      }
      const pairs = scorePairs(task.tests, dotScorer(selectFacets(ofTrainingGraph, keptFacets)));
      row.auc.push(evaluateLinks(task.tests, pairs).pooled.auc);
    }
  }
  const cell = (values: number[]) => (values.length === 0 ? "" : percent(meanDeviation(values)));
  console.log(`\n${name}, seeds ${seeds.join(", ")}\n`);
  const rows = [...scores].map(([title, { f1, auc, width }]) => [title, width, cell(f1), cell(auc)]);
  console.log(table(tableText({ header: ["columns", "width", "macro-F1", "links"], rows }), { ascii: false }));
}
process.exit(0);
