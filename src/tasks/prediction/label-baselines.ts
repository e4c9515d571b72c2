/**
 * Baselines of label prediction, cross-validated on the same folds with the same decision rule:
 *
 * majority           the frequency of each label among the training nodes, the same for all nodes
 * neighbour vote     the labels of a node's neighbours among the training nodes; a neighbour counts once for each relation,
 *                    and the label frequencies count as one more neighbour
 * degrees            the probe on ln(1 + degree) in each relation
 * features           the probe on the features
 */

import type { FeatureMatrix, Multiplex } from "../../graph/multiplex.js";
import { unionAdjacency } from "../../graph/union.js";
import { narrowRows, type Rows } from "../../numeric/rows.js";
import { selectRows, standardizedRows } from "../classification/standardize.js";
import { countLabels, type LabelledNodes } from "../labels/labelled-nodes.js";
import {
  type Candidate,
  crossValidate,
  type FoldedNodes,
  MAX_WORSE_OF_BASELINES,
  probeCandidates,
  type RowsByKind,
} from "./cross-validation.js";

/** A predictor of labels that needs no embedding. */
export interface LabelBaseline {
  readonly name: string;
  readonly candidates: (folded: FoldedNodes, onFit?: () => void) => Candidate[];
}

/** Maximum size of the features baseline, labelled nodes × min(labelled nodes, features) numbers; above it is skipped. */
const MAX_FEATURE_ENTRIES = 2e6;
/** Minimum distance of probabilities from 0 and 1, so that logits are finite. */
const MARGIN = 1e-6;

/** The baselines that `graph` allows; without a graph only the majority. `nodes.rows` are indices of the graph's nodes. */
export function labelBaselines(
  nodes: LabelledNodes,
  graph: Multiplex | undefined,
): { readonly baselines: readonly LabelBaseline[]; readonly notes: readonly string[] } {
  const baselines: LabelBaseline[] = [
    { name: "majority", candidates: (folded) => [crossValidate(folded, (train, test) => shares(nodes, train, test))] },
  ];
  const notes: string[] = [];
  if (graph === undefined) return { baselines, notes };
  const neighbours = graph.relations.map((relation) => unionAdjacency(graph, [relation]));
  baselines.push(
    {
      name: "neighbour vote",
      candidates: (folded) => [crossValidate(folded, (train, test) => votes(nodes, neighbours, train, test))],
    },
    {
      name: "degrees",
      candidates: (folded, onFit) =>
        probeCandidates(
          folded,
          bothKinds(degreeRows(neighbours, graph.numNodes), nodes),
          onFit,
          MAX_WORSE_OF_BASELINES,
        ),
    },
  );
  const { features } = graph;
  if (features === undefined) return { baselines, notes };
  if (nodes.ids.length * Math.min(nodes.ids.length, features.numColumns) > MAX_FEATURE_ENTRIES) {
    notes.push(
      `the baseline of features alone is skipped: with ${nodes.ids.length} labelled nodes and ${features.numColumns} features it would take too long.`,
    );
  } else {
    baselines.push({
      name: "features",
      candidates: (folded, onFit) =>
        probeCandidates(folded, featureRows(features, graph.numNodes, nodes.rows), onFit, MAX_WORSE_OF_BASELINES),
    });
  }
  return { baselines, notes };
}

/** The logit of a label that has probability `share`. */
function logitOf(multiLabel: boolean, share: number): number {
  const p = Math.min(1 - MARGIN, Math.max(MARGIN, share));
  return multiLabel ? Math.log(p / (1 - p)) : Math.log(p);
}

function shares(nodes: LabelledNodes, train: Int32Array, test: Int32Array) {
  const counts = countLabels(nodes, train);
  const row = Float64Array.from(counts, (count) => logitOf(nodes.multiLabel, count / train.length));
  const logits = new Float64Array(test.length * row.length);
  for (let i = 0; i < test.length; i++) logits.set(row, i * row.length);
  return { logits, converged: true };
}

type Adjacency = ReturnType<typeof unionAdjacency>;

function votes(nodes: LabelledNodes, relations: readonly Adjacency[], train: Int32Array, test: Int32Array) {
  const { rows, labels, multiLabel, names } = nodes;
  const known = new Map<number, readonly number[]>();
  for (const place of train) known.set(rows[place], labels[place]);
  const frequency = Float64Array.from(countLabels(nodes, train), (count) => count / train.length);
  const logits = new Float64Array(test.length * names.length);
  test.forEach((place, i) => {
    const counts = frequency.slice();
    let total = 1;
    for (const { rowStart, columns } of relations) {
      for (let e = rowStart[rows[place]]; e < rowStart[rows[place] + 1]; e++) {
        const neighborLabels = known.get(columns[e]);
        if (neighborLabels === undefined) continue;
        total++;
        for (const label of neighborLabels) counts[label]++;
      }
    }
    for (let c = 0; c < names.length; c++) logits[i * names.length + c] = logitOf(multiLabel, counts[c] / total);
  });
  return { logits, converged: true };
}

/** ln(1 + degree) of every node, one column per relation. */
export function degreeRows(relations: readonly Adjacency[], numNodes: number): Rows {
  const width = relations.length;
  const data = new Float64Array(numNodes * width);
  relations.forEach(({ rowStart }, d) => {
    for (let i = 0; i < numNodes; i++) data[i * width + d] = Math.log1p(rowStart[i + 1] - rowStart[i]);
  });
  return { data, width };
}

function bothKinds(rows: Rows, { rows: labelled }: LabelledNodes): RowsByKind {
  return { raw: selectRows(rows, labelled), standardised: selectRows(standardizedRows(rows), labelled) };
}

/** Features of these nodes, raw and standardised over all nodes. */
export function featureRows(features: FeatureMatrix, numNodes: number, nodes: Int32Array): RowsByKind {
  const { numColumns: width, rowStart, columns, values } = features;
  const sums = new Float64Array(width);
  const squares = new Float64Array(width);
  columns.forEach((column, e) => {
    const value = values?.[e] ?? 1;
    sums[column] += value;
    squares[column] += value * value;
  });
  const means = sums.map((sum) => sum / numNodes);
  const scales = squares.map((square, k) => {
    const variance = square / numNodes - means[k] ** 2;
    return variance > 1e-12 * (square / numNodes) ? 1 / Math.sqrt(variance) : 0;
  });
  const raw = new Float64Array(nodes.length * width);
  nodes.forEach((node, i) => {
    for (let e = rowStart[node]; e < rowStart[node + 1]; e++) raw[i * width + columns[e]] = values?.[e] ?? 1;
  });
  const standardised = raw.map((value, at) => (value - means[at % width]) * scales[at % width]);
  return { raw: narrowRows({ data: raw, width }), standardised: narrowRows({ data: standardised, width }) };
}
