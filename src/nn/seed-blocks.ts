/**
 * Linear maps applied to every unit vector e_v, some tens of them at a time: how the columns of an n × n matrix that is a
 * formula of sparse ones are looked at without ever being held together.
 */

import { nextTurn } from "../core/next-turn.js";
import { ProgramBuilder, type Tensor } from "../engine/program.js";
import type { PrecomputeTools } from "./model.js";

/** Columns side by side: as wide as the sparse kernels like. */
const MOST_COLUMNS = 64;
const FEWEST_COLUMNS = 8;
/** Blocks grow narrower when their working space would go past this many bytes. */
const WORKING_BYTES = 2 ** 29;

/** Seeds a block, where `live` vectors per seed are held at once. */
function blockWidth(numNodes: number, live: number): number {
  const affordable = Math.floor(WORKING_BYTES / (4 * numNodes * live * FEWEST_COLUMNS)) * FEWEST_COLUMNS;
  return Math.min(MOST_COLUMNS, Math.max(FEWEST_COLUMNS, affordable));
}

export interface SeedBlock {
  /** Which of the maps. */
  readonly map: number;
  /** The seeds are first, …, first + count − 1. */
  readonly first: number;
  readonly count: number;
  /** Row-major, numNodes × width; column c belongs to seed first + c. */
  readonly data: Float32Array | Float64Array;
  readonly width: number;
}

export interface SeedMaps {
  readonly numNodes: number;
  /** Vectors per seed that a map holds at once, for the choice of the width. */
  readonly live: number;
  /** Each traces its map of the seeds' unit vectors, [n, width] → [n, width]. */
  readonly maps: readonly ((seeds: Tensor) => Tensor)[];
}

/** Calls `visit` for every map and block of seeds, map after map; ends early, without an error, when the signal says so. */
export async function visitSeedBlocks(
  { numNodes, live, maps }: SeedMaps,
  { engine, signal }: PrecomputeTools,
  visit: (block: SeedBlock) => void,
): Promise<void> {
  const width = blockWidth(numNodes, live);
  const builder = new ProgramBuilder();
  const seeds = builder.input("seeds", numNodes, width);
  const results: Tensor[] = [];
  maps.forEach((map, m) => {
    builder.segment(`map.${m}`, () => {
      results[m] = map(seeds);
      return [results[m]];
    });
  });
  const executable = await engine.compile(builder.finish());
  try {
    for (let map = 0; map < maps.length; map++) {
      for (let first = 0; first < numNodes; first += width) {
        await nextTurn();
        if (signal?.aborted) return;
        const count = Math.min(width, numNodes - first);
        executable.write(seeds, (data) => {
          data.fill(0);
          for (let c = 0; c < count; c++) data[(first + c) * width + c] = 1;
        });
        executable.run(`map.${map}`);
        visit({ map, first, count, data: executable.read(results[map]), width });
      }
    }
  } finally {
    await executable.dispose();
  }
}
