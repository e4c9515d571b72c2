/** Sparse matrices in compressed rows; `values` stay of the kind they are given as. */

type Numbers = Float32Array | Float64Array;

/** `columns` of row i stand from `rowStart[i]` to `rowStart[i + 1]`; without `values` every entry is 1. */
export interface CompressedRows<V extends Numbers = Numbers> {
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  readonly values?: V;
}

type WithValues<V extends Numbers> = CompressedRows<V> & { readonly values: V };

/** The transposed matrix; its rows are in ascending order, whatever that of the given ones. */
export function transposeRows<V extends Numbers>(matrix: WithValues<V>, numColumns: number): WithValues<V>;
export function transposeRows<V extends Numbers>(matrix: CompressedRows<V>, numColumns: number): CompressedRows<V>;
export function transposeRows({ rowStart, columns, values }: CompressedRows, numColumns: number): CompressedRows {
  const start = new Uint32Array(numColumns + 1);
  for (let e = 0; e < columns.length; e++) start[columns[e] + 1]++;
  for (let j = 0; j < numColumns; j++) start[j + 1] += start[j];
  const next = start.slice(0, numColumns);
  const rows = new Uint32Array(columns.length);
  const moved = values && zerosLike(values, columns.length);
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      const place = next[columns[e]]++;
      rows[place] = i;
      if (moved !== undefined && values !== undefined) moved[place] = values[e];
    }
  }
  return { rowStart: start, columns: rows, ...(moved === undefined ? {} : { values: moved }) };
}

/** (A + Aᵀ) / divisor, from both with rows in ascending order; its own are again. */
export function symmetricSum<V extends Numbers>(
  rows: WithValues<V>,
  transposed: WithValues<V>,
  divisor: number,
): WithValues<Float32Array> {
  const rowStart = new Uint32Array(rows.rowStart.length);
  const columns = new Uint32Array(2 * rows.columns.length);
  const values = new Float32Array(columns.length);
  let at = 0;
  for (let i = 0; i + 1 < rowStart.length; i++) {
    const [endOut, endInto] = [rows.rowStart[i + 1], transposed.rowStart[i + 1]];
    let [e, b] = [rows.rowStart[i], transposed.rowStart[i]];
    while (e < endOut || b < endInto) {
      const out = e < endOut ? rows.columns[e] : Infinity;
      const into = b < endInto ? transposed.columns[b] : Infinity;
      columns[at] = Math.min(out, into);
      values[at++] = ((out <= into ? rows.values[e++] : 0) + (into <= out ? transposed.values[b++] : 0)) / divisor;
    }
    rowStart[i + 1] = at;
  }
  return { rowStart, columns: columns.slice(0, at), values: values.slice(0, at) };
}

/** Some of the rows, in the order given. */
export function selectRows<V extends Numbers>(matrix: CompressedRows<V>, chosen: Uint32Array): CompressedRows<V>;
export function selectRows({ rowStart, columns, values }: CompressedRows, chosen: Uint32Array): CompressedRows {
  const start = new Uint32Array(chosen.length + 1);
  for (let at = 0; at < chosen.length; at++) {
    start[at + 1] = start[at] + rowStart[chosen[at] + 1] - rowStart[chosen[at]];
  }
  const kept = new Uint32Array(start[chosen.length]);
  const moved = values && zerosLike(values, kept.length);
  for (let at = 0; at < chosen.length; at++) {
    const [from, to] = [rowStart[chosen[at]], rowStart[chosen[at] + 1]];
    kept.set(columns.subarray(from, to), start[at]);
    if (moved !== undefined && values !== undefined) moved.set(values.subarray(from, to), start[at]);
  }
  return { rowStart: start, columns: kept, ...(moved === undefined ? {} : { values: moved }) };
}

function zerosLike(values: Numbers, length: number): Numbers {
  return values.BYTES_PER_ELEMENT === 4 ? new Float32Array(length) : new Float64Array(length);
}
