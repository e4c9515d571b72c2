/** Reads the graph and the labels of a training, once on each machine. */

import type { Facts } from "../../cluster/agreement.js";
import { classesHash, contentHash } from "../../graph/content-hash.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { learnsFromLabels } from "../../nn/learns-from-labels.js";
import type { Model } from "../../nn/model.js";
import type { SourceRequest } from "../options/source-options.js";
import type { Job } from "../ranks/job.js";
import { graphNotes, loadSource } from "../run/load-source.js";
import { readTrainLabels, type TrainLabels, withoutLabelsNote } from "../run/train-labels.js";
import type { EmbedArguments } from "./embed-options.js";

export interface RunGraph {
  readonly graph: LoadedGraph;
  readonly trainLabels: TrainLabels | undefined;
}

const SAME_FILES = "Give every rank the same files.";

/** All processes call it, and all receive the same graph; throws if machines have different files. */
export async function readRunGraph(
  source: SourceRequest,
  values: EmbedArguments["values"],
  model: Model,
  { sharing, output, ranks, requireAgreement }: Job,
): Promise<RunGraph> {
  const read = await sharing.once(async () => {
    const graph = await loadSource(source, output.quiet);
    for (const note of graphNotes(graph)) output.note(`note: ${note}`);
    const trainLabels = await readTrainLabels(values, graph, output);
    if (trainLabels === undefined && learnsFromLabels(model)) {
      output.note(withoutLabelsNote(model, "--train-labels is not given"));
    }
    const facts: Facts =
      ranks === undefined
        ? {}
        : {
            "the content hash of the graph": contentHash(graph),
            "the content hash of the training labels":
              trainLabels === undefined ? "none" : classesHash(trainLabels.input),
          };
    return { graph, trainLabels, facts };
  });
  requireAgreement(read.facts, SAME_FILES);
  return read;
}
