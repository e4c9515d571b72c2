/**
 * Principal components of several matrices together: the rows of each matrix are scaled to length one, the matrices are put
 * side by side, and the columns are centred. The directions of largest variance are eigenvectors of the Gram matrix.
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
import { sharedColumns } from "../../nn/shared-columns.js";
import { symmetricEigen } from "../../numeric/eigen/symmetric-eigen.js";
import type { Rows } from "../../numeric/rows.js";

/** Work of `principalColumns`; `width` is the total number of columns of the matrices. */
export function principalWork(numRows: number, width: number, count: number): Work {
  const products = { dense: numRows * width * (width + count), streamed: 4 * numRows * (14 * width + count) };
  return addWork(products, eigenWork(width), { programs: 1 });
}

/** At most `count` columns, largest variance first. */
export async function principalColumns(
  matrices: readonly Rows<Float32Array>[],
  numRows: number,
  count: number,
  tools: PrecomputeTools,
): Promise<Rows<Float32Array>> {
  const width = matrices.reduce((sum, matrix) => sum + matrix.width, 0);
  const taken = Math.min(count, width);
  const builder = new ProgramBuilder(numRows);
  const turn = builder.input("turn", width, taken, "float", false);
  const inputs = matrices.map(({ data, width }) => builder.constant(data, numRows, width));
  const centred = (): Tensor => {
    const rows = concatColumns(inputs.map(normalizeRows));
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
  const executable = await tools.engine.compile(builder.finish());
  try {
    executable.run("gram");
    const { vectors } = symmetricEigen(Float64Array.from(await executable.read(gram)), width);
    executable.write(turn, (data) => {
      for (let k = 0; k < taken; k++) for (let c = 0; c < width; c++) data[c * taken + k] = vectors[k][c];
    });
    executable.run("columns");
    return await sharedColumns(executable, columns, taken, tools);
  } finally {
    await executable.dispose();
  }
}
