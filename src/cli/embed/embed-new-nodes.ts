/** `hmge embed --model-from DIR`: vectors for nodes that the training did not have. */

import { realpath, rmdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { Embedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { firstNames } from "../../core/text.js";
import { VERSION } from "../../core/version.js";
import { hasWeights } from "../../graph/counted-relations.js";
import type { FeatureMatrix } from "../../graph/multiplex.js";
import {
  checkWritable,
  formatByName,
  readEmbeddings,
  writeEmbeddingsFolder,
} from "../../io/formats/embedding-files.js";
import { VECTORS_HASH, vectorsHash } from "../../io/formats/run-vectors.js";
import { mean } from "../../numeric/rows.js";
import { formatCount, plural } from "../../report/format.js";
import { type NodeMaps, type PlacedNodes, placeNewNodes } from "../../tasks/new-nodes/place-new-nodes.js";
import { flagName } from "../command.js";
import { commandLine } from "../folder/machine-facts.js";
import { checkOutputFolder, NEW_NODES, publish, readRecord, requireOutputFolder } from "../folder/output-folder.js";
import { ENGINE_OPTIONS } from "../options/engine-option.js";
import { MODEL_OPTIONS, TRAINING_OPTIONS } from "../options/model-options.js";
import { EDGE_ROLES, readSourceOptions } from "../options/source-options.js";
import { columnOf, isCategory } from "../run/label-leakage.js";
import { loadSource, readingNotes } from "../run/load-source.js";
import type { Output } from "../terminal/output.js";
import { type EMBED_OPTIONS, type EmbedArguments, readFormats } from "./embed-options.js";
import { readNodeMaps, type StoredNodeMaps } from "./node-maps.js";

/** Options of a training, which --model-from excludes. */
const TRAINING_ONLY: readonly (keyof typeof EMBED_OPTIONS)[] = [
  ...keysOf(MODEL_OPTIONS),
  ...keysOf(TRAINING_OPTIONS),
  ...keysOf(ENGINE_OPTIONS),
  "trainLabels",
  "labels",
  "resume",
  "allowOtherEngine",
  "perRelation",
  "memoryLimit",
  "checkpointEvery",
  "force",
  "noReport",
];

function keysOf<S extends object>(schema: S): (keyof S)[] {
  return Object.keys(schema) as (keyof S)[];
}

/** R² below which a note says that the vectors are guesses; not tuned. */
const LOW_R2 = 0.1;

export async function embedNewNodes(args: EmbedArguments, output: Output): Promise<number> {
  const { values, flags } = args;
  const from = values.modelFrom ?? "";
  const out = requireOutputFolder(values.out);
  const foreign = TRAINING_ONLY.map(flagName).find((name) => flags.has(name));
  if (foreign !== undefined) {
    throw new InputError(
      `--${foreign}: found together with --model-from, which trains nothing; expected only one of them.`,
    );
  }
  if ((await realFolder(out)) === (await realFolder(from))) {
    throw new InputError(`--out: ${out} is also the folder of --model-from, which would be replaced; choose another.`);
  }
  const formats = readFormats(values);
  const remembered = flags.has("columns") ? undefined : await columnsOfTraining(from);
  const { sources, load } = readSourceOptions(
    { words: args.words, values: { ...values, columns: remembered ?? values.columns } },
    { edgesOptional: true },
  );
  const folder = await checkOutputFolder(out, { overwrite: values.overwrite, resume: false, args });
  const stored = await readNodeMaps(from);
  const { map, relations, model } = stored;
  if (load.features !== undefined && stored.features === undefined) {
    throw new InputError(
      `--features: ${from} was trained without features, or with too many to place nodes by; expected edges only.`,
    );
  }
  const known = await readEmbeddings(from);
  if (known.dim !== map.dim) {
    throw new InputError(
      `${from}: vectors of width ${known.dim}, but a model of width ${map.dim}; they do not belong together.`,
    );
  }
  // known nodes need no features here, and new nodes may have features only
  const options =
    load.features === undefined
      ? load
      : {
          ...load,
          featureNodes: true,
          missingFeatures: load.missingFeatures === "median" ? ("median" as const) : ("zero" as const),
          featureMedians: featureCenters(stored),
          featureCategories: new Set(stored.features?.names.filter(isCategory).map(columnOf)),
        };
  const graph = await loadSource({ sources, load: options }, output.quiet).catch((error: unknown) => {
    if (remembered === undefined || !(error instanceof InputError)) throw error;
    throw new InputError(
      `${error.message} The columns are those of the training in ${from} (${remembered.join(",")}); use --columns if they have other names here.`,
    );
  });
  if (remembered !== undefined && sources.length > 0) {
    output.note(`note: columns as in the training: ${remembered.join(",")}; --columns names others`);
  }
  for (const note of readingNotes(graph)) output.note(`note: ${note}`);
  const unknown = graph.relations.filter(({ name }) => !relations.includes(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    output.note(`note: ${firstNames(unknown, 3)}: not a relation of the training; read like the others`);
  }
  const unweighted = map.weighted.length > 0 && graph.relations.length > 0 && !graph.relations.some(hasWeights);
  if (unweighted) {
    output.note("note: the training used edge weights to place nodes; these edges have none, or all weigh 1");
  }
  const features =
    graph.features === undefined ? undefined : matchFeatures(stored, graph.features, from, (text) => output.note(text));
  // if all relations of the training use weights, unknown relations do too
  const weighted = map.weighted.length === relations.length ? [...map.weighted, ...unknown] : map.weighted;
  const placed = placeNewNodes({ neighbors: { ...map, weighted }, features }, known, graph);
  if (map.determination !== null && map.determination < LOW_R2) {
    output.note(
      `note: neighbours hardly predict the vectors of ${model} (R² ${map.determination.toFixed(2)}); the new vectors are guesses`,
    );
  }
  const { embedding, unplaced, numKnown, rounds, withFeatures, byFeatures } = placed;
  if (embedding.ids.length === 0) {
    throw new InputError(
      unplaced.length === 0
        ? `${from}: has a vector for every node of the source; there is nothing to embed.`
        : `${from}: none of its nodes has an edge to a new one; expected edges between new and known nodes, under the same ids.`,
    );
  }
  if (unplaced.length > 0) {
    output.note(
      `note: ${plural(unplaced.length, "new node")} without a way to a known one${features === undefined ? "" : " and without features other than zero"}, such as ${unplaced[0]}: no vector`,
    );
  }
  const written = values.withKnown ? together(known, embedding) : embedding;
  checkWritable(written, formats.map(formatByName));
  const record = {
    kind: NEW_NODES,
    version: VERSION,
    created: new Date().toISOString(),
    command: commandLine("embed", args),
    from,
    model,
    files: graph.files,
    placed: embedding.ids.length,
    unplaced,
    known: numKnown,
    rounds,
    placedWithFeatures: withFeatures,
    placedByFeaturesAlone: byFeatures,
    withKnown: written !== embedding,
    dim: map.dim,
    [VECTORS_HASH]: vectorsHash(written),
    neighborFit: map.determination,
    neighborWeights: map.weighted,
    featureFit: stored.features === undefined ? null : mean(stored.features.map.fit),
  };
  const files: string[] = [];
  try {
    await publish(out, async (staging) => {
      files.push(...(await writeEmbeddingsFolder(staging, written, formats)).map((file) => basename(file)), "run.json");
      await writeFile(join(staging, "run.json"), `${JSON.stringify({ ...record, outputs: files }, null, 2)}\n`);
    });
  } catch (error) {
    if (!folder.exists) await rmdir(out).catch(() => {});
    throw error;
  }
  output.document({ ...record, outputs: files, out });
  if (!output.quiet) {
    output.print(
      [
        ...placedText(placed),
        ...(map.determination === null
          ? []
          : [
              `neighbours explain R² ${map.determination.toFixed(2)} of the vectors of ${model}, measured on nodes that were held out of this fit, but not of the training${weightsText(map.weighted, unweighted)}`,
            ]),
        ...(record.featureFit === null || features === undefined
          ? []
          : [`features explain R² ${record.featureFit.toFixed(2)}, mean of the columns`]),
        "",
        "written",
        ...files.map((file) => `  ${join(out, file)}`),
      ].join("\n"),
    );
  }
  return 0;
}

/** The folder behind symbolic links, so that two names of one folder compare equal. */
async function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** The ROLE=COLUMN pairs of --columns for edges in the training; undefined if there were none. */
async function columnsOfTraining(from: string): Promise<string[] | undefined> {
  const record: unknown = await readRecord(from);
  const recorded: unknown = Reflect.get(Object(Reflect.get(Object(record), "command")), "columns");
  const pairs = [recorded]
    .flat()
    .flatMap((value) => (typeof value === "string" ? value.split(",") : []))
    .filter((pair) => EDGE_ROLES.some((role) => pair.slice(0, pair.indexOf("=")).trim() === role));
  return pairs.length === 0 ? undefined : pairs;
}

function weightsText(weighted: readonly string[], unweighted: boolean): string {
  if (weighted.length === 0) return "";
  if (unweighted) return ", with the weights that these edges lack";
  return `, with the weights of edges in ${firstNames(weighted, 4)}`;
}

/** How the nodes were placed, in words. */
function placedText({ embedding, numKnown, rounds, byPlaced, withFeatures, byFeatures }: PlacedNodes): string[] {
  const byEdges = embedding.ids.length - byFeatures;
  const alone = `${plural(byFeatures, "new node")} placed by features alone`;
  if (byEdges === 0) return [`${alone}; nothing was trained`];
  const also = withFeatures > 0 ? `, ${formatCount(withFeatures)} of them with their features` : "";
  return [
    `${plural(byEdges, "new node")} placed by ${byEdges === 1 ? "its" : "their"} edges to ${plural(numKnown, "known one")}${also}; nothing was trained`,
    ...(byFeatures > 0 ? [alone] : []),
    ...(byPlaced > 0
      ? [
          `${formatCount(byPlaced)} ${byPlaced === 1 ? "has" : "have"} edges to other new nodes only, placed before (${rounds} rounds)`,
        ]
      : []),
  ];
}

/** The centre of each numeric feature of the training. */
function featureCenters({ features }: StoredNodeMaps): ReadonlyMap<string, number> {
  if (features === undefined) return new Map();
  const { center, deviation } = features.map.read;
  return new Map(features.names.flatMap((name, c) => (deviation[c] > 0 ? [[name, center[c]] as const] : [])));
}

/** The features of the source, in the order of the training's columns. */
function matchFeatures(
  { features: stored }: StoredNodeMaps,
  { names, rowStart, columns, values }: FeatureMatrix,
  from: string,
  note: (text: string) => void,
): NodeMaps["features"] {
  if (stored === undefined) return undefined;
  const places = new Map(stored.names.map((name, at) => [name, at]));
  const place = names.map((name) => places.get(name));
  const unknown = names.filter((_, c) => place[c] === undefined);
  if (unknown.length === names.length) {
    throw new InputError(
      `--features: none of its ${plural(names.length, "feature")} (${names[0]}, …) is known to ${from}; expected those of its training, such as ${stored.names[0]}.`,
    );
  }
  if (unknown.length > 0) {
    note(`note: ${plural(unknown.length, "feature")} not in the training, such as ${unknown[0]}: not read`);
  }
  // new nodes need not have every value of a category
  const known = new Set(names.map(columnOf));
  const missing = [...new Set(stored.names.map(columnOf))].filter((name) => !known.has(name));
  if (missing.length > 0) {
    note(
      `note: ${plural(missing.length, "feature")} of the training missing in --features, such as ${missing[0]}: numbers are taken as the centre of their column, others as 0`,
    );
  }
  const kept: number[] = [];
  const start = new Uint32Array(rowStart.length);
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) if (place[columns[e]] !== undefined) kept.push(e);
    start[i + 1] = kept.length;
  }
  const readColumns = new Set(place);
  // features that no new node has are 0, so their centre must be 0 too
  const center = stored.map.read.center.map((usual, c) => (readColumns.has(c) ? usual : 0));
  return {
    map: { ...stored.map, read: { ...stored.map.read, center } },
    rows: {
      numColumns: stored.names.length,
      rowStart: start,
      columns: Uint32Array.from(kept, (e) => place[columns[e]] ?? 0),
      values: values === undefined ? undefined : Float32Array.from(kept, (e) => values[e]),
    },
  };
}

function together(a: Embedding, b: Embedding): Embedding {
  const vectors = new Float32Array(a.vectors.length + b.vectors.length);
  vectors.set(a.vectors);
  vectors.set(b.vectors, a.vectors.length);
  return { ids: [...a.ids, ...b.ids], dim: a.dim, vectors };
}
