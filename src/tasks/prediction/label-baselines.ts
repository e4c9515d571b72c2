/**
 * What a prediction of labels must beat, cross-validated on the same folds by the same rule:
 *
 * majority           the labels by their frequency among the training nodes; no node is looked at
 * neighbour vote     labels of the training nodes that a node is linked to, a neighbour once for each relation; the
 *                    frequencies count as one more neighbour
 * degrees            the probe on ln(1 + degree) of each relation
 * features           the probe on the features themselves
 */

import type { FeatureMatrix, Multiplex } from "../../graph/multiplex.js";
import { unionAdjacency } from "../../graph/union.js";
import type { Rows } from "../../numeric/rows.js";
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

/** The probe on features holds labelled nodes × min(labelled nodes, features) numbers and is left out above this many. */
const MAX_FEATURE_ENTRIES = 2e6;
/** Shares are kept this far from 0 and 1, so that logits are finite. */
const MARGIN = 1e-6;

/** The baselines of a graph's nodes, in the order of its ids; without a graph the majority alone. */
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
      `the features alone were not tried: ${nodes.ids.length} labelled nodes × ${features.numColumns} features would take too long.`,
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

/** Logits of shares that are probabilities. */
function logitsOf(multiLabel: boolean, share: number): number {
  const p = Math.min(1 - MARGIN, Math.max(MARGIN, share));
  return multiLabel ? Math.log(p / (1 - p)) : Math.log(p);
}

function shares(nodes: LabelledNodes, train: Int32Array, test: Int32Array) {
  const counts = countLabels(nodes, train);
  const own = Float64Array.from(counts, (count) => logitsOf(nodes.multiLabel, count / train.length));
  const logits = new Float64Array(test.length * own.length);
  for (let i = 0; i < test.length; i++) logits.set(own, i * own.length);
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
        const own = known.get(columns[e]);
        if (own === undefined) continue;
        total++;
        for (const label of own) counts[label]++;
      }
    }
    for (let c = 0; c < names.length; c++) logits[i * names.length + c] = logitsOf(multiLabel, counts[c] / total);
  });
  return { logits, converged: true };
}

/** ln(1 + degree) of every node in each relation. */
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

/** Features of some nodes, as they are and standardised over all nodes. */
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

/**
 * Rows with the same inner products in as many columns as there are rows, if that is fewer: the Cholesky factor of the
 * Gram matrix. A probe with an L2 penalty predicts the same from them.
 */
export function narrowRows({ data, width }: Rows): Rows {
  const n = data.length / width;
  if (n >= width) return { data, width };
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0, a = i * width, b = j * width; k < width; k++) sum += data[a++] * data[b++];
      const product = sum;
      for (let k = 0, a = i * n, b = j * n; k < j; k++) sum -= factor[a++] * factor[b++];
      const pivot = factor[j * n + j];
      // a row that depends on earlier ones gets no column of its own
      if (i === j) factor[i * n + i] = sum > 1e-10 * product ? Math.sqrt(sum) : 0;
      else factor[i * n + j] = pivot > 0 ? sum / pivot : 0;
    }
  }
  return { data: factor, width: n };
}
