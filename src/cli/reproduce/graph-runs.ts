/** The graphs an experiment goes over, each with its seeds. */

import { type GraphCase, sbmCase, townCase } from "../experiments/graph-case.js";
import type { ExperimentContext } from "./experiment.js";
import { sbmOptions } from "./scale.js";

export interface GraphRuns {
  /** The data set's own name, for published numbers. */
  readonly name: string;
  readonly summary: string;
  /** A graph and the seed of its training; synthetic graphs are drawn anew for every seed. */
  readonly runs: readonly { readonly graphCase: GraphCase; readonly seed: number }[];
}

/** The synthetic graph, the demo town and the graphs of `--data`. */
export function graphRuns({ scale, data }: Pick<ExperimentContext, "scale" | "data">): GraphRuns[] {
  return [syntheticRuns({ scale }), townRuns({ scale }), ...dataRuns({ scale, data })];
}

export function syntheticRuns({ scale }: Pick<ExperimentContext, "scale">): GraphRuns {
  const runs = scale.seeds.map((seed) => ({ graphCase: sbmCase(sbmOptions(scale, scale.single, seed)), seed }));
  const { name, summary } = runs[0].graphCase;
  return { name, summary, runs };
}

export function townRuns({ scale }: Pick<ExperimentContext, "scale">): GraphRuns {
  const graphCase = townCase(1);
  return { ...pick(graphCase), runs: scale.seeds.map((seed) => ({ graphCase, seed })) };
}

export function dataRuns({ scale, data }: Pick<ExperimentContext, "scale" | "data">): GraphRuns[] {
  return data.map((graphCase) => ({
    ...pick(graphCase),
    runs: scale.dataSeeds.map((seed) => ({ graphCase, seed })),
  }));
}

function pick({ name, summary }: GraphCase): { name: string; summary: string } {
  return { name, summary };
}

/** A list of the graphs, for the text of an experiment. */
export function describeGraphs(graphs: readonly GraphRuns[]): string {
  return graphs.map(({ name, summary }) => `${name} (${summary})`).join("; ");
}
