/** Reads the folder of a run as a scene of the explorer. */

import { join } from "node:path";
import type { TrainedDecoder } from "../../core/embedding.js";
import { InputError, isUserError } from "../../core/errors.js";
import { VERSION } from "../../core/version.js";
import { buildScene, type SceneParts } from "../../explore/scene/build-scene.js";
import { withDistinctNames } from "../../explore/scene/distinct-names.js";
import type { Attribute, Facet } from "../../explore/scene/scene.js";
import { readEmbeddings } from "../../io/formats/embedding-files.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import * as models from "../../models/index.js";
import type { Model } from "../../nn/model.js";
import { countDegrees, type ReportLabels, readReportLabels } from "../embed/embed-report.js";
import { findRecordedFile, findRunGraph, readSourceRecord, type SourceRecord } from "../folder/run-graph.js";
import { labelColumns } from "../options/source-options.js";
import { readStoredDecoder } from "../run/stored-decoder.js";
import type { Output } from "../terminal/output.js";
import type { ExploreArguments } from "./explore-options.js";
import { clusterAttribute, labelAttribute } from "./node-attributes.js";
import { readNodeTable } from "./node-table.js";
import { readRunMaps } from "./run-maps.js";

/** A run to show. */
export interface ShownRun {
  readonly folder: string;
  readonly title: string;
  /** Tables of nodes in addition to those of --nodes. */
  readonly nodeTables?: readonly string[];
  /** Whether this command trained the run: then its run.json is trusted. */
  readonly isOwn?: boolean;
}

export async function readRunScene(
  { folder, title, nodeTables = [], isOwn }: ShownRun,
  { values }: ExploreArguments,
  output: Output,
): Promise<{ readonly parts: SceneParts; readonly ids: readonly string[] }> {
  const embedding = await readEmbeddings(folder);
  const record = await readSourceRecord(folder);
  const found = await findRunGraph({ graph: values.graph, isOwnRun: isOwn }, folder, output.quiet);
  const notes: string[] = found.graph === undefined ? [] : [...found.notes];
  const graph = found.graph !== undefined && sameIds(found.graph.ids, embedding.ids) ? found.graph : undefined;
  if (graph === undefined) {
    const reason = found.graph === undefined ? found.reason : "the graph has other nodes than the vectors";
    notes.push(`There are no edges: ${reason.replace(/\.?$/, ".")} Give the graph with --graph.`);
  }
  const labels = await readLabels(values, record, { ids: embedding.ids, labelsFile: graph?.labelsFile }, output, notes);
  const attributes: Attribute[] = [];
  if (labels !== undefined) attributes.push(labelAttribute(labels));
  for (const path of [...nodeTables, ...values.nodes]) {
    for (const attribute of await readNodeTable(path, embedding.ids, output.note)) attributes.push(attribute);
  }
  const numLabels = labels === undefined ? undefined : new Set(labels.flat()).size;
  const clusters = clusterAttribute(embedding, numLabels);
  if (clusters !== undefined) attributes.push(clusters);
  if (graph !== undefined) attributes.push(degreeAttribute(graph));
  const maps = await readRunMaps(folder, embedding, values, output);
  notes.push(...maps.notes);
  const decoder = graph === undefined ? undefined : await readDecoder(folder, embedding.ids);
  if (graph !== undefined && decoder === undefined) {
    notes.push("There are no link predictions: the model of this run has no decoder.");
  }
  const parts = buildScene({
    program: VERSION,
    title,
    model: typeof record.model === "string" ? record.model : "unknown",
    seed: Number.isSafeInteger(record.seed) ? Math.abs(Number(record.seed)) : 0,
    embedding,
    facets: facetsOf(record, embedding.dim),
    maps: maps.maps,
    attributes: withDistinctNames(attributes),
    graph,
    decoder,
    notes,
  });
  return { parts, ids: embedding.ids };
}

export function sameIds(ids: readonly string[], others: readonly string[]): boolean {
  return ids.length === others.length && ids.every((id, i) => id === others[i]);
}

/** The labels of --labels, of the recorded command or of the dataset folder. A recorded file that is gone is a note. */
async function readLabels(
  values: ExploreArguments["values"],
  record: SourceRecord,
  graph: Pick<LoadedGraph, "ids" | "labelsFile">,
  output: Output,
  notes: string[],
): Promise<ReportLabels | undefined> {
  if (values.labels !== undefined) return readReportLabels(values.labels, graph, output, labelColumns(values));
  const { command } = record;
  const recorded = command?.["labels"];
  try {
    if (typeof recorded !== "string") return await readReportLabels(undefined, graph, output, {});
    const columns = [command?.["columns"] ?? []].flat().map(String);
    return await readReportLabels(await findRecordedFile(recorded, record), graph, output, labelColumns({ columns }));
  } catch (error) {
    if (!isUserError(error)) throw error;
    notes.push(`There are no labels: ${error.message}`);
    return undefined;
  }
}

/** The decoder of the run. If its file was changed, reading it throws an InputError, and so do its vectors. */
async function readDecoder(folder: string, ids: readonly string[]): Promise<TrainedDecoder | undefined> {
  const explain = (error: unknown) =>
    isUserError(error)
      ? error
      : new InputError(`${join(folder, "model.safetensors")}: the decoder is damaged. Run hmge embed again.`);
  const decoder = await readStoredDecoder(folder, ids).catch((error: unknown) => {
    throw explain(error);
  });
  if (decoder === undefined) return undefined;
  return {
    ...decoder,
    vectors(relation) {
      try {
        return decoder.vectors(relation);
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

function degreeAttribute(graph: LoadedGraph): Attribute {
  const doc = `Edges of a node${graph.directed ? ", incoming and outgoing" : ""}, summed over all relations.`;
  return { name: "degree", kind: "number", doc, values: Float32Array.from(countDegrees(graph)) };
}

/** The facets in run.json; none if they do not fit the vectors. */
function facetsOf({ views, model }: SourceRecord, dim: number): Facet[] {
  if (!Array.isArray(views)) return [];
  const docs = Object.values<Pick<Model, "name" | "viewDocs">>(models).find(({ name }) => name === model)?.viewDocs;
  const facets = views.map((view) => ({
    name: String(view?.name),
    width: Number(view?.width),
    doc: docs?.[String(view?.name)],
  }));
  const isWhole = facets.every(({ width }) => Number.isSafeInteger(width) && width > 0);
  return isWhole && facets.reduce((sum, { width }) => sum + width, 0) === dim ? facets : [];
}
