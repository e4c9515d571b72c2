/** Connected components of the union of several relations. Directions are ignored; a node without edges is a component. */

import type { CsrPattern } from "../numeric/csr.js";
import { DisjointSets } from "../numeric/disjoint-sets.js";

export interface Components {
  readonly components: number;
  /** Number of its nodes. */
  readonly largestComponent: number;
}

export function countComponents(relations: readonly CsrPattern[], numNodes: number): Components {
  const sets = new DisjointSets(numNodes);
  for (const { rowStart, columns } of relations) {
    for (let row = 0; row < numNodes; row++) {
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) sets.join(row, columns[k]);
    }
  }
  const sizes = new Uint32Array(numNodes);
  let components = 0;
  let largestComponent = 0;
  for (let node = 0; node < numNodes; node++) {
    const first = sets.find(node);
    if (first === node) components++;
    if (++sizes[first] > largestComponent) largestComponent = sizes[first];
  }
  return { components, largestComponent };
}
