/** `hmge inspect`: describes a graph, and estimates the time and memory of a run. Nothing is trained. */

import { adapt } from "../../core/options.js";
import type { Engine } from "../../engine/engine.js";
import { contentHash } from "../../graph/content-hash.js";
import { describeGraph, type GraphDescription } from "../../graph/describe.js";
import { availableBytes } from "../../io/available-memory.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { largestOf } from "../../numeric/extremes.js";
import { formatBytes, formatCount, formatNumber, formatSeconds, plural, table } from "../../report/terminal.js";
import { estimateRun } from "../../train/estimate/estimate.js";
import type { SecondsRange } from "../../train/estimate/work-rates.js";
import { resolveTraining } from "../../train/train.js";
import type { Arguments, Command } from "../command.js";
import { ENGINE_OPTIONS, readEngine, THREADS_OPTION } from "../options/engine-option.js";
import { byteSize } from "../options/flag-kinds.js";
import {
  listModels,
  MODEL_OPTIONS,
  type ModelRequest,
  readModelOptions,
  TRAINING_OPTIONS,
} from "../options/model-options.js";
import { readSourceOptions, SOURCE_OPTIONS } from "../options/source-options.js";
import { stagesAfterTraining } from "../run/after-training.js";
import { graphNotes, loadSource } from "../run/load-source.js";
import { dataSizes, estimateMachineBytes, neededRanks, rankNotes } from "../run/memory-estimate.js";
import { estimateEpochSeconds, estimateRunTime, phasesInWords, readingSeconds } from "../run/time-estimate.js";
import { type Output, tableLayout } from "../terminal/output.js";

const OPTIONS = {
  ...SOURCE_OPTIONS,
  ...MODEL_OPTIONS,
  ...TRAINING_OPTIONS,
  memoryLimit: byteSize({ doc: "maximum memory for reading the files, such as 2GB; larger files are refused" }),
  ...ENGINE_OPTIONS,
  threads: adapt(THREADS_OPTION.threads, { doc: "number of threads that the estimated time assumes" }),
};

export const inspect: Command<typeof OPTIONS> = {
  usage: "SOURCE… [options]",
  options: OPTIONS,
  examples: [
    "edges.csv",
    "- < edges.csv",
    "edges.csv --memory-limit 2GB",
    "edges.csv --model hmge --dim 128 --set tableWidth=64 --json",
  ],
  details: listModels,
  run: runInspect,
};

/** Maximum number of pairs of relations that are shown. Pairs with the largest overlap come first. */
const MAX_PAIRS = 5;

interface RelationPair {
  readonly relations: readonly [string, string];
  /** Number of edges in both relations, divided by the number of edges in at least one of them. */
  readonly overlap: number;
}

async function runInspect(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const source = readSourceOptions(args);
  const request = await readModelOptions(args);
  const { options } = resolveTraining(request.model, request.settings); // a wrong option fails before a large file is read
  const engine = await readEngine(args.values, output);
  const startTime = performance.now();
  const graph = await loadSource(source, output.quiet);
  const reading = readingSeconds((performance.now() - startTime) / 1000);
  const description = describeGraph(graph);
  const notes = [...graphNotes(graph), ...(request.model.notes?.(graph, options) ?? [])];
  const run = await estimate(graph, request, engine, reading);
  const { memoryLimit } = source.load;
  if (run !== null && memoryLimit !== undefined && run.memoryBytes > memoryLimit) {
    notes.push(
      `a run needs about ${formatBytes(run.memoryBytes)}, more than --memory-limit (${formatBytes(memoryLimit)}): embed would refuse it.`,
    );
  }
  if (run !== null) notes.push(...rankNotes(run));
  const pairs = overlappingPairs(description);
  const { overlap: _, ...counts } = description;
  output.document({
    ...counts,
    overlaps: pairs,
    hash: contentHash(graph),
    features:
      graph.features === undefined
        ? null
        : { count: graph.features.numColumns, entries: graph.features.columns.length },
    import: graph.report,
    files: graph.files,
    notes,
    run,
  });
  if (!output.json) printDescription(graph, description, pairs.slice(0, MAX_PAIRS), output);
  if (!output.quiet) for (const note of notes) output.print(`note: ${note}`);
  output.print("");
  if (run === null) output.print("nothing to train: a run needs at least two nodes and one edge");
  else {
    output.print(output.style.bold(`a run of ${run.model} (dim ${run.dim}) will need`));
    if (run.ranks !== null && run.ranks > 1) {
      output.print(
        `  ranks       ${run.ranks}: the engine's memory in one process ends at ${formatBytes(run.engineLimit)}; use --ranks ${run.ranks}`,
      );
    }
    if (run.device !== undefined) {
      output.print(
        `  GPU memory  ${formatBytes(run.engineBytes)} on ${run.device}, which allows a run ${formatBytes(run.engineLimit)}`,
      );
    }
    const ofEngine = run.device === undefined ? `, including ${formatBytes(run.engineBytes)} for the engine` : "";
    output.print(
      `  memory      about ${formatBytes(run.memoryBytes)}${ofEngine}; free now: ${formatBytes(run.availableBytes)}`,
    );
    for (const line of timeLines(run)) output.print(line);
    output.print(`  parameters  ${formatCount(run.numParameters)}`);
  }
  return 0;
}

function timeLines({ seconds, epochs, threads }: Estimate): string[] {
  if (seconds === null) return ["  time        no estimate for webgpu yet"];
  const { usual, least, most } = seconds;
  return [
    `  time        about ${formatSeconds(usual)}, from ${formatSeconds(least)} to at most ${formatSeconds(most)}, with ${plural(threads, "thread")} on an idle machine`,
    `              ${phasesInWords(seconds, epochs)}`,
  ];
}

type Estimate = NonNullable<Awaited<ReturnType<typeof estimate>>>;

async function estimate(graph: LoadedGraph, request: ModelRequest, engine: Engine, reading: SecondsRange) {
  const { model, settings } = request;
  if (graph.numNodes < 2 || graph.relations.every(({ numEdges }) => numEdges === 0)) return null;
  const dim = Number(resolveTraining(model, settings).options["dim"]);
  const withRelations = model.relationVectors !== undefined; // as in embed, whose output includes the decoder
  const runEstimate = await estimateRun(graph, model, { ...settings, engine, withRelations });
  const finalStages = stagesAfterTraining(graph, {
    dim,
    numParameters: runEstimate.numParameters,
    report: true,
    numFormats: 1,
  });
  const onDevice = runEstimate.device !== undefined;
  const ranks = onDevice ? 1 : (neededRanks(request, runEstimate) ?? null);
  const counts = { numRanks: ranks ?? 1, localSize: ranks ?? 1 };
  const threads = engine.numThreads;
  const shape = { threads, numNodes: graph.numNodes, dim };
  return {
    model: model.name,
    dim,
    engine: engine.description,
    threads,
    /** Processes that the run needs; null if one is too few and the model cannot be divided. */
    ranks,
    memoryBytes: estimateMachineBytes(runEstimate, dataSizes(graph, dim), counts),
    availableBytes: availableBytes(),
    /** Null on a GPU, as is `seconds`. */
    secondsPerEpoch: estimateEpochSeconds(runEstimate, shape) ?? null,
    seconds: estimateRunTime(runEstimate, shape, { reading, finalStages }) ?? null,
    ...runEstimate,
  };
}

function overlappingPairs({ relations, overlap }: GraphDescription): RelationPair[] {
  const pairs: RelationPair[] = [];
  overlap?.forEach((row, i) => {
    for (let j = i + 1; j < row.length; j++) {
      if (row[j] > 0) pairs.push({ relations: [relations[i].name, relations[j].name], overlap: row[j] });
    }
  });
  return pairs.sort((a, b) => b.overlap - a.overlap);
}

function printDescription(
  graph: LoadedGraph,
  description: GraphDescription,
  pairs: readonly RelationPair[],
  output: Output,
): void {
  const { style } = output;
  output.print(
    `${style.bold("graph")}  ${plural(description.nodes, "node")}, ${plural(description.edges, "edge")} in ${plural(description.relations.length, "relation")}, ${description.directed ? "directed" : "undirected"}`,
  );
  output.print("");
  const rows = description.relations.map(({ name, edges, nodes, meanDegree, maxDegree, density, weighted }) => [
    name,
    formatCount(edges),
    formatCount(nodes),
    meanDegree.toFixed(2),
    formatCount(maxDegree),
    formatNumber(density),
    weighted ? "yes" : "no",
  ]);
  const header = ["relation", "edges", "nodes", "mean degree", "max degree", "density", "weighted"];
  output.print(table([header, ...rows], tableLayout(output)));
  output.print("");
  output.print(`isolated    ${plural(description.isolatedNodes, "node")} without an edge`);
  output.print(
    `components  ${formatCount(description.components)}; the largest has ${plural(description.largestComponent, "node")}`,
  );
  if (description.unionEdges !== undefined && description.relations.length > 1) {
    output.print(`union       ${plural(description.unionEdges, "distinct edge")} over all relations`);
  }
  const shares = pairs.map(({ overlap }) => `${formatNumber(100 * overlap)} %`);
  const widest = largestOf(shares.map(({ length }) => length));
  pairs.forEach(({ relations: [a, b] }, i) => {
    output.print(`${(i === 0 ? "overlap" : "").padEnd(12)}${shares[i].padEnd(widest)}  ${a} and ${b}`);
  });
  const { features } = graph;
  if (features !== undefined) {
    const share = features.columns.length / (graph.numNodes * features.numColumns);
    output.print(
      `features    ${formatCount(features.numColumns)}, ${formatNumber(100 * share)} % of the entries not zero`,
    );
  }
  const { rows: read, selfLoops, parallelEdges } = graph.report;
  output.print(
    `read        ${plural(read, "row")} from ${graph.files.length === 0 ? "the query" : plural(graph.files.length, "file")}: ${plural(selfLoops, "self-loop")}, ${plural(parallelEdges, "duplicate")}`,
  );
}
