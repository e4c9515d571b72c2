import { expect, test } from "vitest";
import { bceLogitsOp } from "../ops/bce-logits.js";
import { preluSlopeGradientOp } from "../ops/prelu.js";
import { sumSquaresOp } from "../ops/sum-squares.js";
import { type Op, ProgramBuilder } from "../program.js";
import { createWasmEngine } from "../wasm/wasm-engine.js";
import { entryChunkRows } from "./chunks.js";
import { soloRanks } from "./partitioned-engine.js";
import { reduceRows } from "./reduce-rule.js";
import { RowRanges } from "./row-ranges.js";

const engine = await createWasmEngine({ threads: 1 });
const COLS = 3000;

/** A sum over a tensor of ones, computed by the rank that has only chunk `chunk` of `numNodes` rows; other chunks sum to 0. */
async function sumOfChunk<A>(op: Op<A>, attributes: A, numInputs: number, numNodes: number, chunk: number) {
  const size = entryChunkRows({ rows: numNodes, cols: COLS });
  const ranges = new RowRanges([0, chunk * size, (chunk + 1) * size, numNodes], size, 1);
  const builder = new ProgramBuilder();
  const tensor = builder.parameter("x", size, COLS);
  let results: ReturnType<typeof reduceRows> = [];
  builder.segment("run", () => {
    results = reduceRows(
      { builder, ranges, ranks: soloRanks, wholeRows: () => numNodes },
      {
        op,
        attributes,
        inputs: new Array(numInputs).fill({ tensor, rowsPerNode: 1 }),
        outputs: [{ rows: 1, cols: 1, rowsPerNode: 0 }],
        chunkRows: size,
        partBytes: 8,
      },
    );
    return results.map((result) => result.tensor);
  });
  const executable = await engine.compile(builder.finish());
  executable.write(tensor, (data) => data.fill(-1));
  executable.run("run");
  const [sum] = await executable.read(results[0].tensor);
  return sum / (size * COLS);
}

// rows of 2³⁰ and 2³¹ entries end within the chunk, so that byte and entry numbers of 32 bits overflow there
test.each([2 ** 30, 2 ** 31])("sums over entries are right around entry %i", async (entry) => {
  const numNodes = Math.ceil((entry / COLS) * 1.02);
  const size = entryChunkRows({ rows: numNodes, cols: COLS });
  const chunk = Math.floor(entry / COLS / size);
  const run = <A>(op: Op<A>, attributes: A, numInputs: number) =>
    sumOfChunk(op, attributes, numInputs, numNodes, chunk);
  expect(await run(sumSquaresOp, { factor: 1, centred: false }, 1)).toBeCloseTo(1, 5);
  expect(await run(preluSlopeGradientOp, null, 2)).toBeCloseTo(1, 5);
  // logit −1 and target −1: max(−1, 0) − 1 + log(1 + e⁻¹)
  const loss = -1 + Math.log1p(Math.exp(-1));
  expect(await run(bceLogitsOp, { factor: 1, weighted: false }, 2)).toBeCloseTo(loss, 5);
});
