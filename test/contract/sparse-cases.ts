/** Cases of sparse products and convolutions: odd sizes and widths, empty rows, empty matrices. */

import { Rng } from "../../src/core/rng.js";
import { add, convolve, spmm, spmmDropout, spmmSum } from "../../src/engine/ops/index.js";
import type { SparseOperator } from "../../src/engine/sparse.js";
import type { OpCase } from "./check-op.js";

interface RandomSparseOptions {
  readonly rows: number;
  readonly cols: number;
  /** Probability of an entry. */
  readonly density: number;
  /** Whether entries have random values; otherwise they are 1. */
  readonly weighted?: boolean;
  /** Whether rows are scaled by random factors. */
  readonly left?: boolean;
  /** Whether columns are scaled by random factors. */
  readonly right?: boolean;
  /** Value added to the diagonal. */
  readonly diagonal?: number;
  readonly symmetric?: boolean;
  readonly seed?: number;
}

/** A random sparse matrix with some empty rows. */
export function randomSparse(options: RandomSparseOptions): SparseOperator {
  const { rows, cols, density, weighted, left, right, diagonal = 0, symmetric = false, seed = 1 } = options;
  const rng = new Rng(seed, "sparse");
  const dense = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: cols }, () => (i % 5 !== 4 && rng.uniform() < density ? Math.fround(0.5 + rng.uniform()) : 0)),
  );
  if (symmetric) for (let i = 0; i < rows; i++) for (let j = 0; j < i; j++) dense[i][j] = dense[j][i];
  const rowStart = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const row of dense) {
    row.forEach((value, j) => {
      if (value === 0) return;
      columns.push(j);
      values.push(value);
    });
    rowStart.push(columns.length);
  }
  const scales = (n: number) => Float64Array.from({ length: n }, () => Math.fround(0.2 + rng.uniform()));
  return {
    numRows: rows,
    numColumns: cols,
    rowStart: Uint32Array.from(rowStart),
    columns: Uint32Array.from(columns),
    values: weighted ? Float32Array.from(values) : undefined,
    left: left ? scales(rows) : undefined,
    right: right ? scales(cols) : undefined,
    diagonal,
    symmetric,
  };
}

const bySize: OpCase[] = [1, 3, 31, 33, 65].flatMap((n): OpCase[] => {
  const shape = { rows: n, cols: n, density: 0.3 };
  const symmetric = { ...shape, symmetric: true };
  return [
    { name: `spmm unweighted ${n}`, shapes: [[n, 5]], build: ([x]) => spmm(randomSparse(shape), x) },
    {
      name: `spmm normalised ${n}, width 33`,
      shapes: [[n, 33]],
      build: ([x]) => spmm(randomSparse({ ...symmetric, left: true, right: true, diagonal: 3 }), x),
    },
    {
      name: `spmm weighted, normalised ${n}, width 37`,
      shapes: [[n, 37]],
      build: ([x]) => spmm(randomSparse({ ...shape, weighted: true, left: true, right: true, diagonal: 1 }), x),
    },
    {
      name: `spmm ${n}×${n + 4}, width 64`,
      shapes: [[n + 4, 64]],
      build: ([x]) => spmm(randomSparse({ rows: n, cols: n + 4, density: 0.2, left: true }), x),
    },
    {
      name: `spmm of an empty matrix ${n}`,
      shapes: [[n, 3]],
      build: ([x]) => spmm(randomSparse({ ...shape, density: 0 }), x),
    },
    {
      name: `spmm of an empty matrix with diagonal ${n}`,
      shapes: [[n, 3]],
      build: ([x]) => spmm(randomSparse({ ...shape, density: 0, diagonal: 2, left: true }), x),
    },
    {
      name: `convolve unweighted ${n}×${n + 4}, width 7`,
      shapes: [
        [n + 4, 7],
        [1, 7],
      ],
      build: ([x, b]) => convolve(randomSparse({ rows: n, cols: n + 4, density: 0.2, left: true }), x, b),
    },
    {
      name: `convolve normalised ${n}, width 64, sum of two results`,
      shapes: [
        [n, 64],
        [1, 64],
      ],
      build: ([x, b]) => {
        const matrix = randomSparse({ ...symmetric, left: true, right: true, diagonal: 3 });
        return add(convolve(matrix, x, b, 0.5), convolve(matrix, add(x, x), b, -0.25));
      },
    },
    {
      name: `convolve weighted, normalised ${n}, width 37`,
      shapes: [
        [n, 37],
        [1, 37],
      ],
      build: ([x, b]) =>
        convolve(randomSparse({ ...shape, weighted: true, left: true, right: true, diagonal: 1 }), x, b),
    },
    {
      name: `spmmDropout unweighted ${n}×${n + 4}, width 7`,
      shapes: [[n + 4, 7]],
      build: ([x]) => spmmDropout(randomSparse({ rows: n, cols: n + 4, density: 0.2 }), x, 0.4, "drop"),
    },
    {
      name: `spmmDropout weighted, scaled ${n}, width 37, sum of two results`,
      shapes: [[n, 37]],
      build: ([x]) => {
        const matrix = randomSparse({ ...shape, weighted: true, left: true, right: true });
        return add(spmmDropout(matrix, x, 0.5, "one"), spmmDropout(matrix, x, 0.25, "other"), 0.7);
      },
    },
    {
      name: `spmmDropout symmetric ${n}, width 32`,
      shapes: [[n, 32]],
      build: ([x]) => spmmDropout(randomSparse({ ...symmetric, left: true }), x, 0.5, "drop"),
    },
    {
      name: `spmmDropout of an empty matrix ${n}`,
      shapes: [[n, 3]],
      build: ([x]) => spmmDropout(randomSparse({ ...shape, density: 0 }), x, 0.5, "drop"),
    },
    {
      name: `spmmSum of unweighted matrices ${n}`,
      shapes: [
        [1, 3],
        [n, 6],
      ],
      build: ([w, x]) =>
        spmmSum(
          [1, 2, 3].map((seed) => randomSparse({ ...symmetric, seed })),
          w,
          x,
        ),
    },
    {
      name: `spmmSum of a normalised, a weighted and an empty matrix ${n}, width 35`,
      shapes: [
        [1, 3],
        [n, 35],
      ],
      build: ([w, x]) =>
        spmmSum(
          [
            randomSparse({ ...shape, left: true, right: true, diagonal: 3 }),
            randomSparse({ ...shape, weighted: true, seed: 2 }),
            randomSparse({ ...shape, density: 0, left: true, right: true, diagonal: 1 }),
          ],
          w,
          x,
        ),
    },
  ];
});

/** Widths whose last tile has every possible size: one to four SIMD vectors, part of a vector, fewer than four floats. */
const byWidth: OpCase[] = [2, 4, 9, 16, 22, 24, 28, 30, 48, 52, 58].flatMap((width): OpCase[] => {
  const shape = { rows: 11, cols: 11, density: 0.4 };
  return [
    {
      name: `spmm weighted, width ${width}`,
      shapes: [[11, width]],
      build: ([x]) => spmm(randomSparse({ ...shape, weighted: true, right: true, diagonal: 2 }), x),
    },
    {
      name: `convolve, width ${width}`,
      shapes: [
        [11, width],
        [1, width],
      ],
      build: ([x, b]) => convolve(randomSparse({ ...shape, right: true, diagonal: 2 }), x, b, 0.5),
    },
    {
      name: `spmmSum, width ${width}`,
      shapes: [
        [1, 2],
        [11, width],
      ],
      build: ([w, x]) =>
        spmmSum([randomSparse({ ...shape, left: true, diagonal: 1 }), randomSparse({ ...shape, seed: 2 })], w, x),
    },
  ];
});

/** Matrices with many entries in a row; the last two shapes have rows of more than a thousand, the last one in its transpose. */
const dense: OpCase[] = [
  { rows: 130, cols: 130, width: 40, density: 0.8 },
  { rows: 130, cols: 134, width: 37, density: 0.8 },
  { rows: 7, cols: 1300, width: 8, density: 0.9 },
  { rows: 1500, cols: 7, width: 8, density: 0.95 },
].flatMap(({ width, ...shape }): OpCase[] => {
  const name = `${shape.rows}×${shape.cols}, ${Math.round(100 * shape.density)} % entries, width ${width}`;
  const diagonal = shape.rows === shape.cols ? 3 : 0;
  const normalised = { ...shape, left: true, right: true, diagonal };
  return [
    {
      name: `spmm normalised, ${name}`,
      shapes: [[shape.cols, width]],
      build: ([x]) => spmm(randomSparse(normalised), x),
    },
    {
      name: `spmm weighted, ${name}`,
      shapes: [[shape.cols, width]],
      build: ([x]) => spmm(randomSparse({ ...normalised, weighted: true }), x),
    },
    {
      name: `convolve normalised and unweighted, ${name}`,
      shapes: [
        [shape.cols, width],
        [1, width],
      ],
      build: ([x, b]) => add(convolve(randomSparse(normalised), x, b, 0.5), convolve(randomSparse(shape), x, b)),
    },
    {
      name: `spmmSum of a normalised and an unweighted matrix, ${name}`,
      shapes: [
        [1, 2],
        [shape.cols, width],
      ],
      build: ([w, x]) => spmmSum([randomSparse(normalised), randomSparse({ ...shape, seed: 2 })], w, x),
    },
    {
      name: `spmmDropout, ${name}`,
      shapes: [[shape.cols, width]],
      build: ([x]) => spmmDropout(randomSparse({ ...shape, left: true, right: true }), x, 0.5, "drop"),
    },
  ];
});

export const sparseCases: readonly OpCase[] = [...bySize, ...byWidth, ...dense];
