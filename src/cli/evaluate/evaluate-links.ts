/** `hmge evaluate links`: how well vectors distinguish edges from negative pairs (pairs that are not edges). */

import { InputError } from "../../core/errors.js";
import { choice, flag, int } from "../../core/options.js";
import { VERSION } from "../../core/version.js";
import type { Engine } from "../../engine/engine.js";
import { contentHash } from "../../graph/content-hash.js";
import { SHARE_OPTION } from "../../graph/split.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import { plural } from "../../report/format.js";
import type { UserColumns } from "../../sniff/choose-columns.js";
import { diagnose } from "../../tasks/diagnostics/diagnostics.js";
import { evaluateLinks as evaluatePairs, HITS_AT, type LinkResults } from "../../tasks/links/evaluate-links.js";
import { linkBaselines } from "../../tasks/links/link-baselines.js";
import { placesWithoutLeaks, selectPairs } from "../../tasks/links/link-leaks.js";
import { NEGATIVE_KINDS } from "../../tasks/links/negatives.js";
import { modelScorers, type NamedScorer, scorePairs } from "../../tasks/links/pair-scorers.js";
import { resolveTraining } from "../../train/train.js";
import type { Arguments, Command } from "../command.js";
import { ENGINE_OPTIONS, readEngine } from "../options/engine-option.js";
import { text } from "../options/flag-kinds.js";
import {
  listModels,
  MODEL_OPTIONS,
  type ModelRequest,
  readModelOptions,
  TRAINING_OPTIONS,
} from "../options/model-options.js";
import { readSourceOptions, SOURCE_OPTIONS } from "../options/source-options.js";
import { graphNotes, loadSource } from "../run/load-source.js";
import { withoutLabelsNote } from "../run/train-labels.js";
import { trainVectors } from "../run/train-vectors.js";
import type { Output } from "../terminal/output.js";
import { type LinkRow, type LinksReport, linksDocument, linksText } from "./links-report.js";
import { fileTask, heldOutTask, type LinksTask } from "./links-task.js";

const OPTIONS = {
  holdout: SHARE_OPTION,
  strict: flag(false, {
    doc: "remove a held-out pair from all relations, in both directions; with --drop-leaks, also drop leaks from other relations",
    defaultText: "only its own relation",
  }),
  negatives: choice("uniform", NEGATIVE_KINDS, {
    doc: "how negative pairs are drawn, which are not edges: uniform, or degree (every node has as many negative pairs as held-out edges); with --pairs, only if FILE has no negative pairs",
  }),
  pairs: text(undefined, {
    value: "FILE",
    doc: "table with the columns relation, source, target, label (1 or 0) and split, instead of held-out edges; or the word given, for the links file of the dataset folder",
  }),
  split: text("test", { value: "NAME", doc: "with --pairs: score the rows of FILE with this split" }),
  dropLeaks: flag(false, {
    doc: "also print scores without those edges of FILE that are training edges of the same relation",
  }),
  splitSeed: int(undefined, {
    min: 0,
    doc: "seed of the held-out edges and of the negative pairs",
    defaultText: "the value of --seed",
  }),
  hits: int(HITS_AT, { min: 1, value: "K", doc: "the k of hits@k" }),
  perRelation: flag(false, { doc: "also print a table for each relation" }),
  noTrain: flag(false, { doc: "score the baselines only" }),
  ...MODEL_OPTIONS,
  ...TRAINING_OPTIONS,
  ...SOURCE_OPTIONS,
  ...ENGINE_OPTIONS,
  force: flag(false, { doc: "train even if the estimated memory is not available" }),
};

export const evaluateLinks: Command<typeof OPTIONS> = {
  usage: "SOURCE… [options]",
  options: OPTIONS,
  examples: [
    "edges.csv",
    "edges.csv --strict --negatives degree --per-relation",
    "dataset --pairs given --drop-leaks --dim 128",
    "edges.csv --no-train --json",
  ],
  details: listModels,
  run: runEvaluateLinks,
};

/** Minimum number of edges, and of negative pairs; with fewer, a note says that scores are mostly chance. */
const MIN_PAIRS = 10;

async function runEvaluateLinks(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const { values } = args;
  const source = readSourceOptions(args);
  const request = await readModelOptions(args);
  const resolved = resolveTraining(request.model, request.settings);
  const protocol = readProtocol(args, resolved.training.seed);
  const engine = values.noTrain ? undefined : await readEngine(values, output);
  const hitsAt = values.hits;

  const graph = await loadSource(source, output.quiet);
  const task = await makeTask(graph, protocol, source.load.columns);
  for (const note of [...graphNotes(graph), ...task.notes]) output.note(`note: ${note}`);
  if (values.pairs === undefined && graph.linksFile !== undefined) {
    output.note(`note: ${graph.linksFile} has pairs to score; --pairs given uses them.`);
  }

  if (engine !== undefined) {
    for (const note of request.model.notes?.(graph, resolved.options) ?? []) output.note(`note: ${note}`);
  }
  if (engine !== undefined && learnsFromLabels(request.model)) {
    output.note(withoutLabelsNote(request.model, "link prediction uses none"));
  }
  const kept = protocol.dropLeaks
    ? task.tests.map((pairs) => placesWithoutLeaks(task.training, pairs, protocol.strict))
    : undefined;
  if (kept?.every((places, t) => !places.some((i) => task.tests[t].labels[i] === 1))) {
    throw new InputError(
      "--drop-leaks: every edge to predict is a training edge, so none is left to score. Remove these edges from the source first.",
    );
  }
  const scorers = await trainScorers(task, request, { engine, force: values.force }, output);
  if (scorers === undefined) {
    output.note("stopped before the first epoch; nothing was scored");
    return 130;
  }
  for (const { name, ownRelation, score } of linkBaselines(task.training, resolved.training.seed)) {
    scorers.rows.push({ name, ownRelation, baseline: true, score });
  }
  const keptTests = kept?.map((places, t) => selectPairs(task.tests[t], places));
  const rows: LinkRow[] = scorers.rows.map(({ score, ...row }) => {
    const begin = performance.now();
    const scores = scorePairs(task.tests, score);
    const results = evaluatePairs(task.tests, scores, { hitsAt });
    let withoutLeaks: LinkResults | undefined;
    if (kept !== undefined && keptTests !== undefined) {
      const keptScores = kept.map((places, t) => Float64Array.from(places, (i) => scores[t][i]));
      withoutLeaks = evaluatePairs(keptTests, keptScores, { hitsAt });
    }
    return { ...row, results, withoutLeaks, seconds: (performance.now() - begin) / 1000 };
  });

  const [{ results: first }] = rows;
  if (first.mean.hits === null) {
    output.note(
      `note: no relation has ${plural(hitsAt, "negative pair")}, so hits@${hitsAt} cannot be computed; choose a smaller --hits.`,
    );
  }
  const { positives, negatives } = first.pooled;
  if (Math.min(positives, negatives) < MIN_PAIRS) {
    output.note(
      `note: scores of ${plural(positives, "edge")} and ${plural(negatives, "negative pair")} are mostly chance.`,
    );
  }
  const report = {
    version: VERSION,
    graph: { hash: contentHash(graph), nodes: graph.numNodes, directed: graph.directed, files: graph.files },
    protocol: { ...protocol, byKind: task.byKind, hitsAt },
    relations: graph.relations.map(({ name }, r) => {
      return { name, edges: graph.relations[r].numEdges, trainingEdges: task.training.relations[r].numEdges };
    }),
    training: scorers.training,
    task,
    rows,
  };
  output.document(linksDocument(report));
  if (!output.json) output.print(linksText(report, output, values.perRelation));
  return 0;
}

type Protocol = ReturnType<typeof readProtocol>;

function readProtocol({ values, flags }: Arguments<typeof OPTIONS>, seed: number) {
  const { pairs, strict, dropLeaks, negatives, splitSeed, holdout } = values;
  if (pairs !== undefined && flags.has("holdout")) {
    throw new InputError("--holdout: cannot be combined with --pairs. Remove one of the two options.");
  }
  for (const name of ["split", "drop-leaks"]) {
    if (pairs === undefined && flags.has(name)) {
      throw new InputError(
        `--${name}: applies to the pairs of --pairs, which is not given. Held-out edges do not leak.`,
      );
    }
  }
  if (pairs !== undefined && strict && !dropLeaks) {
    throw new InputError("--strict: with --pairs it decides which leaks are dropped; expected --drop-leaks too.");
  }
  return {
    pairs,
    split: pairs === undefined ? undefined : values.split,
    share: pairs === undefined ? holdout : undefined,
    strict,
    dropLeaks,
    negatives,
    seed: splitSeed ?? seed,
  };
}

async function makeTask(graph: LoadedGraph, protocol: Protocol, columns: UserColumns | undefined): Promise<LinksTask> {
  const { pairs, split = OPTIONS.split.default, share, strict, negatives, seed } = protocol;
  if (share !== undefined) return heldOutTask(graph, { share, strict, negatives, seed });
  const path = pairs === "given" ? graph.linksFile : pairs;
  if (path === undefined) {
    throw new InputError(
      "--pairs given: the source is not a dataset folder with a links file. Use --pairs FILE, or add a file such as links.tsv to the folder of the edges.",
    );
  }
  return fileTask(graph, { path, columns, split, negatives, seed });
}

interface Scorer extends NamedScorer {
  readonly baseline: boolean;
}

/** The scorers of the model and facts about its training; undefined if Ctrl-C came before the first epoch. */
async function trainScorers(
  { training }: LinksTask,
  request: ModelRequest,
  { engine, force }: { readonly engine?: Engine; readonly force: boolean },
  output: Output,
): Promise<{ rows: Scorer[]; training: LinksReport["training"] } | undefined> {
  if (engine === undefined) return { rows: [], training: null };
  const trained = await trainVectors(training, request, { engine, force }, output);
  if (trained === undefined) return undefined;
  const { embedding, decoder, ...facts } = trained;
  const { preset, options, training: settings } = resolveTraining(request.model, request.settings);
  const { name } = request.model;
  // the model's own score first
  const scorers = modelScorers(embedding, decoder).sort((a, b) => Number(b.ownRelation) - Number(a.ownRelation));
  return {
    rows: scorers.map((scorer) => ({ ...scorer, name: `${name}, ${scorer.name}`, baseline: false })),
    training: { model: name, preset, options, settings, ...facts, diagnostics: diagnose(embedding) },
  };
}
