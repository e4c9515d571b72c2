/** The work of `hmge embed --model-from DIR`: vectors for nodes that were not there in training. */

import { rmdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Embedding } from "../core/embedding.js";
import { InputError } from "../core/errors.js";
import { VERSION } from "../core/version.js";
import { checkWritable, formatByName, readEmbeddings, writeEmbeddingsFolder } from "../io/write-embeddings.js";
import { formatCount, plural } from "../report/format.js";
import { placeNewNodes } from "../tasks/new-nodes.js";
import { type Arguments, switchOption, textOption } from "./command.js";
import { commandLine } from "./embed-report.js";
import { readFormats } from "./embed-run.js";
import { graphNotes, loadSource } from "./load-source.js";
import { readNeighborMap } from "./neighbor-map.js";
import type { Output } from "./output.js";
import { checkOutputFolder, publish } from "./output-folder.js";
import { readSourceOptions } from "./source-options.js";

/** What belongs to a training, of which there is none here. */
const OF_TRAINING =
  "model preset dim epochs patience seed learning-rate weight-decay set train-labels labels resume per-relation engine threads memory-limit checkpoint-every".split(
    " ",
  );

export async function runEmbedNew(given: Arguments, output: Output): Promise<number> {
  const from = textOption(given, "model-from") ?? "";
  const out = textOption(given, "out");
  if (out === undefined) throw new InputError("--out: not given; expected a folder for the results.");
  const foreign = OF_TRAINING.find((name) => given.options.has(name));
  if (foreign !== undefined) {
    throw new InputError(`--${foreign}: also given --model-from, which trains nothing; expected one of them.`);
  }
  const formats = readFormats(given);
  const source = readSourceOptions(given);
  const folder = await checkOutputFolder(out, { overwrite: switchOption(given, "overwrite"), resume: false });
  const { map, relations, model } = await readNeighborMap(from);
  const known = await readEmbeddings(from);
  if (known.dim !== map.dim) {
    throw new InputError(
      `${from}: vectors of width ${known.dim}, but a model of width ${map.dim}; they do not belong together.`,
    );
  }
  const graph = await loadSource(source);
  for (const note of graphNotes(graph)) output.note(`note: ${note}`);
  const unknown = graph.relations.filter(({ name }) => !relations.includes(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    output.note(`note: ${unknown.slice(0, 3).join(", ")}: not among the relations of the training; read like them`);
  }
  const placed = placeNewNodes(map, known, graph);
  const { embedding, unplaced, numKnown, rounds } = placed;
  if (embedding.ids.length === 0) {
    throw new InputError(
      unplaced.length === 0
        ? `${from}: has a vector for every node of the source; there is nothing to embed.`
        : `${from}: none of its nodes has an edge to a new one; expected edges between new and known nodes, under the same ids.`,
    );
  }
  if (unplaced.length > 0) {
    output.note(
      `note: ${plural(unplaced.length, "new node")} without a way to a known one, such as ${unplaced[0]}: no vector`,
    );
  }
  const written = switchOption(given, "with-known") ? together(known, embedding) : embedding;
  checkWritable(written, formats.map(formatByName));
  const record = {
    kind: "new nodes",
    version: VERSION,
    created: new Date().toISOString(),
    command: commandLine("embed", given),
    from,
    model,
    files: graph.files,
    placed: embedding.ids.length,
    unplaced,
    known: numKnown,
    rounds,
    withKnown: written !== embedding,
    dim: map.dim,
    neighborFit: map.determination,
  };
  const files: string[] = [];
  try {
    await publish(out, folder.earlier, async (staging) => {
      files.push(...(await writeEmbeddingsFolder(staging, written, formats)).map((file) => basename(file)), "run.json");
      await writeFile(join(staging, "run.json"), `${JSON.stringify({ ...record, outputs: files }, null, 2)}\n`);
    });
  } catch (error) {
    if (!folder.exists) await rmdir(out).catch(() => {});
    throw error;
  }
  output.document({ ...record, outputs: files, out });
  if (!output.quiet) {
    const fit = map.determination;
    output.print(
      [
        `${plural(embedding.ids.length, "new node")} placed by their edges to ${formatCount(numKnown)} known ones; nothing was trained`,
        ...(rounds > 1
          ? [`some have edges to other new nodes only, and were placed after those (${rounds} rounds)`]
          : []),
        ...(fit === null
          ? []
          : [`neighbours explain R² ${fit.toFixed(2)} of the vectors of ${model}, measured on nodes left out`]),
        "",
        "written",
        ...files.map((file) => `  ${join(out, file)}`),
      ].join("\n"),
    );
  }
  return 0;
}

function together(a: Embedding, b: Embedding): Embedding {
  const vectors = new Float32Array(a.vectors.length + b.vectors.length);
  vectors.set(a.vectors);
  vectors.set(b.vectors, a.vectors.length);
  return { ids: [...a.ids, ...b.ids], dim: a.dim, vectors };
}
