/** `hmge evaluate links`: how well vectors tell edges from other pairs. */

import { type Command, type Arguments, switchOption, textOption } from "../command.js";
import { ENGINE_OPTIONS, listModels, MODEL_OPTIONS, TRAINING_OPTIONS, type ModelRequest, readModelOptions } from "../options/model-options.js";
import { SOURCE_OPTIONS, readSourceOptions } from "../options/source-options.js";
import { InputError, suggest } from "../../core/errors.js";
import { VERSION } from "../../core/version.js";
import type { Engine } from "../../engine/engine.js";
import { contentHash } from "../../graph/content-hash.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import type { GivenColumns } from "../../io/tables/columns.js";
import { plural } from "../../report/format.js";
import { diagnose } from "../../tasks/diagnostics/diagnostics.js";
import { linkBaselines } from "../../tasks/links/link-baselines.js";
import { placesWithoutLeaks, selectPairs } from "../../tasks/links/link-leaks.js";
import { evaluateLinks, HITS_AT, type LinkResults, modelScorers, type NamedScorer, scorePairs } from "../../tasks/links/link-prediction.js";
import { NEGATIVE_KINDS } from "../../tasks/links/negatives.js";
import { resolveTraining } from "../../train/train.js";
import { readEngine } from "../options/engine-option.js";
import { readCount, readShare } from "../options/number-options.js";
import { graphNotes, loadSource } from "../run/load-source.js";
import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import { withoutLabelsNote } from "../run/train-labels.js";
import { trainVectors } from "../run/train-vectors.js";
import type { Output } from "../terminal/output.js";
import { type LinkRow, type LinksReport, linksDocument, linksText } from "./links-report.js";
import { givenTask, heldOutTask, type LinksTask } from "./links-task.js";

export const evaluateLinks: Command = {
  usage: "SOURCE… [options]",
  options: [
    { name: "holdout", value: "SHARE", doc: "of the edges of every relation", default: "0.1" },
    {
      name: "strict",
      doc: "remove a held-out pair from all relations and both directions; with --drop-leaks, drop also leaks from other relations",
      default: "from its own relation only",
    },
    {
      name: "negatives",
      value: "KIND",
      doc: "pairs that are no edges: uniform, or degree for pairs of the same degrees as the edges; of the kinds of nodes that the relation joins; with --pairs, where FILE has none",
      default: "uniform",
    },
    {
      name: "pairs",
      value: "FILE",
      doc: "instead of holding out: a table of relation, source, target, label (1 or 0) and split; given for the links file of the dataset folder",
    },
    { name: "split", value: "NAME", doc: "the rows of FILE that are scored", default: "test" },
    { name: "drop-leaks", doc: "score also without the given edges that are training edges of the same relation" },
    { name: "split-seed", value: "N", doc: "the draw of edges and other pairs", default: "as --seed" },
    { name: "hits", value: "K", doc: "the k of hits@k", default: "50" },
    { name: "per-relation", doc: "a table for each relation too" },
    { name: "no-train", doc: "the baselines only" },
    ...MODEL_OPTIONS,
    ...TRAINING_OPTIONS,
    ...SOURCE_OPTIONS,
    ...ENGINE_OPTIONS,
    { name: "force", doc: "train even if the memory seems too small" },
  ],
  examples: [
    "edges.csv",
    "edges.csv --strict --negatives degree --per-relation",
    "dataset --pairs given --drop-leaks --dim 128",
    "edges.csv --no-train --json",
  ],
  details: listModels,
  run: runEvaluateLinks,
};

const DEFAULT_SHARE = 0.1;
/** With fewer edges, or fewer other pairs, a score is little more than chance. */
const MIN_PAIRS = 10;
const DEFAULT_SPLIT = "test";

async function runEvaluateLinks(given: Arguments, output: Output): Promise<number> {
  const source = readSourceOptions(given);
  const request = await readModelOptions(given);
  const resolved = resolveTraining(request.model, request.settings);
  const protocol = readProtocol(given, resolved.training.seed);
  const engine = switchOption(given, "no-train") ? undefined : await readEngine(given, output);
  const hitsAt = readCount(given, "hits", 1) ?? HITS_AT;

  const graph = await loadSource(source, output.quiet);
  const task = await makeTask(graph, protocol, source.load.columns);
  for (const note of [...graphNotes(graph), ...task.notes]) output.note(`note: ${note}`);
  if (protocol.pairs === undefined && graph.linksFile !== undefined) {
    output.note(`note: ${graph.linksFile} has pairs of its own; --pairs given scores those.`);
  }

  if (engine !== undefined) {
    for (const note of request.model.notes?.(graph, resolved.options) ?? []) output.note(`note: ${note}`);
  }
  if (engine !== undefined && learnsFromLabels(request.model)) {
    output.note(withoutLabelsNote(request.model, "link prediction gives none"));
  }
  const kept = protocol.dropLeaks
    ? task.tests.map((pairs) => placesWithoutLeaks(task.training, pairs, protocol.strict))
    : undefined;
  if (kept?.every((places, t) => !places.some((i) => task.tests[t].labels[i] === 1))) {
    throw new InputError(
      "--drop-leaks: every edge to predict is a training edge, so that none is left. Take them out of the source first.",
    );
  }
  const scorers = await trainScorers(task, request, { engine, force: switchOption(given, "force") }, output);
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
    const results = evaluateLinks(task.tests, scores, { hitsAt });
    let withoutLeaks: LinkResults | undefined;
    if (kept !== undefined && keptTests !== undefined) {
      const keptScores = kept.map((places, t) => Float64Array.from(places, (i) => scores[t][i]));
      withoutLeaks = evaluateLinks(keptTests, keptScores, { hitsAt });
    }
    return { ...row, results, withoutLeaks, seconds: (performance.now() - begin) / 1000 };
  });

  const [{ results: first }] = rows;
  if (first.mean.hits === null) {
    output.note(
      `note: no relation has ${plural(hitsAt, "other pair")}, so that there is no hits@${hitsAt}; --hits gives another number.`,
    );
  }
  const { positives, negatives } = first.pooled;
  if (Math.min(positives, negatives) < MIN_PAIRS) {
    output.note(`note: scores of ${plural(positives, "edge")} and ${plural(negatives, "other pair")} say little.`);
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
  if (!output.json) output.print(linksText(report, output, switchOption(given, "per-relation")));
  return 0;
}

type Protocol = ReturnType<typeof readProtocol>;

function readProtocol(given: Arguments, seed: number) {
  const pairs = textOption(given, "pairs");
  const kind = textOption(given, "negatives") ?? "uniform";
  const negatives = NEGATIVE_KINDS.find((candidate) => candidate === kind);
  if (negatives === undefined)
    throw new InputError(`--negatives: unknown kind "${kind}"${suggest(kind, NEGATIVE_KINDS)}`);
  const share = readShare(given, "holdout");
  const dropLeaks = switchOption(given, "drop-leaks");
  if (pairs !== undefined && share !== undefined) {
    throw new InputError("--holdout: also given --pairs; expected one of them.");
  }
  for (const name of ["split", "drop-leaks"]) {
    if (pairs === undefined && given.options.has(name)) {
      throw new InputError(`--${name}: is about given pairs; expected --pairs with it. Held-out edges do not leak.`);
    }
  }
  const strict = switchOption(given, "strict");
  if (pairs !== undefined && strict && !dropLeaks) {
    throw new InputError("--strict: with --pairs it is about which leaks are dropped; expected --drop-leaks with it.");
  }
  return {
    pairs,
    split: pairs === undefined ? undefined : (textOption(given, "split") ?? DEFAULT_SPLIT),
    share: pairs === undefined ? (share ?? DEFAULT_SHARE) : undefined,
    strict,
    dropLeaks,
    negatives,
    seed: readCount(given, "split-seed", 0) ?? seed,
  };
}

async function makeTask(graph: LoadedGraph, protocol: Protocol, columns: GivenColumns | undefined): Promise<LinksTask> {
  const { pairs, split = DEFAULT_SPLIT, share = DEFAULT_SHARE, strict, negatives, seed } = protocol;
  if (pairs === undefined) return heldOutTask(graph, { share, strict, negatives, seed });
  const path = pairs === "given" ? graph.linksFile : pairs;
  if (path === undefined) {
    throw new InputError(
      "--pairs: given, but the source is no dataset folder with a links file; expected links.tsv or the like beside the edges.",
    );
  }
  return givenTask(graph, { path, columns, split, negatives, seed });
}

interface Scorer extends NamedScorer {
  readonly baseline: boolean;
}

/** The model's rows and how it was trained; undefined when it was stopped before there was anything to score. */
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
