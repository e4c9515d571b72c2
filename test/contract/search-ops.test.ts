/** `searchLists` on every engine against the reference. */

import { describe, expect, test } from "vitest";
import { Rng } from "../../src/core/rng.js";
import type { Engine } from "../../src/engine/engine.js";
import { MISSING, PANEL, searchLists } from "../../src/engine/ops/index.js";
import { ProgramBuilder } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { createWasmEngine } from "../../src/engine/wasm/wasm-engine.js";
import { skipReason, webgpu } from "../support/webgpu.js";
import { relativeError } from "./check-op.js";

const engines = [
  await createWasmEngine({ threads: 1, relaxed: false }),
  await createWasmEngine({ threads: 1, relaxed: true }),
  await createWasmEngine({ threads: 2 }),
  await createWasmEngine({ threads: 3 }),
];
const allEngines = webgpu === undefined ? engines : [...engines, webgpu];

if (webgpu === undefined) test("webgpu", ({ skip }) => skip(skipReason));

interface Case {
  /** Number of candidates of each list. */
  readonly sizes: readonly number[];
  readonly width: number;
  readonly numQueries: number;
  readonly probes: number;
  readonly k: number;
  readonly value: (rng: Rng) => number;
}

/** Random lists with names in random order, and queries that probe distinct random lists; some queries probe fewer. */
async function search(engine: Engine, { sizes, width, numQueries, probes, k, value }: Case) {
  const rng = new Rng(5, "lists");
  const starts = [0];
  for (const size of sizes) starts.push(starts[starts.length - 1] + Math.ceil(size / PANEL));
  const numPanels = starts[starts.length - 1];
  const numCandidates = sizes.reduce((sum, size) => sum + size, 0);
  const order = new Uint32Array(numCandidates);
  rng.permutation(order);
  const names = new Uint32Array(numPanels * PANEL).fill(MISSING);
  const panels = new Float32Array(numPanels * width * PANEL);
  let next = 0;
  sizes.forEach((size, list) => {
    for (let e = 0; e < size; e++) {
      const [panel, column] = [starts[list] + Math.floor(e / PANEL), e % PANEL];
      names[panel * PANEL + column] = order[next++];
      for (let c = 0; c < width; c++) panels[(panel * width + c) * PANEL + column] = value(rng);
    }
  });
  const queries = Float32Array.from({ length: numQueries * width }, () => value(rng));
  const own = Uint32Array.from({ length: numQueries }, (_, i) => (i % 3 === 0 ? MISSING : rng.below(numCandidates)));
  const probed = new Uint32Array(numQueries * probes).fill(MISSING);
  const lists = new Uint32Array(sizes.length);
  for (let i = 0; i < numQueries; i++) {
    rng.permutation(lists);
    const count = i % 5 === 4 ? rng.below(probes + 1) : probes;
    probed.set(lists.subarray(0, count), i * probes);
  }
  const builder = new ProgramBuilder();
  const candidates = {
    panels: builder.constant(panels, numPanels * width, PANEL),
    names: builder.constant(names, numPanels, PANEL, "index"),
    starts: builder.constant(starts, starts.length, 1, "index"),
  };
  const asked = {
    queries: builder.constant(queries, numQueries, width),
    own: builder.constant(own, numQueries, 1, "index"),
    probes: builder.constant(probed, numQueries, probes, "index"),
  };
  let found!: ReturnType<typeof searchLists>;
  builder.segment("run", () => {
    found = searchLists(candidates, asked, k);
    return [found.names, found.scores];
  });
  const executable = await engine.compile(builder.finish());
  executable.run("run");
  const result = {
    names: [...(await executable.read(found.names))],
    scores: [...(await executable.read(found.scores))],
  };
  await executable.dispose();
  return result;
}

const whole = (rng: Rng) => rng.below(5) - 2;

const CASES: readonly Case[] = [
  { sizes: [1], width: 1, numQueries: 1, probes: 1, k: 1, value: whole },
  { sizes: [40], width: 3, numQueries: 7, probes: 1, k: 50, value: whole },
  { sizes: [17, 0, 16, 1, 33], width: 5, numQueries: 70, probes: 3, k: 4, value: whole },
  { sizes: Array.from({ length: 60 }, (_, i) => i % 23), width: 9, numQueries: 200, probes: 20, k: 20, value: whole },
  // a single list: an exact search
  { sizes: [700], width: 16, numQueries: 130, probes: 1, k: 90, value: whole },
];

describe.each(allEngines)("searchLists on $description", (engine) => {
  test.each(CASES)("whole numbers, many ties: $numQueries queries, $probes probes, k = $k", async (listCase) => {
    // products and their sums are exact in float32: results must be equal, including the order of ties
    expect(await search(engine, listCase)).toEqual(await search(referenceEngine, listCase));
  });

  test("real numbers", async () => {
    const listCase = { ...CASES[3], width: 65, value: (rng: Rng) => rng.normal() };
    const [found, expected] = await Promise.all([engine, referenceEngine].map((e) => search(e, listCase)));
    expect(found.names).toEqual(expected.names);
    const finite = (scores: readonly number[]) => scores.map((score) => Math.max(score, -1e3));
    // rounding of float32 sums of 65 products
    expect(relativeError(finite(found.scores), finite(expected.scores))).toBeLessThan(1e-6);
  });
});

test("the same bits for any number of threads", async () => {
  const listCase = { ...CASES[3], width: 64, numQueries: 500, value: (rng: Rng) => rng.normal() };
  const [one, two, three] = await Promise.all(engines.slice(1).map((engine) => search(engine, listCase)));
  expect(two).toEqual(one);
  expect(three).toEqual(one);
});
