/** A case for every op that has a partition rule. */

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
  matmul,
  meanRows,
  multiply,
  normalizeRows,
  ones,
  permuteRows,
  prelu,
  randomPermutation,
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
  spmm,
  spmmDropout,
  spmmSum,
  stopGradient,
  sumRows,
  sumSquares,
} from "../../src/engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../src/engine/program.js";
import type { SparseOperator } from "../../src/engine/sparse.js";
import { randomConstant } from "../support/random-constant.js";

/** A computation on tensors of n nodes. */
export interface ClusterCase {
  readonly name: string;
  readonly numNodes: number;
  /** Shapes of the trained inputs. */
  readonly shapes: readonly (readonly [rows: number, cols: number])[];
  build(inputs: readonly Tensor[], builder: ProgramBuilder): Tensor;
}

/** A sparse matrix with about `degree` entries a row; some rows are empty. */
export function randomMatrix(
  numRows: number,
  numColumns: number,
  degree: number,
  { weighted = false, scaled = false, diagonal = 0 } = {},
): SparseOperator {
  const rng = new Rng(8, `matrix ${numRows} ${numColumns} ${degree}`);
  const rowStart = new Uint32Array(numRows + 1);
  const columns: number[] = [];
  for (let i = 0; i < numRows; i++) {
    const count = i % 11 === 0 ? 0 : rng.below(2 * degree + 1);
    const chosen = new Set(Array.from({ length: count }, () => rng.below(numColumns)));
    for (const column of [...chosen].sort((a, b) => a - b)) columns.push(column);
    rowStart[i + 1] = columns.length;
  }
  const numbers = (count: number) => Float64Array.from({ length: count }, () => 0.2 + rng.uniform());
  return {
    numRows,
    numColumns,
    rowStart,
    columns: Uint32Array.from(columns),
    values: weighted ? numbers(columns.length) : undefined,
    left: scaled ? numbers(numRows) : undefined,
    right: scaled ? numbers(numColumns) : undefined,
    diagonal,
    symmetric: false,
  };
}

const half = (rng: Rng) => rng.below(2);

const KINDS = {
  plain: {},
  scaled: { scaled: true, diagonal: 1 },
  weighted: { weighted: true, scaled: true, diagonal: 0.5 },
};

function sparseCases(n: number, width: number, degree: number, kind: keyof typeof KINDS): ClusterCase[] {
  const matrix = randomMatrix(n, n, degree, KINDS[kind]);
  const other = randomMatrix(n, n, degree + 1, KINDS[kind]);
  const what = `${kind}, ${n} nodes, degree ${degree}, width ${width}`;
  const x = [n, width] as const;
  return [
    { name: `spmm ${what}`, numNodes: n, shapes: [x], build: ([v]) => spmm(matrix, v) },
    {
      name: `convolve ${what}`,
      numNodes: n,
      shapes: [x, [1, width]],
      build: ([v, bias]) => convolve(matrix, v, bias, 0.5),
    },
    {
      name: `spmmSum ${what}`,
      numNodes: n,
      shapes: [[1, 2], x],
      build: ([weights, v]) => spmmSum([matrix, other], weights, v),
    },
    {
      name: `one source with several halos ${what}`,
      numNodes: n,
      shapes: [x],
      build: ([v], builder) => {
        const shuffled = permuteRows(v, randomPermutation(builder, "rows", n));
        return add(add(spmm(matrix, v), spmm(other, v)), add(shuffled, spmm(matrix, v), 3));
      },
    },
    {
      name: `a source that is not divided ${what}`,
      numNodes: n,
      shapes: [x],
      build: ([v], builder) => {
        const sines = Float32Array.from({ length: n * width }, (_, i) => Math.sin(i));
        const whole = builder.constant(sines, n, width, "float", false);
        return add(v, spmm({ ...matrix, diagonal: 0 }, whole));
      },
    },
  ];
}

function denseCases(n: number): ClusterCase[] {
  const make = (name: string, shapes: ClusterCase["shapes"], build: ClusterCase["build"]): ClusterCase => ({
    name: `${name}, ${n} nodes`,
    numNodes: n,
    shapes,
    build,
  });
  return [
    make(
      "matmul",
      [
        [n, 33],
        [33, 37],
      ],
      ([a, b]) => matmul(a, b),
    ),
    make(
      "matmul with a column",
      [
        [n, 33],
        [33, 1],
      ],
      ([a, b]) => matmul(a, b),
    ),
    make(
      "matmul transposed",
      [
        [n, 5],
        [7, 5],
      ],
      ([a, b]) => matmul(a, b, true),
    ),
    make(
      "matmul of pairs",
      [
        [n, 6],
        [3, 64],
      ],
      ([a, b]) => reshape(matmul(reshape(a, 2 * n, 3), b), n, 128),
    ),
    make(
      "add, scale, multiply",
      [
        [n, 7],
        [n, 7],
      ],
      ([a, b]) => multiply(add(a, scale(b, 3), -2), stopGradient(b)),
    ),
    make(
      "addRow, relu, sigmoid",
      [
        [n, 9],
        [1, 9],
      ],
      ([x, row]) => sigmoid(relu(addRow(x, row))),
    ),
    make(
      "prelu",
      [
        [n, 33],
        [1, 1],
      ],
      ([x, slope]) => prelu(x, slope),
    ),
    make("softmaxRows, normalizeRows", [[n, 5]], ([x]) =>
      concatColumns([softmaxRows(x), normalizeRows(x), clipRows(x)]),
    ),
    make(
      "scaleRows, rowDots",
      [
        [n, 5],
        [n, 1],
      ],
      ([x, s]) => rowDots(scaleRows(x, s, { fromResult: true }), x),
    ),
    make("sliceColumns", [[n, 10]], ([x]) => add(sliceColumns(x, 0, 4), sliceColumns(x, 3, 4))),
    make("sums of rows", [[n, 35]], ([x]) => add(meanRows(x), sumRows(multiply(x, x)), 2)),
    make("sums of pairs of rows", [[n, 14]], ([x]) => sumRows(reshape(x, 2 * n, 7))),
    make(
      "broadcastRow, ones",
      [
        [n, 5],
        [1, 5],
      ],
      ([x, row]) => add(x, multiply(broadcastRow(row, n, 2), ones(x.builder, n, 5))),
    ),
    make("dropout", [[n, 6]], ([x]) => reshape(dropout(reshape(x, 2 * n, 3), 0.4, "drop"), n, 6)),
    make("shufflePair", [[n, 5]], ([x], builder) =>
      reshape(shufflePair(x, randomPermutation(builder, "pair", n)), n, 10),
    ),
    make("permuteRows", [[n, 5]], ([x], builder) => permuteRows(x, randomPermutation(builder, "rows", n))),
    make("bceLogits", [[2 * n, 1]], ([x], builder) =>
      bceLogits(x, randomConstant(builder, "targets", [2 * n, 1], half)),
    ),
    make("bceLogits, wide", [[n, 9]], ([x], builder) =>
      bceLogits(x, randomConstant(builder, "targets", [n, 9], half), 0.1, randomConstant(builder, "weights", [n, 1])),
    ),
    make("softmaxCrossEntropy", [[n, 4]], ([x], builder) =>
      softmaxCrossEntropy(x, randomConstant(builder, "targets", [n, 4], half), 0.5),
    ),
    make(
      "sumSquares",
      [
        [n, 5],
        [n, 5],
      ],
      ([x, c]) => sumSquares(x, 0.5, c),
    ),
  ];
}

function featureCases(n: number): ClusterCase[] {
  return [7, 40].flatMap((numColumns): ClusterCase[] => {
    const matrix = randomMatrix(n, numColumns, 3, { weighted: true, scaled: true });
    // as many stored entries as nodes
    const single: SparseOperator = {
      ...randomMatrix(n, numColumns, 1),
      rowStart: Uint32Array.from({ length: n + 1 }, (_, i) => i),
      columns: Uint32Array.from({ length: n }, (_, i) => (i * i) % numColumns),
    };
    const shapes = [[numColumns, 33]] as const;
    const what = `of ${numColumns} features, ${n} nodes`;
    return [
      { name: `spmm ${what}`, numNodes: n, shapes, build: ([w]) => spmm(matrix, w) },
      { name: `spmmDropout ${what}`, numNodes: n, shapes, build: ([w]) => spmmDropout(matrix, w, 0.3, "drop") },
      {
        name: `spmmDropout ${what}, one each`,
        numNodes: n,
        shapes,
        build: ([w]) => spmmDropout(single, w, 0.3, "drop"),
      },
    ];
  });
}

/**
 * 1,300 nodes: sums have 6 chunks, the last not full; sources are packed at degree 9, but not at degree 2. 17,000: chunks of sums are
 * doubled. 66,000: sources are never packed. 6 and 300: some ranks have no nodes.
 */
export const clusterCases: readonly ClusterCase[] = [
  ...denseCases(1300),
  ...denseCases(17_000).filter(({ name }) => /matmul of pairs|sums of rows|bceLogits,/.test(name)),
  ...sparseCases(1300, 33, 2, "plain"),
  ...sparseCases(1300, 33, 2, "scaled"),
  ...sparseCases(1300, 33, 9, "plain"),
  ...sparseCases(1300, 33, 9, "weighted"),
  ...sparseCases(1300, 64, 9, "scaled"),
  ...sparseCases(1300, 100, 9, "scaled"),
  ...sparseCases(1300, 3, 2, "weighted"),
  ...sparseCases(66_000, 5, 2, "scaled"),
  ...featureCases(1300),
  ...[6, 300].flatMap((n) => [...denseCases(n), ...sparseCases(n, 7, 2, "weighted"), ...featureCases(n)]),
];
