/** Cells of link prediction: edges are held out, a model is trained on the rest, both are scored beside heuristics. */

import { linkBaselines } from "../../tasks/links/link-baselines.js";
import { evaluateLinks, type LinkScores, modelScorers, scorePairs } from "../../tasks/links/link-prediction.js";
import { heldOutTask } from "../evaluate/links-task.js";
import type { GraphCase } from "./graph-case.js";
import { type ModelVariant, type TrainingFacts, trainCell, variantKey } from "./train-cell.js";
import type { Workbench } from "./workbench.js";

export interface LinkProtocol {
  /** Share of the edges of every relation that is held out. */
  readonly holdout: number;
  /** Held-out pairs leave every relation. */
  readonly strict: boolean;
}

export interface LinkRow {
  readonly name: string;
  /** Mean over the relations. */
  readonly mean: LinkScores;
  /** All pairs in one list, as the paper scores them. */
  readonly pooled: LinkScores;
}

export interface LinkCell {
  readonly training: TrainingFacts;
  /** `dot`, the paper's score, `cosine`, and `decoder` of models that have one. */
  readonly rows: readonly LinkRow[];
  readonly notes: readonly string[];
}

type Task = ReturnType<typeof heldOutTask>;

/** Split, negatives and training all draw from `seed`. */
export function linksOfModel(
  bench: Workbench,
  graphCase: GraphCase,
  variant: ModelVariant,
  seed: number,
  protocol: LinkProtocol,
): Promise<LinkCell> {
  const key = { task: "links", case: edgesKey(graphCase), protocol: { ...protocol }, ...variantKey(variant, seed) };
  return bench.cell(`${graphCase.name}: ${variant.label}, links, seed ${seed}`, key, async (progress) => {
    const task = makeTask(graphCase, seed, protocol);
    const trained = await trainCell(task.training, variant, seed, bench, progress, { withRelations: true });
    const { embedding, decoder, facts } = trained;
    const rows = modelScorers(embedding, decoder).map(({ name, score }) => scoreRow(name, task, score));
    return { training: facts, rows, notes: task.notes };
  });
}

/** The heuristics, from the same split. */
export function linksOfBaselines(
  bench: Workbench,
  graphCase: GraphCase,
  seed: number,
  protocol: LinkProtocol,
): Promise<{ readonly rows: readonly LinkRow[] }> {
  const key = { task: "links", case: edgesKey(graphCase), protocol: { ...protocol }, baselines: true, seed };
  return bench.cell(`${graphCase.name}: link heuristics, seed ${seed}`, key, () => {
    const task = makeTask(graphCase, seed, protocol);
    const rows = linkBaselines(task.training, seed).map(({ name, ownRelation, score }) => {
      bench.requireGoingOn();
      return scoreRow(ownRelation ? `${name}, own relation` : name, task, score);
    });
    return { rows };
  });
}

/** Labels do not matter here. */
function edgesKey({ key: { labels: _, split: __, ...rest } }: GraphCase) {
  return rest;
}

function makeTask(graphCase: GraphCase, seed: number, { holdout, strict }: LinkProtocol): Task {
  return heldOutTask(graphCase.load().graph, { share: holdout, strict, negatives: "uniform", seed });
}

function scoreRow(name: string, { tests }: Task, scorer: Parameters<typeof scorePairs>[1]): LinkRow {
  const { mean, pooled } = evaluateLinks(tests, scorePairs(tests, scorer));
  return { name, mean, pooled };
}
