/**
 * Measures how well the node order keeps edges within the ranges of nodes of ranks, for graphs of several kinds.
 *
 *   node bench/run.mjs rank-ranges [--nodes 250000] [--edges 4] [--graph NAME]
 *
 * --edges: edges per node; --graph: only this graph. Ranges have equal numbers of nodes. A rank's halo are the nodes of other ranks that are
 * neighbours of its nodes in any relation. The nodes of all graphs except "grid by rows" have random numbers.
 */

import { cpus, loadavg } from "node:os";
import { Rng } from "../src/core/rng.js";
import { localOrder, nearShare } from "../src/graph/order/node-order.js";
import { placesIn } from "../src/graph/order/reorder-nodes.js";
import type { CsrPattern } from "../src/numeric/csr.js";
import { formatSeconds, table } from "../src/report/terminal.js";
import { numberOption, textOption } from "./options.js";

const numNodes = numberOption("nodes", 250_000);
const numEdges = numNodes * numberOption("edges", 4);
const chosen = textOption("graph", "");
const NUM_RELATIONS = 3;
const SIZES = [2, 4, 8];
/** Share of the edges of graphs with groups that connect any two nodes. */
const STRAY = 0.1;
/** Exponent of the power law of degrees, and the power of a uniform number that draws such nodes. */
const GAMMA = 2.5;
const POWER = (GAMMA - 1) / (GAMMA - 2);

type Draw = (rng: Rng, edge: number) => readonly [number, number];

const uniformly = (rng: Rng, bound: number) => rng.below(bound);
const byPowerLaw = (rng: Rng, bound: number) => Math.min(bound - 1, Math.floor(bound * rng.uniform() ** POWER));

/** Edges within groups of `group` nodes, except for the stray ones. */
function grouped(group: number, below: typeof uniformly): Draw {
  const numGroups = Math.ceil(numNodes / group);
  const member = (rng: Rng, of: number) => Math.min(numNodes - 1, of * group + below(rng, group));
  return (rng) => {
    const of = rng.below(numGroups);
    return [member(rng, of), member(rng, rng.uniform() < STRAY ? rng.below(numGroups) : of)];
  };
}

const side = Math.floor(Math.sqrt(numNodes));
/** A square grid: each node has an edge to the right and one downwards, each several times. */
const grid: Draw = (_, edge) => {
  const node = Math.floor(edge / 2) % (side * side);
  const [x, y] = [node % side, Math.floor(node / side)];
  if (edge % 2 === 0) return [node, x + 1 < side ? node + 1 : node];
  return [node, y + 1 < side ? node + side : node];
};

const GRAPHS: Readonly<Record<string, Draw>> = {
  "groups of 1000": grouped(1000, uniformly),
  "groups of 200": grouped(200, uniformly),
  "groups of 5000": grouped(5000, uniformly),
  "groups of 1000, power law": grouped(1000, byPowerLaw),
  "power law": (rng) => [byPowerLaw(rng, numNodes), byPowerLaw(rng, numNodes)],
  grid,
  "grid by rows": grid,
};

/** The edges in both directions, in NUM_RELATIONS relations. */
function relationsOf(draw: Draw, isScattered: boolean): CsrPattern[] {
  const rng = new Rng(1, "bench/rank-ranges");
  const number = Uint32Array.from({ length: numNodes }, (_, i) => i);
  if (isScattered) rng.permutation(number);
  const ends = Array.from({ length: NUM_RELATIONS }, () => new Uint32Array(2 * Math.ceil(numEdges / NUM_RELATIONS)));
  for (let e = 0; e < numEdges; e++) {
    const [a, b] = draw(rng, e);
    ends[e % NUM_RELATIONS].set([number[a], number[b]], 2 * Math.floor(e / NUM_RELATIONS));
  }
  return ends.map(symmetricPattern);
}

function symmetricPattern(ends: Uint32Array): CsrPattern {
  const rowStart = new Uint32Array(numNodes + 1);
  for (const node of ends) rowStart[node + 1]++;
  for (let i = 0; i < numNodes; i++) rowStart[i + 1] += rowStart[i];
  const next = rowStart.slice();
  const columns = new Uint32Array(ends.length);
  for (let k = 0; k < ends.length; k++) columns[next[ends[k]]++] = ends[k ^ 1];
  return { rowStart, columns };
}

/** Share of the entries within ranges, and halo nodes per own node. */
function cut(relations: readonly CsrPattern[], place: Uint32Array, size: number): { inside: number; halo: number } {
  const rankOf = (i: number) => Math.floor((place[i] * size) / numNodes);
  const readers = new Uint32Array(numNodes);
  let [inside, all] = [0, 0];
  for (const { rowStart, columns } of relations) {
    for (let i = 0; i < numNodes; i++) {
      const rank = rankOf(i);
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        if (rankOf(columns[e]) === rank) inside++;
        else readers[columns[e]] |= 1 << rank;
        all++;
      }
    }
  }
  let halo = 0;
  for (let bits of readers) for (; bits !== 0; bits &= bits - 1) halo++;
  return { inside: inside / all, halo: halo / numNodes };
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
const rows: string[][] = [];
for (const [name, draw] of Object.entries(GRAPHS)) {
  if (chosen !== "" && chosen !== name) continue;
  const relations = relationsOf(draw, name !== "grid by rows");
  // time of the processor, so that other jobs matter less
  const begin = process.cpuUsage();
  const order = localOrder(relations, numNodes);
  const { user, system } = process.cpuUsage(begin);
  const seconds = (user + system) / 1e6;
  const identity = Uint32Array.from({ length: numNodes }, (_, i) => i);
  const orders: readonly [string, Uint32Array][] = [
    ["original", identity],
    ["local", order === undefined ? identity : placesIn(order)],
  ];
  for (const [what, place] of orders) {
    const isNew = what === "local";
    const cuts = SIZES.map((size) => cut(relations, place, size));
    rows.push([
      isNew ? "" : name,
      isNew && order === undefined ? "none better" : what,
      isNew ? formatSeconds(seconds) : "",
      percent(nearShare(relations, numNodes, place)),
      cuts.map(({ inside }) => percent(inside)).join(", "),
      cuts.map(({ halo }) => percent(halo)).join(", "),
    ]);
  }
}
console.log(`${numNodes} nodes, ${numEdges} edges, ${NUM_RELATIONS} relations`);
console.log(`${cpus()[0].model}, Node ${process.version}, load ${loadavg()[0].toFixed(1)}\n`);
const sizes = `on ${SIZES.join(", ")} ranks`;
console.log(
  table([["graph", "order", "search", "near", `edges within ranges ${sizes}`, `halo per own node ${sizes}`], ...rows]),
);
