/** Writes a dataset folder: edges, labels, split, features, description. */

import { mkdir, readdir, rmdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { InputError } from "../../core/errors.js";
import { floatText } from "../../core/float-text.js";
import { quoteField } from "../../core/vector-text.js";
import type { FeatureMatrix, Multiplex } from "../../graph/multiplex.js";
import { writeAllAtomically } from "../atomic-write.js";
import { explainWriteError } from "../system-faults.js";
import { partOf } from "./dataset-folder.js";

export interface DatasetParts {
  /** One label for each node of the graph. */
  readonly labels?: readonly string[];
  /** The part of each node, such as train, val or test. */
  readonly split?: readonly string[];
  /** The content of dataset.json, to which counts are added. */
  readonly description?: Readonly<Record<string, unknown>>;
}

/** Characters of text per gzip member; a gzip file may have several members. Not tuned. */
const BLOCK = 1 << 22;

/**
 * Writes edges.tsv.gz, labels.tsv.gz (or nodes.tsv.gz), split.tsv.gz and features.tsv.gz if there are any, and dataset.json.
 * Creates the folder; refuses a folder with other parts of a dataset. Returns the written files. loadGraph reads the same graph from them, without
 * relations that have no edges; a directed graph must be read with `directed`.
 */
export async function writeDataset(folder: string, graph: Multiplex, parts: DatasetParts = {}): Promise<string[]> {
  requireReadable(graph, parts);
  const created = await mkdir(folder, { recursive: true }).catch((error) => {
    throw explainWriteError(error, folder);
  });
  const description = {
    ...parts.description,
    nodes: graph.numNodes,
    relations: graph.relations.map((relation) => relation.name),
    edges: graph.relations.reduce((sum, relation) => sum + relation.numEdges, 0),
    ...(graph.directed ? { directed: true } : {}),
  };
  const files = [
    { path: join(folder, "edges.tsv.gz"), content: gzipped(edgeLines(graph)) },
    ...(parts.labels === undefined
      ? [{ path: join(folder, "nodes.tsv.gz"), content: gzipped(nodeLines(graph)) }]
      : [{ path: join(folder, "labels.tsv.gz"), content: gzipped(nodeColumn(graph, "label", parts.labels)) }]),
    ...(parts.split === undefined
      ? []
      : [{ path: join(folder, "split.tsv.gz"), content: gzipped(nodeColumn(graph, "split", parts.split)) }]),
    ...(graph.features === undefined
      ? []
      : [{ path: join(folder, "features.tsv.gz"), content: gzipped(featureLines(graph, graph.features)) }]),
    { path: join(folder, "dataset.json"), content: `${JSON.stringify(description, null, 2)}\n` },
  ];
  // A part of another graph would be read with this one.
  const written = new Set(files.map(({ path }) => basename(path)));
  const older = (await readdir(folder)).find((name) => partOf(name) !== undefined && !written.has(name));
  if (older !== undefined) {
    throw new InputError(
      `${folder}: holds ${older} of another graph, which would be read with this one. Remove it, or choose another folder.`,
    );
  }
  try {
    await writeAllAtomically(files);
  } catch (error) {
    if (created !== undefined) await rmdir(folder).catch(() => {});
    throw error;
  }
  return files.map((file) => file.path);
}

/** Throws if reading the written files would not give the same graph. */
function requireReadable({ ids, relations, features }: Multiplex, { labels, split }: DatasetParts): void {
  const namesByRole = {
    node: ids,
    relation: relations.map(({ name }) => name),
    label: labels,
    split,
    feature: features?.names,
  };
  for (const [role, names] of Object.entries(namesByRole)) {
    const trimmed = names?.find((name) => name === "" || /^\p{Zs}|\p{Zs}$/u.test(name));
    if (trimmed === "")
      throw new InputError(`dataset: a ${role} has an empty name, which a table cannot hold. Rename it.`);
    if (trimmed === undefined) continue;
    throw new InputError(
      `dataset: ${JSON.stringify(trimmed)} begins or ends with a blank, which is removed when tables are read. Rename it.`,
    );
  }
  for (const [what, column] of Object.entries({ labels, "parts of the split": split })) {
    if (column === undefined || column.length === ids.length) continue;
    throw new InputError(`dataset: ${column.length} ${what}; expected one for each of ${ids.length} nodes.`);
  }
}

function* edgeLines(graph: Multiplex): Generator<string> {
  const weighted = graph.relations.some((relation) => relation.values !== undefined);
  yield `relation\tsource\ttarget${weighted ? "\tweight" : ""}\n`;
  const ids = graph.ids.map((id) => quoteField(id, "\t"));
  for (const { name, rowStart, columns, values } of graph.relations) {
    const relation = quoteField(name, "\t");
    for (let row = 0; row < graph.numNodes; row++) {
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        if (!graph.directed && columns[k] < row) continue;
        const weight = weighted ? `\t${values === undefined ? 1 : floatText(values[k])}` : "";
        yield `${relation}\t${ids[row]}\t${ids[columns[k]]}${weight}\n`;
      }
    }
  }
}

function* nodeLines(graph: Multiplex): Generator<string> {
  yield "node\n";
  for (const id of graph.ids) yield `${quoteField(id, "\t")}\n`;
}

/** One value per node, in a column of this name. */
function* nodeColumn(graph: Multiplex, name: string, values: readonly string[]): Generator<string> {
  yield `node\t${name}\n`;
  for (let i = 0; i < graph.numNodes; i++) yield `${quoteField(graph.ids[i], "\t")}\t${quoteField(values[i], "\t")}\n`;
}

function* featureLines(graph: Multiplex, { names, rowStart, columns, values }: FeatureMatrix): Generator<string> {
  yield "node\tfeature\tvalue\n";
  const quoted = names.map((name) => quoteField(name, "\t"));
  // A zero is written for nodes without features and for features without nodes, so that they are read again.
  const used = new Uint8Array(names.length);
  for (const column of columns) used[column] = 1;
  for (let i = 0; i < graph.numNodes; i++) {
    const id = quoteField(graph.ids[i], "\t");
    if (i === 0) for (const [f, name] of quoted.entries()) if (used[f] === 0) yield `${id}\t${name}\t0\n`;
    if (rowStart[i] === rowStart[i + 1] && quoted.length > 0) yield `${id}\t${quoted[0]}\t0\n`;
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      yield `${id}\t${quoted[columns[k]]}\t${values === undefined ? 1 : floatText(values[k])}\n`;
    }
  }
}

function* gzipped(lines: Iterable<string>): Generator<Uint8Array> {
  let block = "";
  for (const line of lines) {
    block += line;
    if (block.length < BLOCK) continue;
    yield gzipSync(block);
    block = "";
  }
  if (block !== "") yield gzipSync(block);
}
