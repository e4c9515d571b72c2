import { expect, test } from "vitest";
import { resolveOptions } from "../core/options.js";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import { multiview } from "../models/multiview/multiview.js";
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
