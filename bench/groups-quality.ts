/**
 * Measures how well the feature groups of multiview recover planted groups, for several values of each constant of
 * models/multiview/facets/feature-groups.ts.
 *
 *   node bench/run.mjs groups-quality [--nodes 2000] [--seeds 1,2] [--vary startShare,hops] [constant=value …]
 *
 * The graphs come from graph/synthetic/planted.ts. They have 2, 3 or 5 planted groups; the shares of edges and of features (words) that
 * depend on the groups vary. One constant of --vary is changed at a time; the others have the model's values, or the values from the
 * command line. Columns of the result:
 *
 *   recovered          adjusted Rand index between the planted groups and the same number of computed groups, mean over the graphs
 *   used               number of graphs on which the model accepts this number of groups, because the groups of two random halves of
 *                      the data agree
 *   recovered if used  mean of `recovered` over these graphs
 *   by chance          how many of the seven numbers of groups (2 to 8) the model accepts on a graph without groups, mean
 */

import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { normalizedOperator } from "../src/graph/normalize.js";
import { generatePlanted, type PlantedGraph } from "../src/graph/synthetic/planted.js";
import { undirectedRelations } from "../src/graph/union.js";
import { GROUPS, type GroupsConstants } from "../src/models/multiview/constants.js";
import { type Grouping, groupings } from "../src/models/multiview/facets/feature-groups.js";
import { adjustedRandIndex } from "../src/numeric/clustering-metrics.js";
import { tableText } from "../src/report/table.js";
import { table } from "../src/report/terminal.js";
import { numberOption, textOption } from "./options.js";

const nodes = numberOption("nodes", 2000);
const seeds = textOption("seeds", "1,2").split(",").map(Number);
const assignments = process.argv.filter((word) => word.includes("=")).map((word) => word.split("="));
const baseConstants: GroupsConstants = {
  ...GROUPS,
  ...Object.fromEntries(assignments.map(([name, value]) => [name, Number(value)])),
};
const engine = await createWasmEngine({ threads: 1 });

interface Case extends PlantedGraph {
  readonly title: string;
  /** Number of planted groups; 1 means no groups. */
  readonly groups: number;
  readonly seed: number;
}

const common = { nodes, relations: 3, degree: 6 };
const cases: Case[] = [];
for (const seed of seeds) {
  for (const [edgeShare, wordShare] of [
    [0.3, 0.2],
    [0.4, 0.4],
    [0.7, 0.4],
    [0.4, 0.6],
    [0.7, 0.6],
  ]) {
    for (const groups of [2, 3, 5]) {
      const planted = generatePlanted({ ...common, groups, edgeShare, wordShare, seed });
      cases.push({ ...planted, groups, seed, title: `${groups} groups, edges ${edgeShare}, words ${wordShare}` });
    }
  }
  const chance = generatePlanted({ ...common, groups: 1, edgeShare: 0, wordShare: 0, seed });
  cases.push({ ...chance, groups: 1, seed, title: "no groups" });
}

/** The groupings into 2 to 8 groups that multiview computes for a graph. */
function computeGroupings({ graph, seed }: Case, constants: GroupsConstants): Promise<readonly Grouping[]> {
  const normalize = (patterns: readonly { rowStart: Uint32Array; columns: Uint32Array }[]) =>
    patterns.map(({ rowStart, columns }, d) =>
      normalizedOperator({ ...graph.relations[d], rowStart, columns }, nodes, { selfLoop: 1, directed: false }),
    );
  const relations = undirectedRelations(graph);
  return groupings({ features: graph.features!, relations, normalize }, { engine, seed }, constants);
}

const recoveryIndex = ({ labels }: Case, grouping: Grouping) =>
  adjustedRandIndex(
    Int32Array.from(labels, (label) => Number(label.slice(1))),
    grouping.groups(),
  );

async function score(constants: GroupsConstants) {
  const indices: number[] = [];
  const usedIndices: number[] = [];
  const acceptedByChance: number[] = [];
  for (const graphCase of cases) {
    const all = await computeGroupings(graphCase, constants);
    const isAccepted = ({ agreement }: Grouping) => agreement >= constants.minAgreement;
    if (graphCase.groups === 1) acceptedByChance.push(all.filter(isAccepted).length);
    else {
      const grouping = all.find(({ count }) => count === graphCase.groups);
      const index = grouping === undefined ? 0 : recoveryIndex(graphCase, grouping);
      indices.push(index);
      if (grouping !== undefined && isAccepted(grouping)) usedIndices.push(index);
    }
  }
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const formatMean = (values: readonly number[]) => (values.length === 0 ? "" : mean(values).toFixed(3));
  return [
    formatMean(indices),
    `${usedIndices.length} of ${indices.length}`,
    formatMean(usedIndices),
    formatMean(acceptedByChance),
  ];
}

const printTable = (header: string[], rows: (string | number)[][]) =>
  console.log(`${table(tableText({ header, rows }), { ascii: false })}\n`);

const agreements: (string | number)[][] = [];
for (const graphCase of cases.filter(({ seed }) => seed === seeds[0])) {
  const all = await computeGroupings(graphCase, baseConstants);
  const planted = all.find(({ count }) => count === graphCase.groups);
  agreements.push([
    graphCase.title,
    planted === undefined ? "" : recoveryIndex(graphCase, planted).toFixed(2),
    ...all.map(({ agreement }) => agreement.toFixed(2)),
  ]);
}
printTable(
  ["agreement of the two halves for each number of groups", "recovered", "2", "3", "4", "5", "6", "7", "8"],
  agreements,
);

const VALUES: Readonly<Record<keyof GroupsConstants, readonly number[]>> = {
  startShare: [0.02, 0.05, 0.1, 0.2, 0.3, 0.5],
  hops: [2, 4, 8, 16],
  featureDirections: [16, 32, 64, 128],
  principal: [2, 4, 8, 16],
  minAgreement: [0.3, 0.5, 0.6, 0.7, 0.8],
};
const varied = textOption("vary", Object.keys(VALUES).join(",")).split(",") as (keyof GroupsConstants)[];
const variants = varied.flatMap((name) =>
  VALUES[name].filter((value) => value !== baseConstants[name]).map((value) => ({ [name]: value })),
);
const rows: (string | number)[][] = [];
for (const changed of [{}, ...variants]) {
  const [[name, value] = ["unchanged", ""]] = Object.entries(changed);
  rows.push([name, value, ...(await score({ ...baseConstants, ...changed }))]);
  console.error(rows[rows.length - 1].join("  "));
}
printTable(["constant", "value", "recovered", "used", "recovered if used", "by chance"], rows);
process.exit(0);
