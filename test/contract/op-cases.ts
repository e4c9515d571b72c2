/** The cases of the op tests: every op, with odd sizes. */

import type { Rng } from "../../src/core/rng.js";
import {
  add,
  addRow,
  bceLogits,
  broadcastRow,
  clipRows,
  concatColumns,
  dropout,
  exp,
  inverseSqrt,
  linearCombination,
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
  sqrt,
  sumRows,
  sumSquares,
  tanh,
} from "../../src/engine/ops/index.js";
import type { Tensor } from "../../src/engine/program.js";
import { blockCases } from "./block-cases.js";
import type { OpCase } from "./check-op.js";
import { flatCases } from "./flat-cases.js";
import { gatherCases } from "./gather-cases.js";
import { sparseCases } from "./sparse-cases.js";

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
    ...[2, 3].map((count) => ({
      name: `linearCombination of ${count} ${m}×${n}`,
      shapes: [[1, count] as const, ...Array.from({ length: count }, () => [m, n] as const)],
      noGradient: "only the preparation uses it",
      build: ([row, ...terms]: readonly Tensor[]) => linearCombination(row, terms),
    })),
    {
      name: `linearCombination in place of its first term ${m}×${n}`,
      shapes: [
        [1, 2],
        [m, n],
        [m, n],
      ],
      noGradient: "only the preparation uses it",
      build: ([row, a, b]) => linearCombination(row, [scale(a, 1.3), b]),
    },
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
    // at least two columns: the gradient of a single column is zero
    { name: `normalizeRows ${m}×${n + 1}`, shapes: [[m, n + 1]], build: ([x]) => normalizeRows(x) },
    {
      name: `clipRows ${m}×${n}`,
      shapes: [[m, n]],
      // rows both shorter and longer than one
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
  {
    // several chunks of several passes; wide and narrow tiles
    name: "matmulTransposeA 700: 35×70",
    shapes: [
      [700, 35],
      [700, 70],
    ],
    build: ([a, b]) => matmulTransposeA(a, b),
    noGradient: "seventy thousand central differences; smaller ones are checked above",
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

/** Sums of several blocks, and rows that threads share in different ways. */
const blocks: OpCase[] = [
  {
    name: "sumSquares of several blocks",
    shapes: [
      [157, 67],
      [157, 67],
    ],
    build: ([x, c]) => sumSquares(x, 0.3, c),
  },
  {
    name: "prelu of several blocks",
    shapes: [
      [157, 67],
      [1, 1],
    ],
    build: ([x, a]) => prelu(x, a),
  },
  {
    name: "bceLogits of several blocks, rows weighted",
    shapes: [[157, 67]],
    build: ([x], builder) => {
      const targets = Array.from({ length: 157 * 67 }, (_, i) => (i % 3) / 2);
      const weights = Array.from({ length: 157 }, (_, i) => i % 4);
      return bceLogits(x, builder.constant(targets, 157, 67), 0.3, builder.constant(weights, 157, 1));
    },
  },
  ...[
    [2101, 3],
    [157, 32],
    [5, 700],
    [4201, 33],
  ].map(
    ([m, n]): OpCase => ({
      name: `softmaxCrossEntropy of several blocks, ${m}×${n}`,
      shapes: [[m, n]],
      build: ([x], builder) => {
        // few targets: the rounding of a large loss would hide its differences
        const targets = new Float32Array(m * n);
        for (let i = 0; i < m; i += Math.ceil(m / 600)) targets.set([0.75, 0.5], i * n + (i % (n - 1)));
        return softmaxCrossEntropy(x, builder.constant(targets, m, n));
      },
    }),
  ),
  ...[
    [300, 8],
    [20, 60],
    [3, 700],
  ].map(
    ([m, n]): OpCase => ({
      name: `rows that are normalized, weighted, multiplied and cut, ${m}×${n}`,
      shapes: [
        [m, n],
        [m, n],
        [m, 1],
      ],
      build: ([a, b, s]) => {
        const y = normalizeRows(a);
        const dots = rowDots(y, softmaxRows(b));
        return concatColumns([dots, sliceColumns(relu(y), 4, n - 4), scaleRows(b, s)]);
      },
    }),
  ),
];

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
  ...blocks,
  ...sparseCases,
  masked,
  ...gatherCases,
  ...blockCases,
  ...flatCases,
];
