/**
 * Measures the ops of skip-gram models: nanoseconds per pair, per random draw or per step of a walk.
 *
 *   node bench/run.mjs skip-gram [--nodes 10000] [--dim 128] [--pairs 10000] [--ends 6] [--degree 20] [--threads 1]
 *                                 [--repeats 60] [--only PART OF A NAME]
 *
 * --ends: number of context nodes per pair, one positive and the rest negative. The bench reports the minimum, median and upper
 * quartile over the repeats, and the processor time of all threads, which is more reliable on a shared machine. Inner products and
 * their two gradients need 3·ends·dim multiply-adds per pair; the bench also prints the multiply-adds per nanosecond.
 */

import { cpus, loadavg } from "node:os";
import { Rng } from "../src/core/rng.js";
import { gradients } from "../src/engine/autograd.js";
import {
  gatherDots,
  gatherDotsOp,
  groupIndex,
  pairsPerWalk,
  randomKey,
  randomWalks,
  sampleNodes,
  windowPairs,
} from "../src/engine/ops/index.js";
import { ProgramBuilder, type Tensor } from "../src/engine/program.js";
import type { SparseOperator } from "../src/engine/sparse.js";
import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { negativeSamplingLoss, noiseTable, startTable } from "../src/nn/walks/skip-gram.js";
import { numberOption, textOption } from "./options.js";

const [nodes, dim, pairs, ends] = [
  numberOption("nodes", 10_000),
  numberOption("dim", 128),
  numberOption("pairs", 10_000),
  numberOption("ends", 6),
];
const [degree, threads, repeats] = [
  numberOption("degree", 20),
  numberOption("threads", 1),
  numberOption("repeats", 60),
];
const [length, window] = [10, 5];

/** A random undirected graph of mean degree `degree`. */
function randomGraph(weighted: boolean): SparseOperator {
  const rng = new Rng(1, "graph");
  const rows = Array.from({ length: nodes }, () => new Set<number>());
  for (let e = 0; e < (nodes * degree) / 2; e++) {
    const [i, j] = [rng.below(nodes), rng.below(nodes)];
    if (i === j) continue;
    rows[i].add(j);
    rows[j].add(i);
  }
  const columns = Uint32Array.from(rows.flatMap((row) => [...row].sort((a, b) => a - b)));
  const rowStart = new Uint32Array(nodes + 1);
  rows.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.size;
  });
  const values = weighted ? Float32Array.from(columns, () => 0.5 + rng.uniform()) : undefined;
  return { numRows: nodes, numColumns: nodes, rowStart, columns, values, diagonal: 0, symmetric: true };
}

interface Case {
  readonly name: string;
  readonly unit: "pair" | "step" | "draw";
  /** Number of units. */
  readonly count: number;
  /** Multiply-adds of all units together. */
  readonly multiplyAdds?: number;
  trace(builder: ProgramBuilder): readonly Tensor[];
}

const rng = new Rng(2, "indices");
const index = (builder: ProgramBuilder, cols: number) =>
  builder.constant(
    Uint32Array.from({ length: pairs * cols }, () => rng.below(nodes)),
    pairs,
    cols,
    "index",
  );
const table = (builder: ProgramBuilder) =>
  builder.constant(
    Float32Array.from({ length: nodes * dim }, () => rng.normal()),
    nodes,
    dim,
  );
const tensors = (builder: ProgramBuilder) =>
  [table(builder), table(builder), index(builder, 1), index(builder, ends)] as const;
/** Multiply-adds of the inner products of all pairs. */
const dotMultiplyAdds = pairs * ends * dim;

/** The gradients of gatherDots with respect to both tables; `withDots` also computes its output. */
function traceGradients(builder: ProgramBuilder, withDots: boolean): Tensor[] {
  const inputs = tensors(builder);
  const outputGradient = builder.constant(
    Float32Array.from({ length: pairs * ends }, () => rng.normal()),
    pairs,
    ends,
  );
  const outputs = withDots ? [gatherDots(...inputs)] : [];
  if (typeof gatherDotsOp.gradient === "string") return [];
  const tableGradients = gatherDotsOp.gradient({ inputs, outputs, gradients: [outputGradient], attributes: null });
  return [...outputs, ...tableGradients.filter((tensor) => tensor !== undefined)];
}

const graph = randomGraph(false);
const weighted = randomGraph(true);
const numWalks = Math.ceil(pairs / 4);
const walks = (builder: ProgramBuilder, matrix: SparseOperator, p: number, q: number) => {
  const starts = sampleNodes(randomKey(builder, "starts"), startTable(builder, [matrix]), numWalks);
  return randomWalks({ key: randomKey(builder, "walks"), starts }, [matrix], { length, p, q });
};
const steps = numWalks * (length - 1);

const only = textOption("only", "");
const cases: readonly Case[] = [
  {
    name: "inner products",
    unit: "pair",
    count: pairs,
    multiplyAdds: dotMultiplyAdds,
    trace: (b) => [gatherDots(...tensors(b))],
  },
  {
    name: "grouping of both index tensors",
    unit: "pair",
    count: pairs,
    trace: (b) => [index(b, 1), index(b, ends)].flatMap((t) => Object.values(groupIndex(t, nodes))),
  },
  {
    name: "grouping and gradients",
    unit: "pair",
    count: pairs,
    multiplyAdds: 2 * dotMultiplyAdds,
    trace: (b) => traceGradients(b, false),
  },
  {
    name: "inner products, grouping and gradients",
    unit: "pair",
    count: pairs,
    multiplyAdds: 3 * dotMultiplyAdds,
    trace: (b) => traceGradients(b, true),
  },
  {
    name: "loss and gradients of both tables",
    unit: "pair",
    count: pairs,
    multiplyAdds: 3 * dotMultiplyAdds,
    trace: (b) => {
      const [x, context] = [b.parameter("x", nodes, dim), b.parameter("context", nodes, dim)];
      const negatives = index(b, ends - 1);
      const loss = negativeSamplingLoss({ x, context, left: index(b, 1), right: index(b, 1), negatives });
      return [loss, ...gradients(loss, [x, context]).filter((tensor) => tensor !== undefined)];
    },
  },
  {
    name: "draws of negative nodes",
    unit: "draw",
    count: pairs * ends,
    trace: (b) => [sampleNodes(randomKey(b, "noise"), noiseTable(b, [graph]), pairs, ends)],
  },
  { name: "walks", unit: "step", count: steps, trace: (b) => [walks(b, graph, 1, 1)] },
  { name: "walks on weighted edges", unit: "step", count: steps, trace: (b) => [walks(b, weighted, 1, 1)] },
  { name: "walks, p = 0.25, q = 4", unit: "step", count: steps, trace: (b) => [walks(b, graph, 0.25, 4)] },
  {
    name: `walks and their pairs, window size drawn from 1 to ${window}`,
    unit: "pair",
    count: numWalks * pairsPerWalk(length, window),
    trace: (b) => Object.values(windowPairs(walks(b, graph, 1, 1), window, randomKey(b, "window"))),
  },
];

const engine = await createWasmEngine({ threads });
console.log(`${nodes} nodes × ${dim}, ${pairs} pairs × ${ends} ends, degree ${degree}, ${engine.description}`);
console.log(
  `${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}`,
);
for (const { name, unit, count, multiplyAdds, trace } of cases.filter(({ name }) => name.includes(only))) {
  const builder = new ProgramBuilder();
  builder.segment("run", () => trace(builder));
  const program = builder.finish();
  const executable = await engine.compile(program);
  for (const { tensors: inputs, fill, purpose } of program.randomInputs) {
    executable.write(inputs[0], (data) => fill([data], new Rng(1, purpose)));
  }
  for (let i = 0; i < 10; i++) executable.run("run");
  const cpuBefore = process.cpuUsage();
  const times = Array.from({ length: repeats }, () => {
    const begin = performance.now();
    executable.run("run");
    return ((performance.now() - begin) * 1e6) / count;
  }).sort((a, b) => a - b);
  const { user, system } = process.cpuUsage(cpuBefore);
  await executable.dispose();
  const processor = ((user + system) * 1e3) / repeats / count;
  const [minimum, median, upperQuartile] = [0, 0.5, 0.75].map((share) => times[Math.floor(share * repeats)]);
  const rate =
    multiplyAdds === undefined ? "" : `, ${(multiplyAdds / count / minimum).toFixed(1)} multiply-adds/ns at best`;
  const others = `${median.toFixed(1)} median, ${upperQuartile.toFixed(1)} upper quartile, ${processor.toFixed(1)} processor time`;
  console.log(`${name}: ${minimum.toFixed(1)} ns per ${unit} at best (${others})${rate}`);
}
