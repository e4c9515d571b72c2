/** Weights of edges when new nodes are placed. */

import { describe, expect, test } from "vitest";
import type { Multiplex } from "../graph/multiplex.js";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import { generateSbm } from "../graph/synthetic/sbm.js";
import { fitNeighborMap, placeNewNodes } from "./new-nodes.js";

const nodes = 400;
/** Two groups; a tenth of their nodes are new. */
const isNew = (node: number) => node % 10 === 0;

/** The edges that `keep` takes, each in one direction, and the nodes that they have. */
function part(
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

/** Fits the map on vectors that tell the group alone, and places the new nodes. */
function placed(options: Case, { directed = false, weightsOfNew = true } = {}) {
  const { graph, labels } = generateSbm({ nodes, relations: 1, seed: 5, ...options });
  const sideOf = (id: string) => (labels[graph.ids.indexOf(id)] === "c1" ? 1 : -1);
  const known = part(graph, (i, j) => !isNew(i) && !isNew(j), { directed });
  const fresh = part(graph, (i, j) => isNew(i) || isNew(j), { directed, weights: weightsOfNew });
  const vectors = Float32Array.from(known.ids.flatMap((id) => [sideOf(id), 0.5]));
  const embedding = { ids: known.ids, dim: 2, vectors };
  const map = fitNeighborMap(known, embedding);
  if (map === undefined) throw new Error("no map");
  const found = placeNewNodes({ neighbors: map }, embedding, fresh).embedding;
  const right = found.ids.filter((id, i) => Math.sign(found.vectors[2 * i]) === sideOf(id)).length;
  return { map, numPlaced: found.ids.length, right: right / found.ids.length };
}

const tellers = { pIn: 0.2, pOut: 0.2, weightRatio: 4 };

describe("new nodes", () => {
  test("are placed by weights that tell, in either direction of an edge", () => {
    for (const directed of [false, true]) {
      const { map, numPlaced, right } = placed(tellers, { directed });
      expect(map.weighted).toBe(true);
      expect(map.determination).toBeGreaterThan(0.5);
      expect(numPlaced).toBe(nodes / 10);
      expect(right).toBeGreaterThan(0.9);
    }
  });

  test("without weights of their own are guessed", () => {
    expect(placed(tellers, { weightsOfNew: false }).right).toBeLessThan(0.8);
  });

  test("are placed without weights that are noise", () => {
    const { map, right } = placed({ pIn: 0.3, pOut: 0.1, weightRatio: 1 });
    expect(map.weighted).toBe(false);
    expect(right).toBeGreaterThan(0.9);
  });
});
