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

/** So many that three ranks have rows of their own: ranges end at multiples of 256 rows. */
const NUM_NODES = 520;
/** Nodes without edges, the last ones. */
const NUM_ISOLATED = 5;
const NUM_FEATURES = 12;

/** Two relations with groups of 30 nodes and random edges between them; with weights if it is directed. */
function plantedGraph(directed: boolean): Multiplex {
  const rng = new Rng(3, "planted");
  const [source, target, relation, weight]: [string[], string[], string[], number[]] = [[], [], [], []];
  for (const name of ["a", "b"]) {
    for (let e = 0; e < 2 * NUM_NODES; e++) {
      const i = rng.below(NUM_NODES - NUM_ISOLATED);
      const near = i - (i % 30) + rng.below(30);
      const isNear = rng.uniform() < 0.6 && near < NUM_NODES - NUM_ISOLATED;
      source.push(`${i}`);
      target.push(`${isNear ? near : rng.below(NUM_NODES - NUM_ISOLATED)}`);
      relation.push(name);
      weight.push(isNear ? 3 + rng.uniform() : 1);
    }
  }
  const nodes = Array.from({ length: NUM_NODES }, (_, i) => `${i}`);
  return multiplexFromEdges({ source, target, relation, ...(directed ? { weight } : {}) }, { directed, nodes });
}

/** Every node has two of the features, which depend on its group. */
function withFeatures(graph: Multiplex): GraphInput {
  const rng = new Rng(4, "features");
  const columns = Uint32Array.from({ length: 2 * NUM_NODES }, (_, e) => {
    const half = NUM_FEATURES / 2;
    const group = Math.floor(Number(graph.ids[e >> 1]) / 30) % half;
    return (e % 2) * half + (rng.uniform() < 0.6 ? group : rng.below(half));
  });
  const rowStart = Uint32Array.from({ length: NUM_NODES + 1 }, (_, i) => 2 * i);
  return { ...graph, features: { numColumns: NUM_FEATURES, rowStart, columns } };
}

const graphs: Readonly<Record<string, GraphInput>> = {
  "with directions and weights": plantedGraph(true),
  "with features": withFeatures(plantedGraph(false)),
};

const rng = new Rng(5, "parts");
const parts = [0, 1].map(() => Float32Array.from({ length: NUM_NODES * 8 }, () => rng.normal()));

/** One preparation. */
export interface PreparationRun {
  readonly name: string;
  run(engine: Engine, sharing?: Sharing): Promise<string[]>;
}

export const preparationRuns: readonly PreparationRun[] = Object.entries(graphs).map(([name, graph]) => ({
  name: `preparation ${name}`,
  async run(engine, sharing) {
    const prepared = await prepareFacets(graph, { dim: 32, weights: "auto" }, { engine, seed: 1, parts, sharing });
    return Object.entries(writePreparation(prepared)).map(([array, data]) => `${array} ${hashOf(data)}`);
  },
}));
