/** The preparation of multiview on graphs that take all its paths; returns hashes of its arrays. */

import { Rng } from "../../src/core/rng.js";
import type { Sharing } from "../../src/core/sharing.js";
import type { Engine } from "../../src/engine/engine.js";
import type { Multiplex } from "../../src/graph/multiplex.js";
import { multiplexFromEdges } from "../../src/graph/multiplex-from-edges.js";
import { writePreparation } from "../../src/models/multiview/preparation.js";
import { prepareFacets } from "../../src/models/multiview/prepare-facets.js";
import type { GraphInput } from "../../src/nn/model.js";
import { hashOf } from "./op-runs.js";

/** Nodes without edges, the last ones. */
const NUM_ISOLATED = 5;
/** Nodes of a planted group. */
const GROUP_SIZE = 30;
const NUM_FEATURES = 12;

/** Two relations with planted groups and random edges between them; with weights if it is directed. */
function plantedGraph(numNodes: number, directed: boolean): Multiplex {
  const rng = new Rng(3, "planted");
  const [source, target, relation, weight]: [string[], string[], string[], number[]] = [[], [], [], []];
  for (const name of ["a", "b"]) {
    for (let e = 0; e < 2 * numNodes; e++) {
      const i = rng.below(numNodes - NUM_ISOLATED);
      const near = i - (i % GROUP_SIZE) + rng.below(GROUP_SIZE);
      const isNear = rng.uniform() < 0.6 && near < numNodes - NUM_ISOLATED;
      source.push(`${i}`);
      target.push(`${isNear ? near : rng.below(numNodes - NUM_ISOLATED)}`);
      relation.push(name);
      weight.push(isNear ? 3 + rng.uniform() : 1);
    }
  }
  const nodes = Array.from({ length: numNodes }, (_, i) => `${i}`);
  return multiplexFromEdges({ source, target, relation, ...(directed ? { weight } : {}) }, { directed, nodes });
}

/** Every node has two of the features, which depend on its group. */
function withFeatures(graph: Multiplex): GraphInput {
  const rng = new Rng(4, "features");
  const half = NUM_FEATURES / 2;
  const columns = Uint32Array.from({ length: 2 * graph.numNodes }, (_, e) => {
    const group = Math.floor(Number(graph.ids[e >> 1]) / GROUP_SIZE) % half;
    return (e % 2) * half + (rng.uniform() < 0.6 ? group : rng.below(half));
  });
  const rowStart = Uint32Array.from({ length: graph.numNodes + 1 }, (_, i) => 2 * i);
  return { ...graph, features: { numColumns: NUM_FEATURES, rowStart, columns } };
}

/** The ranges of ranks end at multiples of 256 nodes: two ranks have rows of the first graph, three of the second. */
const graphs: Readonly<Record<string, GraphInput>> = {
  "without weights and features": plantedGraph(270, false),
  "with directions, weights and features": withFeatures(plantedGraph(520, true)),
};

/** Stand for the vectors of the trainings of HDMI. */
function randomParts(numNodes: number): Float32Array[] {
  const rng = new Rng(5, "parts");
  return [0, 1].map(() => Float32Array.from({ length: 8 * numNodes }, () => rng.normal()));
}

/** One preparation. */
export interface PreparationRun {
  readonly name: string;
  run(engine: Engine, sharing?: Sharing): Promise<string[]>;
}

export const preparationRuns: readonly PreparationRun[] = Object.entries(graphs).map(([name, graph]) => ({
  name: `preparation ${name}`,
  async run(engine, sharing) {
    const tools = { engine, seed: 1, parts: randomParts(graph.numNodes), sharing };
    const prepared = await prepareFacets(graph, { dim: 32, weights: "auto" }, tools);
    return Object.entries(writePreparation(prepared)).map(([array, data]) => `${array} ${hashOf(data)}`);
  },
}));
