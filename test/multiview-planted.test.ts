/** Each facet of multiview is needed: on a planted graph a probe without its columns is worse by far. */

import { expect, test } from "vitest";
import type { Embedding } from "../src/core/embedding.js";
import { Rng } from "../src/core/rng.js";
import type { Multiplex } from "../src/graph/multiplex.js";
import { multiplexFromEdges } from "../src/graph/multiplex-from-edges.js";
import { degreesOnly } from "../src/graph/synthetic/phenomena/degrees-only.js";
import { featuresOnly } from "../src/graph/synthetic/phenomena/features-only.js";
import { fewLabels } from "../src/graph/synthetic/phenomena/few-labels.js";
import { manyRelations } from "../src/graph/synthetic/phenomena/many-relations.js";
import { opposedGroups } from "../src/graph/synthetic/phenomena/opposed-groups.js";
import type { Phenomenon, PlantOptions } from "../src/graph/synthetic/phenomena/phenomenon.js";
import { multiview } from "../src/models/multiview/multiview.js";
import { selectColumns } from "../src/numeric/columns.js";
import type { Run } from "../src/train/run.js";
import { train } from "../src/train/train.js";
import { rawProbeAccuracy } from "./support/probe-accuracy.js";

/** Every fourth node trains the probe, in few-labels every twelfth. */
const STEP = 4;
/** C of the probe. */
const STRENGTH = 10;

interface Case {
  readonly phenomenon: Phenomenon;
  readonly options: Partial<PlantOptions>;
  readonly facet: string;
  readonly step?: number;
  /** Bounds of the accuracy: at least with all columns, at most without the facet. */
  readonly min: number;
  readonly max: number;
}

// accuracies measured with and without the facet: 0.917 and 0.367, 0.975 and 0.342, 0.807 and 0.527, 0.983 and
// 0.267, 0.758 and 0.617
const cases: readonly Case[] = [
  { phenomenon: featuresOnly, options: { nodes: 240, degree: 4 }, facet: "features", min: 0.85, max: 0.5 },
  {
    phenomenon: degreesOnly,
    options: { nodes: 160, relations: 12, strength: 0.7 },
    facet: "degrees",
    min: 0.9,
    max: 0.5,
  },
  { phenomenon: fewLabels, options: { nodes: 480 }, facet: "diffusion", step: 12, min: 0.75, max: 0.6 },
  { phenomenon: opposedGroups, options: { nodes: 160 }, facet: "spectral", min: 0.9, max: 0.5 },
  { phenomenon: manyRelations, options: { nodes: 160, relations: 14 }, facet: "spectral", min: 0.72, max: 0.66 },
];

/** The vectors without the columns of one facet. */
function without(
  facet: string,
  { embedding: { ids, dim, vectors }, views }: Pick<Run, "embedding" | "views">,
): Embedding {
  const ofColumns = views.flatMap(({ name, width }) => new Array<string>(width).fill(name));
  const kept = [...ofColumns.keys()].filter((k) => ofColumns[k] !== facet);
  if (kept.length === dim) throw new Error(`the vector has no facet ${facet}`);
  const { data, width } = selectColumns({ data: vectors, width: dim }, kept);
  return { ids, dim: width, vectors: data };
}

test.each(cases)(
  "$phenomenon.name needs the facet $facet",
  async ({ phenomenon, options, facet, step = STEP, min, max }) => {
    const { graph, labels } = phenomenon.generate({ ...options, seed: 1 });
    const classes = labels.map((label) => Number(label.slice(1)) - 1);
    const run = await train(graph, multiview, { dim: 32, epochs: 5, threads: 1 });
    const accuracy = (embedding: Embedding) => rawProbeAccuracy(embedding, classes, step, STRENGTH);
    expect(accuracy(run.embedding)).toBeGreaterThan(min);
    expect(accuracy(without(facet, run))).toBeLessThan(max);
  },
);

/**
 * 40 nodes of two groups. Nodes 36 and 37 have no edges but the same words; nodes 38 and 39 have neither edges nor words.
 */
function withEmptyNodes(): Multiplex {
  const rng = new Rng(2, "empty nodes");
  const nodes = Array.from({ length: 40 }, (_, i) => `v${i}`);
  const edges = { source: [] as string[], target: [] as string[] };
  for (let e = 0; e < 150; e++) {
    const [i, j] = [rng.below(36), rng.below(36)];
    edges.source.push(nodes[i]);
    edges.target.push(nodes[rng.uniform() < 0.8 ? j - (j % 2) + (i % 2) : j]);
  }
  const graph = multiplexFromEdges(edges, { nodes });
  const words = graph.ids.map((id) => {
    const i = Number(id.slice(1));
    return i >= 38
      ? []
      : i >= 36
        ? [0, 3]
        : [0, 1, 2, 3, 4, 5].filter((c) => rng.uniform() < (c % 2 === i % 2 ? 0.8 : 0.2));
  });
  const rowStart = Uint32Array.from([0, ...words.map((_, i) => words.slice(0, i + 1).flat().length)]);
  return {
    ...graph,
    features: { names: [..."abcdef"], numColumns: 6, rowStart, columns: Uint32Array.from(words.flat()) },
  };
}

/** Columns of one node outside the edges facet, whose table has a row of its own for every node. */
function untrainedColumns({ embedding: { ids, dim, vectors }, views }: Pick<Run, "embedding" | "views">, id: string) {
  const i = ids.indexOf(id);
  return [...vectors.subarray(i * dim, (i + 1) * dim - views.at(-1)!.width)];
}

/** Iterations leave up to 5e-4 in the spectral columns of nodes without edges. */
const near = (values: readonly number[]) => values.map((x) => expect.closeTo(x, 2));

test("nodes without edges have no structure: all columns but those of the edges are zero", async () => {
  const run = await train({ ...withEmptyNodes(), features: undefined }, multiview, { dim: 32, epochs: 5, threads: 1 });
  expect(run.embedding.vectors.every(Number.isFinite)).toBe(true);
  const columns = untrainedColumns(run, "v36");
  expect(columns.length).toBeGreaterThan(16);
  expect(columns).toEqual(near(columns.map(() => 0)));
  expect(Math.hypot(...untrainedColumns(run, "v1"))).toBeGreaterThan(0.1);
});

test("nodes without edges are placed by their features, nodes without features all at the same place", async () => {
  const run = await train(withEmptyNodes(), multiview, { dim: 32, epochs: 5, threads: 1 });
  expect(run.embedding.vectors.every(Number.isFinite)).toBe(true);
  const [first, second, empty, alsoEmpty] = ["v36", "v37", "v38", "v39"].map((id) => untrainedColumns(run, id));
  expect(second).toEqual(near(first));
  expect(alsoEmpty).toEqual(near(empty));
  expect(Math.hypot(...first.map((x, k) => x - empty[k]))).toBeGreaterThan(0.1);
});
