import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { add, broadcastRow, meanRows, spmm } from "../ops/index.js";
import { ProgramBuilder } from "../program.js";
import { createWasmEngine } from "../wasm/wasm-engine.js";
import { partitionedEngine, soloRanks } from "./partitioned-engine.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("the matrices of a rank are not kept after they are copied into the memory of the engine", async () => {
  const numNodes = 1000;
  const degree = 1000;
  const rowStart = Uint32Array.from({ length: numNodes + 1 }, (_, i) => i * degree);
  const columns = Uint32Array.from({ length: numNodes * degree }, (_, e) => e % numNodes);
  const builder = new ProgramBuilder(numNodes);
  const x = builder.parameter("x", numNodes, 1);
  builder.segment("run", () => {
    const y = spmm({ numRows: numNodes, numColumns: numNodes, rowStart, columns, diagonal: 0, symmetric: true }, x);
    // has two forms, whole and divided, and knows how to make the other one
    return [add(y, broadcastRow(meanRows(y), numNodes))];
  });
  const engine = partitionedEngine(await createWasmEngine({ threads: 1 }), soloRanks);
  // WebAssembly memory is not counted
  const arrayBytes = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = arrayBytes();
  const executable = await engine.compile(builder.finish());
  // arrays are released some time after they are collected
  await expect.poll(() => arrayBytes() - before, { timeout: 10_000 }).toBeLessThan(columns.byteLength / 2);
  await executable.dispose();
});
