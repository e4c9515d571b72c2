/** The cases of the op suite: every op, odd sizes, empty rows, empty matrices. */

import { Rng } from "../../src/core/rng.js";
import {
  add,
  addRow,
  bceLogits,
  broadcastRow,
  clipRows,
  concatColumns,
  convolve,
  dropout,
  exp,
  inverseSqrt,
  log,
  logSigmoid,
  maskScale,
  matmul,
  matmulTransposeA,
  meanRows,
  multiply,
  multiplyAddChain,
  normalizeRows,
  ones,
  permuteRows,
  prelu,
  randomPermutation,
  reciprocal,
  relu,
  reshape,
  rowDots,
  scale,
  scaleRows,
  shufflePair,
  sigmoid,
  sliceColumns,
  softmaxCrossEntropy,
  softmaxRows,
  softplus,
  spmm,
  spmmDropout,
  spmmSum,
  sqrt,
  sumRows,
  sumSquares,
  tanh,
} from "../../src/engine/ops/index.js";
import type { SparseOperator } from "../../src/engine/sparse.js";
import { blockCases } from "./block-cases.js";
import type { OpCase } from "./check-op.js";
import { gatherCases } from "./gather-cases.js";

interface SparseShape {
  readonly rows: number;
  readonly cols: number;
  readonly density: number;
  readonly weighted?: boolean;
  readonly left?: boolean;
  readonly right?: boolean;
  readonly diagonal?: number;
  readonly symmetric?: boolean;
  readonly seed?: number;
}

/** A random sparse matrix with some empty rows. */
export function randomSparse(shape: SparseShape): SparseOperator {
  const { rows, cols, density, weighted, left, right, diagonal = 0, symmetric = false, seed = 1 } = shape;
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

const SIZES = [1, 3, 31, 33, 65];
const positive = (rng: Rng) => 0.1 + rng.uniform();

const dense: OpCase[] = SIZES.flatMap((n): OpCase[] => {
  const m = 66 - n;
  return [
    {
      name: `matmul ${m}×${n}×7`,
      shapes: [
        [m, n],
        [n, 7],
      ],
      build: ([a, b]) => matmul(a, b),
    },
    {
      name: `matmul ${n}×5×${m}`,
      shapes: [
        [n, 5],
        [5, m],
      ],
      build: ([a, b]) => matmul(a, b),
    },
    {
      name: `matmul ${m}×${n}×1`,
      shapes: [
        [m, n],
        [n, 1],
      ],
      build: ([a, b]) => matmul(a, b),
    },
    {
      name: `matmul ${n}×6×${m} transposed`,
      shapes: [
        [n, 6],
        [m, 6],
      ],
      build: ([a, b]) => matmul(a, b, true),
    },
    {
      name: `matmul ${n}×6×1 transposed`,
      shapes: [
        [n, 6],
        [1, 6],
      ],
      build: ([a, b]) => matmul(a, b, true),
    },
    {
      name: `matmulTransposeA ${m}: ${n}×9`,
      shapes: [
        [m, n],
        [m, 9],
      ],
      build: ([a, b]) => matmulTransposeA(a, b),
    },
    {
      name: `add ${m}×${n}`,
      shapes: [
        [m, n],
        [m, n],
      ],
      build: ([a, b]) => add(a, b, -0.7),
    },
    {
      name: `multiplyAddChain ${m}×${n}`,
      shapes: [[m, n]],
      noGradient: "no model uses it",
      build: ([x]) => multiplyAddChain(x, 5, 0.7),
    },
    { name: `scale ${m}×${n}`, shapes: [[m, n]], build: ([x]) => scale(x, 1.3) },
    {
      name: `multiply ${m}×${n}`,
      shapes: [
        [m, n],
        [m, n],
      ],
      build: ([a, b]) => multiply(a, b),
    },
    {
      name: `addRow ${m}×${n}`,
      shapes: [
        [m, n],
        [1, n],
      ],
      build: ([x, row]) => addRow(x, row),
    },
    { name: `sumRows ${m}×${n}`, shapes: [[m, n]], build: ([x]) => sumRows(x, 0.3) },
    { name: `sumSquares ${m}×${n}`, shapes: [[m, n]], build: ([x]) => sumSquares(x, 0.3) },
    {
      name: `sumSquares about a centre ${m}×${n}`,
      shapes: [
        [m, n],
        [m, n],
      ],
      build: ([x, c]) => sumSquares(x, 0.3, c),
    },
    { name: `meanRows ${n}×${m}`, shapes: [[n, m]], build: ([x]) => meanRows(x) },
    { name: `broadcastRow ${n}`, shapes: [[1, n]], build: ([x]) => broadcastRow(x, m, 2) },
    { name: `relu ${m}×${n}`, shapes: [[m, n]], build: ([x]) => relu(x) },
    {
      name: `prelu ${m}×${n}`,
      shapes: [
        [m, n],
        [1, 1],
      ],
      build: ([x, a]) => prelu(x, a),
    },
    { name: `dropout ${m}×${n}`, shapes: [[m, n]], build: ([x]) => dropout(x, 0.4, "drop") },
    { name: `softmaxRows ${m}×${n}`, shapes: [[m, n]], build: ([x]) => softmaxRows(x) },
    {
      name: `scaleRows ${m}×${n}`,
      shapes: [
        [m, n],
        [m, 1],
      ],
      build: ([x, s]) => scaleRows(x, s),
    },
    {
      name: `scaleRows from its result ${m}×${n}`,
      shapes: [
        [m, n],
        [m, 1],
      ],
      value: positive,
      build: ([x, s]) => scaleRows(x, s, { fromResult: true }),
    },
    {
      name: `rowDots ${m}×${n}`,
      shapes: [
        [m, n],
        [m, n],
      ],
      build: ([a, b]) => rowDots(a, b),
    },
    { name: `sliceColumns ${m}×${n}`, shapes: [[m, n + 2]], build: ([x]) => sliceColumns(x, 1, n) },
    {
      name: `concatColumns ${m}×${n}`,
      shapes: [
        [m, n],
        [m, 1],
        [m, 3],
      ],
      build: (parts) => concatColumns(parts),
    },
    { name: `sigmoid ${m}×${n}`, shapes: [[m, n]], build: ([x]) => sigmoid(x) },
    { name: `tanh ${m}×${n}`, shapes: [[m, n]], build: ([x]) => tanh(x) },
    { name: `exp ${m}×${n}`, shapes: [[m, n]], build: ([x]) => exp(x) },
    { name: `log ${m}×${n}`, shapes: [[m, n]], value: positive, build: ([x]) => log(x, 0.2) },
    { name: `sqrt ${m}×${n}`, shapes: [[m, n]], value: positive, build: ([x]) => sqrt(x, 0.1) },
    { name: `softplus ${m}×${n}`, shapes: [[m, n]], value: (rng) => 5 * rng.normal(), build: ([x]) => softplus(x) },
    { name: `logSigmoid ${m}×${n}`, shapes: [[m, n]], value: (rng) => 5 * rng.normal(), build: ([x]) => logSigmoid(x) },
    // a single column has no gradient but zero
    { name: `normalizeRows ${m}×${n + 1}`, shapes: [[m, n + 1]], build: ([x]) => normalizeRows(x) },
    {
      name: `clipRows ${m}×${n}`,
      shapes: [[m, n]],
      // rows on both sides of length one
      value: (rng) => (2 * rng.uniform() * rng.normal()) / Math.sqrt(n),
      build: ([x]) => clipRows(x),
    },
    { name: `reshape of a parameter ${m}×${n}`, shapes: [[m, n]], build: ([x]) => scale(reshape(x, n, m), 2) },
    {
      name: `bceLogits ${m}×${n}, rows weighted`,
      shapes: [[m, n]],
      build: ([x], builder) => {
        const targets = Array.from({ length: m * n }, (_, i) => (i % 3) / 2);
        const weights = Array.from({ length: m }, (_, i) => i % 4);
        return bceLogits(x, builder.constant(targets, m, n), 0.3, builder.constant(weights, m, 1));
      },
    },
    {
      name: `softmaxCrossEntropy ${m}×${n}`,
      shapes: [[m, n]],
      build: ([x], builder) => {
        const targets = Array.from({ length: m * n }, (_, i) => (i % 3) / 2);
        return softmaxCrossEntropy(x, builder.constant(targets, m, n));
      },
    },
    { name: `reciprocal ${m}×${n}`, shapes: [[m, n]], value: positive, build: ([x]) => reciprocal(x) },
    { name: `inverseSqrt ${m}×${n}`, shapes: [[m, n]], value: positive, build: ([x]) => inverseSqrt(x, 0.5) },
    {
      name: `shufflePair ${m}×${n}`,
      shapes: [[m, n]],
      build: ([x], builder) => shufflePair(x, randomPermutation(builder, "shuffle", m)),
    },
    {
      name: `permuteRows ${m}×${n}`,
      shapes: [[m, n]],
      build: ([x], builder) => permuteRows(x, randomPermutation(builder, "shuffle", m)),
    },
    {
      name: `shufflePair of a product, read as ${m}×${2 * n}`,
      shapes: [
        [m, 4],
        [4, n],
      ],
      build: ([x, w], builder) => {
        const pair = shufflePair(matmul(x, w), randomPermutation(builder, "shuffle", m));
        return reshape(pair, m, 2 * n);
      },
    },
    {
      name: `bceLogits ${m}`,
      shapes: [[m, 1]],
      build: ([x], builder) =>
        bceLogits(
          x,
          builder.constant(
            Array.from({ length: m }, (_, i) => (i + 1) % 2),
            m,
            1,
          ),
        ),
    },
  ];
});

const chained: OpCase[] = [
  {
    name: "a value used three times",
    shapes: [[9, 4]],
    build: ([x]) => {
      const y = sigmoid(x);
      return add(multiply(y, tanh(y)), y, 2);
    },
  },
  {
    name: "masks of two relus are kept apart",
    shapes: [
      [40, 3],
      [40, 3],
    ],
    build: ([a, b]) => add(relu(add(a, b)), relu(add(a, b, -1)), 0.5),
  },
  {
    name: "long sums in many chunks",
    shapes: [
      [20_011, 1],
      [1, 2],
    ],
    build: ([x, w]) => sumRows(relu(matmul(x, w))),
    noGradient: "twenty thousand central differences; the parts are checked above",
  },
  { name: "ones", shapes: [[5, 3]], build: ([x], builder) => add(ones(builder, 5, 3), x) },
  {
    name: "normalizeRows of zeros",
    shapes: [[5, 7]],
    value: () => 0,
    build: ([x]) => normalizeRows(x),
    noGradient: "there is none at zero; zero is used",
  },
  {
    name: "softmaxCrossEntropy of extreme logits",
    shapes: [[3, 2]],
    value: (rng) => (rng.uniform() < 0.5 ? -1 : 1) * (30 + 60 * rng.uniform()),
    build: ([x], builder) => softmaxCrossEntropy(x, builder.constant([1, 0, 0, 1, 1, 0], 3, 2)),
  },
  {
    name: "bceLogits of extreme logits",
    shapes: [[4, 1]],
    value: (rng) => (rng.uniform() < 0.5 ? -1 : 1) * (30 + 60 * rng.uniform()),
    build: ([x], builder) => bceLogits(x, builder.constant([1, 0, 1, 0], 4, 1)),
  },
];

const sparse: OpCase[] = SIZES.flatMap((n): OpCase[] => {
  const shape = { rows: n, cols: n, density: 0.3 };
  const symmetric = { ...shape, symmetric: true };
  return [
    { name: `spmm 0/1 ${n}`, shapes: [[n, 5]], build: ([x]) => spmm(randomSparse(shape), x) },
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
      name: `convolve 0/1 ${n}×${n + 4}, width 7`,
      shapes: [
        [n + 4, 7],
        [1, 7],
      ],
      build: ([x, b]) => convolve(randomSparse({ rows: n, cols: n + 4, density: 0.2, left: true }), x, b),
    },
    {
      name: `convolve normalised ${n}, width 64, twice`,
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
      name: `spmmDropout 0/1 ${n}×${n + 4}, width 7`,
      shapes: [[n + 4, 7]],
      build: ([x]) => spmmDropout(randomSparse({ rows: n, cols: n + 4, density: 0.2 }), x, 0.4, "drop"),
    },
    {
      name: `spmmDropout weighted, scaled ${n}, width 37, read twice`,
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
      name: `spmmSum 0/1 ${n}`,
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
      name: `spmmSum normalised, weighted, empty ${n}, width 35`,
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

/** Every way in which the last tile of a product can end: vectors of four, three, two, one, a part of one, less than one. */
const widths: OpCase[] = [2, 4, 9, 16, 22, 24, 28, 30, 48, 52, 58].flatMap((width): OpCase[] => {
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

const masked: OpCase = {
  name: "maskScale",
  shapes: [[7, 5]],
  build: ([x], builder) => {
    const y = relu(x);
    const mask = builder.producer(y)!.outputs[1];
    return maskScale(y, mask, 3);
  },
};

export const opCases: readonly OpCase[] = [
  ...dense,
  ...chained,
  ...sparse,
  ...widths,
  masked,
  ...gatherCases,
  ...blockCases,
];
