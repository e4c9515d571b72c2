/**
 * Tests the lengths of multiview's facets by leaving one graph out at a time.
 *
 *   node bench/run.mjs facet-constants DATASET:RUN… [--repeats 3]
 *
 * RUN is the folder of an embedding of DATASET by multiview. A candidate makes one facet half or twice as long, or removes its
 * columns. A candidate is chosen for a graph by the other graphs only: it has the best mean of their validation scores, which are
 * computed within the training labels. The table shows the test macro-F1 of the left-out graph with the constants of the model and with
 * the chosen candidate. If the choices score higher, the constants are wrong. Graphs with and without features are separate groups,
 * because they have separate constants.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mean, type Rows } from "../src/numeric/rows.js";
import { tableText } from "../src/report/table.js";
import { table } from "../src/report/terminal.js";
import { STRENGTHS } from "../src/tasks/classification/choose-strength.js";
import { ProbeRows } from "../src/tasks/classification/probe-rows.js";
import { fitAllValidated } from "../src/tasks/classification/validated-probe.js";
import { type LabelledRun, readLabelledRun, runArguments } from "./labelled-runs.js";
import { numberOption } from "./options.js";

const FACTORS = [0, 0.5, 2];
const UNCHANGED = "as it is";
const repeats = numberOption("repeats", 3);

interface Score {
  readonly validation: number;
  readonly test: number;
}

interface ScoredRun {
  readonly name: string;
  readonly withFeatures: boolean;
  /** By candidate. A graph without the facet of a candidate has the scores of the unchanged vectors. */
  readonly scores: ReadonlyMap<string, Score>;
}

interface View {
  readonly name: string;
  readonly width: number;
}

/** The vectors with one facet scaled by a factor; without its columns if the factor is 0. */
function withFactor({ embedding }: LabelledRun, views: readonly View[], facet: string, factor: number): Rows {
  const factors = views.flatMap(({ name, width }) => new Array<number>(width).fill(name === facet ? factor : 1));
  const kept = factors.flatMap((value, k) => (value === 0 ? [] : [k]));
  const { dim, vectors } = embedding;
  const data = new Float64Array((vectors.length / dim) * kept.length);
  for (let i = 0; i < vectors.length / dim; i++) {
    kept.forEach((k, at) => {
      data[i * kept.length + at] = factors[k] * vectors[i * dim + k];
    });
  }
  return { data, width: kept.length };
}

function scoreRows({ nodes, splits }: LabelledRun, rows: Rows): Score {
  const grid = { scaling: "validate", prefix: "all", strengths: STRENGTHS } as const;
  const ids = Array.from({ length: rows.data.length / rows.width }, (_, i) => String(i));
  const vectors = { ids, dim: rows.width, vectors: Float32Array.from(rows.data) };
  const fits = fitAllValidated(nodes, new ProbeRows(vectors, nodes.rows), splits, grid, 1, () => {});
  return {
    validation: mean(fits.map(({ choices }) => choices[choices.length - 1].validation ?? 0)),
    test: mean(fits.map(({ scores }) => scores[scores.length - 1].macroF1)),
  };
}

const scored: ScoredRun[] = [];
for (const [dataset, run] of runArguments("facet-constants")) {
  const labelled = await readLabelledRun(dataset, run, { repeats });
  const { views }: { readonly views: readonly View[] } = JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
  const scores = new Map([[UNCHANGED, scoreRows(labelled, withFactor(labelled, views, "", 1))]]);
  for (const { name } of views) {
    for (const factor of FACTORS) {
      scores.set(`${name} × ${factor}`, scoreRows(labelled, withFactor(labelled, views, name, factor)));
    }
  }
  scored.push({ name: labelled.name, withFeatures: views.some(({ name }) => name === "features"), scores });
  console.error(
    `${labelled.name}: ${[...scores].map(([name, { test }]) => `${name} ${(100 * test).toFixed(1)}`).join(", ")}`,
  );
}

const scoreOf = ({ scores }: ScoredRun, candidate: string) =>
  scores.get(candidate) ?? scores.get(UNCHANGED) ?? { validation: 0, test: 0 };
const percent = (score: number) => (100 * score).toFixed(1);
for (const withFeatures of [false, true]) {
  const runs = scored.filter((run) => run.withFeatures === withFeatures);
  if (runs.length < 2) continue;
  const candidates = [...new Set(runs.flatMap(({ scores }) => [...scores.keys()]))];
  const rows = runs.map((left) => {
    const others = runs.filter((run) => run !== left);
    const merit = (candidate: string) => mean(others.map((run) => scoreOf(run, candidate).validation));
    const chosen = candidates.reduce(
      (best, candidate) => (merit(candidate) > merit(best) ? candidate : best),
      UNCHANGED,
    );
    const [now, then] = [scoreOf(left, UNCHANGED).test, scoreOf(left, chosen).test];
    return { cells: [left.name, chosen, percent(now), percent(then)], now, then };
  });
  const means = ["mean", "", percent(mean(rows.map(({ now }) => now))), percent(mean(rows.map(({ then }) => then)))];
  console.log(withFeatures ? "\nwith features" : "without features");
  const header = ["left out", "chosen by the others", "test, constants", "test, chosen"];
  console.log(table(tableText({ header, rows: [...rows.map(({ cells }) => cells), means] }), { ascii: false }));
  const changes = candidates.map((candidate) => {
    const change = (part: keyof Score) =>
      percent(mean(runs.map((run) => scoreOf(run, candidate)[part] - scoreOf(run, UNCHANGED)[part])));
    return [candidate, change("validation"), change("test")];
  });
  console.log(
    table(tableText({ header: ["candidate", "validation, change", "test, change"], rows: changes }), { ascii: false }),
  );
}
