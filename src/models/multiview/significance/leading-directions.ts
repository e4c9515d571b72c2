/**
 * Leading eigenvectors of symmetric maps, by block power iteration with Rayleigh–Ritz on the engine, several maps side by
 * side: a block is multiplied some times, made orthonormal again through the eigenvectors of its Gram matrix, and turned
 * to the eigenvectors of the map within it. Directions of nearly equal values may stay mixed, which their span does not see.
 */

import { nextTurn } from "../../../core/event-loop.js";
import { Rng } from "../../../core/rng.js";
import { addWork, eigenWork, timesWork, type Work } from "../../../core/work.js";
import type { Executable } from "../../../engine/engine.js";
import { add, assign, matmul, matmulTransposeA, scale } from "../../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../../engine/program.js";
import type { PrecomputeTools } from "../../../nn/model.js";
import { symmetricEigen } from "../../../numeric/symmetric-eigen.js";
import { leadingColumns } from "../columns.js";

/** A symmetric map of n-vectors, traced for several at once: [n, k] → [n, k]. */
export type SymmetricMap = (x: Tensor) => Tensor;

export interface Directions {
  /** Largest first. */
  readonly values: Float64Array;
  /** Unit vectors, column k beside column k + 1: n × count by rows. */
  readonly vectors: Float32Array;
  readonly count: number;
}

export interface DirectionOptions {
  readonly numNodes: number;
  readonly count: number;
  /** Added to the map while iterating, so that large negative values do not take the block's places. */
  readonly shift: number;
  /** Names the random start. */
  readonly purpose: string;
  /** What is looked for, in words. */
  readonly what: string;
}

/** Products in all. */
const PRODUCTS = 32;
/**
 * Products between two orthonormalisations of a shifted map, none of whose values is below a third of the largest. Without
 * a shift there is one: after four a direction of a sixth of the strongest would be below WEAKEST and be lost.
 */
const HOPS = 4;
/** Columns beyond those wanted: the last ones of a block converge last. */
const EXTRA = 8;
/** A direction of the block this much weaker than its strongest is rounding. */
const WEAKEST = 1e-6;

/** Work of `leadingDirections` of so many maps; `products` is that of one product of every map with a block of `width` columns. */
export function directionsWork(
  { numNodes, count, shift, maps = 1 }: Pick<DirectionOptions, "numNodes" | "count" | "shift"> & { maps?: number },
  products: (width: number) => Work,
): Work {
  const width = Math.min(numNodes, count + EXTRA);
  const hops = shift === 0 ? 1 : HOPS;
  const block = 4 * numNodes * width;
  const round = addWork(
    timesWork(products(width), hops + 1),
    { dense: 4 * maps * numNodes * width ** 2, streamed: maps * block * (shift === 0 ? 12 : 4 + 5 * hops) },
    timesWork(eigenWork(width), 2 * maps),
  );
  return addWork(timesWork(round, PRODUCTS / hops), { programs: 1 });
}

/** The directions of the largest values of each map; fewer than asked for where there are fewer nodes. */
export async function leadingDirections(
  maps: readonly SymmetricMap[],
  { numNodes, count, shift, purpose, what }: DirectionOptions,
  { engine, seed, signal, onStep }: PrecomputeTools,
): Promise<Directions[]> {
  const width = Math.min(numNodes, count + EXTRA);
  const wanted = Math.min(width, count);
  const hops = shift === 0 ? 1 : HOPS;
  const rounds = PRODUCTS / hops;
  const builder = new ProgramBuilder();
  const blocks = maps.map((_, m) => builder.state(`block.${m}`, numNodes, width));
  const mixes = maps.map((_, m) => builder.input(`mix.${m}`, width, width));
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
  builder.segment("turn", () => {
    maps.forEach((_, m) => {
      assign(blocks[m], matmul(blocks[m], mixes[m]));
    });
    return [];
  });

  await onStep?.(what, 0, rounds);
  const executable = await engine.compile(builder.finish());
  try {
    const identity = Float64Array.from({ length: width * width }, (_, i) => (i % (width + 1) === 0 ? 1 : 0));
    blocks.forEach((block, m) => {
      const rng = new Rng(seed, `${purpose}.${m}`);
      executable.write(block, (data) => rng.fillSymmetric(data as Float32Array, 1));
      executable.write(mixes[m], (data) => data.set(identity));
    });
    let values: Float64Array[] = maps.map(() => new Float64Array(width));
    for (let round = 0; round < rounds; round++) {
      executable.run("power");
      write(
        executable,
        mixes,
        grams.map((gram) => orthonormalizer(executable.read(gram), width)),
      );
      executable.run("ritz");
      const ritz = projected.map((image) => symmetricEigen(symmetrized(executable.read(image), width), width));
      values = ritz.map((pairs) => pairs.values);
      write(
        executable,
        mixes,
        ritz.map(({ vectors }) => columnsOf(vectors, width)),
      );
      await onStep?.(what, round + 1, rounds);
      await nextTurn();
      signal?.throwIfAborted();
    }
    executable.run("turn");
    return blocks.map((block, m) => ({
      values: values[m].slice(0, wanted),
      vectors: leadingColumns({ data: executable.read(block), count: width }, wanted).data,
      count: wanted,
    }));
  } finally {
    await executable.dispose();
  }
}

function write(executable: Executable, tensors: readonly Tensor[], matrices: readonly Float64Array[]): void {
  tensors.forEach((tensor, m) => {
    executable.write(tensor, (data) => data.set(matrices[m]));
  });
}

/** Q·Λ^(-1/2) for a Gram matrix Q·Λ·Qᵀ: the block times it is orthonormal; directions that are not there become zero. */
function orthonormalizer(gram: ArrayLike<number>, size: number): Float64Array {
  const { values, vectors } = symmetricEigen(symmetrized(gram, size), size);
  const factors = values.map((value) => (value > WEAKEST * values[0] ? 1 / Math.sqrt(value) : 0));
  return columnsOf(
    vectors.map((vector, k) => vector.map((x) => x * factors[k])),
    size,
  );
}

function symmetrized(matrix: ArrayLike<number>, size: number): Float64Array {
  return Float64Array.from({ length: size * size }, (_, at) => {
    const [i, j] = [Math.floor(at / size), at % size];
    return (matrix[at] + matrix[j * size + i]) / 2;
  });
}

/** The vectors as columns of a square matrix by rows. */
function columnsOf(vectors: readonly Float64Array[], size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  vectors.forEach((vector, k) => {
    for (let i = 0; i < size; i++) matrix[i * size + k] = vector[i];
  });
  return matrix;
}
