/** Estimate of the memory of an `embed` process. */

import { InputError, UnsupportedError } from "../../core/errors.js";
import { MAX_BYTES } from "../../engine/wasm/layout.js";
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
export function estimateProcessBytes(estimate: RunEstimate, { rows, vectorEntries }: DataSizes): number {
  const { engineBytes, graphBytes, hostBytes } = estimate;
  const training =
    TRAINING_BASE_BYTES +
    2 * graphBytes +
    hostBytes +
    engineBytes +
    vectorEntries * BYTES_PER_VECTOR_ENTRY;
  return Math.max(loadingBytes(rows), training);
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

/** Room for rows of other ranks and for ranks with more rows than others, when ranks are advised. Not tuned. */
const RANKS_MARGIN = 1.25;

/** Throws if the run does not fit into WebAssembly memory, and names a number of ranks or widths that would fit. */
export async function requireEngineMemory(
  graph: LoadedGraph,
  { model, settings }: ModelRequest,
  { engineBytes }: Pick<RunEstimate, "engineBytes">,
  numRanks = 1,
): Promise<void> {
  if (engineBytes <= MAX_BYTES) return;
  const advisedRanks = Math.ceil((RANKS_MARGIN * engineBytes * numRanks) / MAX_BYTES);
  const ranks = isPartitionable(model, settings) ? `Divide it among processes with --ranks ${advisedRanks}. ` : "";
  const fitting = await findFittingWidths(graph, model, settings, MAX_BYTES);
  const advice =
    fitting === undefined
      ? "Leave out relations or nodes."
      : `${Object.entries(fitting.widths)
          .map(([name, width]) => `--set ${name}=${width}`)
          .join(" ")} would need ${formatBytes(fitting.engineBytes)}.`;
  throw new UnsupportedError(
    `memory: the engine would need ${formatBytes(engineBytes)}${numRanks > 1 ? " on each rank" : ""}, and WebAssembly memory ends at ${formatBytes(MAX_BYTES)}. ${ranks}${advice}`,
  );
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
