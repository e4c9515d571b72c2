/** Writes the folder of a run: vectors, model, report and record. */

import { rmdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { InternalError } from "../../core/errors.js";
import type { RunRecord } from "../../core/record.js";
import { VERSION } from "../../core/version.js";
import { writeEmbeddingsFolder } from "../../io/formats/embedding-files.js";
import { VECTORS_HASH, vectorsHash } from "../../io/formats/run-vectors.js";
import { writeSafetensors } from "../../io/formats/safetensors.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { WriteError } from "../../io/system-faults.js";
import type { Run } from "../../train/run.js";
import { type FolderState, publish } from "../folder/output-folder.js";
import { writeRelationVectors } from "../folder/relation-files.js";
import { recordText } from "../folder/run-record.js";
import type { ModelRequest } from "../options/model-options.js";
import { STAGE_NAMES } from "../run/after-training.js";
import { CHECKPOINT, hasCheckpoint } from "../run/checkpoint.js";
import { withColumnFile } from "../run/column-file.js";
import type { RunResults } from "../run/run-results.js";
import { decoderTensors } from "../run/stored-decoder.js";
import { tableTensors } from "../run/table-tensor.js";
import type { ShownStages } from "../terminal/preparation-progress.js";
import type { PageRenderer } from "./embed-report.js";
import { nodeMapTensors } from "./node-maps.js";

const REPORT = "report.html";

/** Writes all files and returns the record. */
export async function writeRun(
  out: string,
  { exists }: FolderState,
  run: Pick<Run, "identity" | "options">,
  results: RunResults,
  { model }: ModelRequest,
  graph: LoadedGraph,
  { formats, perRelation }: { readonly formats: readonly string[]; readonly perRelation: boolean },
  page: PageRenderer | undefined,
  stages: ShownStages,
  makeRecord: (outputs: readonly string[], writeSeconds: number) => RunRecord,
): Promise<RunRecord> {
  const begin = performance.now();
  let written: RunRecord | undefined;
  try {
    await publish(out, async (staging) => {
      stages.step(STAGE_NAMES.vectors);
      const files = await writeEmbeddingsFolder(staging, results.vectors, formats);
      stages.step(STAGE_NAMES.nodeMaps);
      const map = nodeMapTensors(graph, results.vectors);
      const hash = vectorsHash(results.vectors);
      stages.step(STAGE_NAMES.model);
      const columnFile = join(staging, ".columns");
      await withColumnFile(columnFile, graph.numNodes, async (store) => {
        const decoder = await decoderTensors(results.decoder, graph.relations.length, store);
        const tensors = [...(await tableTensors(results.parameters)), ...map.tensors, ...decoder.tensors];
        await writeSafetensors(join(staging, "model.safetensors"), tensors, {
          format: "hmge model 1",
          version: VERSION,
          model: model.name,
          options: JSON.stringify(run.options),
          optimizer: run.identity.optimizer,
          seed: run.identity.seed,
          graph: run.identity.graph,
          labels: run.identity.labels,
          relations: JSON.stringify(graph.relations.map(({ name }) => name)),
          [VECTORS_HASH]: hash,
          ...map.metadata,
          ...decoder.metadata,
        });
      });
      const relationVectors =
        perRelation && results.decoder !== undefined ? await writeRelationVectors(staging, results.decoder, graph) : [];
      const relationFiles = relationVectors.flatMap(({ source, target }) => [source, ...(target ? [target] : [])]);
      const vectors = [...files.map((file) => basename(file)), ...relationFiles];
      const outputs = [...vectors, "model.safetensors", ...(page === undefined ? [] : [REPORT]), "run.json"];
      written = { ...makeRecord(outputs, (performance.now() - begin) / 1000), [VECTORS_HASH]: hash };
      if (relationVectors.length > 0) written = { ...written, relationVectors };
      const html = await page?.(written);
      if (html !== undefined) await writeFile(join(staging, REPORT), html);
      else written = { ...written, outputs: outputs.filter((name) => name !== REPORT) };
      await writeFile(join(staging, "run.json"), recordText(written));
    });
  } catch (error) {
    await rmdir(join(out, CHECKPOINT)).catch(() => {}); // removes the folder only if it is empty: no checkpoint could be written either
    if (!exists) await rmdir(out).catch(() => {});
    if (!(error instanceof WriteError) || !(await hasCheckpoint(out))) throw error;
    throw new WriteError(
      out,
      `${error.reason} The training is saved in ${join(out, CHECKPOINT)}; repeat the command with --resume to continue.`,
    );
  }
  if (written === undefined) throw new InternalError("publish() returned without a record");
  return written;
}
