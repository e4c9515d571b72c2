/** The assignment problem by the Hungarian method with potentials (Kuhn 1955, Munkres 1957): O(rows²·columns). */

import { InputError } from "../core/errors.js";

/**
 * The column assigned to each row, so that no column is used twice and the sum of the chosen values is maximal. If there
 * are more rows than columns, the remaining rows get −1.
 */
export function maximumAssignment(values: readonly ArrayLike<number>[]): number[] {
  const rows = values.length;
  const columns = rows === 0 ? 0 : values[0].length;
  if (rows > columns) {
    const transposed = Array.from({ length: columns }, (_, c) => values.map((row) => row[c]));
    const assigned = new Array<number>(rows).fill(-1);
    maximumAssignment(transposed).forEach((row, column) => {
      assigned[row] = column;
    });
    return assigned;
  }
  // rows and columns are numbered from 1; column 0 is the start of a search
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  const rowOf = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    rowOf[0] = row;
    const slack = new Float64Array(columns + 1).fill(Infinity);
    const previous = new Int32Array(columns + 1);
    const visited = new Uint8Array(columns + 1);
    let column = 0;
    while (rowOf[column] !== 0) {
      visited[column] = 1;
      const from = rowOf[column];
      let delta = Infinity;
      let next = 0;
      for (let c = 1; c <= columns; c++) {
        if (visited[c] === 1) continue;
        const reduced = -values[from - 1][c - 1] - rowPotential[from] - columnPotential[c];
        if (reduced < slack[c]) {
          slack[c] = reduced;
          previous[c] = column;
        }
        if (slack[c] < delta) {
          delta = slack[c];
          next = c;
        }
      }
      if (delta === Infinity) throw new InputError("assignment: a value is not finite; expected finite numbers.");
      for (let c = 0; c <= columns; c++) {
        if (visited[c] === 1) {
          rowPotential[rowOf[c]] += delta;
          columnPotential[c] -= delta;
        } else {
          slack[c] -= delta;
        }
      }
      column = next;
    }
    while (column !== 0) {
      rowOf[column] = rowOf[previous[column]];
      column = previous[column];
    }
  }
  const assigned = new Array<number>(rows).fill(-1);
  for (let c = 1; c <= columns; c++) if (rowOf[c] !== 0) assigned[rowOf[c] - 1] = c - 1;
  return assigned;
}
