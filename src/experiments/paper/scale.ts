/** Sizes of the experiments. */

import type { SbmOptions } from "../../graph/synthetic/sbm.js";

export interface Scale {
  readonly name: string;
  /** Description for the record. */
  readonly doc: string;
  readonly nodes: number;
  readonly pIn: number;
  readonly pOut: number;
  /** Numbers of relations of the synthetic curve. */
  readonly relations: readonly number[];
  /** Number of relations in experiments with one synthetic graph. */
  readonly single: number;
  /** Shares of the labels that train the probe. */
  readonly shares: readonly number[];
  /** Number of random splits of the labels for each share. */
  readonly repeats: number;
  /** Each seed gives one synthetic graph and one training. */
  readonly seeds: readonly number[];
  /** Seeds of the trainings on the graphs of `--data`. */
  readonly dataSeeds: readonly number[];
  /** Widths of the vectors. */
  readonly dims: readonly number[];
  /** Graphs of `--data` with more edges are skipped. */
  readonly maxDataEdges: number;
  /** Models in the figure of the synthetic graphs; the first is trained on all of its graphs. */
  readonly curves: readonly string[];
  /** Number of graphs for the other models at each number of relations: most of them take several times as long. */
  readonly otherGraphs: number;
  /** Models in the tables of classification and links. */
  readonly models: readonly string[];
  /** Settings that replace the models' defaults. */
  readonly settings: Readonly<Record<string, string>>;
  readonly tsneIterations: number;
}

/** Our model, and the same model as the published code computes it. */
const HMGE_MODELS = ["hmge", "hmge:reference"];
/** The other methods of the paper's tables, in their order. A new model needs no entry here: `--models` adds it. */
const PAPER_MODELS = ["crossmna", "multiverse", "gatne", "ssdcm", "dmgi", "hdmi"];

/** Sizes of the paper: 3,000 nodes, p_in 0.05, p_out 0.01, odd numbers of relations up to 41. */
const FULL: Scale = {
  name: "full",
  doc: "the paper's sizes: synthetic graphs of 3,000 nodes, three graphs for every number of relations; all models of its tables",
  nodes: 3000,
  pIn: 0.05,
  pOut: 0.01,
  relations: [3, 5, 9, 15, 21, 31, 41],
  single: 15,
  shares: [0.06, 0.1, 0.2, 0.5],
  repeats: 10,
  seeds: [1, 2, 3],
  dataSeeds: [1, 2, 3],
  dims: [8, 16, 32, 64, 128],
  maxDataEdges: Infinity,
  curves: [...HMGE_MODELS, "dmgi", "hdmi"],
  otherGraphs: 1,
  models: [...HMGE_MODELS, ...PAPER_MODELS],
  settings: {},
  tsneIterations: 1000,
};

export const SCALES: readonly Scale[] = [
  FULL,
  {
    ...FULL,
    name: "quick",
    doc: "quick: synthetic graphs of 800 instead of 3,000 nodes and at most 15 relations, two graphs for each number, 5 splits of the labels, at most 400 epochs; graphs of --data with at most 150,000 edges, one training each",
    nodes: 800,
    relations: [3, 9, 15],
    single: 9,
    repeats: 5,
    seeds: [1, 2],
    dataSeeds: [1],
    dims: [8, 64, 128],
    maxDataEdges: 150_000,
    models: HMGE_MODELS,
    settings: { epochs: "400" },
    tsneIterations: 500,
  },
  {
    ...FULL,
    name: "tiny",
    doc: "tiny: graphs of 80 nodes and, by default, at most 15 epochs, to check that everything runs; the numbers mean nothing",
    nodes: 80,
    pIn: 0.3,
    pOut: 0.03,
    relations: [3, 5],
    single: 3,
    shares: [0.1, 0.5],
    repeats: 2,
    seeds: [1],
    dataSeeds: [1],
    dims: [4, 8],
    maxDataEdges: 2000,
    models: HMGE_MODELS,
    settings: { epochs: "15" },
    tsneIterations: 60,
  },
];

export function sbmOptions({ nodes, pIn, pOut }: Scale, relations: number, seed: number): SbmOptions {
  return { nodes, relations, pIn, pOut, seed };
}
