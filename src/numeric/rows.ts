/** Rows of numbers; row-major, `width` each. */
export interface Rows {
  readonly data: Float64Array;
  readonly width: number;
}

export function mean(values: readonly number[] | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Rows of `width` numbers as a copy, each of length one; a row of zeros stays. */
export function unitRows(data: Float32Array, width: number): Float32Array;
export function unitRows(data: Float64Array, width: number): Float64Array;
export function unitRows(data: Float32Array | Float64Array, width: number): Float32Array | Float64Array {
  const unit = data.slice();
  for (let at = 0; at < unit.length; at += width) {
    let square = 0;
    for (let k = at; k < at + width; k++) square += unit[k] * unit[k];
    if (!(square > 0)) continue;
    const length = Math.sqrt(square);
    for (let k = at; k < at + width; k++) unit[k] /= length;
  }
  return unit;
}

/** Mean of each column of rows of `width` numbers. */
export function columnMeans(data: Float32Array | Float64Array, width: number): Float64Array {
  const means = new Float64Array(width);
  for (let at = 0; at < data.length; at += width) for (let k = 0; k < width; k++) means[k] += data[at + k];
  for (let k = 0; k < width; k++) means[k] /= data.length / width;
  return means;
}
