/** `hmge predict-links --check`: trains again without a tenth of the edges and scores the edges that were held out. */

import { InputError } from "../../core/errors.js";
import type { Engine } from "../../engine/engine.js";
import { SHARE_OPTION } from "../../graph/split.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { evaluateLinks } from "../../tasks/links/evaluate-links.js";
import { linkBaselines } from "../../tasks/links/link-baselines.js";
import { modelScorers, type NamedScorer, scorePairs } from "../../tasks/links/pair-scorers.js";
import { heldOutTask } from "../evaluate/links-task.js";
import type { SourceRecord } from "../folder/run-graph.js";
import { findModel } from "../options/model-options.js";
import { trainVectors } from "../run/train-vectors.js";
import type { Output } from "../terminal/output.js";

interface NamedAuc {
  readonly name: string;
  readonly auc: number;
}

export interface LinkCheck {
  /** Held-out edges of the relation. */
  readonly edges: number;
  /** The model's score; the dot product for a model without a decoder. */
  readonly decoder: NamedAuc;
  /** The baseline with the largest ROC-AUC. */
  readonly baseline: NamedAuc;
}

/** ROC-AUC of the model of a run and of the best baseline on held-out edges of a relation. */
export async function checkLinks(
  graph: LoadedGraph,
  relation: number,
  record: SourceRecord,
  engine: Engine,
  output: Output,
): Promise<LinkCheck | undefined> {
  if (record.model === undefined || record.options === undefined || record.training === undefined) {
    throw new InputError(
      "--check: the folder has no run.json that names model and options; expected the folder of a run.",
    );
  }
  const model = await findModel(record.model);
  const settings = Object.fromEntries(
    Object.entries({ ...record.options, ...record.training }).map(([name, value]) => [name, String(value)]),
  );
  const task = heldOutTask(graph, {
    share: SHARE_OPTION.default,
    strict: false,
    negatives: "uniform",
    seed: Number(record.seed ?? 1),
  });
  const tests = task.tests.filter((test) => test.relation === relation);
  if (tests.length === 0) {
    throw new InputError(
      `--check: relation "${graph.relations[relation].name}" has too few edges to hold out a tenth of them. Leave --check out.`,
    );
  }
  const trained = await trainVectors(task.training, { model, settings }, { engine, force: true }, output);
  if (trained === undefined) return undefined;
  const auc = ({ name, ownRelation, score }: NamedScorer): NamedAuc => ({
    name: ownRelation && name !== "decoder" ? `${name}, own relation` : name,
    auc: evaluateLinks(tests, scorePairs(tests, score)).mean.auc,
  });
  const scorers = modelScorers(trained.embedding, trained.decoder);
  const baselines = linkBaselines(task.training).map(auc);
  return {
    edges: tests[0].labels.reduce((sum, label) => sum + label, 0),
    decoder: auc(scorers.find(({ name }) => name === "decoder") ?? scorers[0]),
    baseline: baselines.reduce((best, row) => (row.auc > best.auc ? row : best)),
  };
}
