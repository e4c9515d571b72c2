/** Sizes, degrees, overlaps of relations and connected components of a multiplex. */

import { countComponents } from "./components.js";
import { type Multiplex, type Relation, requireMultiplex } from "./multiplex.js";

/** Overlaps are counted with one bit per relation, in two 32-bit words. */
const MAX_OVERLAP_RELATIONS = 64;

/** Sizes and degrees of one relation. */
export interface RelationDescription {
  readonly name: string;
  readonly edges: number;
  /** Nodes with at least one edge, in or out. */
  readonly nodes: number;
  /** Edges over possible edges among all nodes of the graph. */
  readonly density: number;
  /** Mean number of neighbours (out-neighbours if directed) over the nodes with at least one edge; 0 without edges. */
  readonly meanDegree: number;
  readonly maxDegree: number;
  readonly weighted: boolean;
}

/** Sizes, degrees, overlaps and components of a multiplex. */
export interface GraphDescription {
  readonly nodes: number;
  readonly edges: number;
  readonly directed: boolean;
  readonly relations: readonly RelationDescription[];
  /** Nodes without an edge in any relation. */
  readonly isolatedNodes: number;
  /** Shared edges over edges in either, for each pair of relations; absent beyond 64 relations. */
  readonly overlap?: readonly (readonly number[])[];
  /** Edges of the union of all relations. */
  readonly unionEdges?: number;
  /** Connected components of the union of all relations, direction ignored; an isolated node is one. */
  readonly components: number;
  readonly largestComponent: number;
}

/** Sizes, degrees, overlaps and components of a multiplex. */
export function describeGraph(graph: Multiplex): GraphDescription {
  requireMultiplex(graph, "describeGraph");
  const touchedByAny = new Uint8Array(graph.numNodes);
  const relations = graph.relations.map((relation) => describeRelation(graph, relation, touchedByAny));
  let touched = 0;
  for (const flag of touchedByAny) touched += flag;
  return {
    nodes: graph.numNodes,
    edges: relations.reduce((sum, relation) => sum + relation.edges, 0),
    directed: graph.directed,
    relations,
    isolatedNodes: graph.numNodes - touched,
    ...(graph.relations.length <= MAX_OVERLAP_RELATIONS ? describeOverlap(graph) : {}),
    ...countComponents(graph.relations, graph.numNodes),
  };
}

function describeRelation(graph: Multiplex, relation: Relation, touchedByAny: Uint8Array): RelationDescription {
  const { rowStart, columns } = relation;
  const touched = new Uint8Array(graph.numNodes);
  let maxDegree = 0;
  for (let row = 0; row < graph.numNodes; row++) {
    const degree = rowStart[row + 1] - rowStart[row];
    if (degree > 0) touched[row] = 1;
    if (degree > maxDegree) maxDegree = degree;
  }
  if (graph.directed) for (let k = 0; k < columns.length; k++) touched[columns[k]] = 1;
  let nodes = 0;
  for (let row = 0; row < graph.numNodes; row++) {
    nodes += touched[row];
    touchedByAny[row] |= touched[row];
  }
  const ordered = graph.numNodes * (graph.numNodes - 1);
  const possible = graph.directed ? ordered : ordered / 2;
  return {
    name: relation.name,
    edges: relation.numEdges,
    nodes,
    density: possible === 0 ? 0 : relation.numEdges / possible,
    meanDegree: nodes === 0 ? 0 : columns.length / nodes,
    maxDegree,
    weighted: relation.values !== undefined,
  };
}

/** One pass over all rows. A bit mask per neighbour records the relations that contain it, so only real overlaps cost time. */
function describeOverlap(graph: Multiplex): { overlap: number[][]; unionEdges: number } {
  const { relations, numNodes } = graph;
  const shared = relations.map(() => new Float64Array(relations.length));
  const masks = [new Uint32Array(numNodes), new Uint32Array(numNodes)];
  let unionEntries = 0;
  for (let row = 0; row < numNodes; row++) {
    for (let r = 0; r < relations.length; r++) {
      const { rowStart, columns } = relations[r];
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        const column = columns[k];
        if (masks[0][column] === 0 && masks[1][column] === 0) unionEntries++;
        for (let half = 0; half < 2; half++) {
          for (let bits = masks[half][column]; bits !== 0; bits &= bits - 1) {
            shared[half * 32 + 31 - Math.clz32(bits & -bits)][r]++;
          }
        }
        masks[r >> 5][column] |= 1 << (r & 31);
      }
    }
    for (const { rowStart, columns } of relations) {
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) masks[0][columns[k]] = masks[1][columns[k]] = 0;
    }
  }
  const perEdge = graph.directed ? 1 : 2;
  const overlap = relations.map((a, i) =>
    relations.map((b, j) => {
      if (i === j) return 1;
      const sharedEdges = shared[Math.min(i, j)][Math.max(i, j)] / perEdge;
      const unionEdges = a.numEdges + b.numEdges - sharedEdges;
      return unionEdges === 0 ? 0 : sharedEdges / unionEdges;
    }),
  );
  return { overlap, unionEdges: unionEntries / perEdge };
}
