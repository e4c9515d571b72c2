/**
 * Leading eigenvectors of symmetric maps on the engine: the blocks of numeric/eigen/subspace-iteration.ts as tensors, several maps
 * side by side.
 */

import { nextTurn } from "../core/event-loop.js";
import { addWork, eigenWork, scaleWork, type Work } from "../core/work.js";
import { readAll } from "../engine/engine.js";
import { add, assign, matmul, matmulTransposeA, scale } from "../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../engine/program.js";
import { appendAll } from "../numeric/append-all.js";
import {
  type Eigenvectors,
  EXTRA_COLUMNS,
  PRODUCTS,
  PRODUCTS_PER_ROUND,
  SubspaceIteration,
} from "../numeric/eigen/subspace-iteration.js";
import type { PrecomputeTools } from "./model.js";
import { sharedColumns } from "./shared-columns.js";

/** Maximum bytes of the blocks of maps that are iterated side by side; limits the memory. A single map may have a larger block. Not tuned. */
const MAX_BLOCK_BYTES = 2 ** 29;

/** A symmetric map of n-vectors, traced for several at once: [n, k] → [n, k]. */
export type SymmetricMap = (x: Tensor) => Tensor;

export interface DirectionOptions {
  readonly numNodes: number;
  readonly count: number;
  /**
   * Multiple of the identity added to the map while it is iterated, so that large negative eigenvalues take no columns of
   * the block; 0 if no eigenvalue is negative.
   */
  readonly shift: number;
  /** Rounds of the iteration. Default: 32 products in all rounds together, not counting those of Rayleigh–Ritz. */
  readonly rounds?: number;
  /** Maps whose blocks are in memory together; the directions do not depend on it. Default: as many as MAX_BLOCK_BYTES allow. */
  readonly mapsAtOnce?: number;
  /** Names the random start. */
  readonly purpose: string;
  /** Name of the stage that the progress shows. */
  readonly stageName: string;
}

/**
 * Products in one round: with a shift, eigenvalues from 0 on become at least a third of the largest. Without a shift there is
 * one product only: after four of them a direction with a sixth of the largest eigenvalue would be dropped as rounding.
 */
function productsPerRound(shift: number): number {
  return shift === 0 ? 1 : PRODUCTS_PER_ROUND;
}

/** Columns of the block in which `count` directions are searched. */
function blockWidth(numNodes: number, count: number): number {
  return Math.min(numNodes, count + EXTRA_COLUMNS);
}

/** Work of `leadingDirections` of so many maps; `products` is that of one product of every map with a block of `width` columns. */
export function directionsWork(
  {
    numNodes,
    count,
    shift,
    rounds = PRODUCTS / productsPerRound(shift),
    maps = 1,
  }: Pick<DirectionOptions, "numNodes" | "count" | "shift" | "rounds"> & { maps?: number },
  products: (width: number) => Work,
): Work {
  const width = blockWidth(numNodes, count);
  const hops = productsPerRound(shift);
  const block = 4 * numNodes * width;
  const round = addWork(
    scaleWork(products(width), hops + 1),
    { dense: 4 * maps * numNodes * width ** 2, streamed: maps * block * (shift === 0 ? 12 : 4 + 5 * hops) },
    scaleWork(eigenWork(width), 2 * maps),
  );
  return addWork(scaleWork(round, rounds), { programs: 1 });
}

/**
 * The directions of the largest values of each map; fewer than asked for where there are fewer nodes. Ranks divide the nodes among
 * them; the directions have one copy in the memory of each machine.
 */
export async function leadingDirections(
  maps: readonly SymmetricMap[],
  options: DirectionOptions,
  tools: PrecomputeTools,
): Promise<Eigenvectors<Float32Array>[]> {
  const { numNodes, count, shift, purpose, stageName, rounds = PRODUCTS / productsPerRound(shift) } = options;
  const width = blockWidth(numNodes, count);
  const { mapsAtOnce = Math.max(1, Math.floor(MAX_BLOCK_BYTES / (4 * numNodes * width))) } = options;
  const steps = Math.ceil(maps.length / mapsAtOnce) * rounds;
  let done = 0;
  await tools.onStep?.(stageName, done, steps);
  const endRound = async () => {
    await tools.onStep?.(stageName, ++done, steps);
    await nextTurn();
    tools.signal?.throwIfAborted();
  };
  const found: Eigenvectors<Float32Array>[] = [];
  for (let first = 0; first < maps.length; first += mapsAtOnce) {
    const some = maps.slice(first, first + mapsAtOnce);
    const streams = some.map((_, m) => `${purpose}.${first + m}`);
    appendAll(found, await iterateMaps(some, { ...options, width, rounds, streams, endRound }, tools));
  }
  return found;
}

interface IterationOptions extends DirectionOptions {
  /** Columns of each block. */
  readonly width: number;
  readonly rounds: number;
  /** The random stream of each block. */
  readonly streams: readonly string[];
  endRound(): Promise<void>;
}

/** The directions of maps whose blocks are in memory together. */
async function iterateMaps(
  maps: readonly SymmetricMap[],
  { numNodes, width, count, shift, rounds, streams, endRound }: IterationOptions,
  tools: PrecomputeTools,
): Promise<Eigenvectors<Float32Array>[]> {
  const wanted = Math.min(width, count);
  const hops = productsPerRound(shift);
  const builder = new ProgramBuilder(numNodes);
  const blocks = maps.map((_, m) => builder.state(`block.${m}`, numNodes, width));
  const mixes = maps.map((_, m) => builder.input(`mix.${m}`, width, width, "float", false));
  let grams: Tensor[] = [];
  builder.segment("power", () => {
    grams = maps.map((map, m) => {
      let x = matmul(blocks[m], mixes[m]);
      for (let hop = 0; hop < hops; hop++) {
        x = shift === 0 ? map(x) : scale(add(map(x), x, shift), 1 / (1 + shift));
      }
      const gram = matmulTransposeA(x, x);
      assign(blocks[m], x);
      return gram;
    });
    return grams;
  });
  let projected: Tensor[] = [];
  builder.segment("ritz", () => {
    projected = maps.map((map, m) => {
      const x = matmul(blocks[m], mixes[m]);
      const image = matmulTransposeA(x, map(x));
      assign(blocks[m], x);
      return image;
    });
    return projected;
  });
  builder.segment("rotate", () => {
    maps.forEach((_, m) => {
      assign(blocks[m], matmul(blocks[m], mixes[m]));
    });
    return [];
  });

  const executable = await tools.engine.compile(builder.finish());
  try {
    blocks.forEach((block, m) => {
      executable.fillSymmetric(block, { seed: tools.seed, purpose: streams[m] }, 1);
    });
    const run = async (segment: string, matrices: readonly Float64Array[], results: readonly Tensor[]) => {
      mixes.forEach((mix, m) => {
        executable.write(mix, (data) => data.set(matrices[m]));
      });
      executable.run(segment);
      return readAll(executable, results);
    };
    const iteration = new SubspaceIteration(width, maps.length);
    for (let round = 0; round < rounds; round++) {
      const squares = await run("power", iteration.mixes, grams);
      iteration.endRound(await run("ritz", iteration.orthonormalizers(squares), projected));
      await endRound();
    }
    await run("rotate", iteration.mixes, []);
    const { values } = iteration;
    const found: Eigenvectors<Float32Array>[] = [];
    for (const [m, block] of blocks.entries()) {
      const columns = await sharedColumns(executable, block, wanted, tools);
      found.push({ ...columns, values: values[m].slice(0, wanted) });
    }
    return found;
  } finally {
    await executable.dispose();
  }
}
