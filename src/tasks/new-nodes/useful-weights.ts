/**
 * Decides for each relation whether new nodes are placed by weighted or by plain means of their neighbours: by the kind that
 * explains more of the known vectors in a regression with one factor per column. Both have the same number of factors, so
 * they can be compared without held-out nodes.
 */

import { hasWeights, weightedRelations } from "../../graph/counted-relations.js";
import type { Multiplex } from "../../graph/multiplex.js";
import type { CsrMatrix } from "../../numeric/csr.js";
import type { PickedVectors } from "./picked-vectors.js";

/** Names of the relations whose weighted means explain more of the vectors of `nodes`; `plain` are the relations without weights. */
export function relationsWithUsefulWeights(
  graph: Multiplex,
  plain: readonly CsrMatrix[],
  vectors: PickedVectors,
  centre: Float64Array,
  nodes: ArrayLike<number>,
): string[] {
  if (!graph.relations.some(hasWeights)) return [];
  const weighed = weightedRelations(graph, plain);
  return graph.relations.flatMap((relation, d) => {
    if (!hasWeights(relation)) return [];
    const [weighted, unweighted] = [weighed[d], plain[d]].map((matrix) => explained(matrix, vectors, centre, nodes));
    return weighted > unweighted ? [relation.name] : [];
  });
}

/** Sum of squares of the vectors minus `centre` that the means of their neighbours explain. */
function explained(
  { rowStart, columns, values }: CsrMatrix,
  { data, place }: PickedVectors,
  centre: Float64Array,
  nodes: ArrayLike<number>,
): number {
  const dim = centre.length;
  const products = new Float64Array(dim);
  const squares = new Float64Array(dim);
  const sum = new Float64Array(dim);
  for (let n = 0; n < nodes.length; n++) {
    const i = nodes[n];
    if (rowStart[i] === rowStart[i + 1]) continue;
    sum.fill(0);
    let total = 0;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      const weight = values?.[e] ?? 1;
      total += weight;
      const at = (place === undefined ? columns[e] : place[columns[e]]) * dim;
      for (let k = 0; k < dim; k++) sum[k] += weight * (data[at + k] - centre[k]);
    }
    const own = (place === undefined ? i : place[i]) * dim;
    for (let k = 0; k < dim; k++) {
      const mean = sum[k] / total;
      products[k] += mean * (data[own + k] - centre[k]);
      squares[k] += mean * mean;
    }
  }
  return products.reduce((all, product, k) => all + (squares[k] > 0 ? product ** 2 / squares[k] : 0), 0);
}
