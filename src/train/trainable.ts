/** What a training asks of a graph and a model, which callers without types may get wrong. */

import { InputError } from "../core/errors.js";
import type { OptionSchema } from "../core/options.js";
import type { Multiplex } from "../graph/multiplex.js";
import type { FeatureInput, LabelInput, Model } from "../nn/model.js";

/** A graph with, if it has any, features, and for semi-supervised models labels. */
export type TrainableGraph = Multiplex & { readonly features?: FeatureInput; readonly labels?: LabelInput };

/** Fails at a name, or anything else that is no model. */
export function requireModel<S extends OptionSchema, P, G>(model: Model<S, P, G>): void {
  if (typeof model === "object" && model !== null && typeof model.presets === "object") return;
  const found = typeof model === "string" ? `"${model}"` : typeof model;
  throw new InputError(`train: the model is ${found}; expected one itself, as in train(graph, multiview).`);
}

export function requireTrainable(graph: TrainableGraph): void {
  if (!Array.isArray(graph?.relations)) {
    throw new InputError("graph: no relations; expected a multiplex, such as the one that loadGraph resolves to.");
  }
  const { numNodes, ids, relations, features } = graph;
  if (numNodes < 2) {
    throw new InputError(
      `graph: ${numNodes} node; there is nothing to tell apart. Give a graph with two nodes or more.`,
    );
  }
  if (ids.length !== numNodes)
    throw new InputError(`graph: ${ids.length} ids; expected one for each of ${numNodes} nodes.`);
  if (relations.every(({ numEdges }) => numEdges === 0)) {
    throw new InputError("graph: no edge is left in any relation; self-loops and edges of weight zero do not count.");
  }
  // kernels do not look whether an index is in bounds
  for (const relation of relations) requireFitting(relation, numNodes, numNodes, `relation "${relation.name}"`);
  if (features !== undefined) requireFitting(features, numNodes, features.numColumns, "features");
}

/** Of a graph made by hand: rows and columns are as many as they should be, and numbers are numbers. */
function requireFitting(
  { rowStart, columns, values }: Pick<FeatureInput, "rowStart" | "columns" | "values">,
  numRows: number,
  numColumns: number,
  what: string,
): void {
  if (rowStart === undefined || columns === undefined) {
    throw new InputError(`graph: ${what}: no rowStart or columns; expected the entries of each row.`);
  }
  const ascending = rowStart.every((start, i) => Number.isInteger(start) && (i === 0 || start >= rowStart[i - 1]));
  const whole = rowStart.length === numRows + 1 && rowStart[0] === 0 && rowStart[numRows] === columns.length;
  const fits = whole && ascending && (values?.length ?? columns.length) === columns.length;
  if (!fits || !columns.every((column) => Number.isInteger(column) && column >= 0 && column < numColumns)) {
    throw new InputError(
      `graph: ${what}: ${rowStart.length - 1} rows of ${columns.length} entries do not fit; expected one for each of ${numRows} nodes, and whole numbers from 0 to ${numColumns - 1} as columns.`,
    );
  }
  const bad = values?.findIndex((value) => !Number.isFinite(value)) ?? -1;
  if (bad >= 0) throw new InputError(`graph: ${what}: entry ${bad} is ${values?.[bad]}; expected finite numbers.`);
}

/** What the model may see of a graph: labels only where it learns from them. */
export function visibleTo({ name, uses = [] }: Pick<Model, "name" | "uses">, graph: TrainableGraph): TrainableGraph {
  const { labels, numNodes } = graph;
  if (labels === undefined) return graph;
  if (!uses.includes("labels")) return { ...graph, labels: undefined };
  requireFitting(labels, numNodes, labels.numClasses, `labels of ${name}`);
  return graph;
}
