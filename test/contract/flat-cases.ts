/**
 * Chains of flat ops (engine/webgpu/joins): results that others read in the middle, aliases in between, every kind of step, rows that are
 * no multiple of four floats, more entries than one workgroup has.
 */

import {
  add,
  addRow,
  bceLogits,
  dropout,
  exp,
  inverseSqrt,
  log,
  matmul,
  meanRows,
  multiply,
  prelu,
  reciprocal,
  relu,
  reshape,
  rowDots,
  scale,
  scaleRows,
  sigmoid,
  sliceColumns,
  softplus,
  sqrt,
  sumRows,
  tanh,
} from "../../src/engine/ops/index.js";
import { randomConstant } from "../support/random-constant.js";
import type { OpCase } from "./check-op.js";

/** As at the end of the encoder of hmge: the sum is read by its gradient, and the rows of the bias are halves of the other rows. */
function activated(rows: number, dim: number): OpCase {
  return {
    name: `chain add, scaleRows, addRow, relu, ${rows}×${dim}`,
    shapes: [
      [rows, 2 * dim],
      [rows, 2 * dim],
      [rows, 1],
      [1, dim],
    ],
    build: ([x, y, factors, bias]) => {
      const scaled = scaleRows(add(x, y, 0.5), factors);
      return relu(addRow(reshape(scaled, 2 * rows, dim), bias));
    },
  };
}

/** As the summary of the infomax discriminator: the gradient puts one row between zeros. */
function summarized(rows: number, dim: number, start: number): OpCase {
  return {
    name: `chain of one row, ${rows}×${dim}, columns from ${start} on`,
    shapes: [
      [rows, dim],
      [dim - start, 3],
    ],
    build: ([x, w]) => matmul(scale(sigmoid(sliceColumns(meanRows(x), start, dim - start)), 3), w),
  };
}

export const flatCases: readonly OpCase[] = [
  activated(7, 8),
  activated(67, 20),
  activated(9, 5),
  summarized(5, 12, 4),
  summarized(5, 12, 3),
  summarized(6, 10, 8),
  {
    name: "chain of functions of columns, the second summand as value",
    shapes: [
      [1030, 1],
      [1030, 1],
      [1030, 3],
    ],
    value: (rng) => 0.2 + rng.uniform(),
    build: ([a, b, x]) => {
      const root = inverseSqrt(log(softplus(multiply(a, b)), 1.5), 0.1);
      const sum = add(sqrt(a), tanh(root), 0.7);
      return scaleRows(x, exp(reciprocal(add(rowDots(x, x), sum))));
    },
  },
  {
    name: "chain of a value with itself, and a result as an operand of a later step",
    shapes: [[5, 9]],
    build: ([x]) => {
      const square = multiply(x, x);
      const shifted = scale(add(square, x), 0.5);
      return add(multiply(sigmoid(shifted), square), shifted);
    },
  },
  {
    name: "chain of prelu, dropout, relu and rows",
    shapes: [
      [40, 33],
      [1, 1],
      [1, 33],
    ],
    build: ([x, slope, row]) => relu(addRow(relu(dropout(scale(prelu(x, slope), 2), 0.4, "dropout")), row)),
  },
  {
    name: "chain of both halves of a row, which a product reads too",
    shapes: [
      [9, 16],
      [8, 2],
    ],
    build: ([x, w]) => {
      const sums = meanRows(x);
      const halves = [0, 8].map((start) => sliceColumns(sums, start, 8));
      return matmul(add(tanh(halves[1]), sigmoid(add(halves[1], halves[0], 2))), w);
    },
  },
  {
    name: "chain whose row is read in slices, which are no steps of it",
    shapes: [[9, 16]],
    build: ([x]) => {
      const row = scale(meanRows(x), 2);
      return add(sigmoid(sliceColumns(row, 8, 8)), sliceColumns(row, 0, 8));
    },
  },
  {
    name: "chain that begins with an outer product",
    shapes: [
      [37, 1],
      [12, 1],
      [37, 12],
      [5, 1],
      [1, 1],
    ],
    build: ([a, b, x, c, d]) => {
      const outer = add(x, relu(scale(matmul(a, b, true), 2)), 3);
      return add(sumRows(multiply(outer, x), 0.5), matmul(matmul(d, c, true), matmul(c, reshape(b, 1, 12))));
    },
  },
  {
    name: "chain into weighted bceLogits",
    shapes: [
      [30, 5],
      [1, 5],
    ],
    build: ([x, row], builder) => {
      const targets = randomConstant(builder, "targets", [30, 5]);
      const weights = randomConstant(builder, "weights", [30, 1]);
      const logits = addRow(x, row);
      return add(bceLogits(logits, targets, 0.1, weights), bceLogits(tanh(logits), targets, 0.2));
    },
  },
];
