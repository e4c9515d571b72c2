import { expect, test } from "vitest";
import { int, resolveOptions } from "../core/options.js";
import { add, meanRows, rowDots, scale } from "../engine/ops/index.js";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import { multiview } from "../models/multiview/multiview.js";
import { normal } from "../nn/init.js";
import { defineModel } from "../nn/model.js";
import { startRun } from "./train.js";
import { BASIS_SEGMENT, relationSegment, traceTraining } from "./training-program.js";

test("multiview encodes the edges once, not once for each relation", () => {
  const graph = multiplexFromEdges({
    source: ["a", "b", "c", "a", "b"],
    target: ["b", "c", "d", "c", "d"],
    relation: ["r", "r", "r", "s", "t"],
  });
  const options = resolveOptions(multiview.options, "multiview");
  const { segments } = traceTraining(multiview, graph, options, { weightDecay: 0, withRelations: true }).program;
  const ops = (segment: string) => (segments.get(segment) ?? []).map(({ op }) => op.name);
  const encoding = (segment: string) => ops(segment).filter((name) => /spmm|matmul/.test(name));
  expect(encoding(BASIS_SEGMENT)).not.toEqual([]);
  for (const relation of graph.relations.keys()) {
    expect(ops(relationSegment(relation))).not.toEqual([]);
    expect(encoding(relationSegment(relation))).toEqual([]);
  }
});

/** Basis: 100 times the table. Relation 1 does not read it; in relation 2 it is a result itself. */
const mixed = defineModel({
  name: "mixed",
  paper: "none",
  year: 2026,
  summary: "relations that use the basis in different ways",
  cost: "dim",
  options: { dim: int(8, { doc: "width" }) },
  presets: { default: { doc: "as it is", options: {} } },
  training: { epochs: 1, patience: 1, learningRate: 0.01, weightDecay: 0 },
  prepare: ({ numNodes }) => ({ numNodes }),
  init: (parameter, { numNodes }, { dim }) => ({ table: parameter("table", numNodes, dim, normal(0.1)) }),
  loss: ({ table }) => meanRows(rowDots(table, table)),
  embed: ({ table }) => scale(table, 1),
  relationBasis: ({ table }) => scale(table, 100),
  relationVectors({ table }, _prepared, _options, relation, basis = table) {
    const apart = scale(add(table, scale(table, 2)), 3);
    if (relation === 0) return { source: scale(basis, 1) };
    return relation === 1 ? { source: apart } : { source: apart, target: basis };
  },
});

test("a segment that does not read the basis leaves its values as they are", async () => {
  const graph = multiplexFromEdges({
    source: ["a", "b", "c", "a", "b"],
    target: ["b", "c", "d", "c", "d"],
    relation: ["r", "r", "r", "s", "t"],
  });
  const run = await startRun(graph, mixed, { threads: 1, withRelations: true });
  for await (const _ of run);
  const { vectors: table } = await run.readEmbedding();
  const expectRatio = (vectors: Float32Array | undefined, ratio: number) => {
    expect(vectors).toHaveLength(table.length);
    vectors?.forEach((x, at) => {
      expect(x / table[at]).toBeCloseTo(ratio, 3);
    });
  };
  const [first, second, third] = [
    await run.relationVectors(0),
    await run.relationVectors(1),
    await run.relationVectors(2),
  ];
  expectRatio(first?.source.vectors, 100);
  expectRatio(second?.source.vectors, 9);
  expectRatio(third?.source.vectors, 9);
  expectRatio(third?.target?.vectors, 100);
  expectRatio((await run.relationVectors(0))?.source.vectors, 100);
  await run.dispose();
});

test("the vectors of a relation are the same after other results have used the memory of the basis", async () => {
  const ends = Array.from({ length: 60 }, (_, i) => [i % 20, (i * 7 + Math.floor(i / 20) + 1) % 20]);
  const graph = multiplexFromEdges({
    source: ends.map(([source]) => `n${source}`),
    target: ends.map(([, target]) => `n${target}`),
    relation: ends.map((_, i) => `r${i % 3}`),
  });
  const run = await startRun(graph, multiview, { dim: 8, epochs: 2, threads: 1, withRelations: true });
  for await (const _ of run);
  const before = await run.relationVectors(2);
  const first = await run.relationVectors(0);
  await run.readEmbedding();
  expect(await run.relationVectors(2)).toEqual(before);
  expect(await run.relationVectors(0)).toEqual(first);
  await run.dispose();
});
