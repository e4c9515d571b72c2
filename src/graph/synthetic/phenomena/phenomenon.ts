/**
 * A phenomenon: a planted graph whose labels can be predicted from one kind of information only, such as the features or the
 * degrees. It shows whether a model uses that information.
 */

import { InputError } from "../../../core/errors.js";
import { int, number, type OptionValues, resolveOptions } from "../../../core/options.js";
import { buildMultiplex } from "../../build-multiplex.js";
import type { FeatureMatrix, Multiplex } from "../../multiplex.js";
import { numberedNames } from "../numbered-names.js";
import type { PairList } from "../pair-list.js";

/** Part of a node in a split of the labelled nodes. */
export type PlantedPart = "train" | "val" | "test";

/** A planted graph with one label per node. */
export interface Planted {
  /** With features if the phenomenon has them. */
  readonly graph: Multiplex;
  /** `c1` … `ck` for each node. */
  readonly labels: readonly string[];
  /** Part of each node, if the phenomenon needs a fixed number of training labels. */
  readonly split?: readonly PlantedPart[];
}

/** Default values of the options of a phenomenon. */
export interface PlantDefaults {
  readonly nodes: number;
  readonly relations: number;
  readonly classes: number;
  readonly degree: number;
  readonly strength: number;
}

function plantOptions(defaults: PlantDefaults, minRelations: number, strengthDoc: string) {
  return {
    nodes: int(defaults.nodes, { min: 2, doc: "number of nodes" }),
    relations: int(defaults.relations, { min: minRelations, doc: "number of relations" }),
    classes: int(defaults.classes, { min: 2, doc: "number of classes; all have the same size" }),
    degree: number(defaults.degree, { above: 0, doc: "mean degree in a relation, where repeated edges count once" }),
    strength: number(defaults.strength, { min: 0, max: 1, doc: strengthDoc }),
    seed: int(1, { min: 0, doc: "random seed; the same seed gives the same graph" }),
  };
}

export type PlantOptions = OptionValues<ReturnType<typeof plantOptions>>;

/** What a file of this folder defines. */
interface Definition {
  readonly name: string;
  /** One line: which information predicts the label, and which does not. */
  readonly doc: string;
  readonly defaults: PlantDefaults;
  /** Meaning of `strength`, from 0 (not planted) to 1. */
  readonly strengthDoc: string;
  /** Minimum number of relations; default 1. */
  readonly minRelations?: number;
  /** Draws the graph from checked options. */
  draw(options: PlantOptions): Planted;
}

export interface Phenomenon extends Pick<Definition, "name" | "doc"> {
  /** Option schema with the defaults of this phenomenon. */
  readonly options: ReturnType<typeof plantOptions>;
  /** Draws the graph; equal options give equal graphs. */
  generate(options?: Partial<PlantOptions>): Planted;
}

/** Minimum number of nodes per class. */
const MIN_CLASS_SIZE = 10;

export function definePhenomenon(definition: Definition): Phenomenon {
  const { name, doc, defaults, strengthDoc, minRelations = 1 } = definition;
  const schema = plantOptions(defaults, minRelations, strengthDoc);
  return {
    name,
    doc,
    options: schema,
    generate(options = {}) {
      const values = resolveOptions(schema, name, options);
      const { nodes, classes, degree } = values;
      if (nodes < MIN_CLASS_SIZE * classes) {
        throw new InputError(
          `${name}: ${nodes} nodes in ${classes} classes; expected at least ${MIN_CLASS_SIZE} nodes per class. Raise the nodes or lower the classes.`,
        );
      }
      if (degree > nodes / classes / 2) {
        throw new InputError(
          `${name}: the mean degree is ${degree}; expected at most half of the ${Math.floor(nodes / classes)} nodes of a class. Lower the degree or raise the nodes.`,
        );
      }
      return definition.draw(values);
    },
  };
}

/** The graph of drawn edges. Relations without edges are kept. */
export function plantedGraph(
  edges: PairList,
  { nodes, relations }: Pick<PlantOptions, "nodes" | "relations">,
  features?: FeatureMatrix,
): Multiplex {
  const graph = buildMultiplex({
    ...edges.columns(),
    ids: numberedNames("n", nodes, 0),
    relationNames: numberedNames("r", relations, 1),
  });
  return features === undefined ? graph : { ...graph, features };
}

/** Label of each node. */
export function classNames(classOf: Uint32Array): string[] {
  return Array.from(classOf, (c) => `c${c + 1}`);
}
