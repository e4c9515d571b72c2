/**
 * Columns cut out and joined. `sliceColumns`: Y = X[:, start : start+count]; its gradient puts G between columns of zeros
 * (`placeColumns`). `concatColumns`: [A | B | …]; its gradient slices G.
 */

import { rowLocal } from "../partition/row-rules.js";
import { defineOp, requireShape, type Tensor } from "../program.js";

interface SliceAttributes {
  readonly start: number;
  readonly count: number;
}

interface PlaceAttributes {
  readonly start: number;
  readonly cols: number;
}

export const sliceColumnsOp = defineOp<SliceAttributes>({
  name: "sliceColumns",
  outputs([x], { start, count }) {
    requireShape(start >= 0 && start + count <= x.cols, "sliceColumns", [x]);
    return [{ rows: x.rows, cols: count, dtype: x.dtype }];
  },
  reference([x], [y], { start, count }) {
    for (let i = 0; i < x.rows; i++) {
      for (let k = 0; k < count; k++) y.data[i * count + k] = x.data[i * x.cols + start + k];
    }
  },
  gradient({ inputs: [x], gradients: [g], attributes: { start } }) {
    return g === undefined ? [undefined] : [placeColumns(g, start, x.cols)];
  },
  encode: ({ start }) => [{ int: start }],
  partition: rowLocal(),
});

export const placeColumnsOp = defineOp<PlaceAttributes>({
  name: "placeColumns",
  outputs([x], { start, cols }) {
    requireShape(start + x.cols <= cols, "placeColumns", [x]);
    return [{ rows: x.rows, cols }];
  },
  reference([x], [y], { start }) {
    y.data.fill(0);
    for (let i = 0; i < x.rows; i++) {
      for (let k = 0; k < x.cols; k++) y.data[i * y.cols + start + k] = x.data[i * x.cols + k];
    }
  },
  gradient({ inputs: [x], gradients: [g], attributes: { start } }) {
    return g === undefined ? [undefined] : [sliceColumns(g, start, x.cols)];
  },
  encode: ({ start }) => [{ int: start }],
  partition: rowLocal(),
});

export const concatColumnsOp = defineOp<{ readonly count: number }>({
  name: "concatColumns",
  outputs(inputs) {
    requireShape(
      inputs.every(({ rows, dtype }) => rows === inputs[0].rows && dtype === inputs[0].dtype),
      "concatColumns",
      inputs,
    );
    const cols = inputs.reduce((sum, input) => sum + input.cols, 0);
    return [{ rows: inputs[0].rows, cols, dtype: inputs[0].dtype }];
  },
  reference(inputs, [y]) {
    let start = 0;
    for (const x of inputs) {
      for (let i = 0; i < x.rows; i++) {
        for (let k = 0; k < x.cols; k++) y.data[i * y.cols + start + k] = x.data[i * x.cols + k];
      }
      start += x.cols;
    }
  },
  gradient({ inputs, gradients: [g] }) {
    let start = 0;
    return inputs.map((input) => {
      const part = g === undefined ? undefined : sliceColumns(g, start, input.cols);
      start += input.cols;
      return part;
    });
  },
  encode: ({ count }) => [{ int: count }],
  partition: rowLocal(),
});

/** Columns `start` to `start + count` of X. */
export function sliceColumns(x: Tensor, start: number, count: number): Tensor {
  if (start === 0 && count === x.cols) return x;
  return x.builder.apply(sliceColumnsOp, [x], { start, count })[0];
}

function placeColumns(x: Tensor, start: number, cols: number): Tensor {
  return x.builder.apply(placeColumnsOp, [x], { start, cols })[0];
}

/** Tensors with the same number of rows, side by side. */
export function concatColumns(parts: readonly Tensor[]): Tensor {
  if (parts.length === 1) return parts[0];
  return parts[0].builder.apply(concatColumnsOp, parts, { count: parts.length })[0];
}
