/** `hmge generate`: synthetic multiplex graphs. */

import type { Command } from "../command.js";

export const GENERATE_DEFAULTS = {
  nodes: 3000,
  relations: 3,
  seed: 1,
  pIn: 0.05,
  pOut: 0.01,
  edges: 30_000,
  groups: 3,
  degree: 6,
  edgeShare: 0.5,
  wordShare: 0.2,
};
const { nodes, relations, pIn, pOut, edges, seed, groups, degree, edgeShare, wordShare } = GENERATE_DEFAULTS;

export const generate: Command = {
  name: "generate",
  usage: "sbm|groups|random --out DIR [options]",
  summary: "write a synthetic multiplex: the HMGE paper's block model, groups with features, or a random one",
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
    { name: "noise", value: "N", doc: "sbm: relations of random edges beside them", default: "0" },
    {
      name: "weight-ratio",
      value: "X",
      doc: "sbm: edges get weights, within a community X times those across",
      default: "none: edges without weights",
    },
    { name: "groups", value: "N", doc: "groups: how many, the labels; sizes 1 : 2 : …", default: String(groups) },
    {
      name: "degree",
      value: "X",
      doc: "groups: mean degree in the first relation, repeated edges counted once; each next one has four times the edges",
      default: `${degree}, or what the nodes have room for`,
    },
    {
      name: "edge-share",
      value: "SHARE",
      doc: "groups: of the first relation's edges, those within a group; in each next one a quarter of it",
      default: String(edgeShare),
    },
    {
      name: "word-share",
      value: "SHARE",
      doc: "groups: of the 25 words (features) of a node, those of its group",
      default: String(wordShare),
    },
    { name: "quantities", value: "N", doc: "groups: numbers in units of their own instead of words", default: "0" },
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
    "sbm --p-in 0.03 --p-out 0.03 --weight-ratio 3 --out weighted",
    "groups --groups 5 --word-share 0.1 --out planted",
    "groups --quantities 8 --out measured",
    "random --nodes 1000000 --relations 10 --edges 20000000 --exponent 2.5 --out million",
  ],
  run: async (given, output) => (await import("./generate-run.js")).runGenerate(given, output),
};
