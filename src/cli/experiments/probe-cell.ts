/** Cells of classification: a linear probe on the vectors of a model, or on vectors that need no training. */

import type { Embedding } from "../../core/embedding.js";
import { InternalError } from "../../core/errors.js";
import type { NodeLabels } from "../../tasks/labelled-nodes.js";
import { classifyNodes } from "../../tasks/node-classification.js";
import type { Decision } from "../../tasks/probe.js";
import type { RowKind } from "../../tasks/standardize.js";
import type { CaseData, GraphCase } from "./graph-case.js";
import { type ModelVariant, type TrainingFacts, trainCell, variantKey } from "./train-cell.js";
import type { Workbench } from "./workbench.js";

export interface ProbeProtocol {
  /** Shares of the labels that train the probe; `given` is the split of the data set. */
  readonly shares: readonly (number | "given")[];
  /** Random splits of each share, the same for all vectors. */
  readonly repeats: number;
}

export interface ProbeRow {
  readonly share: number | "given";
  readonly rows: RowKind;
  readonly decision: Decision;
  /** Means over the splits, and the deviation of the accuracy over them. */
  readonly macroF1: number;
  readonly microF1: number;
  readonly accuracy: number;
  readonly accuracyDeviation: number | null;
}

export interface ProbeScores {
  readonly rows: readonly ProbeRow[];
  readonly notes: readonly string[];
}

export interface ProbeCell extends ProbeScores {
  readonly training: TrainingFacts;
}

/** Trains a model and probes its vectors. */
export function probeModel(
  bench: Workbench,
  graphCase: GraphCase,
  variant: ModelVariant,
  seed: number,
  protocol: ProbeProtocol,
): Promise<ProbeCell> {
  const key = { task: "classify", case: graphCase.key, protocol: { ...protocol }, ...variantKey(variant, seed) };
  return bench.cell(`${graphCase.name}: ${variant.label}, seed ${seed}`, key, async (progress) => {
    const data = graphCase.load();
    const { embedding, facts } = await trainCell(data.graph, variant, seed, bench, progress);
    return { training: facts, ...probe(embedding, data, protocol) };
  });
}

/** Probes vectors that are computed, not trained. `name` stands for how. */
export function probeVectors(
  bench: Workbench,
  graphCase: GraphCase,
  name: string,
  protocol: ProbeProtocol,
  vectors: (data: CaseData) => Embedding,
): Promise<ProbeScores & { readonly seconds: number }> {
  const key = { task: "classify", case: graphCase.key, protocol: { ...protocol }, vectors: name };
  return bench.cell(`${graphCase.name}: ${name}`, key, () => {
    const data = graphCase.load();
    const begin = performance.now();
    const embedding = vectors(data);
    const seconds = (performance.now() - begin) / 1000;
    return { seconds, ...probe(embedding, data, protocol) };
  });
}

function probe(embedding: Embedding, { labels, split }: CaseData, { shares, repeats }: ProbeProtocol): ProbeScores {
  if (labels === undefined) throw new InternalError("classification of a graph without labels");
  const parts = shares.map((share) => probeShare(embedding, labels, split, share, repeats));
  return { rows: parts.flatMap(({ rows }) => rows), notes: [...new Set(parts.flatMap(({ notes }) => notes))] };
}

function probeShare(
  embedding: Embedding,
  labels: NodeLabels,
  split: CaseData["split"],
  share: number | "given",
  repeats: number,
): ProbeScores {
  if (share === "given" && split === undefined) throw new InternalError("no split is given");
  const { results, notes } = classifyNodes([embedding], labels, {
    split: share === "given" ? { given: split ?? new Map() } : { train: share },
    repeats,
  });
  return {
    rows: results.map(({ rows, decision, macroF1, microF1, accuracy }) => ({
      share,
      rows,
      decision,
      macroF1: macroF1.mean,
      microF1: microF1.mean,
      accuracy: accuracy.mean,
      accuracyDeviation: accuracy.overRepeats,
    })),
    notes,
  };
}

/** The row of a share; of several labels a node, the one that thresholds, as the paper does. */
export function probeRow({ rows }: ProbeScores, share: number | "given", kind: RowKind = "standardised"): ProbeRow {
  const found = rows.find((row) => row.share === share && row.rows === kind);
  if (found === undefined) throw new InternalError(`no scores for ${share}, ${kind}`);
  return found;
}
