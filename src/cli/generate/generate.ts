/** `hmge generate`: synthetic multiplex graphs. */

import { type Command, type Arguments, switchOption, textOption } from "../command.js";
import { InputError, suggest } from "../../core/errors.js";
import { shellWord } from "../../core/shell-word.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { drawnEdges, generatePlanted, mostDegree } from "../../graph/synthetic/groups.js";
import { generateRandom } from "../../graph/synthetic/random-multiplex.js";
import { generateSbm } from "../../graph/synthetic/sbm.js";
import { writeDataset } from "../../io/graph/write-dataset.js";
import { plural } from "../../report/format.js";
import { checkOutputFolder, requireRoom } from "../folder/output-folder.js";
import { readCount, readNumber, readPositive } from "../options/number-options.js";
import { requireMemory } from "../run/memory-estimate.js";
import type { Output } from "../terminal/output.js";
import { programName } from "../terminal/program-name.js";

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
  usage: "sbm|groups|random --out DIR [options]",
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
  run: runGenerate,
};

/** Per drawn edge: growing columns, then the matrices and the text of the file. */
const BYTES_PER_EDGE = 80;
const BYTES_PER_NODE = 200;
/** An edge in the compressed file. */
const BYTES_PER_WRITTEN_EDGE = 5;

interface Request {
  /** Expected number of edges. */
  readonly edges: number;
  readonly options: Readonly<Record<string, number | undefined>>;
  draw(): { readonly graph: Multiplex; readonly labels?: readonly string[] };
}

type Kind = (given: Arguments, common: { nodes: number; relations: number; seed: number }) => Request;

/** A kind of graph, the options that are its own, and how it is read and drawn. */
const KINDS: Readonly<Record<string, { readonly own: readonly string[]; readonly read: Kind }>> = {
  sbm: {
    own: ["p-in", "p-out", "noise", "weight-ratio"],
    read(given, common) {
      const pIn = readNumber(given, "p-in", 0, 1) ?? GENERATE_DEFAULTS.pIn;
      const pOut = readNumber(given, "p-out", 0, 1) ?? GENERATE_DEFAULTS.pOut;
      const pairs = (common.nodes * (common.nodes - 1)) / 4;
      const noise = readCount(given, "noise", 0) ?? 0;
      const options = { ...common, pIn, pOut, noise, weightRatio: readPositive(given, "weight-ratio") };
      return { edges: (common.relations + noise) * pairs * (pIn + pOut), options, draw: () => generateSbm(options) };
    },
  },
  groups: {
    own: ["groups", "degree", "edge-share", "word-share", "quantities"],
    read(given, common) {
      const defaults = GENERATE_DEFAULTS;
      const options = {
        ...common,
        groups: readCount(given, "groups", 1) ?? defaults.groups,
        degree: readNumber(given, "degree", 0) ?? Math.min(defaults.degree, mostDegree(common)),
        edgeShare: readNumber(given, "edge-share", 0, 1) ?? defaults.edgeShare,
        wordShare: readNumber(given, "word-share", 0, 1) ?? defaults.wordShare,
        quantities: readCount(given, "quantities", 0) ?? 0,
      };
      return { edges: drawnEdges(options), options, draw: () => generatePlanted(options) };
    },
  },
  random: {
    own: ["edges", "exponent"],
    read(given, common) {
      const edges = readCount(given, "edges", 1) ?? GENERATE_DEFAULTS.edges;
      const options = { ...common, edges, exponent: readNumber(given, "exponent", 2) };
      return { edges, options, draw: () => ({ graph: generateRandom(options) }) };
    },
  },
};

async function runGenerate(given: Arguments, output: Output): Promise<number> {
  const [kind, ...rest] = given.words;
  const names = Object.keys(KINDS);
  if (kind === undefined) throw new InputError(`generate: no kind of graph given; expected ${names.join(" or ")}.`);
  if (!Object.hasOwn(KINDS, kind)) throw new InputError(`generate: unknown kind "${kind}"${suggest(kind, names)}`);
  if (rest.length > 0) throw new InputError(`generate: found "${rest[0]}" after ${kind}; expected options only.`);
  for (const [other, { own }] of Object.entries(KINDS)) {
    const foreign = other === kind ? undefined : own.find((name) => given.options.has(name));
    if (foreign !== undefined) throw new InputError(`--${foreign}: is of ${other}; ${kind} has no such option.`);
  }
  const out = textOption(given, "out");
  if (out === undefined) throw new InputError("--out: not given; expected a folder for the dataset.");
  const common = {
    nodes: readCount(given, "nodes", 2) ?? GENERATE_DEFAULTS.nodes,
    relations: readCount(given, "relations", 1) ?? GENERATE_DEFAULTS.relations,
    seed: readCount(given, "seed", 0) ?? GENERATE_DEFAULTS.seed,
  };
  const { edges, options, draw } = KINDS[kind].read(given, common);
  await checkOutputFolder(out, { overwrite: switchOption(given, "overwrite"), resume: false, dataset: true });
  requireMemory(edges * BYTES_PER_EDGE + common.nodes * common.relations * 5 + common.nodes * BYTES_PER_NODE, {
    advice: "Lower the number of nodes, relations or edges.",
  });
  const { graph, labels } = draw();
  const numEdges = graph.relations.reduce((sum, relation) => sum + relation.numEdges, 0);
  if (numEdges === 0)
    throw new InputError("generate: no edge was drawn; expected more nodes, or edges that are likelier.");
  await requireRoom(out, edges * BYTES_PER_WRITTEN_EDGE);
  const files = await writeDataset(out, graph, {
    labels,
    description: { name: kind, generator: { kind, ...options } },
  });
  output.document({ out, files, nodes: graph.numNodes, relations: graph.relations.length, edges: numEdges, options });
  if (!output.quiet) {
    output.print(
      `${plural(graph.numNodes, "node")}, ${plural(numEdges, "edge")} in ${plural(graph.relations.length, "relation")}`,
    );
    for (const file of files) output.print(`  ${file}`);
    output.print(`Try: ${programName()} embed ${shellWord(out)} --out vectors`);
  }
  return 0;
}
