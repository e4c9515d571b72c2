/**
 * Memory bandwidth when rows are read in random order: the sparse product of one relation of a million nodes (2 M edges,
 * power-law degrees, width 128), compared with the same sums in C with prefetch.
 *
 *   node bench/run.mjs random-row-reads [--nodes 1000000] [--rounds 5]
 *
 * Needs gcc. The C program and the WASM engine run in turn; the fastest round of each is reported.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { spmm } from "../src/engine/ops/index.js";
import { ProgramBuilder } from "../src/engine/program.js";
import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { generateRandom } from "../src/graph/synthetic/random-multiplex.js";
import { table } from "../src/report/terminal.js";
import { numberOption } from "./options.js";

const [nodes, rounds] = [numberOption("nodes", 1_000_000), numberOption("rounds", 5)];
const WIDTH = 128;
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "hmge-random-row-reads-"));

const [{ rowStart, columns }] = generateRandom({
  nodes,
  relations: 1,
  edges: 2 * nodes,
  exponent: 2.5,
  seed: 1,
}).relations;

/** Compiles the product for the WASM engine. `run` computes it once and returns the seconds; `end` frees the engine. */
async function compileProduct(threads: number): Promise<{ run: () => number; end: () => Promise<void> }> {
  const builder = new ProgramBuilder();
  const x = builder.input("x", nodes, WIDTH);
  const matrix = { numRows: nodes, numColumns: nodes, rowStart, columns, diagonal: 0, symmetric: true };
  builder.segment("product", () => [spmm(matrix, x)]);
  const executable = await (await createWasmEngine({ threads })).compile(builder.finish());
  executable.write(x, (data) => data.fill(1));
  const run = () => {
    const begin = performance.now();
    executable.run("product");
    return (performance.now() - begin) / 1000;
  };
  return { run, end: () => executable.dispose() };
}

try {
  const paths = [join(folder, "rowStart"), join(folder, "columns")];
  writeFileSync(paths[0], rowStart);
  writeFileSync(paths[1], columns);
  const program = join(folder, "random-row-reads");
  const flags = ["-O3", "-march=native", "-pthread"];
  execFileSync("gcc", [...flags, join(here, "random-row-reads.c"), "-o", program], { stdio: "inherit" });
  const rows: string[][] = [["threads", "native C", "WASM", "C / WASM", "GB per second"]];
  for (const threads of [1, availableParallelism()]) {
    const product = await compileProduct(threads);
    product.run();
    let [native, wasm] = [Infinity, Infinity];
    for (let round = 0; round < rounds; round++) {
      native = Math.min(native, Number(execFileSync(program, [...paths, String(WIDTH), String(threads), "2"])));
      wasm = Math.min(wasm, product.run());
    }
    await product.end();
    const perRow = (seconds: number) => `${((1e9 * seconds) / columns.length).toFixed(0)} ns`;
    const rate = (4 * WIDTH * columns.length) / wasm / 1e9;
    rows.push([
      String(threads),
      perRow(native),
      perRow(wasm),
      `${((100 * native) / wasm).toFixed(0)} %`,
      rate.toFixed(1),
    ]);
  }
  console.log(`time for each of ${columns.length} rows of ${4 * WIDTH} bytes, read in random order\n`);
  console.log(table(rows));
} finally {
  rmSync(folder, { recursive: true });
}
