/** The protocol of a comparison, from the options of the command and the data of a graph. */

import type { LinkProtocol } from "../../experiments/cells/link-cell.js";
import type { ProbeProtocol } from "../../experiments/cells/probe-cell.js";
import type { CaseData } from "../../experiments/graphs/graph-case.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { CLASSIFICATION_OPTIONS } from "../../tasks/classification/node-classification.js";
import { matchLabels, matchNotes, type NodeLabels } from "../../tasks/labels/labelled-nodes.js";
import type { Arguments } from "../command.js";
import { labelColumns } from "../options/source-options.js";
import { findLabelFeature, holdsLabels, leakageNote } from "../run/label-leakage.js";
import type { COMPARE_OPTIONS } from "./compare-options.js";

export type CompareArguments = Arguments<typeof COMPARE_OPTIONS>;
type CompareValues = CompareArguments["values"];

/** The given split if there is one and no share was asked for. */
export function probeProtocol(values: CompareValues, { split }: CaseData): ProbeProtocol {
  const { train, repeats, strength, scaling, prefix } = values;
  const share = train ?? (split === undefined ? CLASSIFICATION_OPTIONS.train.default : "given");
  return { shares: [share], repeats, strength, scaling, prefix };
}

export function linkProtocol({ holdout, strict }: CompareValues): LinkProtocol {
  return { holdout, strict };
}

/** Notes on labels that belong to no node, and on features that hold the labels. */
export function labelNotes(graph: LoadedGraph, labels: NodeLabels, values: CompareValues): string[] {
  const { label: column } = labelColumns(values);
  const leak = findLabelFeature(graph.features?.names ?? [], { names: labels.names, column });
  const isLeaking = leak !== undefined && holdsLabels(graph, labels, leak);
  return [...matchNotes(matchLabels(graph.ids, labels)), ...(isLeaking ? [leakageNote(leak)] : [])];
}
