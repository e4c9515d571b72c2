/**
 * Decides for each relation whether new nodes are placed by weighted or by plain means of their neighbours: by the kind that
 * explains more of the known vectors in a regression with one factor per column. Both have the same number of factors, so
 * they can be compared without held-out nodes.
 */

import type { Embedding } from "../../core/embedding.js";
import { hasWeights, weightedRelations } from "../../graph/counted-relations.js";
import type { Multiplex } from "../../graph/multiplex.js";
import type { CsrMatrix } from "../../numeric/csr.js";
import { columnMeans } from "../../numeric/rows.js";

/** Names of the relations whose weighted means explain more; `plain` are the relations without weights. */
export function relationsWithUsefulWeights(
  graph: Multiplex,
  plain: readonly CsrMatrix[],
  embedding: Embedding,
): string[] {
  if (!graph.relations.some(hasWeights)) return [];
  const centre = columnMeans(embedding.vectors, embedding.dim);
  const weighed = weightedRelations(graph, plain);
  return graph.relations.flatMap((relation, d) => {
    if (!hasWeights(relation)) return [];
    return explained(weighed[d], embedding, centre) > explained(plain[d], embedding, centre) ? [relation.name] : [];
  });
}

/** Sum of squares of the vectors minus `centre` that the means of their neighbours explain. */
function explained({ rowStart, columns, values }: CsrMatrix, { ids, dim, vectors }: Embedding, centre: Float64Array) {
  const products = new Float64Array(dim);
  const squares = new Float64Array(dim);
  const sum = new Float64Array(dim);
  for (let i = 0; i < ids.length; i++) {
    if (rowStart[i] === rowStart[i + 1]) continue;
    sum.fill(0);
    let total = 0;
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
      const weight = values?.[e] ?? 1;
      total += weight;
      for (let k = 0; k < dim; k++) sum[k] += weight * (vectors[columns[e] * dim + k] - centre[k]);
    }
    for (let k = 0; k < dim; k++) {
      const mean = sum[k] / total;
      products[k] += mean * (vectors[i * dim + k] - centre[k]);
      squares[k] += mean * mean;
    }
  }
  return products.reduce((all, product, k) => all + (squares[k] > 0 ? product ** 2 / squares[k] : 0), 0);
}
