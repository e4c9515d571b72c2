/** Variance of all columns of a feature matrix together: of the features themselves, and of the smoothed features. */

import { Rng } from "../../../core/rng.js";
import { add, matmul, matmulTransposeA, sumSquares } from "../../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../../engine/program.js";
import type { SparseOperator } from "../../../engine/sparse.js";
import type { PrecomputeTools } from "../../../nn/model.js";
import type { Eigenvectors } from "../../../numeric/eigen/subspace-iteration.js";
import { FEATURES } from "../constants.js";

/** A variance below this part of the mean square is the rounding error of equal values. */
const ROUNDING = 1e-12;

/** Variance of each column; 0 if the column has one value. */
export function columnVariances({ numRows, numColumns, rowStart, columns, values }: SparseOperator): Float64Array {
  const entry = (e: number) => values?.[e] ?? 1;
  const numEntries = rowStart[numRows];
  const means = new Float64Array(numColumns);
  const squares = new Float64Array(numColumns);
  const numZeros = new Float64Array(numColumns).fill(numRows);
  for (let e = 0; e < numEntries; e++) {
    means[columns[e]] += entry(e) / numRows;
    squares[columns[e]] += entry(e) ** 2 / numRows;
    numZeros[columns[e]]--;
  }
  const variances = means.map((mean, c) => (numZeros[c] * mean ** 2) / numRows);
  for (let e = 0; e < numEntries; e++) variances[columns[e]] += (entry(e) - means[columns[e]]) ** 2 / numRows;
  return variances.map((variance, c) => (variance > ROUNDING * squares[c] ? variance : 0));
}

/** Number of columns that `varianceOfMap` multiplies by the map. */
export function numProbes(numColumns: number): number {
  return Math.min(numColumns, FEATURES.varianceProbes);
}

/**
 * Sum of the variances of the columns of M, where `map` is X ↦ M·X with centred columns and `leading` are leading left singular
 * vectors U of M with the variances that they explain. The rest is the sum of squares of (I − U·Uᵀ)·M·G (Meyer et al. 2021,
 * arXiv:2010.09649).
 *
 * G is the identity if M has few columns; the result is then exact. With many columns that would take longer than all
 * directions, so G is random. With k leading directions and m random columns the standard error is at most √(1/(2·k·m)) of the
 * result: 1.6 % with 16 and 128. Blocks of columns limit the memory.
 */
export async function varianceOfMap(
  map: (x: Tensor) => Tensor,
  { numNodes, numColumns }: { readonly numNodes: number; readonly numColumns: number },
  { data, width, values }: Eigenvectors<Float32Array>,
  { engine, seed, signal }: PrecomputeTools,
): Promise<number> {
  const count = numProbes(numColumns);
  const block = Math.min(count, FEATURES.probeBlock);
  const builder = new ProgramBuilder(numNodes);
  const probes = builder.input("probes", numColumns, block, "float", false);
  let squares!: Tensor;
  builder.segment("variance", () => {
    const image = map(probes);
    const basis = builder.constant(data, numNodes, width);
    squares = sumSquares(add(image, matmul(basis, matmulTransposeA(basis, image)), -1));
    return [squares];
  });
  const rng = new Rng(seed, "features.variance");
  const isExact = count === numColumns;
  const executable = await engine.compile(builder.finish());
  try {
    let rest = 0;
    for (let first = 0; first < count; first += block) {
      executable.write(probes, (entries) => {
        for (let at = 0; at < entries.length; at++) {
          const [row, column] = [Math.floor(at / block), first + (at % block)];
          entries[at] = column >= count ? 0 : isExact ? Number(row === column) : rng.normal();
        }
      });
      executable.run("variance");
      rest += (await executable.read(squares))[0];
      signal?.throwIfAborted();
    }
    const explained = values.reduce((sum, value) => sum + Math.max(0, value), 0);
    return explained + rest / (numNodes * (isExact ? 1 : count));
  } finally {
    await executable.dispose();
  }
}
