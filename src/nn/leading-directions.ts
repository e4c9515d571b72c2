/**
 * Leading eigenvectors of symmetric maps on the engine: the blocks of numeric/eigen/subspace-iteration.ts as tensors, several maps
 * side by side.
 */

import { nextTurn } from "../core/event-loop.js";
import { addWork, eigenWork, scaleWork, type Work } from "../core/work.js";
import { readAll } from "../engine/engine.js";
import { assign, linearCombination, matmul, matmulTransposeA } from "../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../engine/program.js";
import { appendAll } from "../numeric/append-all.js";
import {
  chebyshevFilter,
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
   * What is known of the eigenvalues. "bounded": none is below −1, and the largest is about 1 or less; "positive": none is below 0, and the
   * largest is not known.
   */
  readonly eigenvalues: "bounded" | "positive";
  /** Rounds of the iteration. Default: 4 for bounded eigenvalues, otherwise 32. */
  readonly rounds?: number;
  /** Maps whose blocks are in memory together; the directions do not depend on it. Default: as many as MAX_BLOCK_BYTES allow. */
  readonly mapsAtOnce?: number;
  /** Names the random start. */
  readonly purpose: string;
  /** Name of the stage that the progress shows. */
  readonly stageName: string;
}

type Eigenvalues = DirectionOptions["eigenvalues"];

/**
 * Rounds for bounded eigenvalues, each with a filter of degree 4. The sum of 24 eigenvalues is then 0.01, 0.09 and 2.8 % too small on leskovec, on koumbia_20 and in a
 * random graph of 20,000 nodes; after three rounds 0.03, 0.4 and 4.8 %, after eight rounds of four products without a filter 0.01, 0.17 and 4.4 %
 * (unions of the relations, 2026-11-19).
 */
export const FILTERED_ROUNDS = 4;

function numRounds(eigenvalues: Eigenvalues): number {
  return eigenvalues === "bounded" ? FILTERED_ROUNDS : PRODUCTS;
}

/**
 * Products in one round, that of Rayleigh–Ritz included. Positive eigenvalues have one only, which is both: after four of them a direction with
 * a sixth of the largest eigenvalue would be dropped as rounding, and a filter would drop more.
 */
function productsPerRound(eigenvalues: Eigenvalues): number {
  return eigenvalues === "bounded" ? PRODUCTS_PER_ROUND + 1 : 1;
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
    eigenvalues,
    rounds = numRounds(eigenvalues),
    maps = 1,
  }: Pick<DirectionOptions, "numNodes" | "count" | "eigenvalues" | "rounds"> & { maps?: number },
  products: (width: number) => Work,
): Work {
  const width = blockWidth(numNodes, count);
  const block = 4 * numNodes * width;
  const passes = eigenvalues === "bounded" ? 3 + 4 * PRODUCTS_PER_ROUND : 10;
  const round = addWork(
    scaleWork(products(width), productsPerRound(eigenvalues)),
    { dense: 4 * maps * numNodes * width ** 2, streamed: maps * block * passes },
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
  const { numNodes, count, eigenvalues, purpose, stageName, rounds = numRounds(eigenvalues) } = options;
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
  { numNodes, width, count, eigenvalues, rounds, streams, endRound }: IterationOptions,
  tools: PrecomputeTools,
): Promise<Eigenvectors<Float32Array>[]> {
  const wanted = Math.min(width, count);
  const isFiltered = eigenvalues === "bounded";
  const builder = new ProgramBuilder(numNodes);
  const blocks = maps.map((_, m) => builder.state(`block.${m}`, numNodes, width));
  // what a round starts from: the blocks, or their images, which positive maps do not compute again
  const sources = isFiltered ? blocks : maps.map((_, m) => builder.state(`image.${m}`, numNodes, width));
  const mixes = maps.map((_, m) => builder.input(`mix.${m}`, width, width, "float", false));
  const filters = isFiltered ? maps.map((_, m) => filterInputs(builder, m)) : [];
  let grams: Tensor[] = [];
  builder.segment("power", () => {
    grams = maps.map((map, m) => {
      const start = matmul(sources[m], mixes[m]);
      const x = isFiltered ? filtered(map, start, filters[m]) : start;
      const gram = matmulTransposeA(x, x);
      assign(sources[m], x);
      return gram;
    });
    return grams;
  });
  let projected: Tensor[] = [];
  builder.segment("ritz", () => {
    projected = maps.map((map, m) => {
      const x = matmul(sources[m], mixes[m]);
      const image = map(x);
      const product = matmulTransposeA(x, image);
      assign(blocks[m], x);
      if (!isFiltered) assign(sources[m], image);
      return product;
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
    sources.forEach((block, m) => {
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
      filters.forEach(({ first, next }, m) => {
        const filter = chebyshevFilter(iteration.cuts[m]);
        executable.write(first, (data) => data.set(filter.first));
        executable.write(next, (data) => data.set(filter.next));
      });
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

/** Coefficients of a `ChebyshevFilter`, as inputs. */
interface FilterInputs {
  readonly first: Tensor;
  readonly next: Tensor;
}

function filterInputs(builder: ProgramBuilder, map: number): FilterInputs {
  const input = (name: string, cols: number) => builder.input(`${name}.${map}`, 1, cols, "float", false);
  return { first: input("filter.first", 2), next: input("filter.next", 3) };
}

/** T(A)·X for the filter T and the map A. */
function filtered(map: SymmetricMap, x: Tensor, { first, next }: FilterInputs): Tensor {
  let previous = x;
  let current = linearCombination(first, [map(x), x]);
  for (let degree = 2; degree <= PRODUCTS_PER_ROUND; degree++) {
    [previous, current] = [current, linearCombination(next, [map(current), current, previous])];
  }
  return current;
}
