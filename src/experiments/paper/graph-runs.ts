/** The graphs of an experiment, each with its seeds. */

import type { ProbeProtocol } from "../cells/probe-cell.js";
import { type GraphCase, sbmCase, townCase } from "../graphs/graph-case.js";
import type { ExperimentContext } from "./experiment.js";
import { type Scale, sbmOptions } from "./scale.js";

export interface GraphRuns {
  /** Name of the data set; published numbers are found by it. */
  readonly name: string;
  readonly summary: string;
  /** A graph and the seed of its training; a synthetic graph is generated for each seed. */
  readonly runs: readonly { readonly graphCase: GraphCase; readonly seed: number }[];
}

/** The graphs of `--data`; without any, the synthetic graph and the demo town. */
export function graphRuns({ scale, data }: Pick<ExperimentContext, "scale" | "data">): GraphRuns[] {
  return data.length > 0 ? dataRuns({ scale, data }) : [syntheticRuns({ scale }), townRuns({ scale })];
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

/** Share of the labels in the main tables, if the data set has no split. */
export const MAIN_SHARE = 0.1;

/**
 * The protocol of the probe on a graph, and the share that its tables show: the split of the data set, or MAIN_SHARE. All
 * experiments use the same protocol, so that they share their cells. Synthetic graphs are probed with every share of the
 * curve; other graphs are probed as in `hmge compare`.
 */
export function probeProtocol(
  { shares, repeats }: Scale,
  graphCase: GraphCase,
): { readonly protocol: ProbeProtocol; readonly share: number | "given" } {
  const { split, communities } = graphCase.load();
  const share = split === undefined ? MAIN_SHARE : "given";
  const protocol: ProbeProtocol =
    communities === undefined ? { shares: [share], repeats, strength: "validate" } : { shares, repeats };
  return { protocol, share };
}

/** `10 %`, or `given` for the split of the data set. */
export function shareText(share: number | "given"): string {
  return share === "given" ? "given" : `${Math.round(100 * share)} %`;
}

/** A list of the graphs, for the text of an experiment. */
export function describeGraphs(graphs: readonly GraphRuns[]): string {
  return graphs.map(({ name, summary }) => `${name} (${summary})`).join("; ");
}
