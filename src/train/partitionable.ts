/** Whether a model can be trained on several ranks, before its graph is known. */

import type { OptionSchema } from "../core/options.js";
import { requirePartitionable } from "../engine/partition/partitioned-engine.js";
import { multiplexFromEdges } from "../graph/multiplex-from-edges.js";
import type { Model } from "../nn/model.js";
import { graphOfPart, resolveTraining, type TrainOptions } from "./train-settings.js";
import type { TrainableGraph } from "./trainable.js";
import { traceTraining } from "./training-program.js";

/** Nodes of the graph for which models are traced: a prime that is no usual width, because rows of nodes are known by their number. */
const NUM_NODES = 1009;

/**
 * Throws UnsupportedError if the model, or a part of it, has an op that cannot be divided among ranks. Features may add such an op;
 * then the engine refuses the program when the graph has been read.
 */
export function requirePartitionableModel<S extends OptionSchema, P, G>(
  model: Model<S, P, G>,
  settings: TrainOptions<S>,
): void {
  requireFor(sampleGraph(), model, settings);
}

function requireFor<S extends OptionSchema, P, G>(
  graph: TrainableGraph,
  model: Model<S, P, G>,
  settings: TrainOptions<S>,
): void {
  const { training, options } = resolveTraining(model, settings);
  const withRelations = model.relationVectors !== undefined;
  requirePartitionable(
    traceTraining(model, graph, options, { weightDecay: training.weightDecay, withRelations }).program,
  );
  for (const part of model.parts?.(graph, options) ?? []) {
    requireFor(graphOfPart(part, graph), part.model, part.settings);
  }
}

/** A ring in two relations, with different steps. */
function sampleGraph(): TrainableGraph {
  const nodes = Array.from({ length: NUM_NODES }, (_, i) => i);
  const rings = [1, 2].map((step) => nodes.map((i) => String((i + step) % NUM_NODES)));
  return multiplexFromEdges({
    source: [...nodes, ...nodes].map(String),
    target: rings.flat(),
    relation: rings.flatMap((ring, d) => ring.map(() => `ring ${d}`)),
  });
}
