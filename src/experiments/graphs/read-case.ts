/** Makes a case of an experiment from a loaded graph, with its labels and its split if it has any. */

import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { loadLabels } from "../../io/tables/labels.js";
import { loadNodeSplit } from "../../io/tables/node-split.js";
import { plural } from "../../report/format.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import type { NodeLabels } from "../../tasks/labels/labelled-nodes.js";
import { type GraphCase, loadedCase } from "./graph-case.js";

/** `labelsFile` replaces the labels of the dataset folder; then the split of the folder is not used either. */
export async function readCase(
  name: string,
  graph: LoadedGraph,
  labelsFile?: string,
  columns?: UserColumns,
): Promise<GraphCase> {
  const file = labelsFile ?? graph.labelsFile;
  const userColumns = labelsFile === undefined ? undefined : columns;
  const labels = file === undefined ? undefined : await loadLabels(file, undefined, userColumns);
  const split =
    labelsFile === undefined && graph.splitFile !== undefined ? await loadNodeSplit(graph.splitFile) : undefined;
  return loadedCase(name, describe(graph, labels), { graph, labels, split });
}

function describe({ numNodes, relations, features }: LoadedGraph, labels: NodeLabels | undefined): string {
  const edges = relations.reduce((sum, { numEdges }) => sum + numEdges, 0);
  return [
    plural(numNodes, "node"),
    `${plural(edges, "edge")} in ${plural(relations.length, "relation")}`,
    ...(features === undefined ? [] : [plural(features.numColumns, "feature")]),
    ...(labels === undefined ? [] : [plural(labels.names.length, "label")]),
  ].join(", ");
}
