/** Baselines of `hmge evaluate classify`: vectors computed from the graph without training, with the same splits and probe. */

import type { VectorRows } from "../../core/embedding.js";
import { isUserError } from "../../core/errors.js";
import { chooseEngine } from "../../engine/create-engine.js";
import { vectorBaselines } from "../../experiments/graphs/baseline-vectors.js";
import { selectVectors } from "../../experiments/graphs/untrained-vectors.js";
import { baselineLine } from "../../report/baseline-line.js";
import {
  type Classification,
  type ClassificationOptions,
  classifyByValidation,
} from "../../tasks/classification/node-classification.js";
import type { ValidatedRow } from "../../tasks/classification/validated-probe.js";
import type { NodeLabels } from "../../tasks/labels/labelled-nodes.js";
import { isFolder } from "../folder/is-folder.js";
import { type FoundGraph, findRunGraph } from "../folder/run-graph.js";

export interface BaselineScores {
  readonly name: string;
  readonly subject: string;
  readonly results: readonly ValidatedRow[];
}

interface BaselineRequest {
  /** Paths of the vectors, of --graph and of --labels. */
  readonly vectors: string;
  readonly graph: readonly string[];
  readonly labelsPath: string | undefined;
  readonly quiet: boolean;
  readonly onBaseline: (name: string) => void;
}

/** Scores of all baselines, or a note that says why there are none and how to get them. */
export async function scoreBaselines(
  embedding: Pick<VectorRows, "ids">,
  labels: NodeLabels,
  options: ClassificationOptions,
  request: BaselineRequest,
): Promise<{ readonly baselines: readonly BaselineScores[]; readonly notes: readonly string[] }> {
  const found = await findGraph(request);
  if (found.graph === undefined) return { baselines: [], notes: [`${found.reason}: ${WITHOUT_GRAPH}`] };
  const { graph, notes } = found;
  const known = new Set(graph.ids);
  const missing = embedding.ids.filter((id) => !known.has(id)).length;
  if (missing > 0) {
    const reason = `the graph lacks ${missing} of the ${embedding.ids.length} nodes of the vectors`;
    return { baselines: [], notes: [`${reason}: ${WITHOUT_GRAPH}`] };
  }
  const engine = await chooseEngine();
  const baselines: BaselineScores[] = [];
  for (const { name, subject, vectors } of vectorBaselines(graph)) {
    request.onBaseline(name);
    const { results } = classifyByValidation(selectVectors(await vectors(engine), embedding.ids), labels, options);
    baselines.push({ name, subject, results });
  }
  return { baselines, notes };
}

const WITHOUT_GRAPH =
  "the baselines (degrees, features, diffusion, spectral vectors) are not scored. Give the graph with --graph.";

/** The graph of --graph, else the source of the run, else the dataset folder of --labels. */
async function findGraph({ vectors, graph, labelsPath, quiet }: BaselineRequest): Promise<FoundGraph> {
  const found = await findRunGraph({ graph }, vectors, quiet);
  if (found.graph !== undefined || labelsPath === undefined || !(await isFolder(labelsPath))) return found;
  try {
    return await findRunGraph({ graph: [labelsPath] }, vectors, quiet);
  } catch (error) {
    if (!isUserError(error) || !(error instanceof Error)) throw error;
    return { reason: `${labelsPath} cannot be read as a graph (${error.message})` };
  }
}

/** A sentence if a baseline scores higher than the vectors. With several labels per node it compares the rule top-k. */
export function beatenText(
  { byValidation }: Classification,
  baselines: readonly BaselineScores[],
  models: readonly string[],
): string | undefined {
  const row = byValidation?.results.at(-1);
  if (row === undefined) return undefined;
  return baselineLine(
    [{ name: models.length === 1 ? models[0] : "the vectors", score: row.macroF1.mean }],
    baselines.flatMap(({ name, subject, results }) => {
      const last = results.at(-1);
      return last === undefined ? [] : [{ name, subject, score: last.macroF1.mean }];
    }),
    row.decision === "top-k" ? "macro-F1, top-k" : "macro-F1",
    (score) => score.toFixed(4),
  );
}
