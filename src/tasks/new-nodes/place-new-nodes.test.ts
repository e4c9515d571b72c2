/** Tests that the vectors of new nodes are predicted from the relations and edge weights that are informative. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { multiplexFromEdges } from "../../graph/multiplex-from-edges.js";
import { generateSbm } from "../../graph/synthetic/sbm.js";
import { fitNeighborMap } from "./neighbor-map.js";
import { placeNewNodes } from "./place-new-nodes.js";

/** Number of nodes of each graph. */
const nodes = 400;
/** A tenth of the nodes are new. */
const isNew = (node: number) => node % 10 === 0;

/** The subgraph of the edges that `keep` accepts, each in one direction. */
function subgraph(
  { ids, relations: [{ rowStart, columns, values }] }: Multiplex,
  keep: (i: number, j: number) => boolean,
  { directed, weights = true }: { readonly directed: boolean; readonly weights?: boolean },
): Multiplex {
  const rows = ids.flatMap((source, i) =>
    Array.from({ length: rowStart[i + 1] - rowStart[i] }, (_, k) => rowStart[i] + k)
      .filter((e) => columns[e] > i && keep(i, columns[e]))
      .map((e) => ({ source, target: ids[columns[e]], weight: values?.[e] ?? 1 })),
  );
  const ends = { source: rows.map(({ source }) => source), target: rows.map(({ target }) => target) };
  const relation = rows.map(() => "r1");
  return multiplexFromEdges(
    weights ? { relation, ...ends, weight: rows.map(({ weight }) => weight) } : { relation, ...ends },
    { directed },
  );
}

interface Case {
  readonly pIn: number;
  readonly pOut: number;
  readonly weightRatio: number;
}

/** Fits a map to vectors that encode only the group of a node, and predicts the vectors of the new nodes. */
function placeGroups(options: Case, { directed = false, newEdgesWeighted = true } = {}) {
  const { graph, labels } = generateSbm({ nodes, relations: 1, seed: 5, ...options });
  const sideOf = (id: string) => (labels[graph.ids.indexOf(id)] === "c1" ? 1 : -1);
  const known = subgraph(graph, (i, j) => !isNew(i) && !isNew(j), { directed });
  const newGraph = subgraph(graph, (i, j) => isNew(i) || isNew(j), { directed, weights: newEdgesWeighted });
  const vectors = Float32Array.from(known.ids.flatMap((id) => [sideOf(id), 0.5]));
  const embedding = { ids: known.ids, dim: 2, vectors };
  const map = fitNeighborMap(known, embedding);
  if (map === undefined) throw new Error("no map");
  const found = placeNewNodes({ neighbors: map }, embedding, newGraph).embedding;
  const numCorrect = found.ids.filter((id, i) => Math.sign(found.vectors[2 * i]) === sideOf(id)).length;
  return { map, numPlaced: found.ids.length, accuracy: numCorrect / found.ids.length };
}

const informativeWeights = { pIn: 0.2, pOut: 0.2, weightRatio: 4 };

describe("new nodes", () => {
  test("are placed by edge weights if these predict the group, in directed and undirected graphs", () => {
    for (const directed of [false, true]) {
      const { map, numPlaced, accuracy } = placeGroups(informativeWeights, { directed });
      expect(map.weighted).toEqual(["r1"]);
      expect(map.determination).toBeGreaterThan(0.5);
      expect(numPlaced).toBe(nodes / 10);
      expect(accuracy).toBeGreaterThan(0.9);
    }
  });

  test("are placed less accurately if their edges have no weights", () => {
    expect(placeGroups(informativeWeights, { newEdgesWeighted: false }).accuracy).toBeLessThan(0.8);
  });

  test("are placed without edge weights if the weights are noise", () => {
    const { map, accuracy } = placeGroups({ pIn: 0.3, pOut: 0.1, weightRatio: 1 });
    expect(map.weighted).toEqual([]);
    expect(accuracy).toBeGreaterThan(0.9);
  });

  test("are placed by edge weights only in relations whose weights predict vectors", () => {
    const [informative, noise] = [informativeWeights, { pIn: 0.3, pOut: 0.1, weightRatio: 1 }].map((options) =>
      generateSbm({ nodes, relations: 1, seed: 5, ...options }),
    );
    const { ids, relations } = informative.graph;
    const graph = { ...informative.graph, relations: [...relations, { ...noise.graph.relations[0], name: "r2" }] };
    // column d encodes the group of a node in relation d
    const side = (labels: readonly string[], i: number) => (labels[i] === "c1" ? 1 : -1);
    const vectors = Float32Array.from(ids.flatMap((_, i) => [side(informative.labels, i), side(noise.labels, i)]));
    expect(fitNeighborMap(graph, { ids, dim: 2, vectors })?.weighted).toEqual(["r01"]);
  });

  test("have, in each column, the prediction of the relation that predicts this column", () => {
    const numRelations = 4;
    const { graph, communities } = generateSbm({ nodes, relations: numRelations, pIn: 0.12, pOut: 0.03, seed: 6 });
    const columns = (id: string) => communities.map((bits) => (bits[graph.ids.indexOf(id)] === 1 ? 1 : -1));
    const parts = [false, true].map((withNewNodes) => {
      const rows = graph.relations.flatMap(({ name, rowStart, columns: neighbors }) =>
        graph.ids.flatMap((source, i) =>
          [...neighbors.subarray(rowStart[i], rowStart[i + 1])]
            .filter((j) => j > i && (isNew(i) || isNew(j)) === withNewNodes)
            .map((j) => [name, source, graph.ids[j]]),
        ),
      );
      const [relation, source, target] = [0, 1, 2].map((k) => rows.map((row) => row[k]));
      return multiplexFromEdges({ relation, source, target });
    });
    const vectors = Float32Array.from(parts[0].ids.flatMap(columns));
    const known = { ids: parts[0].ids, dim: numRelations, vectors };
    const map = fitNeighborMap(parts[0], known);
    if (map === undefined) throw new Error("no map");
    expect([...map.relations].sort()).toEqual(graph.relations.map(({ name }) => name));
    // Measured: R² 0.94; a single map from the mean over the relations has 0.77.
    expect(map.determination).toBeGreaterThan(0.9);
    const found = placeNewNodes({ neighbors: map }, known, parts[1]).embedding;
    const correct = found.ids.map((id, i) =>
      columns(id).filter((side, d) => Math.sign(found.vectors[i * numRelations + d]) === side),
    );
    // Measured: accuracy 1; a single map from the mean over the relations has 0.95.
    expect(correct.flat().length / (numRelations * found.ids.length)).toBeGreaterThan(0.98);
    // Relations that the training graph does not have use the shared map.
    const renamed = {
      ...parts[1],
      relations: parts[1].relations.map((relation) => ({ ...relation, name: `new ${relation.name}` })),
    };
    expect(placeNewNodes({ neighbors: map }, known, renamed).embedding.ids).toEqual(found.ids);
  });

  test("have vectors whose norm does not exceed the largest norm of known nodes, at any distance from known nodes", () => {
    const { graph } = generateSbm({ nodes, relations: 1, seed: 5, pIn: 0.3, pOut: 0.05 });
    const rng = new Rng(1, "vectors");
    const vectors = Float32Array.from(graph.ids.flatMap(() => [rng.normal(), rng.normal()]));
    const known = { ids: graph.ids, dim: 2, vectors };
    const lengths = (data: Float32Array) =>
      Array.from({ length: data.length / 2 }, (_, i) => Math.hypot(data[2 * i], data[2 * i + 1]));
    // This map triples the mean of the neighbours; maps fitted to means over many neighbours also lengthen vectors.
    const map = {
      dim: 2,
      weighted: [],
      relations: [],
      weights: Float64Array.of(3, 0, 0, 3, 0, 0, 0, 0),
      fits: new Float64Array(2).fill(1),
      mean: new Float64Array(2),
      scale: new Float64Array(2).fill(1),
      determination: 1,
      fit: new Float64Array(2),
    };
    const chain = Array.from({ length: 40 }, (_, i) => `x${i}`);
    const source = [graph.ids[0], ...chain.slice(0, -1)];
    const far = multiplexFromEdges({ relation: chain.map(() => "r1"), source, target: chain });
    const { embedding, rounds } = placeNewNodes({ neighbors: map }, known, far);
    expect([embedding.ids.length, rounds]).toEqual([40, 40]);
    expect(Math.max(...lengths(embedding.vectors))).toBeLessThan(Math.max(...lengths(vectors)) * 1.0001);
  });
});
