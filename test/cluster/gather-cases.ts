/** Cases of ops that read chosen rows of tables, with indices of every kind. */

import { Rng } from "../../src/core/rng.js";
import {
  add,
  bceLogits,
  blockMatmul,
  blockStarts,
  gatherDots,
  gatherRows,
  MISSING,
  matmul,
  multiply,
  ones,
  pairDots,
  present,
  reshape,
  rowDots,
  spmm,
} from "../../src/engine/ops/index.js";
import type { ProgramBuilder, Tensor } from "../../src/engine/program.js";
import { randomConstant } from "../support/random-constant.js";
import { type ClusterCase, randomMatrix } from "./cluster-cases.js";

/** Which rows the entries of an index name. */
type Draw = (rng: Rng, numRows: number, entry: number) => number;

const DRAWS: Readonly<Record<string, Draw>> = {
  "any rows": (rng, numRows) => rng.below(numRows),
  "some missing": (rng, numRows) => (rng.below(4) === 0 ? MISSING : rng.below(numRows)),
  "all missing": () => MISSING,
  "the first row": () => 0,
  "the last row": (_, numRows) => numRows - 1,
  "first rows": (rng, numRows) => rng.below(Math.ceil(numRows / 50)),
  "last rows": (rng, numRows) => numRows - 1 - rng.below(Math.ceil(numRows / 50)),
  "rows in order": (_, numRows, entry) => entry % numRows,
};

function drawn(purpose: string, rows: number, cols: number, numRows: number, draw: Draw): Uint32Array {
  const rng = new Rng(9, purpose);
  return Uint32Array.from({ length: rows * cols }, (_, entry) => draw(rng, numRows, entry));
}

/** An index that is drawn at each replay, as batches are. */
function batchIndex(
  b: ProgramBuilder,
  purpose: string,
  rows: number,
  cols: number,
  numRows: number,
  draw: Draw,
): Tensor {
  const [index] = b.random(purpose, [{ rows, cols, dtype: "index" }], ([data]) =>
    data.set(drawn(purpose, rows, cols, numRows, draw)),
  );
  return index;
}

/** A table [rows, dim] of the batch that depends on the table of nodes. */
function rowsOfBatch(x: Tensor, index: Tensor): Tensor {
  return multiply(gatherRows(x, index), randomConstant(x.builder, "factors", [index.rows, x.cols]));
}

/** All ops on `places` places and `ends` right ends. */
function casesOf(n: number, dim: number, places: number, ends: number, kind: string, draw: Draw): ClusterCase[] {
  const what = `${kind}, ${n} nodes, ${places}×${ends} places, width ${dim}`;
  const index = (b: ProgramBuilder, purpose: string, cols: number, numRows: number) =>
    batchIndex(b, purpose, places, cols, numRows, draw);
  const make = (name: string, shapes: ClusterCase["shapes"], build: ClusterCase["build"]): ClusterCase => ({
    name: `${name} of ${what}`,
    numNodes: n,
    shapes,
    build,
  });
  return [
    make("gatherRows", [[n, dim]], ([x], b) => gatherRows(x, index(b, "left", 1, n))),
    make("gatherRows, several per node", [[n, 3 * dim]], ([x], b) =>
      gatherRows(reshape(x, 3 * n, dim), index(b, "left", 1, 3 * n)),
    ),
    make(
      "gatherDots",
      [
        [n, dim],
        [n, dim],
      ],
      ([x, y], b) => gatherDots(x, y, index(b, "left", 1, n), index(b, "right", ends, n)),
    ),
    make("gatherDots, one table", [[n, dim]], ([x], b) =>
      gatherDots(x, x, index(b, "left", 1, n), index(b, "right", ends, n)),
    ),
    make("gatherDots, rows of the batch", [[n, dim]], ([x], b) => {
      const left = index(b, "left", 1, n);
      const order = b.constant(
        Uint32Array.from({ length: places }, (_, i) => i),
        places,
        1,
        "index",
      );
      return gatherDots(rowsOfBatch(x, left), x, order, index(b, "right", ends, n));
    }),
    make(
      "gatherDots, several per node",
      [
        [n, 2 * dim],
        [n, dim],
      ],
      ([x, y], b) => gatherDots(reshape(x, 2 * n, dim), y, index(b, "left", 1, 2 * n), index(b, "right", ends, n)),
    ),
    make(
      "pairDots",
      [
        [n, dim],
        [3, dim],
      ],
      ([x, r], b) => {
        const relation = batchIndex(b, "relation", places, 1, 3, (rng) => Math.max(0, rng.below(12) - 9));
        const { weighted, plain } = pairDots(x, r, {
          left: index(b, "left", 1, n),
          relation,
          right: index(b, "right", ends, n),
        });
        return add(weighted, plain, 2);
      },
    ),
  ];
}

/** Batches whose number of places is a multiple of the number of nodes, and rows of nodes that are read by constants. */
function ambiguousCases(n: number): ClusterCase[] {
  const any = DRAWS["any rows"];
  const make = (name: string, shapes: ClusterCase["shapes"], build: ClusterCase["build"]): ClusterCase => ({
    name: `${name}, ${n} nodes`,
    numNodes: n,
    shapes,
    build,
  });
  const constant = (b: ProgramBuilder, rows: number, numRows: number) =>
    b.constant(drawn("constant", rows, 1, numRows, any), rows, 1, "index");
  return [
    make(
      "loss of twice as many places as nodes",
      [
        [n, 5],
        [n, 5],
      ],
      ([x, y], b) => {
        const left = batchIndex(b, "left", 2 * n, 1, n, DRAWS["some missing"]);
        const logits = gatherDots(x, y, left, batchIndex(b, "right", 2 * n, 3, n, any));
        return bceLogits(
          add(logits, matmul(ones(b, 2 * n, 1), ones(b, 1, 3))),
          randomConstant(b, "targets", [2 * n, 3], (rng) => rng.below(2)),
          0.5,
          present(left),
        );
      },
    ),
    make(
      "constant index into a small table",
      [
        [3, 7],
        [n, 7],
      ],
      ([r, x], b) => multiply(gatherRows(r, constant(b, n, 3)), x),
    ),
    make("constant index of nodes", [[n, 7]], ([x], b) => rowDots(gatherRows(x, constant(b, n, n)), x)),
    make("batch with a row per node", [[n, 7]], ([x], b) =>
      add(x, gatherRows(x, batchIndex(b, "batch", n, 1, n, any)), 2),
    ),
    make(
      "table as a weight",
      [
        [n, 7],
        [4, n],
      ],
      ([w, x]) => matmul(x, w),
    ),
    make(
      "blockMatmul",
      [
        [n, 10],
        [15, 4],
      ],
      ([x, w], b) => blockMatmul(reshape(x, 2 * n, 5), w, blockStarts(b, [n - 7, 0, n + 7])),
    ),
    make("spmm, three rows per node", [[n, 15]], ([x]) =>
      reshape(spmm(randomMatrix(3 * n, 3 * n, 4, { weighted: true }), reshape(x, 3 * n, 5)), n, 15),
    ),
  ];
}

/** Groups of all lengths around the length of a piece: 512, 170 and 32 entries for 1, 3 and 20 right ends. */
function pieceCases(): ClusterCase[] {
  return [1, 3, 20].flatMap((ends) => {
    const length = Math.max(32, Math.floor(512 / ends));
    const sizes = [0, 1, length - 1, length, length + 1, 2 * length - 1, 2 * length, 2 * length + 1, 5 * length + 3];
    const rows = sizes.flatMap((size, row) => new Array<number>(size).fill(row));
    const draw: Draw = (_, numRows, entry) => (rows[entry % rows.length] * 150) % numRows;
    return casesOf(1300, 9, rows.length, ends, `groups of pieces, ${ends}`, draw);
  });
}

export const gatherCases: readonly ClusterCase[] = [
  // so few places that ranks fetch single rows; in the other cases tables are made whole
  ...Object.entries(DRAWS).flatMap(([kind, draw]) => casesOf(1300, 5, 80, 3, kind, draw)),
  ...casesOf(1300, 33, 5000, 1, "any rows", DRAWS["any rows"]),
  ...casesOf(70, 33, 800, 5, "any rows", DRAWS["any rows"]),
  ...pieceCases(),
  ...ambiguousCases(1300),
  ...ambiguousCases(190),
];
