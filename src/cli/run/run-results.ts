/** Everything that the files of a run hold. */

import type { Embedding, TrainedDecoder } from "../../core/embedding.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import type { Model, RelationWeights } from "../../nn/model.js";
import { liveDecoder, readDecoder } from "../../train/decoder.js";
import type { Run } from "../../train/run.js";
import type { SnapshotTensor } from "../../train/snapshot.js";

export interface RunResults {
  readonly embedding: Embedding;
  readonly relationWeights: RelationWeights[];
  readonly decoder: TrainedDecoder | undefined;
  parameters(): SnapshotTensor[];
}

/** Results of a run in one process; parameters and relations are read when they are needed. */
export function liveResults(run: Run, model: Model, graph: LoadedGraph): RunResults {
  return {
    embedding: run.embedding,
    relationWeights: run.relationWeights(),
    decoder: liveDecoder(run, model, graph),
    parameters: () => run.parameters(),
  };
}

/** Results of a run on several ranks. All ranks call it, because each reads the rows of the others; then rank 0 can write alone. */
export function gatherResults(run: Run, model: Model, graph: LoadedGraph): RunResults {
  const { embedding } = run;
  const relationWeights = run.relationWeights();
  const parameters = run.parameters();
  const decoder = model.relationVectors === undefined ? undefined : readDecoder(run, model, graph);
  return { embedding, relationWeights, decoder, parameters: () => parameters };
}
