/** The ops that draw and sort indices: equal on every engine, with the documented frequencies. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../src/core/rng.js";
import { groupIndex, groupIndexOp, MISSING, present, randomKey, sampleNodes } from "../../src/engine/ops/index.js";
import { ProgramBuilder } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { aliasRows, aliasTable } from "../../src/nn/walks/alias-table.js";
import { randomIndex } from "./gather-cases.js";
import { engines, expectEqual, replay } from "./replay.js";

describe.each(engines)("$description equals the reference", (engine) => {
  test.each([
    [1, 1, 1, 0],
    [10, 3, 4, 0.3],
    [9000, 5, 3, 0.1],
    [300, 20_000, 2, 0.05],
    [5, 6000, 1, 1],
    [0, 4, 1, 1],
  ])("groupIndex: %i rows, %i × %i places, missing %f", async (numRows, rows, cols, missing) => {
    await expectEqual(engine, (builder) => {
      const index = randomIndex(builder, "index", { rows, cols, bound: numRows, missing });
      const { start, order } = groupIndex(index, numRows);
      expect(groupIndex(index, numRows).start).toBe(start);
      return [start, order, present(index)];
    });
  });

  test("groupIndex of some rows: places of other rows are in no group", async () => {
    await expectEqual(engine, (builder) => {
      const index = randomIndex(builder, "index", { rows: 5000, cols: 2, bound: 90, missing: 0.1 });
      return builder.apply(groupIndexOp, [index], { numRows: 31, firstRow: 40 });
    });
  });

  test.each([
    [1, 1, 1],
    [7, 5, 3],
    [3000, 999, 5],
    [0, 4, 2],
  ])("sampleNodes: %i nodes, %i × %i draws", async (numNodes, rows, cols) => {
    const rng = new Rng(2, "weights");
    const weights = Array.from({ length: numNodes }, () => rng.uniform() ** 3);
    await expectEqual(engine, (builder) => {
      return [sampleNodes(randomKey(builder, "draw"), aliasTable(builder, weights), rows, cols)];
    });
  });
});

test.each([...engines, referenceEngine])(
  "$description: starting values are the numbers of their stream",
  async (engine) => {
    const builder = new ProgramBuilder();
    const tensors = [1, 5, 64, 4099].map((rows) => builder.parameter(`x${rows}`, rows, 3));
    builder.segment("none", () => []);
    const executable = await engine.compile(builder.finish());
    for (const [k, tensor] of tensors.entries()) {
      // a seed beyond 32 bits; the tensors next to it must not be overwritten
      const stream = { seed: 2 ** 40 + k, purpose: `init/${k}` };
      executable.fillSymmetric(tensor, stream, 0.3);
      const expected = new Float32Array(tensor.rows * tensor.cols);
      new Rng(stream.seed, stream.purpose).fillSymmetric(expected, 0.3);
      expect(Float32Array.from(await executable.read(tensor))).toEqual(expected);
    }
    const [first] = tensors;
    const again = new Float32Array(3);
    new Rng(2 ** 40, "init/0").fillSymmetric(again, 0.3);
    expect(Float32Array.from(await executable.read(first))).toEqual(again);
    await executable.dispose();
  },
);

test("draws from an alias table have the frequencies of their weights", async () => {
  const weights = [3, 0, 1, 0.5, 10, 0, 0.01, 3];
  const total = weights.reduce((a, b) => a + b);
  const draws = 200_000;
  const [nodes] = await replay(engines[1], 9, (builder) => {
    return [sampleNodes(randomKey(builder, "draw"), aliasTable(builder, weights), draws, 1)];
  });
  weights.forEach((weight, node) => {
    const p = weight / total;
    const deviation = Math.sqrt(p * (1 - p) * draws);
    // five standard deviations of a binomial
    expect(Math.abs(nodes.filter((drawn) => drawn === node).length - p * draws)).toBeLessThanOrEqual(5 * deviation);
  });
});

test("an alias table holds the weights to the resolution of a coin", () => {
  const rng = new Rng(3, "weights");
  for (const size of [1, 2, 3, 17, 1000]) {
    const weights = Array.from({ length: size }, (_, i) => (i % 4 === 3 ? 0 : rng.uniform() ** 6));
    const total = weights.reduce((a, b) => a + b);
    const rows = aliasRows(weights);
    const slots = rows.length / 3;
    const found = new Float64Array(size);
    for (let slot = 0; slot < slots; slot++) {
      const [coin, own, other] = rows.subarray(3 * slot);
      const probability = coin === 0xffffffff ? 1 : coin / 2 ** 32;
      found[own] += probability / slots;
      found[other] += (1 - probability) / slots;
    }
    weights.forEach((weight, node) => {
      expect(Math.abs(found[node] - weight / total)).toBeLessThan(1e-9);
      if (weight === 0) expect(found[node]).toBe(0);
    });
  }
  expect(aliasRows([0, 0]).length).toBe(0);
  expect(MISSING).toBe(2 ** 32 - 1);
});
