/**
 * Compares the time that `hmge inspect` estimates with the time that `hmge embed` takes, on graphs of 10³ to 10⁷ edges.
 *
 *   node bench/run.mjs estimates [--epochs 20] [--threads 2] [--smallest 1e3] [--largest 1e7] [--data DIR,DIR] [--keep DIR]
 *                                [--json FILE]
 *   node bench/run.mjs estimates --fit [--epochs 20] [--largest 1e6] [--data DIR,DIR] [--keep DIR]
 *
 * Without --fit the built program inspects and embeds each graph; run it on an idle machine. With --fit every stage runs in
 * this process with one thread. Its CPU seconds, on which other programs have little effect, are printed next to the estimate, and
 * rates for src/train/estimate/work-rates.ts are fitted to all stages. --keep DIR keeps the generated graphs.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { RunTime } from "../src/cli/run/time-estimate.js";
import { addWork, type Stage, WORK_KINDS, type Work } from "../src/core/work.js";
import { loadGraph } from "../src/io/graph/load-graph.js";
import { multiview } from "../src/models/index.js";
import { formatCount, formatSeconds, table } from "../src/report/terminal.js";
import { diagnose, diagnoseWork } from "../src/tasks/diagnostics/diagnostics.js";
import { recoveryWork, spectralRecovery } from "../src/tasks/diagnostics/spectral-recovery.js";
import { featureMapWork, fitFeatureMap } from "../src/tasks/new-nodes/feature-map.js";
import { fitNeighborMap, neighborMapWork } from "../src/tasks/new-nodes/neighbor-map.js";
import { epochsWork } from "../src/train/estimate/epoch-cost.js";
import { estimateRun } from "../src/train/estimate/estimate.js";
import { RATES, workSeconds } from "../src/train/estimate/work-rates.js";
import { startRun } from "../src/train/train.js";
import { textOption } from "./options.js";

const epochs = Number(textOption("epochs", "20"));
const threads = Number(textOption("threads", String(availableParallelism())));
const largest = Number(textOption("largest", "1e7"));
const smallest = Number(textOption("smallest", "0"));
const dataOption = textOption("data", "");
const keep = textOption("keep", "");
const isFit = process.argv.includes("--fit");

/** Stages shorter than this many seconds are not used for the fit. */
const MIN_SECONDS = 0.05;
/** Approximate number of edges of each graph, and the arguments of `hmge generate`. */
const GRAPHS: readonly { readonly edges: number; readonly generate: string }[] = [
  { edges: 1e3, generate: "random --nodes 300 --relations 2 --edges 1000" },
  { edges: 2e4, generate: "sbm --nodes 1000 --relations 3 --p-in 0.02 --p-out 0.008" },
  { edges: 2.5e5, generate: "groups --nodes 4000" },
  { edges: 4e5, generate: "sbm --nodes 3000 --relations 3 --weight-ratio 3" },
  { edges: 1e6, generate: "random --nodes 100000 --relations 4 --edges 1000000 --exponent 2.5" },
  { edges: 1e7, generate: "random --nodes 1000000 --relations 3 --edges 10000000" },
];

const program = resolve("dist/cli/main.js");
const hmge = (...words: string[]): string =>
  execFileSync(process.execPath, [program, ...words], {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "inherit"],
  });

const folder = keep === "" ? mkdtempSync(join(tmpdir(), "hmge-estimates-")) : resolve(keep);
mkdirSync(folder, { recursive: true });

/** Yields the folder of each graph; generates a graph whose folder is missing. */
function* dataFolders(): Generator<string> {
  for (const { generate } of GRAPHS.filter(({ edges }) => edges <= largest && edges >= smallest)) {
    const out = join(folder, generate.replace(/[^a-z0-9.]+/g, "-"));
    if (!existsSync(out)) hmge("generate", ...generate.split(" "), "--out", out, "--quiet");
    yield out;
  }
  for (const name of dataOption.split(",").filter(Boolean)) yield name;
}

try {
  await (isFit ? compareStages() : compareRuns());
} finally {
  if (keep === "") rmSync(folder, { recursive: true });
}

async function compareRuns(): Promise<void> {
  const results: object[] = [];
  const rows: string[][] = [];
  console.log(`${formatCount(epochs)} epochs, ${threads} threads, load ${loadavg()[0].toFixed(1)}`);
  for (const data of dataFolders()) {
    const options = ["--epochs", String(epochs), "--threads", String(threads), "--json", "--quiet"];
    const { edges, run } = JSON.parse(hmge("inspect", data, ...options)) as {
      edges: number;
      run: { seconds: RunTime };
    };
    const begin = performance.now();
    const { seconds: phaseSeconds } = JSON.parse(
      hmge("embed", data, "--out", join(folder, "run"), "--overwrite", ...options),
    ) as {
      seconds: Record<"load" | "start" | "train" | "write" | "report" | "total", number>;
    };
    const total = (performance.now() - begin) / 1000;
    // the total includes starting and ending the process, and writing files after the record
    const measured = [
      phaseSeconds.load,
      phaseSeconds.start,
      phaseSeconds.train,
      phaseSeconds.report + phaseSeconds.write,
      total,
    ];
    const phases = [...run.seconds.phases, { name: "total", ...run.seconds }];
    phases.forEach(({ name, least, usual, most }, p) => {
      const inRange = measured[p] <= most && measured[p] >= least;
      rows.push([
        p === 0 ? `${basename(data).slice(0, 40)}, ${formatCount(edges)} edges` : "",
        name,
        formatSeconds(usual),
        `${formatSeconds(least)} – ${formatSeconds(most)}`,
        formatSeconds(measured[p]),
        (measured[p] / usual).toFixed(2),
        name === "total" && !inRange ? "outside the range" : "",
      ]);
    });
    results.push({ data: basename(data), edges, estimate: run.seconds, measured: { ...phaseSeconds, process: total } });
    console.error(`${basename(data)}: estimated ${formatSeconds(run.seconds.usual)}, measured ${formatSeconds(total)}`);
  }
  const header = ["graph", "phase", "estimated", "range", "measured", "measured / estimated", ""];
  console.log(table([header, ...rows], { ascii: false, width: 160 }));
  const json = textOption("json", "");
  if (json !== "") writeFileSync(json, `${JSON.stringify({ epochs, threads, load: loadavg(), results }, null, 1)}\n`);
}

interface MeasuredStage {
  readonly graph: string;
  readonly name: string;
  readonly work: Work;
  /** Whether the amount of work is known before the stage runs. */
  readonly isWorkKnown: boolean;
  readonly seconds: number;
}

async function compareStages(): Promise<void> {
  const all: MeasuredStage[] = [];
  for (const data of dataFolders()) {
    const found = await measureStages(data);
    all.push(...found);
    const rows = found.map(({ name, work, seconds }) => {
      const estimated = workSeconds(work, 1);
      return [
        name,
        formatSeconds(estimated),
        formatSeconds(seconds),
        (seconds / estimated).toFixed(2),
        largestKind(work),
      ];
    });
    const header = [basename(data).slice(0, 40), "estimated", "CPU", "CPU / estimated", "largest kind of work"];
    console.log(`${table([header, ...rows], { ascii: false, width: 140 })}\n`);
  }
  const fitted = fitRates(all);
  const rows = WORK_KINDS.map((kind) => [kind, RATES[kind].toPrecision(2), fitted[kind].toPrecision(2)]);
  console.log(
    table([["kind of work", "current rate", "fitted rate (per second and thread)"], ...rows], {
      ascii: false,
      width: 100,
    }),
  );
}

function largestKind(work: Work): string {
  const seconds = (kind: keyof Work) => (work[kind] ?? 0) / RATES[kind];
  return [...WORK_KINDS].sort((a, b) => seconds(b) - seconds(a))[0];
}

/** CPU seconds of each stage of a run with one thread. */
async function measureStages(data: string): Promise<MeasuredStage[]> {
  const graph = await loadGraph(data);
  const dim = multiview.options.dim.default;
  const settings = { epochs, threads: 1 };
  const estimate = await estimateRun(graph, multiview, settings);
  const spent = new Map<string, number>();
  let [current, last] = ["", cpuSeconds()];
  const startStage = (stage: string) => {
    const now = cpuSeconds();
    spent.set(current, (spent.get(current) ?? 0) + now - last);
    [current, last] = [stage, now];
  };
  const run = await startRun(graph, multiview, { ...settings, onStep: startStage, onPart: startStage });
  startStage("epochs");
  for await (const _ of run);
  startStage("");
  await run.dispose();
  const { embedding } = run;
  const afterTraining: readonly (readonly [name: string, work: Work, compute: () => unknown])[] = [
    ["diagnostics", diagnoseWork(graph.numNodes, dim), () => diagnose(embedding)],
    ["recovery", recoveryWork(graph, dim), () => spectralRecovery(graph, embedding)],
    ["neighbour maps", neighborMapWork(graph, dim), () => fitNeighborMap(graph, embedding)],
  ];
  for (const [name, , compute] of afterTraining) {
    startStage(name);
    compute();
  }
  if (graph.features !== undefined) {
    startStage("feature map");
    fitFeatureMap(graph.features, embedding);
  }
  startStage("");
  const stages: Stage[] = [
    ...estimate.preparation,
    { name: "epochs", work: epochsWork(estimate, run.numEpochs, graph.numNodes, dim) },
    ...afterTraining.map(([name, work]) => ({ name, work })),
    ...(graph.features === undefined ? [] : [{ name: "feature map", work: featureMapWork(graph.features, dim) }]),
  ];
  return [...new Set(stages.map(({ name }) => name))]
    .filter((name) => spent.has(name))
    .map((name) => ({
      graph: basename(data),
      name,
      work: addWork(...stages.filter((stage) => stage.name === name).map(({ work }) => work)),
      isWorkKnown: stages.every((stage) => stage.name !== name || (stage.maxWork ?? stage.work) === stage.work),
      seconds: spent.get(name) ?? 0,
    }));
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Fits the rates by coordinate descent on the squared relative errors; rates without measurements stay unchanged. */
function fitRates(all: readonly MeasuredStage[]): Record<keyof Work, number> {
  const used = all.filter(({ seconds, isWorkKnown }) => isWorkKnown && seconds >= MIN_SECONDS);
  const factors = Object.fromEntries(WORK_KINDS.map((kind) => [kind, 1])) as Record<keyof Work, number>;
  const parts = used.map(({ work, seconds }) =>
    Object.fromEntries(WORK_KINDS.map((kind) => [kind, (work[kind] ?? 0) / RATES[kind] / seconds])),
  );
  for (let round = 0; round < 1000; round++) {
    for (const kind of WORK_KINDS) {
      let [numerator, denominator] = [0.05, 0.05]; // a small ridge penalty towards factor 1
      for (const part of parts) {
        const others = WORK_KINDS.reduce((sum, other) => sum + (other === kind ? 0 : factors[other] * part[other]), 0);
        numerator += part[kind] * (1 - others);
        denominator += part[kind] ** 2;
      }
      factors[kind] = Math.max(0.05, numerator / denominator);
    }
  }
  return Object.fromEntries(WORK_KINDS.map((kind) => [kind, RATES[kind] / factors[kind]])) as Record<
    keyof Work,
    number
  >;
}
