/** Cells of link prediction: edges are held out, a model is trained on the rest, and its scores are compared with heuristics. */

import { evaluateLinks, type LinkScores } from "../../tasks/links/evaluate-links.js";
import { type HeldOutLinks, holdOutLinks } from "../../tasks/links/held-out-links.js";
import { linkBaselines } from "../../tasks/links/link-baselines.js";
import { modelScorers, scorePairs } from "../../tasks/links/pair-scorers.js";
import type { GraphCase } from "../graphs/graph-case.js";
import type { CellRunner } from "./cell-runner.js";
import { type ModelVariant, type TrainingFacts, trainCell, variantKey } from "./train-cell.js";

export interface LinkProtocol {
  /** Share of the edges that is held out in every relation. */
  readonly holdout: number;
  /** Whether held-out pairs are removed from every relation. */
  readonly strict: boolean;
}

export interface LinkRow {
  readonly name: string;
  /** Mean over the relations. */
  readonly mean: LinkScores;
  /** All pairs of all relations in one list, as in the paper. */
  readonly pooled: LinkScores;
}

export interface LinkCell {
  readonly training: TrainingFacts;
  /** `dot` (the paper's score), `cosine`, and `decoder` if the model has one. */
  readonly rows: readonly LinkRow[];
}

/** Trains a model and scores it on held-out edges. `seed` is used for the split, the negative pairs and the training. */
export function scoreModelLinks(
  runner: CellRunner,
  graphCase: GraphCase,
  variant: ModelVariant,
  seed: number,
  protocol: LinkProtocol,
): Promise<LinkCell> {
  const key = { task: "links", case: edgesKey(graphCase), protocol: { ...protocol }, ...variantKey(variant, seed) };
  return runner.cell(`${graphCase.name}: ${variant.label}, links, seed ${seed}`, key, async (progress) => {
    const links = holdOut(graphCase, seed, protocol);
    const trained = await trainCell(links.training, variant, seed, runner, progress, { withRelations: true });
    const { embedding, decoder, facts } = trained;
    const rows = modelScorers(embedding, decoder).map(({ name, score }) => scoreRow(name, links, score));
    return { training: facts, rows };
  });
}

/** Scores the baselines on the same split. */
export function scoreBaselineLinks(
  runner: CellRunner,
  graphCase: GraphCase,
  seed: number,
  protocol: LinkProtocol,
): Promise<{ readonly rows: readonly LinkRow[] }> {
  const key = { task: "links", case: edgesKey(graphCase), protocol: { ...protocol }, baselines: true, seed };
  return runner.cell(`${graphCase.name}: link heuristics, seed ${seed}`, key, () => {
    const links = holdOut(graphCase, seed, protocol);
    const rows = linkBaselines(links.training, seed).map(({ name, ownRelation, score }) => {
      runner.throwIfInterrupted();
      return scoreRow(ownRelation ? `${name}, own relation` : name, links, score);
    });
    return { rows };
  });
}

/** The key without labels, which do not change these scores. */
function edgesKey({ key: { labels: _, split: __, ...rest } }: GraphCase) {
  return rest;
}

function holdOut(graphCase: GraphCase, seed: number, { holdout, strict }: LinkProtocol): HeldOutLinks {
  return holdOutLinks(graphCase.load().graph, { share: holdout, strict, negatives: "uniform", seed });
}

function scoreRow(name: string, { tests }: HeldOutLinks, scorer: Parameters<typeof scorePairs>[1]): LinkRow {
  const { mean, pooled } = evaluateLinks(tests, scorePairs(tests, scorer));
  return { name, mean, pooled };
}
