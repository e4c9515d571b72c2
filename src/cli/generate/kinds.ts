/** The kinds of graphs that `hmge generate` draws, and their options. */

import { flag, int, number, type OptionSchema, type OptionValues, resolveOptions } from "../../core/options.js";
import type { Multiplex } from "../../graph/multiplex.js";
import { phenomena } from "../../graph/synthetic/phenomena/index.js";
import type { Phenomenon } from "../../graph/synthetic/phenomena/phenomenon.js";
import { drawnEdges, generatePlanted, maxDegree } from "../../graph/synthetic/planted.js";
import { generateRandom } from "../../graph/synthetic/random-multiplex.js";
import { generateSbm } from "../../graph/synthetic/sbm.js";
import { text } from "../options/flag-kinds.js";

/** Default mean degree of the first relation of `groups`; smaller in graphs too small for that many edges. */
const DEGREE = 6;

/** Default sizes of sbm, groups and random. */
const NODES = 3000;
const RELATIONS = 3;
const PLAIN = "sbm, groups and random; for the others see the list of kinds in --help";

const COMMON = {
  out: text(undefined, { value: "DIR", doc: "dataset folder to write" }),
  nodes: int(undefined, { min: 2, doc: "number of nodes", defaultText: `${NODES} for ${PLAIN}` }),
  relations: int(undefined, {
    min: 1,
    doc: "number of relations; sbm: each has its own two communities",
    defaultText: `${RELATIONS} for ${PLAIN}`,
  }),
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
    doc: "groups: mean degree in the first relation, where repeated edges count once; each further relation has four times as many edges as the one before. Planted phenomena: mean degree in a relation",
    defaultText: `groups: ${DEGREE}, or less in a graph too small for that many edges`,
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

const PLANTED = {
  degree: GROUPS.degree,
  classes: int(undefined, { min: 2, doc: "planted phenomena: number of classes, all of the same size" }),
  strength: number(undefined, {
    min: 0,
    max: 1,
    doc: "planted phenomena: how strongly the labels are planted, from 0 to 1; the list of kinds in --help defines it",
  }),
};

export const OPTIONS = { ...COMMON, ...SBM, ...GROUPS, ...RANDOM, ...PLANTED };

export interface Request {
  /** Expected number of edges. */
  readonly edges: number;
  readonly options: Readonly<Record<string, number | undefined>> & {
    readonly nodes: number;
    readonly relations: number;
  };
  draw(): { readonly graph: Multiplex; readonly labels?: readonly string[]; readonly split?: readonly string[] };
}

type Values = OptionValues<typeof OPTIONS>;

interface Kind {
  /** What the graph is like, in one line. */
  readonly doc: string;
  /** The options that this kind has in addition to the common ones. */
  readonly own: OptionSchema;
  read(values: Values): Request;
}

/** The kinds of graphs by name. Every phenomenon is one. */
export const KINDS: Readonly<Record<string, Kind>> = {
  sbm: {
    doc: "the HMGE paper's block model: each relation has its own two communities; labels are their majority",
    own: SBM,
    read({ nodes = NODES, relations = RELATIONS, seed, pIn, pOut, noise, weightRatio }) {
      const options = { nodes, relations, seed, pIn, pOut, noise, weightRatio };
      const pairs = (nodes * (nodes - 1)) / 4;
      return { edges: (relations + noise) * pairs * (pIn + pOut), options, draw: () => generateSbm(options) };
    },
  },
  groups: {
    doc: "groups that features and edges show to a degree that can be set",
    own: GROUPS,
    read({ nodes = NODES, relations = RELATIONS, seed, groups, degree, edgeShare, wordShare, quantities }) {
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
    doc: "random edges without labels",
    own: RANDOM,
    read({ nodes = NODES, relations = RELATIONS, seed, edges, exponent }) {
      const options = { nodes, relations, seed, edges, exponent };
      return { edges, options, draw: () => ({ graph: generateRandom(options) }) };
    },
  },
  ...Object.fromEntries(phenomena.map((phenomenon) => [phenomenon.name, plantedKind(phenomenon)])),
};

function plantedKind({ name, doc, options: schema, generate }: Phenomenon): Kind {
  const { nodes, relations, classes, degree, strength } = schema;
  return {
    doc: `${doc}. Strength: ${strength.doc}. Defaults: ${nodes.default} nodes, ${relations.default} relations, ${classes.default} classes, degree ${degree.default}, strength ${strength.default}`,
    own: PLANTED,
    read(values) {
      const given = Object.fromEntries(Object.keys(schema).map((key) => [key, Reflect.get(values, key)]));
      const options = resolveOptions(schema, name, given);
      return {
        edges: (options.nodes * options.relations * options.degree) / 2,
        options,
        draw: () => generate(options),
      };
    },
  };
}
