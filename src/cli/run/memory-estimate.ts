/** Estimate of the memory of an `embed` process. */

import { InputError, UnsupportedError } from "../../core/errors.js";
import type { Engine } from "../../engine/engine.js";
import { availableBytes } from "../../io/available-memory.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { loadingBytes } from "../../io/graph/loading-memory.js";
import type { Model } from "../../nn/model.js";
import { formatBytes } from "../../report/format.js";
import { findFittingWidths, type RunEstimate } from "../../train/estimate/estimate.js";
import { requirePartitionableModel } from "../../train/partitionable.js";
import type { ModelRequest, ModelSettings } from "../options/model-options.js";

/*
 * Measured as the peak resident size of `embed` on 2 × Neoverse-N1, Node 20, two threads:
 * block models of 300 to 20,000 nodes and up to 9 M edges, and real graphs of 2,000 to 28,000 nodes.
 */
/** Bytes of Node and the program after DuckDB is closed, with running threads. */
const TRAINING_BASE_BYTES = 135e6;
/**
 * Bytes for each number of the vectors when they are passed to DuckDB as lists: 27 with hmge, 300,000 nodes, 1,200,000 edges and
 * width 64, one thread (2026-11-18).
 */
const BYTES_PER_VECTOR_ENTRY = 28;
/** Largest number of bytes for the vectors: they are written in slices, and DuckDB moves the rest of its table to a file. Not tuned. */
const MAX_VECTOR_BYTES = 2 ** 30;

/** Number of rows to read, and number of entries of the vectors. */
export interface DataSizes {
  readonly rows: number;
  readonly vectorEntries: number;
}

export function dataSizes(graph: LoadedGraph, dim: number): DataSizes {
  return {
    rows: graph.report.rows + (graph.features?.columns.length ?? 0),
    vectorEntries: graph.numNodes * dim,
  };
}

/** Peak resident bytes of `embed`. */
export function estimateProcessBytes(estimate: RunEstimate, sizes: DataSizes): number {
  return Math.max(loadingBytes(sizes.rows), trainingBytes(estimate, sizes));
}

/** Bytes of the engine in the memory of the process. */
function hostEngineBytes({ engineBytes, device }: RunEstimate): number {
  return device === undefined ? engineBytes : 0;
}

function trainingBytes(estimate: RunEstimate, { vectorEntries }: DataSizes): number {
  const { graphBytes, hostBytes } = estimate;
  const engineBytes = hostEngineBytes(estimate);
  const vectorBytes = Math.min(MAX_VECTOR_BYTES, vectorEntries * BYTES_PER_VECTOR_ENTRY);
  return TRAINING_BASE_BYTES + 2 * graphBytes + hostBytes + engineBytes + vectorBytes;
}

/** Number of ranks of a run, and how many of them are on one machine. */
export interface RankCounts {
  readonly numRanks: number;
  readonly localSize: number;
}

/**
 * Peak bytes of `embed` on a machine with several ranks. They share one copy of the graph and of the arrays that the model computes
 * before training; the engine is divided; one rank writes the files.
 */
export function estimateMachineBytes(
  estimate: RunEstimate,
  sizes: DataSizes,
  { numRanks, localSize }: RankCounts,
): number {
  const others = localSize - 1;
  const ofOthers = others * (TRAINING_BASE_BYTES + estimate.engineBytes / numRanks);
  const writing = trainingBytes({ ...estimate, engineBytes: estimate.engineBytes / numRanks }, sizes);
  return Math.max(loadingBytes(sizes.rows) + others * TRAINING_BASE_BYTES, writing + ofOthers);
}

export interface MemoryCheck {
  /** Bytes that may be used; default: the free memory. */
  readonly limit?: number;
  /** Advice for the user if the memory is too small. */
  readonly advice: string;
}

/** Throws if more memory is needed than available. */
export function requireMemory(needed: number, { limit, advice }: MemoryCheck): void {
  const available = limit ?? availableBytes();
  if (needed <= available) return;
  throw new InputError(
    `memory: about ${formatBytes(needed)} are needed; ${limit === undefined ? "there are" : "the limit is"} ${formatBytes(available)}. ${advice}`,
  );
}

/**
 * Room for rows of other ranks and for ranks with more rows than others. `multiview` with 6,000,000 nodes, of whose edges 30 % connect
 * any two nodes, needed 1.2 times its share on 4 ranks (2026-11-19).
 */
const RANKS_MARGIN = 1.25;

/** Number of ranks for a run whose engine needs so many bytes in all: 1 if one is enough; undefined if the model cannot be divided. */
export function neededRanks(
  { model, settings }: ModelRequest,
  { engineBytes, engineLimit }: Pick<RunEstimate, "engineBytes" | "engineLimit">,
): number | undefined {
  if (engineBytes <= engineLimit) return 1;
  return isPartitionable(model, settings) ? Math.ceil((RANKS_MARGIN * engineBytes) / engineLimit) : undefined;
}

/** Notes on a run that needs several ranks. */
export function rankNotes(run: {
  readonly model: string;
  /** Null if one rank is too few and the model cannot be divided. */
  readonly ranks: number | null;
  readonly engineBytes: number;
  readonly engineLimit: number;
  readonly device?: string;
  readonly memoryBytes: number;
  readonly availableBytes: number;
}): string[] {
  const { model, ranks, engineBytes, engineLimit, device, memoryBytes, availableBytes: free } = run;
  if (device !== undefined) {
    if (engineBytes <= engineLimit) return [];
    return [
      `the run needs ${formatBytes(engineBytes)} on the GPU, which allows it ${formatBytes(engineLimit)}: embed would refuse it. Use a smaller --dim or --engine wasm.`,
    ];
  }
  if (ranks === null) {
    return [
      `the engine needs ${formatBytes(engineBytes)}, more than the ${formatBytes(engineLimit)} of one process, and ${model} cannot be divided among ranks: embed would refuse it.`,
    ];
  }
  if (ranks === 1 || memoryBytes <= free) return [];
  return [
    `${ranks} ranks need about ${formatBytes(memoryBytes)} on one machine, and ${formatBytes(free)} are free: use several machines (docs/cluster.md) or a smaller --dim.`,
  ];
}

/**
 * Throws if the engine of a rank needs more memory than it can have; with several ranks also if it may need more, unless `force` is true,
 * because what a rank reads from others is known only after the preparation. The error names a number of ranks or, if the model cannot be divided,
 * widths that fit; they are searched only then, because each estimate of a graph of 100 M edges takes a minute.
 */
export async function requireEngineMemory(
  graph: LoadedGraph,
  request: ModelRequest,
  estimate: Pick<RunEstimate, "engineBytes" | "engineLimit" | "device">,
  { numRanks = 1, engine, force = false }: { numRanks?: number; engine?: Engine; force?: boolean } = {},
): Promise<void> {
  const { engineLimit, device } = estimate;
  const perRank = estimate.engineBytes / numRanks;
  const mayNeed = numRanks > 1 && !force ? RANKS_MARGIN * perRank : perRank;
  if (mayNeed <= engineLimit) return;
  const narrower = () => widthAdvice(graph, request, engine, engineLimit);
  if (device !== undefined) {
    throw new UnsupportedError(
      `memory: the run needs ${formatBytes(perRank)} on the GPU ${device}, which allows it ${formatBytes(engineLimit)}. ${await narrower()} Or use --engine wasm.`,
    );
  }
  const needed = neededRanks(request, estimate);
  const advice =
    needed === undefined
      ? await narrower()
      : `Divide it among processes with --ranks ${needed}, or use a smaller --dim.`;
  const onRanks = numRanks > 1 ? " on each rank" : "";
  const ofOthers = mayNeed > perRank ? `, and about ${formatBytes(mayNeed - perRank)} for rows of others` : "";
  const tryAnyway = perRank <= engineLimit ? " --force tries it anyway." : "";
  throw new UnsupportedError(
    `memory: the engine would need ${formatBytes(perRank)}${onRanks}${ofOthers}, and its memory ends at ${formatBytes(engineLimit)}. ${advice}${tryAnyway}`,
  );
}

async function widthAdvice(
  graph: LoadedGraph,
  { model, settings }: ModelRequest,
  engine: Engine | undefined,
  limit: number,
): Promise<string> {
  const fitting = await findFittingWidths(graph, model, { ...settings, engine }, limit);
  if (fitting === undefined) return "Leave out relations or nodes.";
  const widths = Object.entries(fitting.widths).map(([name, width]) => `--set ${name}=${width}`);
  return `${widths.join(" ")} would need ${formatBytes(fitting.engineBytes)}.`;
}

function isPartitionable(model: Model, settings: ModelSettings): boolean {
  try {
    requirePartitionableModel(model, settings);
    return true;
  } catch (error) {
    if (error instanceof UnsupportedError) return false;
    throw error;
  }
}
