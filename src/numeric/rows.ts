/** Dense matrices stored row by row: the type that every folder uses, and operations on it. */

export type FloatArray = Float32Array | Float64Array;

/** A dense matrix stored row by row: the entry in row i and column k is `data[i * width + k]`. */
export interface Rows<V extends FloatArray = Float64Array> {
  readonly data: V;
  /** Number of columns; the number of rows is `data.length / width`. */
  readonly width: number;
}

export function mean(values: readonly number[] | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** A copy of the rows, each scaled to length 1; a row of zeros stays. */
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

/** Mean of each column. */
export function columnMeans(data: Float32Array | Float64Array, width: number): Float64Array {
  const means = new Float64Array(width);
  for (let at = 0; at < data.length; at += width) for (let k = 0; k < width; k++) means[k] += data[at + k];
  for (let k = 0; k < width; k++) means[k] /= data.length / width;
  return means;
}
