/**
 * Visits the columns of an n × n matrix that is a formula of sparse matrices, without storing it: the formula is applied to unit
 * vectors e_v (seeds), some tens of them at a time.
 */

import { nextTurn } from "../../core/event-loop.js";
import { addWork, type Stage, scaleWork, type Work } from "../../core/work.js";
import { ProgramBuilder, type Tensor } from "../../engine/program.js";
import type { FloatArray, Rows } from "../../numeric/rows.js";
import type { PrecomputeTools } from "../model.js";

/** Largest number of columns of a block: two tiles of the sparse kernels. Not tuned. */
const MAX_COLUMNS = 64;
/** Smallest number of columns of a block; wider blocks are multiples of it. */
const MIN_COLUMNS = 8;
/** Blocks become narrower if they would need more working space than this, in bytes. */
const WORKING_BYTES = 2 ** 29;

/** Seeds per block, if `live` vectors per seed are in memory at once. */
function blockWidth(numNodes: number, live: number): number {
  const affordable = Math.floor(WORKING_BYTES / (4 * numNodes * live * MIN_COLUMNS)) * MIN_COLUMNS;
  return Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, affordable));
}

/** The results of a block of seeds, numNodes × width; column c belongs to seed first + c. */
export interface SeedBlock extends Rows<FloatArray> {
  /** The seeds are first, …, first + count − 1. */
  readonly first: number;
  readonly count: number;
}

/** The map that is applied to the seeds. */
export interface SeedMap {
  /** Name of the stage. */
  readonly name: string;
  readonly numNodes: number;
  /** Vectors per seed that the map needs in memory at once; decides the width of a block. */
  readonly live: number;
  /** Traces the map, unit vectors [n, width] → [n, width]. */
  map(seeds: Tensor): Tensor;
}

/**
 * The stage of `visitSeedBlocks`. `map`: work of the map for a block of `width` seeds; `visit`: loop steps of visiting one number.
 */
export function seedBlocksStage(
  { name, numNodes, live }: Omit<SeedMap, "map">,
  map: (width: number) => Work,
  visit: number,
): Stage {
  const width = blockWidth(numNodes, live);
  const block: Work = { loops: visit * numNodes * width, streamed: 8 * numNodes * width };
  const blocks = Math.ceil(numNodes / width);
  return { name, work: { ...scaleWork(addWork(map(width), block), blocks), programs: 1 } };
}

/** Calls `visit` for every block of seeds. If the signal is aborted, returns early without an error. */
export async function visitSeedBlocks(
  { name, numNodes, live, map }: SeedMap,
  { engine, signal, onStep }: PrecomputeTools,
  visit: (block: SeedBlock) => void,
): Promise<void> {
  const width = blockWidth(numNodes, live);
  const builder = new ProgramBuilder();
  const seeds = builder.input("seeds", numNodes, width);
  let result!: Tensor;
  builder.segment("map", () => {
    result = map(seeds);
    return [result];
  });
  const executable = await engine.compile(builder.finish());
  const blocks = Math.ceil(numNodes / width);
  await onStep?.(name, 0, blocks);
  try {
    for (let first = 0; first < numNodes; first += width) {
      await nextTurn();
      if (signal?.aborted) return;
      const count = Math.min(width, numNodes - first);
      executable.write(seeds, (data) => {
        data.fill(0);
        for (let c = 0; c < count; c++) data[(first + c) * width + c] = 1;
      });
      executable.run("map");
      visit({ first, count, data: await executable.read(result), width });
      await onStep?.(name, first / width + 1, blocks);
    }
  } finally {
    await executable.dispose();
  }
}
