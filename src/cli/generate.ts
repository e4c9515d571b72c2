/** `hmge generate`: synthetic multiplex graphs. */

import type { Command } from "./command.js";

export const GENERATE_DEFAULTS = { nodes: 3000, relations: 3, pIn: 0.05, pOut: 0.01, edges: 30_000, seed: 1 };
const { nodes, relations, pIn, pOut, edges, seed } = GENERATE_DEFAULTS;

export const generate: Command = {
  name: "generate",
  usage: "sbm|random --out DIR [options]",
  summary: "write a synthetic multiplex: the stochastic block model of the HMGE paper, with labels, or a random one",
  options: [
    { name: "out", value: "DIR", doc: "the dataset folder to write" },
    { name: "nodes", value: "N", doc: "nodes", default: String(nodes) },
    {
      name: "relations",
      value: "N",
      doc: "relations; of sbm each over its own two communities",
      default: `${relations}`,
    },
    { name: "p-in", value: "P", doc: "sbm: probability of an edge within a community", default: String(pIn) },
    { name: "p-out", value: "P", doc: "sbm: probability of an edge across", default: String(pOut) },
    { name: "edges", value: "N", doc: "random: edges of all relations together", default: String(edges) },
    {
      name: "exponent",
      value: "X",
      doc: "random: degrees by a power law with this exponent, above 2; 2.5 is like many real graphs",
      default: "none: every pair is equally likely",
    },
    { name: "seed", value: "N", doc: "equal seeds, equal graphs", default: String(seed) },
    { name: "overwrite", doc: "write into a folder that holds other files" },
  ],
  examples: [
    "sbm --nodes 3000 --relations 41 --p-in 0.05 --p-out 0.01 --seed 1 --out sbm41",
    "random --nodes 1000000 --relations 10 --edges 20000000 --exponent 2.5 --out million",
  ],
  run: async (given, output) => (await import("./generate-run.js")).runGenerate(given, output),
};
