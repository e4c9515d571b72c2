/** `hmge generate`: synthetic multiplex graphs. */

import { InputError, suggest } from "../../core/errors.js";
import { flag, int, number, type OptionSchema, type OptionValues } from "../../core/options.js";
import { shellWord } from "../../core/text.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { drawnEdges, generatePlanted, maxDegree } from "../../graph/synthetic/planted.js";
import { generateRandom } from "../../graph/synthetic/random-multiplex.js";
import { generateSbm } from "../../graph/synthetic/sbm.js";
import { writeDataset } from "../../io/graph/write-dataset.js";
import { plural } from "../../report/format.js";
import { type Arguments, type Command, flagName } from "../command.js";
import { checkOutputFolder, requireDiskSpace } from "../folder/output-folder.js";
import { text } from "../options/flag-kinds.js";
import { requireMemory } from "../run/memory-estimate.js";
import type { Output } from "../terminal/output.js";
import { programName } from "../terminal/program-name.js";

/** Default mean degree of the first relation of `groups`; smaller in graphs too small for that many edges. */
const DEGREE = 6;

const COMMON = {
  out: text(undefined, { value: "DIR", doc: "dataset folder to write" }),
  nodes: int(3000, { min: 2, doc: "number of nodes" }),
  relations: int(3, { min: 1, doc: "number of relations; sbm: each has its own two communities" }),
  seed: int(1, { min: 0, doc: "random seed; the same seed gives the same graph" }),
  overwrite: flag(false, { doc: "write into a folder that holds other files" }),
};

const SBM = {
  pIn: number(0.05, { min: 0, max: 1, value: "P", doc: "sbm: probability of an edge within a community" }),
  pOut: number(0.01, { min: 0, max: 1, value: "P", doc: "sbm: probability of an edge between communities" }),
  noise: int(0, { min: 0, doc: "sbm: number of additional relations with random edges" }),
  weightRatio: number(undefined, {
    above: 0,
    doc: "sbm: edges get weights; those within a community weigh X times as much",
    defaultText: "edges without weights",
  }),
};

const GROUPS = {
  groups: int(3, { min: 1, doc: "groups: number of groups, which are the labels; sizes 1 : 2 : …" }),
  degree: number(undefined, {
    min: 0,
    doc: "groups: mean degree in the first relation, where repeated edges count once; each further relation has four times as many edges as the one before",
    defaultText: `${DEGREE}, or less in a graph too small for that many edges`,
  }),
  edgeShare: number(0.5, {
    min: 0,
    max: 1,
    value: "SHARE",
    doc: "groups: share of the first relation's edges that lie within a group; a quarter of that in each further relation",
  }),
  wordShare: number(0.2, {
    min: 0,
    max: 1,
    value: "SHARE",
    doc: "groups: share of the 25 words (features) of a node that are words of its group",
  }),
  quantities: int(0, { min: 0, doc: "groups: number of numeric features, each in its own unit, instead of words" }),
};

const RANDOM = {
  edges: int(30_000, { min: 1, doc: "random: total number of edges over all relations" }),
  exponent: number(undefined, {
    above: 2,
    doc: "random: degrees follow a power law with this exponent; 2.5 is like many real graphs",
    defaultText: "every pair is equally likely",
  }),
};

const OPTIONS = { ...COMMON, ...SBM, ...GROUPS, ...RANDOM };

export const generate: Command<typeof OPTIONS> = {
  usage: "sbm|groups|random --out DIR [options]",
  options: OPTIONS,
  examples: [
    "sbm --nodes 3000 --relations 41 --p-in 0.05 --p-out 0.01 --seed 1 --out sbm41",
    "sbm --p-in 0.03 --p-out 0.03 --weight-ratio 3 --out weighted",
    "groups --groups 5 --word-share 0.1 --out planted",
    "groups --quantities 8 --out measured",
    "random --nodes 1000000 --relations 10 --edges 20000000 --exponent 2.5 --out million",
  ],
  run: runGenerate,
};

/** Bytes of memory per drawn edge: growing columns, then the matrices and the text of the file; and per node. */
const BYTES_PER_EDGE = 80;
const BYTES_PER_NODE = 200;
/** Bytes of an edge in the compressed file. */
const BYTES_PER_WRITTEN_EDGE = 5;

interface Request {
  /** Expected number of edges. */
  readonly edges: number;
  readonly options: Readonly<Record<string, number | undefined>>;
  draw(): { readonly graph: Multiplex; readonly labels?: readonly string[] };
}

type Values = OptionValues<typeof OPTIONS>;

interface Kind {
  /** The options that only this kind has. */
  readonly own: OptionSchema;
  read(values: Values): Request;
}

const KINDS: Readonly<Record<string, Kind>> = {
  sbm: {
    own: SBM,
    read({ nodes, relations, seed, pIn, pOut, noise, weightRatio }) {
      const options = { nodes, relations, seed, pIn, pOut, noise, weightRatio };
      const pairs = (nodes * (nodes - 1)) / 4;
      return { edges: (relations + noise) * pairs * (pIn + pOut), options, draw: () => generateSbm(options) };
    },
  },
  groups: {
    own: GROUPS,
    read({ nodes, relations, seed, groups, degree, edgeShare, wordShare, quantities }) {
      const common = { nodes, relations, seed };
      const options = {
        ...common,
        groups,
        degree: degree ?? Math.min(DEGREE, maxDegree(common)),
        edgeShare,
        wordShare,
        quantities,
      };
      return { edges: drawnEdges(options), options, draw: () => generatePlanted(options) };
    },
  },
  random: {
    own: RANDOM,
    read({ nodes, relations, seed, edges, exponent }) {
      const options = { nodes, relations, seed, edges, exponent };
      return { edges, options, draw: () => ({ graph: generateRandom(options) }) };
    },
  },
};

async function runGenerate(args: Arguments<typeof OPTIONS>, output: Output): Promise<number> {
  const [kind, ...rest] = args.words;
  const names = Object.keys(KINDS);
  if (kind === undefined)
    throw new InputError(`generate: the kind of graph is missing; expected ${names.join(" or ")}.`);
  if (!Object.hasOwn(KINDS, kind)) throw new InputError(`generate: unknown kind "${kind}"${suggest(kind, names)}`);
  if (rest.length > 0) throw new InputError(`generate: found "${rest[0]}" after ${kind}; expected options only.`);
  for (const [other, { own }] of Object.entries(KINDS)) {
    const foreign =
      other === kind
        ? undefined
        : Object.keys(own)
            .map(flagName)
            .find((name) => args.flags.has(name));
    if (foreign !== undefined) throw new InputError(`--${foreign}: is of ${other}; ${kind} has no such option.`);
  }
  const { out, nodes, relations, overwrite } = args.values;
  if (out === undefined) throw new InputError("--out: missing; expected a folder for the dataset.");
  const { edges, options, draw } = KINDS[kind].read(args.values);
  await checkOutputFolder(out, { overwrite, resume: false, dataset: true });
  requireMemory(edges * BYTES_PER_EDGE + nodes * relations * 5 + nodes * BYTES_PER_NODE, {
    advice: "Lower the number of nodes, relations or edges.",
  });
  const { graph, labels } = draw();
  const numEdges = graph.relations.reduce((sum, relation) => sum + relation.numEdges, 0);
  if (numEdges === 0)
    throw new InputError("generate: no edge was drawn. Increase the number of nodes or the probability of edges.");
  await requireDiskSpace(out, edges * BYTES_PER_WRITTEN_EDGE);
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
