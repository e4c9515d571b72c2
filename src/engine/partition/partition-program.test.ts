import { expect, test } from "vitest";
import { add, knn, matmul, ones, permuteRows, randomPermutation, reshape, spmm, sumRows } from "../ops/index.js";
import { ProgramBuilder, type Tensor } from "../program.js";
import { requirePartitionable } from "./partitioned-engine.js";

const NODES = 500;

function programOf(build: (x: Tensor, weight: Tensor, builder: ProgramBuilder) => Tensor) {
  const builder = new ProgramBuilder(NODES);
  const x = builder.parameter("x", NODES, 4);
  const weight = builder.parameter("weight", 4, 3);
  builder.segment("run", () => [build(x, weight, builder)]);
  return builder.finish();
}

test("a program whose ops have rules can be divided", () => {
  expect(() => requirePartitionable(programOf((x, weight) => sumRows(matmul(add(x, x), weight))))).not.toThrow();
});

test("an op without a rule is refused by name, unless its inputs are whole", () => {
  const nearest = (x: Tensor) => knn(x, ones(x.builder, 1, 1), 2, 1).distances;
  expect(() => requirePartitionable(programOf(nearest))).toThrow(
    /^ranks: this model computes knn over all nodes, which cannot be divided among ranks; use one process/,
  );
  expect(() => requirePartitionable(programOf((_, weight) => nearest(weight)))).not.toThrow();
});

test("a product with a diagonal is refused if its source is not divided", () => {
  const identity = { rowStart: new Uint32Array(NODES + 1), columns: new Uint32Array(0), diagonal: 1, symmetric: false };
  const product = (builder: ProgramBuilder, areRowsNodes: boolean) =>
    spmm(
      { ...identity, numRows: NODES, numColumns: NODES },
      builder.constant(new Float32Array(NODES), NODES, 1, "float", areRowsNodes),
    );
  expect(() => requirePartitionable(programOf((_x, _w, builder) => product(builder, false)))).toThrow(/computes spmm/);
  expect(() => requirePartitionable(programOf((_x, _w, builder) => product(builder, true)))).not.toThrow();
});

test("an op is refused whose rule does not fit the division of its inputs", () => {
  const pairs = (x: Tensor, _: Tensor, builder: ProgramBuilder) =>
    permuteRows(reshape(x, 2 * NODES, 2), randomPermutation(builder, "rows", 2 * NODES)); // it permutes nodes only
  expect(() => requirePartitionable(programOf(pairs))).toThrow(
    /^ranks: this model computes permuteRows over all nodes/,
  );
});
