/** The nodes or vectors whose neighbours `hmge neighbors` finds, and the nodes among which it searches. */

import { stat } from "node:fs/promises";
import { type Embedding, type VectorRows, vectorRows, wholeEmbedding } from "../../core/embedding.js";
import { InputError } from "../../core/errors.js";
import { readInput } from "../../io/read-input.js";
import { readNodeList } from "../../io/tables/node-list.js";
import { formatCount } from "../../report/format.js";
import { findNodes, similarId } from "../../tasks/neighbors/find-nodes.js";

/** The nodes or vectors whose neighbours are wanted. */
export type Query =
  | { readonly kind: "all" }
  | { readonly kind: "nodes"; readonly ids: readonly string[]; readonly where: string }
  | { readonly kind: "vectors"; readonly vectors: Float32Array; readonly dim: number };

interface QueryArguments {
  readonly words: readonly string[];
  readonly values: { readonly all: boolean; readonly nodes?: string; readonly vector?: string };
}

/** Reads the query; throws unless exactly one way to name it is used. */
export async function readQuery({ words: [path, ...words], values }: QueryArguments): Promise<Query> {
  const { nodes, vector } = values;
  const ways = [
    ...(words.length > 0 ? ["nodes by name"] : []),
    ...(values.all ? ["--all"] : []),
    ...(nodes !== undefined ? ["--nodes"] : []),
    ...(vector !== undefined ? ["--vector"] : []),
  ];
  if (ways.length === 0) {
    throw new InputError(
      `neighbors: no node named after ${path}; expected at least one node, --all, --nodes FILE or --vector NUMBERS.`,
    );
  }
  if (ways.length > 1) throw new InputError(`neighbors: found ${ways.join(" and ")}; expected one of them.`);
  if (nodes !== undefined) return { kind: "nodes", ids: await readNodeList(nodes), where: nodes };
  if (vector !== undefined) return { kind: "vectors", ...(await readVectors(vector)) };
  return words.length > 0 ? { kind: "nodes", ids: words, where: path } : { kind: "all" };
}

/** Numbers from the command line, or the lines of a file. */
async function readVectors(text: string): Promise<{ vectors: Float32Array; dim: number }> {
  const isFile = (await stat(text).catch(() => undefined))?.isFile() ?? false;
  const lines = isFile ? new TextDecoder().decode(await readInput(text)).split("\n") : [text];
  const rows = lines.flatMap((line, i) => {
    const where = isFile ? `${text}:${i + 1}` : "--vector";
    const fields = line
      .trim()
      .split(/[\s,;]+/)
      .filter((field) => field !== "");
    const numbers = fields.map(Number);
    const bad = numbers.findIndex((value) => !Number.isFinite(Math.fround(value)));
    if (bad >= 0) {
      throw new InputError(
        `${where}: found ${JSON.stringify(fields[bad])}; expected numbers separated by commas, or an existing file of them.`,
      );
    }
    return numbers.length === 0 ? [] : [{ where, numbers }];
  });
  if (rows.length === 0) throw new InputError(`--vector: no numbers; expected one vector a line.`);
  const dim = rows[0].numbers.length;
  const odd = rows.find(({ numbers }) => numbers.length !== dim);
  if (odd !== undefined) {
    throw new InputError(`${odd.where}: ${odd.numbers.length} numbers; expected ${dim} as in the first line.`);
  }
  return { vectors: Float32Array.from(rows.flatMap(({ numbers }) => numbers)), dim };
}

/** Names for vectors without ids. */
export function vectorNames(count: number): string[] {
  return count === 1 ? ["vector"] : Array.from({ length: count }, (_, i) => `vector ${i + 1}`);
}

/** The vectors of the queried nodes, to search their neighbours in another embedding. */
export function rowsOf(embedding: Embedding | VectorRows, query: Extract<Query, { kind: "all" | "nodes" }>): Embedding {
  if (query.kind === "all") return wholeEmbedding(embedding);
  const { ids, dim, at } = vectorRows(embedding);
  return { ids: query.ids, dim, vectors: at(Uint32Array.from(findNodes(ids, query.ids, query.where))) };
}

/** Ids of `--among`: the lines of a file, or all ids with this prefix. */
export async function readAmong(text: string, ids: readonly string[]): Promise<readonly string[]> {
  if ((await stat(text).catch(() => undefined))?.isFile()) {
    const listed = await readNodeList(text);
    findNodes(ids, listed, text);
    return listed;
  }
  const found = ids.filter((id) => id.startsWith(text));
  if (found.length > 0) return found;
  const like = similarId(ids, text);
  throw new InputError(
    `--among: ${JSON.stringify(text)} is neither a file nor the beginning of one of ${formatCount(ids.length)} ids${like === undefined ? "" : `, such as ${JSON.stringify(like)}`}. Check the path, or give the letters that the ids begin with.`,
  );
}
