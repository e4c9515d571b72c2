/** Runs the tasks of a comparison: every model with every seed, and the baselines. */

import type { CellRunner } from "../../experiments/cells/cell-runner.js";
import {
  type LinkProtocol,
  type LinkRow,
  scoreBaselineLinks,
  scoreModelLinks,
} from "../../experiments/cells/link-cell.js";
import {
  isMultiLabel,
  type ProbeProtocol,
  type ProbeScores,
  probeModel,
  probeRow,
  probeVectors,
  validatedRow,
} from "../../experiments/cells/probe-cell.js";
import type { ModelVariant } from "../../experiments/cells/train-cell.js";
import { vectorBaselines } from "../../experiments/graphs/baseline-vectors.js";
import type { GraphCase } from "../../experiments/graphs/graph-case.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import type { Scores, TaskName, TaskResult } from "./compare-table.js";

export interface TaskRequest {
  readonly runner: CellRunner;
  readonly graphCase: GraphCase;
  readonly variants: readonly ModelVariant[];
  readonly seeds: readonly number[];
  /** Whether to score the baselines too; default true. */
  readonly baselines?: boolean;
}

/** Classification, with baselines that need no training. */
export async function runClassification(request: TaskRequest, protocol: ProbeProtocol): Promise<TaskResult[]> {
  const { runner, graphCase, variants, seeds } = request;
  const task = "classify";
  const results: TaskResult[] = [];
  for (const variant of variants) {
    const seedResults: TaskResult["results"][number][] = [];
    for (const seed of seeds) {
      const cell = await probeModel(runner, graphCase, variant, seed, protocol);
      seedResults.push({ seed, scores: probeScores(cell, protocol), training: cell.training });
    }
    const supervision = learnsFromLabels(variant.model) ? "semi-supervised" : undefined;
    results.push({ task, name: variant.label, baseline: false, supervision, results: seedResults });
  }
  if (request.baselines === false) return results;
  for (const { name, subject, vectors } of vectorBaselines(graphCase.load().graph)) {
    const cell = await probeVectors(runner, graphCase, name, protocol, () => vectors(runner.engine));
    const scores = probeScores(cell, protocol);
    results.push({ task, name, baseline: true, subject, results: [{ seed: 1, scores }] });
  }
  return results;
}

function probeScores(cell: ProbeScores, { shares: [share] }: ProbeProtocol): Scores {
  const { macroF1, microF1, accuracy } = probeRow(cell, share);
  const raw = probeRow(cell, share, "raw");
  const topK = isMultiLabel(cell) ? probeRow(cell, share, "standardised", "top-k") : undefined;
  const validated = validatedRow(cell, share);
  const validatedTopK = isMultiLabel(cell) ? validatedRow(cell, share, "top-k") : undefined;
  return {
    macroF1,
    microF1,
    accuracy,
    rawMacroF1: raw.macroF1,
    rawMicroF1: raw.microF1,
    rawAccuracy: raw.accuracy,
    ...(topK === undefined ? {} : { topKMacroF1: topK.macroF1, topKMicroF1: topK.microF1 }),
    ...(validated === undefined
      ? {}
      : {
          validatedMacroF1: validated.macroF1,
          validatedMicroF1: validated.microF1,
          validatedAccuracy: validated.accuracy,
        }),
    ...(validatedTopK === undefined
      ? {}
      : { validatedTopKMacroF1: validatedTopK.macroF1, validatedTopKMicroF1: validatedTopK.microF1 }),
  };
}

/** Link prediction, with baselines on the same split of each seed. */
export async function runLinkPrediction(request: TaskRequest, protocol: LinkProtocol): Promise<TaskResult[]> {
  const { runner, graphCase, variants, seeds } = request;
  const task = "links";
  const results: TaskResult[] = [];
  for (const variant of variants) {
    const seedResults: TaskResult["results"][number][] = [];
    for (const seed of seeds) {
      const cell = await scoreModelLinks(runner, graphCase, variant, seed, protocol);
      const [dot, cosine, decoder] = cell.rows;
      const scores = {
        ...linkScores(dot),
        cosineAuc: cosine.mean.auc,
        pooledCosineAuc: cosine.pooled.auc,
        cosineAveragePrecision: cosine.mean.averagePrecision,
        ...(decoder === undefined
          ? {}
          : {
              decoderAuc: decoder.mean.auc,
              decoderAveragePrecision: decoder.mean.averagePrecision,
              pooledDecoderAuc: decoder.pooled.auc,
            }),
      };
      seedResults.push({ seed, scores, training: cell.training });
    }
    const supervision = learnsFromLabels(variant.model) ? "without labels" : undefined;
    results.push({ task, name: variant.label, baseline: false, supervision, results: seedResults });
  }
  if (request.baselines === false) return results;
  const baselines = new Map<string, TaskResult["results"][number][]>();
  for (const seed of seeds) {
    for (const row of (await scoreBaselineLinks(runner, graphCase, seed, protocol)).rows) {
      baselines.set(row.name, [...(baselines.get(row.name) ?? []), { seed, scores: linkScores(row) }]);
    }
  }
  for (const [name, seedResults] of baselines) results.push({ task, name, baseline: true, results: seedResults });
  return results;
}

function linkScores({ mean, pooled }: LinkRow): Scores {
  return {
    auc: mean.auc,
    averagePrecision: mean.averagePrecision,
    pooledAuc: pooled.auc,
    pooledAveragePrecision: pooled.averagePrecision,
  };
}

/** Number of cells of the baselines. */
export function countBaselines(tasks: readonly TaskName[], numSeeds: number, graph: Multiplex): number {
  const probes = tasks.includes("classify") ? vectorBaselines(graph).length : 0;
  return probes + (tasks.includes("links") ? numSeeds : 0);
}
