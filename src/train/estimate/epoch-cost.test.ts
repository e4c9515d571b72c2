import { expect, test } from "vitest";
import { add, gatherDots, matmul, matmulTransposeA, pairDots, reshape, spmm } from "../../engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../../engine/program.js";
import { epochCost } from "./epoch-cost.js";

/** Cost of two steps of the ops that `trace` calls. */
function costOf(trace: (builder: ProgramBuilder) => Tensor) {
  const builder = new ProgramBuilder();
  builder.segment("step", () => [trace(builder)]);
  return epochCost(builder.finish(), 2);
}

const NONE = {
  sparseMultiplyAdds: 0,
  sparseBytes: 0,
  denseMultiplyAdds: 0,
  denseBytes: 0,
  gatheredMultiplyAdds: 0,
  streamedBytes: 0,
};

test("dense products: multiply-adds of the shapes, and each operand once", () => {
  const product = costOf((b) => matmul(b.input("a", 5, 3), b.input("b", 3, 7)));
  expect(product).toEqual({ ...NONE, denseMultiplyAdds: 2 * 5 * 3 * 7, denseBytes: 2 * 4 * (15 + 21 + 35) });
  const gradient = costOf((b) => matmulTransposeA(b.input("a", 5, 3), b.input("b", 5, 7)));
  expect(gradient).toEqual({ ...NONE, denseMultiplyAdds: 2 * 5 * 3 * 7, denseBytes: 2 * 4 * (15 + 35 + 21) });
});

test("products of chosen rows: one multiply-add per pair and column, two with a relation", () => {
  const index = (b: ProgramBuilder, name: string, cols: number) => b.input(name, 4, cols, "index");
  const plain = costOf((b) =>
    gatherDots(b.input("x", 9, 8), b.input("y", 9, 8), index(b, "left", 1), index(b, "right", 6)),
  );
  expect(plain).toEqual({ ...NONE, gatheredMultiplyAdds: 2 * 4 * 6 * 8 });
  const weighted = costOf((b) => {
    const ends = { left: index(b, "left", 1), relation: index(b, "relation", 1), right: index(b, "right", 6) };
    return pairDots(b.input("x", 9, 8), b.input("r", 2, 8), ends).weighted;
  });
  expect(weighted).toEqual({ ...NONE, gatheredMultiplyAdds: 2 * 2 * 4 * 6 * 8 });
});

test("sparse products count the entries and the diagonal; other ops count their bytes; another shape costs nothing", () => {
  const matrix = {
    numRows: 3,
    numColumns: 3,
    rowStart: Uint32Array.of(0, 1, 3, 4),
    columns: Uint32Array.of(1, 0, 2, 1),
    diagonal: 0,
    symmetric: true,
  };
  const sparse = costOf((b) => spmm(matrix, b.input("x", 3, 5)));
  expect(sparse).toEqual({ ...NONE, sparseMultiplyAdds: 2 * (4 + 3) * 5, sparseBytes: 2 * 4 * (15 + 15 + 4) });
  expect(costOf((b) => add(b.input("a", 2, 3), b.input("b", 2, 3)))).toEqual({ ...NONE, streamedBytes: 2 * 4 * 18 });
  expect(costOf((b) => reshape(b.input("a", 2, 3), 3, 2))).toEqual(NONE);
});
