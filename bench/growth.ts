/**
 * How the time and memory of an epoch grow with the number of nodes, edges, relations or columns (dim); each is doubled in turn.
 *
 *   node bench/run.mjs growth [--epochs 7] [--doublings 3] [--threads 2] [--preset paper] [--json FILE] [--svg PREFIX]
 *
 * All graphs are measured in turn, epoch by epoch, so that other load on the machine affects all of them; the fastest epoch of
 * each is reported. Exponents are least-squares slopes of logarithms: 1 is linear growth.
 */

import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { chooseEngine } from "../src/engine/create-engine.js";
import { generateRandom } from "../src/graph/synthetic/random-multiplex.js";
import { hmge } from "../src/models/index.js";
import { type LineSeries, lineChart } from "../src/report/charts/line-chart.js";
import { formatBytes, formatCount, formatSeconds, table } from "../src/report/terminal.js";
import { startRun } from "../src/train/train.js";
import { textOption } from "./options.js";

const [epochs, doublings] = [Number(textOption("epochs", "7")), Number(textOption("doublings", "3"))];
const threads = Number(textOption("threads", String(availableParallelism())));
const preset = textOption("preset", "paper");

/** The smallest graph. In one epoch on it, sparse and dense products have about the same number of multiply-adds. */
const BASE = { nodes: 4000, edges: 200_000, relations: 4, dim: 32 };
type Quantity = keyof typeof BASE;
const QUANTITIES: readonly Quantity[] = ["nodes", "edges", "relations", "dim"];

interface Point {
  readonly quantity: Quantity;
  readonly factor: number;
  readonly size: typeof BASE;
  seconds: number;
  bytes: number;
}

const points: Point[] = QUANTITIES.flatMap((quantity) =>
  Array.from({ length: doublings + 1 }, (_, i) => {
    const factor = 2 ** i;
    return { quantity, factor, size: { ...BASE, [quantity]: BASE[quantity] * factor }, seconds: Infinity, bytes: 0 };
  }),
);
const engine = await chooseEngine("wasm", { threads });
const runs = [];
for (const point of points) {
  const { dim, ...shape } = point.size;
  // the table is as wide as the vectors, so that doubling `dim` doubles every width
  const settings = { dim, tableWidth: dim, preset, engine, epochs: 1e6, patience: 1e6 };
  const run = await startRun(generateRandom({ ...shape, seed: 1 }), hmge, settings);
  point.bytes = run.memoryBytes;
  runs.push({ run, iterator: run[Symbol.asyncIterator]() });
}
for (let e = -2; e < epochs; e++) {
  for (const [p, { iterator }] of runs.entries()) {
    const { value } = await iterator.next();
    if (e >= 0 && value !== undefined) points[p].seconds = Math.min(points[p].seconds, value.seconds);
  }
}
for (const { run } of runs) await run.dispose();

function growthExponent(series: readonly Point[], value: (point: Point) => number): number {
  const x = series.map(({ factor }) => Math.log2(factor));
  const y = series.map((point) => Math.log2(value(point)));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = x.reduce((sum, logFactor, i) => sum + (logFactor - mx) * (y[i] - my), 0);
  return covariance / x.reduce((sum, logFactor) => sum + (logFactor - mx) ** 2, 0);
}

const rows = QUANTITIES.map((quantity) => {
  const measured = points.filter((point) => point.quantity === quantity);
  return {
    quantity,
    time: growthExponent(measured, ({ seconds }) => seconds),
    memory: growthExponent(measured, ({ bytes }) => bytes),
    points: measured.map(({ factor, seconds, bytes }) => ({ factor, seconds, bytes })),
  };
});
const record = {
  command: `node bench/run.mjs growth --epochs ${epochs} --doublings ${doublings} --threads ${threads}`,
  date: new Date().toISOString(),
  machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version, load: loadavg() },
  base: BASE,
  preset,
  rows,
};
const json = textOption("json", "");
if (json !== "") writeFileSync(json, `${JSON.stringify(record, undefined, 2)}\n`);
const prefix = textOption("svg", "");
if (prefix !== "") {
  for (const [kind, value] of [
    ["time", ({ seconds }: { seconds: number }) => seconds],
    ["memory", ({ bytes }: { bytes: number }) => bytes],
  ] as [string, (point: { seconds: number; bytes: number }) => number][]) {
    const series: LineSeries[] = rows.map(({ quantity, points: measured }) => ({
      name: quantity,
      points: measured.map((point) => ({ x: point.factor, y: Math.log2(value(point) / value(measured[0])) })),
    }));
    const linear = series[0].points.map(({ x }) => ({ x, y: Math.log2(x) }));
    const svg = await lineChart([...series, { name: "linear", points: linear, dashed: true }], {
      logX: true,
      xLabel: "factor",
      yLabel: `log₂ of the ${kind}, relative to the smallest graph`,
      title: `How the ${kind} of an epoch grows`,
    });
    writeFileSync(`${prefix}-${kind}.svg`, svg);
  }
}
const { nodes, edges, relations, dim } = BASE;
console.log(`from ${formatCount(nodes)} nodes, ${formatCount(edges)} edges, ${relations} relations, width ${dim}:\n`);
console.log(
  table([
    [
      "doubled",
      "growth exponent of time",
      "growth exponent of memory",
      ...rows[0].points.map(({ factor }) => `×${factor}`),
    ],
    ...rows.map(({ quantity, time, memory, points: measured }) => [
      quantity,
      time.toFixed(2),
      memory.toFixed(2),
      ...measured.map(({ seconds, bytes }) => `${formatSeconds(seconds)}, ${formatBytes(bytes)}`),
    ]),
  ]),
);
