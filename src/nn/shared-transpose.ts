/** Transposes of matrices as large as the graph or its features: one copy in the memory of each machine. */

import type { Sharing } from "../core/sharing.js";
import { type SparseOperator, transposeOperator } from "../engine/sparse.js";

/** Mᵀ. All processes call it together. */
export async function sharedTranspose(matrix: SparseOperator, sharing: Sharing): Promise<SparseOperator> {
  // the transpose of a symmetric matrix has the same entries
  return matrix.symmetric ? transposeOperator(matrix) : sharing.once(() => transposeOperator(matrix));
}
