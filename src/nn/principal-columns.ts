/**
 * Vectors of several kinds in few columns: rows of each kind scaled to length one and put side by side, columns centred,
 * each kind scaled to the variance given, then turned to the directions of most variance, by the eigenvectors of their
 * Gram matrix.
 */

import { symmetricEigen } from "../core/symmetric-eigen.js";
import {
  addRow,
  concatColumns,
  matmul,
  matmulTransposeA,
  meanRows,
  normalizeRows,
  scale,
} from "../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../engine/program.js";
import type { Columns } from "./columns.js";
import type { PrecomputeTools } from "./model.js";

export interface Kind extends Columns {
  /** Of all its columns together, up to one factor for all kinds. */
  readonly variance: number;
}

/** Of rows of length one. */
const LEAST_VARIANCE = 1e-6;

/** At most `count` columns, of the most variance first. */
export async function principalColumns(
  kinds: readonly Kind[],
  numRows: number,
  count: number,
  { engine }: PrecomputeTools,
): Promise<Columns> {
  const width = kinds.reduce((sum, kind) => sum + kind.count, 0);
  const taken = Math.min(count, width);
  const builder = new ProgramBuilder();
  const turn = builder.input("turn", width, taken);
  const given = kinds.map((kind) => builder.constant(kind.data, numRows, kind.count));
  const centred = (): Tensor => {
    const rows = concatColumns(given.map(normalizeRows));
    return addRow(rows, scale(meanRows(rows), -1));
  };
  let gram!: Tensor;
  builder.segment("gram", () => {
    const rows = centred();
    gram = matmulTransposeA(rows, rows);
    return [gram];
  });
  let columns!: Tensor;
  builder.segment("columns", () => {
    columns = matmul(centred(), turn);
    return [columns];
  });
  const executable = await engine.compile(builder.finish());
  try {
    executable.run("gram");
    const products = Float64Array.from(executable.read(gram));
    const scales = scalesOf(kinds, products, width, numRows);
    for (let a = 0; a < width; a++) for (let b = 0; b < width; b++) products[a * width + b] *= scales[a] * scales[b];
    const { vectors } = symmetricEigen(products, width);
    executable.write(turn, (data) => {
      for (let k = 0; k < taken; k++) for (let c = 0; c < width; c++) data[c * taken + k] = scales[c] * vectors[k][c];
    });
    executable.run("columns");
    return { data: Float32Array.from(executable.read(columns)), count: taken };
  } finally {
    await executable.dispose();
  }
}

/**
 * Of every column the factor that gives its kind its variance. A kind whose rows are all alike gets none: what
 * is left of it is rounding.
 */
function scalesOf(kinds: readonly Kind[], gram: Float64Array, width: number, numRows: number): Float64Array {
  const scales = new Float64Array(width);
  let first = 0;
  for (const { count, variance } of kinds) {
    let found = 0;
    for (let c = first; c < first + count; c++) found += gram[c * width + c];
    scales.fill(found > LEAST_VARIANCE * numRows ? Math.sqrt(variance / found) : 0, first, first + count);
    first += count;
  }
  return scales;
}
