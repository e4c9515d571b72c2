/** Writes and reads tables by rows, on all ranks together and on rank 0 alone; returns hashes that are the same on every rank. */

import { Rng } from "../../src/core/rng.js";
import type { Engine } from "../../src/engine/engine.js";
import { multiply } from "../../src/engine/ops/index.js";
import type { PartitionedEngine } from "../../src/engine/partition/partitioned-engine.js";
import { ProgramBuilder, type Tensor } from "../../src/engine/program.js";
import { hashOf } from "./op-runs.js";

const NUM_NODES = 700;
const COLS = 3;

/** Rows in no order, with repeats, at the ends and in the middle. */
const CHOSEN = Uint32Array.of(699, 3, 3, 0, 511, 128, 64, 300, 698);

type Lead = PartitionedEngine["lead"];

/** `isFirst`: this is rank 0, or a process alone. */
export async function runRows(engine: Engine, lead: Lead, isFirst: boolean): Promise<string[]> {
  const builder = new ProgramBuilder(NUM_NODES);
  const divided = builder.parameter("divided", NUM_NODES, COLS);
  const whole = builder.parameter("whole", 5, COLS);
  const twoRows = builder.input("two rows per node", 2 * NUM_NODES, COLS);
  const other = builder.parameter("other", NUM_NODES, COLS);
  let product!: Tensor;
  builder.segment("run", () => {
    product = multiply(divided, other);
    return [product];
  });
  const executable = await engine.compile(builder.finish());
  const hashes: string[] = [];
  for (const tensor of [divided, whole, twoRows, other]) {
    // slices end inside the rows of a rank, and between those of two
    const data = new Float32Array(tensor.rows * tensor.cols);
    new Rng(1, tensor.name ?? "").fillSymmetric(data, 1);
    for (let first = 0; first < tensor.rows; first += 150) {
      const end = Math.min(tensor.rows, first + 150);
      const slice = data.subarray(first * tensor.cols, end * tensor.cols);
      executable.writeRows(tensor, first, end, isFirst ? slice : undefined);
    }
    const rows = CHOSEN.map((row) => row % tensor.rows);
    const found = await executable.readRows(tensor, rows);
    const all = await executable.read(tensor);
    hashes.push(hashOf(all));
    if (hashOf(found) !== hashOf(isFirst ? rowsOf(all, rows) : new Float32Array(0)))
      throw new Error(`${tensor.name}: wrong rows`);
  }
  // rank 0 replays the segment and reads; the others follow
  const led = await lead(async () => {
    executable.run("run");
    const found = await executable.readRows(product, CHOSEN);
    return { found, all: await executable.read(product) };
  });
  if ((led !== undefined) !== isFirst) throw new Error("lead: only rank 0 receives the result");
  const failed = await lead(() => Promise.reject(new Error("said by rank 0"))).catch((error: Error) => error.message);
  if (failed !== (isFirst ? "said by rank 0" : undefined)) throw new Error(`lead: found ${failed}`);
  const together = await executable.read(product);
  if (led !== undefined) {
    const isSame = hashOf(led.all) === hashOf(together) && hashOf(led.found) === hashOf(rowsOf(together, CHOSEN));
    if (!isSame) throw new Error("rank 0 alone reads other bits than all ranks together");
  }
  await executable.dispose();
  return [...hashes, hashOf(together)];
}

function rowsOf(all: Float32Array | Float64Array, rows: Uint32Array): Float32Array {
  return Float32Array.from([...rows].flatMap((row) => [...all.subarray(row * COLS, (row + 1) * COLS)]));
}
