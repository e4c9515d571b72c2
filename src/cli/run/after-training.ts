/** The stages of `hmge embed` after the last epoch, with their work and the names that the progress shows. */

import type { Stage, Work } from "../../core/work.js";
import { addWork } from "../../core/work.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { diagnoseWork } from "../../tasks/diagnostics/diagnostics.js";
import { recoveryWork } from "../../tasks/diagnostics/spectral-recovery.js";
import { featureMapWork } from "../../tasks/new-nodes/feature-map.js";
import { neighborMapWork } from "../../tasks/new-nodes/neighbor-map.js";
import { reportWork } from "../embed/embed-report.js";

export const STAGE_NAMES = {
  diagnostics: "diagnostics",
  report: "map and report",
  vectors: "files of vectors",
  nodeMaps: "maps for new nodes",
  model: "file of the model",
} as const;

export interface OutputSizes {
  readonly dim: number;
  readonly numParameters: number;
  readonly report: boolean;
  /** Number of formats in which vectors are written. */
  readonly numFormats: number;
}

export function stagesAfterTraining(
  graph: Multiplex,
  { dim, numParameters, report, numFormats }: OutputSizes,
): readonly Stage[] {
  const { numNodes, features } = graph;
  const maps = addWork(neighborMapWork(graph, dim), features === undefined ? {} : featureMapWork(features, dim));
  const vectors: Work = { fileBytes: 4 * numFormats * numNodes * (dim + 4) };
  return [
    {
      name: STAGE_NAMES.diagnostics,
      work: addWork(diagnoseWork(numNodes, dim), recoveryWork(graph, dim)),
      minWork: {},
    },
    ...(report ? [{ name: STAGE_NAMES.report, work: reportWork(graph, dim) }] : []),
    { name: STAGE_NAMES.vectors, work: vectors },
    { name: STAGE_NAMES.nodeMaps, work: maps, minWork: {} },
    { name: STAGE_NAMES.model, work: { fileBytes: 4 * (numParameters + dim * (dim + 2)) } },
  ];
}
