/**
 * Chooses the constants of the groups of multiview: how well planted groups are recovered.
 *
 *   node bench/run.mjs groups-quality [--nodes 2000] [--seeds 1,2] [--vary ownShare,hops] [constant=value …]
 *
 * Graphs of graph/synthetic/planted.ts with 2, 3 and 5 groups, whose words and edges depend on the groups more or less. One
 * constant of --vary is changed at a time; the others keep the model's values, or the values on the command line. recovered:
 * adjusted Rand index of the groups found at the planted number, mean over the graphs. used: graphs whose halves agree on that
 * number, so that the model uses the groups. recovered if used: mean over these graphs. by chance: how many of seven numbers of
 * groups are accepted on graphs without groups, mean.
 */

import { createWasmEngine } from "../src/engine/wasm/wasm-engine.js";
import { normalizedOperator } from "../src/graph/normalize.js";
import { generatePlanted, type PlantedGraph } from "../src/graph/synthetic/planted.js";
import { undirectedRelations } from "../src/graph/union.js";
import {
  GROUPS,
  type Grouping,
  type GroupsConstants,
  groupings,
} from "../src/models/multiview/facets/feature-groups.js";
import { adjustedRandIndex } from "../src/numeric/clustering-metrics.js";
import { tableText } from "../src/report/table.js";
import { table } from "../src/report/terminal.js";
import { numberOption, textOption } from "./options.js";

const nodes = numberOption("nodes", 2000);
const seeds = textOption("seeds", "1,2").split(",").map(Number);
const assignments = process.argv.filter((word) => word.includes("=")).map((word) => word.split("="));
const base: GroupsConstants = {
  ...GROUPS,
  ...Object.fromEntries(assignments.map(([name, value]) => [name, Number(value)])),
};
const engine = await createWasmEngine({ threads: 1 });

interface Case extends PlantedGraph {
  readonly title: string;
  /** Planted number of groups; 1 for none. */
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

/** The graph as multiview reads it. */
function found({ graph, seed }: Case, constants: GroupsConstants): Promise<readonly Grouping[]> {
  const normalize = (patterns: readonly { rowStart: Uint32Array; columns: Uint32Array }[]) =>
    patterns.map(({ rowStart, columns }, d) =>
      normalizedOperator({ ...graph.relations[d], rowStart, columns }, nodes, { selfLoop: 1, directed: false }),
    );
  const relations = undirectedRelations(graph);
  return groupings({ features: graph.features!, relations, normalize }, { engine, seed }, constants);
}

const recovered = ({ labels }: Case, grouping: Grouping) =>
  adjustedRandIndex(
    Int32Array.from(labels, (label) => Number(label.slice(1))),
    grouping.groups(),
  );

async function score(constants: GroupsConstants) {
  const indices: number[] = [];
  const right: number[] = [];
  const chance: number[] = [];
  for (const one of cases) {
    const all = await found(one, constants);
    const counts = ({ agreement }: Grouping) => agreement >= constants.minAgreement;
    if (one.groups === 1) chance.push(all.filter(counts).length);
    else {
      const grouping = all.find(({ count }) => count === one.groups);
      const index = grouping === undefined ? 0 : recovered(one, grouping);
      indices.push(index);
      if (grouping !== undefined && counts(grouping)) right.push(index);
    }
  }
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const shown = (values: readonly number[]) => (values.length === 0 ? "" : mean(values).toFixed(3));
  return [shown(indices), `${right.length} of ${indices.length}`, shown(right), shown(chance)];
}

const show = (header: string[], rows: (string | number)[][]) =>
  console.log(`${table(tableText({ header, rows }), { ascii: false })}\n`);

const agreements: (string | number)[][] = [];
for (const one of cases.filter(({ seed }) => seed === seeds[0])) {
  const all = await found(one, base);
  const right = all.find(({ count }) => count === one.groups);
  agreements.push([
    one.title,
    right === undefined ? "" : recovered(one, right).toFixed(2),
    ...all.map(({ agreement }) => agreement.toFixed(2)),
  ]);
}
show(["agreement of halves", "recovered", "2", "3", "4", "5", "6", "7", "8"], agreements);

const VALUES: Readonly<Record<keyof GroupsConstants, readonly number[]>> = {
  ownShare: [0.02, 0.05, 0.1, 0.2, 0.3, 0.5],
  hops: [2, 4, 8, 16],
  featureDirections: [16, 32, 64, 128],
  principal: [2, 4, 8, 16],
  minAgreement: [0.3, 0.5, 0.6, 0.7, 0.8],
};
const varied = textOption("vary", Object.keys(VALUES).join(",")).split(",") as (keyof GroupsConstants)[];
const variants = varied.flatMap((name) =>
  VALUES[name].filter((value) => value !== base[name]).map((value) => ({ [name]: value })),
);
const rows: (string | number)[][] = [];
for (const changed of [{}, ...variants]) {
  const [[name, value] = ["unchanged", ""]] = Object.entries(changed);
  rows.push([name, value, ...(await score({ ...base, ...changed }))]);
  console.error(rows[rows.length - 1].join("  "));
}
show(["constant", "value", "recovered", "used", "recovered if used", "by chance"], rows);
process.exit(0);
