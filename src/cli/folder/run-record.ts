/** The record of a run. */

import { realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import type { OptionValue, RunRecord } from "../../core/record.js";
import { RECORD_FORMAT } from "../../core/record.js";
import { VERSION } from "../../core/version.js";
import type { Engine } from "../../engine/engine.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import type { Run } from "../../train/run.js";
import type { Arguments } from "../command.js";
import { countIsolated } from "../run/load-source.js";
import { machineFacts } from "./machine-facts.js";

/** Names of features in a record. */
const MAX_NAMES = 1000;

export interface RecordParts {
  readonly args: Arguments;
  /** The folder of the run, which exists. */
  readonly out: string;
  readonly started: string;
  readonly resolved: {
    readonly preset: string;
    readonly training: Readonly<Record<string, OptionValue>>;
    readonly options: Readonly<Record<string, OptionValue>>;
  };
  readonly graph: LoadedGraph;
  readonly labels: RunRecord["labels"];
  readonly engine: Engine;
  readonly earlierKernels: readonly string[];
  readonly run: Run;
  readonly seconds: Omit<RunRecord["seconds"], "train">;
  readonly memory: RunRecord["memory"];
  readonly relationWeights: RunRecord["relationWeights"];
  readonly diagnostics: RunRecord["diagnostics"];
  readonly modelFile: RunRecord["modelFile"];
  readonly outputs: readonly string[];
}

export function buildRecord(parts: RecordParts): RunRecord {
  const { args, resolved, graph, engine, run } = parts;
  const { load, start, write, report, total, perEpoch } = parts.seconds;
  return {
    format: RECORD_FORMAT,
    version: VERSION,
    started: parts.started,
    created: new Date().toISOString(),
    command: commandOptions(args),
    workingFolder: workingFolder(parts.out),
    model: run.identity.model,
    preset: resolved.preset,
    options: resolved.options,
    training: resolved.training,
    seed: Number(run.identity.seed),
    graph: {
      hash: run.identity.graph,
      nodes: graph.numNodes,
      edges: graph.relations.reduce((sum, { numEdges }) => sum + numEdges, 0),
      directed: graph.directed,
      relations: graph.relations.map(({ name, numEdges, values }) => {
        return { name, edges: numEdges, weighted: values !== undefined };
      }),
      isolated: countIsolated(graph),
      features: graph.features?.numColumns ?? null,
      ...(graph.features === undefined ? {} : { featureNames: graph.features.names.slice(0, MAX_NAMES) }),
      import: graph.report,
      files: graph.files,
    },
    labels: parts.labels,
    engine: {
      description: engine.description,
      threads: engine.numThreads,
      kernels: engine.kernels,
      ...(engine.device === undefined ? {} : { device: engine.device }),
      ...(engine.choice === undefined ? {} : { choice: engine.choice }),
      ...(parts.earlierKernels.length === 0 ? {} : { earlierKernels: parts.earlierKernels }),
    },
    machine: machineFacts(),
    epochs: run.numEpochs,
    bestEpoch: run.bestEpoch,
    bestLoss: run.bestLoss,
    losses: [...run.losses],
    stopReason: run.stopReason ?? "aborted",
    seconds: { load, start, train: run.seconds, write, report, total, perEpoch },
    memory: parts.memory,
    relationWeights: parts.relationWeights,
    views: run.views,
    findings: run.findings,
    diagnostics: parts.diagnostics,
    ...(parts.modelFile === undefined ? {} : { modelFile: parts.modelFile }),
    outputs: parts.outputs,
  };
}

/**
 * The current folder, from which the sources are named, relative to the folder of the run. Undefined if both have only the root in
 * common: they cannot move together, and the path would hold all names of folders above this one.
 */
function workingFolder(out: string): string | undefined {
  const folder = realpathSync(out).split(sep);
  const here = process.cwd().split(sep);
  // the first part is the root
  const isShared = folder.length > 1 && here.length > 1 && folder[0] === here[0] && folder[1] === here[1];
  return isShared ? relative(folder.join(sep), here.join(sep)).replaceAll(sep, "/") : undefined;
}

export function commandOptions({ words, flags }: Arguments): Record<string, unknown> {
  const options = [...flags].map(([name, values]) => {
    return [name, values.length > 1 ? values : values[0] === "true" ? true : values[0]];
  });
  return { sources: words, ...Object.fromEntries(options) };
}

/** The record as text; lists of numbers stay on one line. */
export function recordText(record: RunRecord): string {
  const text = JSON.stringify(record, null, 2);
  // a JSON string has no line breaks, so this matches lists only
  return `${text.replace(/\[\n\s+[-\d][^\]"{]*\]/g, (list) => list.replace(/\s+/g, " "))}\n`;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
