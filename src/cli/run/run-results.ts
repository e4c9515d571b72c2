/** Everything that the files of a run hold; tables are read in slices, when they are needed. */

import type { SlicedDecoder, VectorRows } from "../../core/embedding.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import type { Model, RelationWeights } from "../../nn/model.js";
import { liveDecoder } from "../../train/decoder.js";
import type { Run } from "../../train/run.js";
import type { TableRows } from "../../train/snapshot.js";

export interface RunResults {
  readonly vectors: VectorRows;
  readonly relationWeights: RelationWeights[];
  readonly decoder: SlicedDecoder | undefined;
  readonly parameters: readonly TableRows[];
}

export async function runResults(run: Run, model: Model, graph: LoadedGraph): Promise<RunResults> {
  return {
    vectors: await run.vectors(),
    relationWeights: await run.relationWeights(),
    decoder: liveDecoder(run, model, graph),
    parameters: run.parameterTables(),
  };
}
