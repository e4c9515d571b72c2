/** Scenes for the test page of the panels. */

import { type TestEdges, testScene } from "../../src/explore/questions/test-scene.js";
import type { CategoryAttribute, Scene } from "../../src/explore/scene/scene.js";
import { Rng } from "../../src/index.js";
import { HOSTILE } from "./hostile.js";

const NAMES = ["Ada", "Bob", "Cy", "Dot", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon", "Kim", "Lee"];
const NUM_NODES = 400;
/** Vectors of two columns for four nodes. */
const FOUR_VECTORS = Float32Array.of(1, 0, 0, 1, 1, 1, 0, 0);

/** Two groups of 200 people; `family` has small cliques, `work` links within groups, `copy` repeats half of `work`. */
function town(): Scene {
  const rng = new Rng(1, "panels test");
  const ids = Array.from({ length: NUM_NODES }, (_, i) => `${NAMES[i % NAMES.length]} ${i}`);
  ids[3] = HOSTILE;
  ids[5] = "=cmd|' /C calc'!A0";
  ids[7] = "\u202egnp.exe";
  const group = (i: number) => Math.floor(i / 200);
  const family: [number, number][] = [];
  const work: [number, number, number][] = [];
  for (let i = 0; i < NUM_NODES; i++) {
    if (i % 4 !== 3) family.push([i, i + 1]);
    for (let k = 0; k < 4; k++) {
      const j = group(i) * 200 + rng.below(200);
      if (j !== i) work.push([i, j, 1 + rng.below(5)]);
    }
  }
  const copy: TestEdges = work.filter((_, i) => i % 2 === 0).map(([a, b]) => [a, b] as const);
  const dim = 6;
  const vectors = Float32Array.from({ length: NUM_NODES * dim }, (_, at) => {
    const [i, k] = [Math.floor(at / dim), at % dim];
    return (k < 2 ? 2 * group(i) : 0) + (k < 4 ? Math.sin(Math.floor(i / 4) * (k + 1)) : 0) + 0.3 * rng.normal();
  });
  const degrees = Float32Array.from({ length: NUM_NODES }, (_, i) =>
    Math.floor(2 + (i % 10 === 0 ? 300 * rng.uniform() : 6 * rng.uniform())),
  );
  return testScene({
    ids,
    dim,
    vectors,
    facets: [
      { name: "spectral", width: 2, doc: "Significant directions." },
      { name: "edges", width: 2 },
      { name: "degrees", width: 2 },
    ],
    relations: { family, work, [`copy ${HOSTILE}`]: copy },
    attributes: [
      {
        name: "label",
        kind: "category",
        categories: ["painter", HOSTILE, "baker"],
        codes: Int32Array.from({ length: NUM_NODES }, (_, i) => (i === 9 ? -1 : group(i) === 0 ? 0 : 1 + (i % 2))),
      },
      { name: "degree", kind: "number", values: degrees },
      {
        name: "street",
        kind: "category",
        categories: Array.from({ length: 30 }, (_, i) => `street ${i}`),
        codes: Int32Array.from({ length: NUM_NODES }, (_, i) => i % 30),
      },
      {
        name: "cluster",
        kind: "category",
        doc: "Groups of similar vectors.",
        fromVectors: true,
        categories: ["1", "2"],
        codes: Int32Array.from({ length: NUM_NODES }, (_, i) => group(i)),
      },
    ],
    decoder: { kind: "dot", vectors: [0, 1, 2].map(() => ({ width: dim, source: vectors, target: vectors })) },
  });
}

/** The town whose nodes have numbers as ids and names in a column. */
function named(): Scene {
  const scene = town();
  const codes = Int32Array.from(scene.ids, (_, node) => (node === 4 ? -1 : node));
  const names: CategoryAttribute = { name: "name", kind: "category", categories: scene.ids, codes };
  return { ...scene, ids: scene.ids.map((_, i) => `n${i}`), attributes: [names, ...scene.attributes], names };
}

export const SCENES: Readonly<Record<string, () => Scene>> = {
  town,
  named,
  directed: () =>
    testScene({
      ids: ["a", "b", "c", "d"],
      directed: true,
      vectors: FOUR_VECTORS,
      relations: {
        follows: [
          [0, 1],
          [2, 0],
          [0, 3],
          [3, 0],
        ],
      },
      decoder: { kind: "dot", vectors: [{ width: 2, source: FOUR_VECTORS, target: FOUR_VECTORS }] },
    }),
  empty: () => testScene({ ids: [] }),
  one: () => testScene({ ids: ["alone"], relations: { family: [] } }),
  bare: () => testScene({ ids: ["a", "b"], vectors: Float32Array.of(1, 0, 0, 1) }),
  broken: () => ({
    ...testScene({ ids: ["a", "b"], relations: { family: [[0, 1]], work: [] } }),
    vectors: () =>
      Promise.reject(new Error("vectors: the file is missing; expected vectors.bin. Write the scene again.")),
    adjacency: () =>
      Promise.reject(new Error("edges: the file is missing; expected edges.bin. Write the scene again.")),
  }),
  large: () => testScene({ ids: Array.from({ length: 100_000 }, (_, i) => `person ${i}`), dim: 1 }),
};
