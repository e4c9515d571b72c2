/**
 * Compares the vectors of placed new nodes with vectors from a training that includes these nodes.
 *
 *   node bench/run.mjs new-nodes DATASET… [--seed 1]
 *
 * A tenth of the nodes are new: they are excluded from training and then placed by half of their edges, without features. The
 * other half of the edges, as far as they lead to known nodes, is scored against as many uniform pairs. accuracy: first label of
 * the new nodes, predicted by a probe that learnt from all known nodes; AUC: of the cosine. placed: one map per relation; one
 * map: one map of the mean over the relations; trained: multiview with the new nodes and the same half of their edges.
 */

import { basename } from "node:path";
import type { Embedding } from "../src/core/embedding.js";
import { Rng } from "../src/core/rng.js";
import type { Multiplex } from "../src/graph/multiplex.js";
import { multiplexFromEdges } from "../src/graph/multiplex-from-edges.js";
import { openDatasetFolder } from "../src/io/graph/dataset-folder.js";
import { loadGraph, loadLabels } from "../src/io/index.js";
import { multiview } from "../src/models/index.js";
import { table } from "../src/report/terminal.js";
import { fitLogistic } from "../src/tasks/classification/logistic-regression.js";
import { selectRows, standardizedRows } from "../src/tasks/classification/standardize.js";
import { cosineScorer } from "../src/tasks/links/pair-scorers.js";
import { rocAuc } from "../src/tasks/metrics/ranking-metrics.js";
import { fitNeighborMap, type NeighborMap } from "../src/tasks/new-nodes/neighbor-map.js";
import { placeNewNodes } from "../src/tasks/new-nodes/place-new-nodes.js";
import { train } from "../src/train/train.js";
import { predictClasses } from "../test/support/predict-classes.js";
import { numberOption } from "./options.js";

interface Edge {
  readonly relation: string;
  readonly source: string;
  readonly target: string;
  readonly weight: number;
}

/** C of the logistic regression. */
const STRENGTH = 0.1;
const seed = numberOption("seed", 1);

function edgesOf({ ids, relations, directed }: Multiplex): Edge[] {
  return relations.flatMap(({ name, rowStart, columns, values }) =>
    ids.flatMap((source, i) =>
      Array.from({ length: rowStart[i + 1] - rowStart[i] }, (_, at) => rowStart[i] + at)
        .filter((e) => directed || columns[e] > i)
        .map((e) => ({ relation: name, source, target: ids[columns[e]], weight: values?.[e] ?? 1 })),
    ),
  );
}

function graphOf(edges: readonly Edge[], weighted: boolean): Multiplex {
  return multiplexFromEdges({
    relation: edges.map(({ relation }) => relation),
    source: edges.map(({ source }) => source),
    target: edges.map(({ target }) => target),
    ...(weighted ? { weight: edges.map(({ weight }) => weight) } : {}),
  });
}

/** Only the map of all relations, which relations without a separate map use. */
function jointMap({ dim, weights, fits, ...rest }: NeighborMap): NeighborMap {
  const scale = new Float64Array(dim).fill(1);
  return { ...rest, dim, relations: [], weights: weights.slice(-(dim + 2) * dim), fits: fits.slice(-dim), scale };
}

/** The first embedding, and the `wanted` rows of the second. */
function append(first: Embedding, second: Embedding, wanted: (id: string) => boolean): Embedding {
  const { dim } = first;
  const more = second.ids.flatMap((id, at) => (wanted(id) ? [at] : []));
  const vectors = new Float32Array(first.vectors.length + more.length * dim);
  vectors.set(first.vectors);
  more.forEach((at, k) => {
    vectors.set(second.vectors.subarray(at * dim, (at + 1) * dim), first.vectors.length + k * dim);
  });
  return { ids: [...first.ids, ...more.map((at) => second.ids[at])], dim, vectors };
}

interface Task {
  readonly isNew: (id: string) => boolean;
  readonly labelOf: (id: string) => string | undefined;
  /** Held-out edges between a new and a known node. */
  readonly heldOut: readonly Edge[];
}

/** Accuracy and AUC in %. */
function scores(embedding: Embedding, { isNew, labelOf, heldOut }: Task): string {
  const { ids } = embedding;
  const labelled = ids.flatMap((id, at) => (labelOf(id) === undefined ? [] : [at]));
  const names = [...new Set(labelled.map((at) => labelOf(ids[at])))];
  const classOf = (at: number) => names.indexOf(labelOf(ids[at]));
  const [known, fresh] = [false, true].map((wanted) => labelled.filter((at) => isNew(ids[at]) === wanted));
  const rows = standardizedRows(embedding);
  const probe = fitLogistic(selectRows(rows, known), known.map(classOf), names.length, STRENGTH);
  const right = predictClasses(probe, selectRows(rows, fresh)).filter((c, k) => c === classOf(fresh[k])).length;
  const places = new Map(ids.map((id, at) => [id, at]));
  const others = ids.flatMap((id, at) => (isNew(id) ? [] : [at]));
  const rng = new Rng(seed, "bench.new-nodes.pairs");
  const pairs = heldOut.flatMap(({ source, target }) => {
    const [from, to] = isNew(source) ? [source, target] : [target, source];
    const [a, b] = [places.get(from), places.get(to)];
    return a === undefined || b === undefined ? [] : [{ a, b, other: others[rng.below(others.length)] }];
  });
  const cosines = cosineScorer(embedding)(0, {
    source: Uint32Array.from([...pairs, ...pairs], ({ a }) => a),
    target: Uint32Array.from([...pairs.map(({ b }) => b), ...pairs.map(({ other }) => other)]),
  });
  const auc = rocAuc(
    Array.from(cosines, (_, k) => (k < pairs.length ? 1 : 0)),
    cosines,
  );
  return `${((100 * right) / fresh.length).toFixed(1)}, ${(100 * auc).toFixed(1)}`;
}

const rows: string[][] = [];
for (const folder of process.argv
  .slice(2)
  .filter((word, at, all) => !word.startsWith("--") && all[at - 1] !== "--seed")) {
  const graph = await loadGraph([folder], {});
  const { labels: path } = await openDatasetFolder(folder);
  if (path === undefined) throw new Error(`${folder} has no labels`);
  const { byNode } = await loadLabels(path);
  const rng = new Rng(seed, "bench.new-nodes");
  const fresh = new Set(graph.ids.filter(() => rng.uniform() < 0.1));
  const isNew = (id: string) => fresh.has(id);
  const ends = ({ source, target }: Edge) => Number(isNew(source)) + Number(isNew(target));
  const weighted = graph.relations.some(({ values }) => values !== undefined);
  const edges = edgesOf(graph);
  const known = edges.filter((edge) => ends(edge) === 0);
  const ofNew = edges.filter((edge) => ends(edge) > 0).map((edge) => ({ edge, isPlacing: rng.uniform() < 0.5 }));
  const placing = ofNew.flatMap(({ edge, isPlacing }) => (isPlacing ? [edge] : []));
  const heldOut = ofNew.flatMap(({ edge, isPlacing }) => (!isPlacing && ends(edge) === 1 ? [edge] : []));
  const task: Task = { isNew, labelOf: (id) => byNode.get(id)?.[0], heldOut };
  const training = graphOf(known, weighted);
  const run = await train(training, multiview, { seed });
  const map = fitNeighborMap(training, run.embedding);
  if (map === undefined) throw new Error(`${folder} has no edges`);
  const placed = [map, jointMap(map)].map((neighbors) =>
    scores(
      append(run.embedding, placeNewNodes({ neighbors }, run.embedding, graphOf(placing, weighted)).embedding, isNew),
      task,
    ),
  );
  const whole = await train(graphOf([...known, ...placing], weighted), multiview, { seed });
  rows.push([
    basename(folder),
    String(fresh.size),
    map.determination?.toFixed(2) ?? "",
    ...placed,
    scores(whole.embedding, task),
  ]);
  await run.dispose();
  await whole.dispose();
}
console.log(table([["", "new nodes", "R²", "placed: accuracy, AUC", "one map", "trained"], ...rows]));
