/**
 * Memory of a run: it grows with nodes × width and with edges, not with nodes × relations. An epoch allocates nothing that grows
 * with the graph.
 */

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { generateRandom } from "../src/graph/synthetic/random-multiplex.js";
import { hmge } from "../src/models/index.js";
import { estimateRun, findFittingWidths } from "../src/train/estimate/estimate.js";
import { root } from "./support/repository.js";

const SETTINGS = { dim: 64, tableWidth: 64 };

describe("planned memory", () => {
  const bytes = async (nodes: number, relations: number, edges: number) => {
    const graph = generateRandom({ nodes, relations, edges, seed: 1 });
    return (await estimateRun(graph, hmge, SETTINGS)).engineBytes;
  };

  test("twice the relations with the same edges take at most a tenth more", async () => {
    const [ten, twenty] = [await bytes(5000, 10, 100_000), await bytes(5000, 20, 100_000)];
    expect(twenty / ten).toBeLessThan(1.1);
  });

  test("twice nodes and edges take at most twice the memory, up to a constant", async () => {
    const [one, two] = [await bytes(5000, 10, 100_000), await bytes(10_000, 10, 200_000)];
    // weights, their moments and partial sums, which do not depend on the graph
    const constant = 8e6;
    expect(two).toBeLessThan(2 * one + constant);
  });

  test("a run that is too large gets advice on widths that fit", async () => {
    const graph = generateRandom({ nodes: 5000, relations: 3, edges: 30_000, seed: 1 });
    const { engineBytes } = await estimateRun(graph, hmge, { dim: 64 });
    const fitting = await findFittingWidths(graph, hmge, { dim: 64 }, engineBytes / 3);
    expect(fitting?.engineBytes).toBeLessThanOrEqual(engineBytes / 3);
    const again = await estimateRun(graph, hmge, { dim: 64, ...fitting?.widths });
    expect(again.engineBytes).toBe(fitting?.engineBytes);
    // vectors narrower than 8 are of little use, so they are never advised
    expect(await findFittingWidths(graph, hmge, { dim: 64 }, 1)).toBeUndefined();
    const narrowest = await estimateRun(graph, hmge, { dim: 8, tableWidth: 8 });
    expect(await findFittingWidths(graph, hmge, { dim: 64 }, narrowest.engineBytes - 1)).toBeUndefined();
    expect(await findFittingWidths(graph, hmge, { dim: 64 }, narrowest.engineBytes)).toMatchObject({
      widths: { dim: 8 },
    });
  });
});

const built = (path: string) => JSON.stringify(pathToFileURL(join(root, "dist", path)).href);

/**
 * Bytes that 100 epochs allocate, measured in a separate process. Its young generation is so large that collections are rare, so the
 * sum of the growth of heap and array buffers from epoch to epoch is nearly everything allocated. `extra` runs after every epoch.
 */
function allocatedBytes(extra: string): { heap: number; buffers: number } {
  const script = `
    import { hmge, startRun } from ${built("index.js")};
    import { generateRandom } from ${built("graph/synthetic/random-multiplex.js")};
    const graph = generateRandom({ nodes: 15000, relations: 2, edges: 20000, seed: 1 });
    const run = await startRun(graph, hmge, { dim: 8, tableWidth: 8, epochs: 150, patience: 150, threads: 2 });
    const kept = { last: undefined };
    const grown = { heap: 0, buffers: 0 };
    let last;
    const measure = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return { heap: heapUsed, buffers: arrayBuffers };
    };
    for await (const { epoch } of run) {
      ${extra}
      if (epoch === 50) gc();
      const now = measure();
      if (epoch > 50) for (const kind in grown) grown[kind] += Math.max(0, now[kind] - last[kind]);
      last = now;
    }
    console.log(JSON.stringify(grown));
    await run.dispose();`;
  const flags = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64", "--input-type=module"];
  return JSON.parse(execFileSync(process.execPath, [...flags, "-e", script], { encoding: "utf8" }));
}

describe("an epoch", () => {
  /**
   * Limit in bytes. Promises, array views and the report take 6,000 to 8,000 bytes for any graph, and more on a busy machine, where
   * the loop yields more often. One float per node would add 60,000.
   */
  const BYTES_PER_EPOCH = 30_000;

  test("allocates nothing that grows with the graph", () => {
    const { heap, buffers } = allocatedBytes("");
    expect(heap).toBeLessThan(100 * BYTES_PER_EPOCH);
    expect(buffers).toBeLessThan(100 * BYTES_PER_EPOCH);
  });

  test("that allocates an array per node is detected", () => {
    const { buffers } = allocatedBytes("kept.last = new Float32Array(graph.numNodes);");
    expect(buffers).toBeGreaterThan(100 * BYTES_PER_EPOCH);
  });
});
