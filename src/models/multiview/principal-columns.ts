/**
 * Vectors of several kinds in few columns: rows of each kind scaled to length one and put side by side, columns centred, then
 * turned to the directions of most variance, by the eigenvectors of their Gram matrix.
 */

import { addWork, eigenWork, type Work } from "../../core/work.js";
import {
  addRow,
  concatColumns,
  matmul,
  matmulTransposeA,
  meanRows,
  normalizeRows,
  scale,
} from "../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../engine/program.js";
import type { PrecomputeTools } from "../../nn/model.js";
import { symmetricEigen } from "../../numeric/symmetric-eigen.js";
import type { Columns } from "./columns.js";

/** Work of `principalColumns` of kinds with `width` columns in all. */
export function principalWork(numRows: number, width: number, count: number): Work {
  const products = { dense: numRows * width * (width + count), streamed: 4 * numRows * (14 * width + count) };
  return addWork(products, eigenWork(width), { programs: 1 });
}

/** At most `count` columns, of the most variance first. */
export async function principalColumns(
  kinds: readonly Columns[],
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
    const { vectors } = symmetricEigen(Float64Array.from(executable.read(gram)), width);
    executable.write(turn, (data) => {
      for (let k = 0; k < taken; k++) for (let c = 0; c < width; c++) data[c * taken + k] = vectors[k][c];
    });
    executable.run("columns");
    return { data: Float32Array.from(executable.read(columns)), count: taken };
  } finally {
    await executable.dispose();
  }
}
