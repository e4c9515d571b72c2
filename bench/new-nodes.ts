/**
 * Compares two kinds of vectors of new nodes: predicted after training without these nodes, and trained together with them.
 *
 *   node bench/run.mjs new-nodes DATASET… [--seed 1]
 *
 * A tenth of the nodes are new: they are excluded from training, and their vectors are then predicted from half of their edges, without
 * features. The other half of their edges is held out; those to known nodes are scored together with as many negative pairs, drawn
 * uniformly. Scores:
 *
 *   accuracy  of the first label of the new nodes, predicted by a probe that is trained on all known nodes
 *   AUC       ROC-AUC of the cosine on held-out edges and negative pairs
 *
 * Columns of the table, each with both scores:
 *
 *   placed    predicted by one linear map per relation
 *   one map   predicted by a single linear map, from the mean over the relations
 *   trained   multiview trained with the new nodes and the same half of their edges
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
      Array.from({ length: rowStart[i + 1] - rowStart[i] }, (_, k) => rowStart[i] + k)
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

/** A map that uses only the shared linear map, from the mean over all relations. */
function sharedMapOnly({ dim, weights, fits, ...rest }: NeighborMap): NeighborMap {
  const scale = new Float64Array(dim).fill(1);
  return { ...rest, dim, relations: [], weights: weights.slice(-(dim + 2) * dim), fits: fits.slice(-dim), scale };
}

/** Appends those rows of the second embedding to the first whose ids pass `isIncluded`. */
function appendRows(first: Embedding, second: Embedding, isIncluded: (id: string) => boolean): Embedding {
  const { dim } = first;
  const added = second.ids.flatMap((id, row) => (isIncluded(id) ? [row] : []));
  const vectors = new Float32Array(first.vectors.length + added.length * dim);
  vectors.set(first.vectors);
  added.forEach((row, k) => {
    vectors.set(second.vectors.subarray(row * dim, (row + 1) * dim), first.vectors.length + k * dim);
  });
  return { ids: [...first.ids, ...added.map((row) => second.ids[row])], dim, vectors };
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
  const labelled = ids.flatMap((id, row) => (labelOf(id) === undefined ? [] : [row]));
  const names = [...new Set(labelled.map((row) => labelOf(ids[row])))];
  const classOf = (row: number) => names.indexOf(labelOf(ids[row]));
  const [knownRows, newRows] = [false, true].map((side) => labelled.filter((row) => isNew(ids[row]) === side));
  const rows = standardizedRows(embedding);
  const probe = fitLogistic(selectRows(rows, knownRows), knownRows.map(classOf), names.length, STRENGTH);
  const numCorrect = predictClasses(probe, selectRows(rows, newRows)).filter(
    (c, k) => c === classOf(newRows[k]),
  ).length;
  const rowOf = new Map(ids.map((id, row) => [id, row]));
  const knownNodes = ids.flatMap((id, row) => (isNew(id) ? [] : [row]));
  const rng = new Rng(seed, "bench.new-nodes.pairs");
  const pairs = heldOut.flatMap(({ source, target }) => {
    const [from, to] = isNew(source) ? [source, target] : [target, source];
    const [a, b] = [rowOf.get(from), rowOf.get(to)];
    return a === undefined || b === undefined ? [] : [{ a, b, negative: knownNodes[rng.below(knownNodes.length)] }];
  });
  const cosines = cosineScorer(embedding)(0, {
    source: Uint32Array.from([...pairs, ...pairs], ({ a }) => a),
    target: Uint32Array.from([...pairs.map(({ b }) => b), ...pairs.map(({ negative }) => negative)]),
  });
  const auc = rocAuc(
    Array.from(cosines, (_, k) => (k < pairs.length ? 1 : 0)),
    cosines,
  );
  return `${((100 * numCorrect) / newRows.length).toFixed(1)}, ${(100 * auc).toFixed(1)}`;
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
  const newNodes = new Set(graph.ids.filter(() => rng.uniform() < 0.1));
  const isNew = (id: string) => newNodes.has(id);
  const countNewEnds = ({ source, target }: Edge) => Number(isNew(source)) + Number(isNew(target));
  const weighted = graph.relations.some(({ values }) => values !== undefined);
  const edges = edgesOf(graph);
  const known = edges.filter((edge) => countNewEnds(edge) === 0);
  const newEdges = edges
    .filter((edge) => countNewEnds(edge) > 0)
    .map((edge) => ({ edge, isVisible: rng.uniform() < 0.5 }));
  const visible = newEdges.flatMap(({ edge, isVisible }) => (isVisible ? [edge] : []));
  const heldOut = newEdges.flatMap(({ edge, isVisible }) => (!isVisible && countNewEnds(edge) === 1 ? [edge] : []));
  const task: Task = { isNew, labelOf: (id) => byNode.get(id)?.[0], heldOut };
  const training = graphOf(known, weighted);
  const run = await train(training, multiview, { seed });
  const map = fitNeighborMap(training, run.embedding);
  if (map === undefined) throw new Error(`${folder} has no edges`);
  const placed = [map, sharedMapOnly(map)].map((neighbors) =>
    scores(
      appendRows(
        run.embedding,
        placeNewNodes({ neighbors }, run.embedding, graphOf(visible, weighted)).embedding,
        isNew,
      ),
      task,
    ),
  );
  const runWithNewNodes = await train(graphOf([...known, ...visible], weighted), multiview, { seed });
  rows.push([
    basename(folder),
    String(newNodes.size),
    map.determination?.toFixed(2) ?? "",
    ...placed,
    scores(runWithNewNodes.embedding, task),
  ]);
  await run.dispose();
  await runWithNewNodes.dispose();
}
console.log(
  table([
    ["", "new nodes", "R²", "placed: accuracy, AUC", "one map: accuracy, AUC", "trained: accuracy, AUC"],
    ...rows,
  ]),
);
