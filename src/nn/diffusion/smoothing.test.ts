import { describe, expect, test } from "vitest";
import { ProgramBuilder, type Tensor } from "../../engine/program.js";
import { referenceEngine } from "../../engine/reference.js";
import { smoothing } from "./smoothing.js";
import { transitionMatrix } from "./transition-matrix.js";

/** Two relations of a path 0–1–2–3; node 4 has no edges, node 3 only those of the first relation. */
const N = 5;
const neighbors = [
  [[1], [0, 2], [1, 3], [2], []],
  [[1, 2], [0], [0], [], []],
];
const relations = neighbors.map((rows) => ({
  rowStart: Uint32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]),
  columns: Uint32Array.from(rows.flat()),
}));

/** R = Σ_k α·(1−α)^k·P^k of twelve terms in dense matrices; rows of sum one, the row of node 4 that of the identity. */
function dense(): number[][] {
  const step = Array.from({ length: N }, (_, i) => {
    const active = neighbors.filter((rows) => rows[i].length > 0);
    return Array.from({ length: N }, (__, j) =>
      active.reduce((sum, rows) => sum + (rows[i].includes(j) ? 1 / rows[i].length / active.length : 0), 0),
    );
  });
  return step.map((_, i) => {
    let walk = Array.from({ length: N }, (__, j) => Number(i === j));
    const sum = new Array<number>(N).fill(0);
    for (let k = 0; k < 12; k++) {
      walk.forEach((p, j) => {
        sum[j] += 0.15 * 0.85 ** k * p;
      });
      walk = walk.map((__, j) => walk.reduce((total, p, u) => total + p * step[u][j], 0));
    }
    const total = sum.reduce((a, b) => a + b, 0);
    return sum.map((x) => x / total);
  });
}

/** The matrix of a map: its value for the identity. */
async function matrixOf(map: (x: Tensor) => Tensor): Promise<number[][]> {
  const builder = new ProgramBuilder();
  const identity = Float32Array.from({ length: N * N }, (_, at) => Number(at % (N + 1) === 0));
  const x = builder.constant(identity, N, N);
  let y!: Tensor;
  builder.segment("map", () => {
    y = map(x);
    return [y];
  });
  const executable = await referenceEngine.compile(builder.finish());
  executable.run("map");
  const data = await executable.read(y);
  await executable.dispose();
  return Array.from({ length: N }, (_, i) => [...data.subarray(i * N, (i + 1) * N)]);
}

describe("smoothing", () => {
  const { apply, applyTransposed } = smoothing(transitionMatrix(relations, N));
  const near = (rows: number[][]) => rows.map((row) => row.map((x) => expect.closeTo(x, 6)));

  test("is the mean over the nodes that a walk visits; rows have the sum one", async () => {
    const found = await matrixOf(apply);
    expect(found).toEqual(near(dense()));
    for (const row of found) expect(row.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 6);
  });

  test("keeps the row of a node without edges", async () => {
    expect((await matrixOf(apply))[4]).toEqual([0, 0, 0, 0, 1]);
  });

  test("the transposed map is the transpose", async () => {
    const expected = dense();
    expect(await matrixOf(applyTransposed)).toEqual(near(expected.map((_, i) => expected.map((row) => row[i]))));
  });
});
