/** Runtime validation of the graph and the model of a training, for untyped callers. */

import { InputError } from "../core/errors.js";
import type { OptionSchema } from "../core/options.js";
import { valueText } from "../core/validation.js";
import type { Multiplex } from "../graph/multiplex.js";
import type { FeatureInput, LabelInput, Model } from "../nn/model.js";
import type { CsrMatrix, CsrPattern } from "../numeric/csr.js";

/** A graph with optional features and, for semi-supervised models, optional labels. */
export type TrainableGraph = Multiplex & { readonly features?: FeatureInput; readonly labels?: LabelInput };

/** Throws unless the value is a model, for example if it is the name of one. */
export function requireModel<S extends OptionSchema, P, G>(model: Model<S, P, G>): void {
  if (typeof model === "object" && model !== null && typeof model.presets === "object") return;
  const found = typeof model === "string" ? `"${model}"` : typeof model;
  throw new InputError(`train: the model is ${found}; expected a model object, as in train(graph, multiview).`);
}

/** Throws unless the graph is valid: kernels and models do not check it. Takes time linear in its edges. */
export function requireTrainable(graph: TrainableGraph): void {
  if (!Array.isArray(graph?.relations)) {
    throw new InputError("graph: no relations; expected a multiplex, such as the result of loadGraph.");
  }
  const { numNodes, ids, relations, directed, features } = graph;
  if (!Array.isArray(ids)) {
    throw new InputError(`graph: ids is ${valueText(ids)}; expected a list, with the id of each node.`);
  }
  if (numNodes < 2) {
    throw new InputError(`graph: ${numNodes} node; expected two nodes or more.`);
  }
  if (ids.length !== numNodes)
    throw new InputError(`graph: ${ids.length} ids; expected one for each of ${numNodes} nodes.`);
  requireIds(ids);
  for (const [place, relation] of relations.entries()) {
    if (typeof relation?.name === "string") continue;
    throw new InputError(`graph: relation ${place} has no name; expected { name, rowStart, columns, numEdges }.`);
  }
  if (relations.every(({ numEdges }) => numEdges === 0)) {
    throw new InputError("graph: no edge is left in any relation; self-loops and edges of weight zero are removed.");
  }
  for (const relation of relations) {
    const what = `relation ${JSON.stringify(relation.name)}`;
    requireFitting(relation, numNodes, numNodes, what);
    requireAscending(relation, numNodes, what);
    requireWeights(relation, what);
    const numLoops = directed ? 0 : requireSymmetric(relation, ids, what);
    const numEdges = directed ? relation.columns.length : (relation.columns.length + numLoops) / 2;
    if (relation.numEdges === numEdges) continue;
    throw new InputError(
      `graph: ${what}: numEdges is ${valueText(relation.numEdges)}; its ${relation.columns.length} columns are ${numEdges} edges${directed ? "" : ", because each edge is in two rows"}.`,
    );
  }
  if (features === undefined) return;
  requireFitting(features, numNodes, features?.numColumns, "features");
  requireAscending(features, numNodes, "features");
  if (!Array.isArray(features.names) || features.names.length !== features.numColumns) {
    throw new InputError(
      `graph: features: names is ${valueText(features.names)}; expected a list with a name for each of ${features.numColumns} columns.`,
    );
  }
}

/** Ids must be distinct strings. Loaded graphs have them in ascending order, which can be checked without a set of all ids. */
function requireIds(ids: readonly string[]): void {
  let ascending = true;
  for (let node = 0; node < ids.length; node++) {
    if (typeof ids[node] !== "string") {
      throw new InputError(`graph: id ${node} is ${valueText(ids[node])}; expected a string, such as String(id).`);
    }
    if (node > 0 && !(ids[node - 1] < ids[node])) ascending = false;
  }
  if (ascending) return;
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new InputError(`graph: two nodes have the id ${JSON.stringify(id)}; expected one of each.`);
    seen.add(id);
  }
}

/** Throws unless the matrix has the expected shape, whole numbers as indices and finite values. */
function requireFitting(matrix: CsrMatrix, numRows: number, numColumns: number, what: string): void {
  const { rowStart, columns, values } = matrix ?? {};
  const kinds = { rowStart: "Uint32Array", columns: "Uint32Array", values: "Float32Array" } as const;
  for (const [name, kind] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
    const array = matrix?.[name];
    if ((array === undefined && name === "values") || (ArrayBuffer.isView(array) && "length" in array)) continue;
    throw new InputError(
      `graph: ${what}: ${name} is ${valueText(array)}; expected a ${kind}. JSON does not preserve typed arrays.`,
    );
  }
  let fits = rowStart.length === numRows + 1 && rowStart[0] === 0 && rowStart[numRows] === columns.length;
  fits &&= (values?.length ?? columns.length) === columns.length;
  // other typed arrays, from untyped callers, may hold fractions
  const whole = rowStart instanceof Uint32Array && columns instanceof Uint32Array;
  fits &&= whole || (rowStart.every(Number.isInteger) && columns.every(Number.isInteger));
  for (let i = 0; i < numRows && fits; i++) fits = rowStart[i] <= rowStart[i + 1];
  for (let e = 0; e < columns.length && fits; e++) fits = columns[e] >= 0 && columns[e] < numColumns;
  if (!fits) {
    throw new InputError(
      `graph: ${what}: ${rowStart.length - 1} rows of ${columns.length} entries do not fit; expected one for each of ${numRows} nodes, and whole numbers from 0 to ${numColumns - 1} as columns.`,
    );
  }
  if (values === undefined) return;
  for (let e = 0; e < values.length; e++) {
    if (Number.isFinite(values[e])) continue;
    throw new InputError(`graph: ${what}: entry ${e} is ${values[e]}; expected finite numbers.`);
  }
}

function requireAscending({ rowStart, columns }: CsrPattern, numRows: number, what: string): void {
  for (let i = 0; i < numRows; i++) {
    for (let e = rowStart[i] + 1; e < rowStart[i + 1]; e++) {
      if (columns[e] > columns[e - 1]) continue;
      throw new InputError(
        `graph: ${what}: row ${i} has column ${columns[e]} after ${columns[e - 1]}; expected ascending ones, each once.`,
      );
    }
  }
}

function requireWeights({ values }: CsrMatrix, what: string): void {
  if (values === undefined) return;
  for (let e = 0; e < values.length; e++) {
    if (values[e] > 0) continue;
    throw new InputError(`graph: ${what}: entry ${e} weighs ${values[e]}; expected a number above 0.`);
  }
}

/**
 * Throws unless every undirected edge is in both rows with the same weight; returns the number of self-loops. Compares the sum
 * of edge hashes above the diagonal with the sum below it, because looking up each edge in the other row takes ten times as
 * long. One fault in 2^32 stays undetected.
 */
function requireSymmetric({ rowStart, columns, values }: CsrMatrix, ids: readonly string[], what: string): number {
  const floats = values instanceof Float32Array ? values : values && new Float32Array(values);
  const weights = floats && new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
  let difference = 0;
  let numLoops = 0;
  for (let i = 0; i < ids.length; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      const j = columns[e];
      const weight = weights === undefined ? 0 : weights[e];
      if (j > i) difference = (difference + edgeHash(i, j, weight)) | 0;
      else if (j < i) difference = (difference - edgeHash(j, i, weight)) | 0;
      else numLoops++;
    }
  }
  if (difference !== 0) reportOneSided({ rowStart, columns, values }, ids, what);
  return numLoops;
}

/** Multipliers and shifts of MurmurHash3 (graph/content-hash.ts). */
function edgeHash(low: number, high: number, weight: number): number {
  let hash = Math.imul(low, 0x239b961b) ^ Math.imul(high, 0xab0e9789);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) ^ Math.imul(weight, 0x38b34ae5);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * Throws at the first edge that is in one row only. The edges to larger nodes, row by row, must match the smaller columns of
 * each row in ascending order.
 */
function reportOneSided({ rowStart, columns, values }: CsrMatrix, ids: readonly string[], what: string): void {
  const met = rowStart.slice(0, ids.length);
  const fail = (from: number, to: number): never => {
    throw new InputError(
      `graph: ${what}: node ${JSON.stringify(ids[from])} has an edge to ${JSON.stringify(ids[to])} that is missing in the other direction or has another weight there; expected it in both rows, or a graph with directed: true.`,
    );
  };
  for (let i = 0; i < ids.length; i++) {
    const end = rowStart[i + 1];
    let e = met[i];
    if (e < end && columns[e] < i) fail(i, columns[e]);
    if (e < end && columns[e] === i) e++;
    for (; e < end; e++) {
      const j = columns[e];
      const other = met[j]++;
      if (other >= rowStart[j + 1] || columns[other] !== i) fail(i, j);
      if (values !== undefined && values[other] !== values[e]) fail(i, j);
    }
  }
}

/** The graph without its labels, unless the model learns from labels. Throws if the labels of such a model are invalid. */
export function hideUnusedLabels(
  { name, uses = [] }: Pick<Model, "name" | "uses">,
  graph: TrainableGraph,
): TrainableGraph {
  const { labels, numNodes } = graph;
  if (labels === undefined) return graph;
  if (!uses.includes("labels")) return { ...graph, labels: undefined };
  requireFitting(labels, numNodes, labels.numClasses, `labels of ${name}`);
  return graph;
}
