import { expect, test } from "vitest";
import { resolveOptions } from "../core/options.js";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import { multiview } from "../models/multiview/multiview.js";
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
