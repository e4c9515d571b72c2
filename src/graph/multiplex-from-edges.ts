/** A multiplex from string columns held in memory. */

import { InputError } from "../core/errors.js";
import { type KeysOf, requireKeys, valueText } from "../core/validation.js";
import { type BuildOptions, buildMultiplex } from "./build-multiplex.js";
import type { Multiplex } from "./multiplex.js";

/** Edges as columns of equal length, one row per edge. */
export interface EdgeList {
  readonly source: readonly string[];
  readonly target: readonly string[];
  /** If absent, there is one relation called `edges`. */
  readonly relation?: readonly string[];
  /** Finite and not negative. If absent, every edge has weight 1. */
  readonly weight?: readonly number[] | Float32Array | Float64Array;
}

/** How edges are read, and nodes that may have no edge. */
export interface EdgeListOptions extends BuildOptions {
  /** Ids of further nodes; nodes with edges may be among them. */
  readonly nodes?: Iterable<string>;
}

const COLUMNS: KeysOf<EdgeList> = { source: true, target: true, relation: true, weight: true };
const OPTIONS: KeysOf<EdgeListOptions> = { directed: true, nodes: true };

/** The multiplex of edges that are given as arrays of node ids, relation names and weights. */
export function multiplexFromEdges(edges: EdgeList, options: EdgeListOptions = {}): Multiplex {
  requireKeys(edges, COLUMNS, "edges");
  requireKeys(options, OPTIONS, "edges");
  if (typeof (options.directed ?? false) !== "boolean") {
    throw new InputError(`edges: directed is ${valueText(options.directed)}; expected true or false.`);
  }
  const { source: sources, target: targets, ...others } = edges;
  const rows = sources?.length;
  for (const [column, values] of Object.entries({ source: sources, target: targets, ...others })) {
    if (values === undefined && column !== "source" && column !== "target") continue;
    if (!Array.isArray(values) && !(column === "weight" && ArrayBuffer.isView(values))) {
      throw new InputError(`edges: column "${column}" is ${valueText(values)}; expected a list.`);
    }
    if (values.length !== rows) {
      throw new InputError(`edges: column "${column}" has ${values.length} rows; expected ${rows} as in "source".`);
    }
  }
  const codes = new Map<string, number>();
  const source = encode("source", edges.source, codes);
  const target = encode("target", edges.target, codes);
  encode("nodes", listOf(options.nodes ?? []), codes);
  const relationCodes = new Map<string, number>();
  const relation =
    edges.relation === undefined ? new Uint32Array(rows) : encode("relation", edges.relation, relationCodes);
  if (edges.relation === undefined) relationCodes.set("edges", 0);
  return buildMultiplex(
    {
      source,
      target,
      relation,
      weight: edges.weight === undefined ? undefined : Float64Array.from(edges.weight, requireNumber),
      ids: [...codes.keys()],
      relationNames: [...relationCodes.keys()],
    },
    options,
  );
}

/** The ids as a list; a text is refused, although it is iterable. */
function listOf(nodes: Iterable<string>): string[] {
  if (typeof nodes === "object" && typeof nodes[Symbol.iterator] === "function") return [...nodes];
  throw new InputError(`edges: nodes is ${valueText(nodes)}; expected a list of ids.`);
}

function requireNumber(value: number, i: number): number {
  if (typeof value === "number") return value;
  throw new InputError(`edges: row ${i + 1} of "weight" is ${valueText(value)}; expected a number.`);
}

function encode(column: string, values: readonly string[], codes: Map<string, number>): Uint32Array {
  const encoded = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    // untyped callers may pass numbers: as keys of the map they differ from their texts
    if (typeof values[i] !== "string") {
      throw new InputError(
        `edges: row ${i + 1} of "${column}" is ${String(values[i])}; expected a string, as of String(id).`,
      );
    }
    if (values[i] === "") {
      throw new InputError(`edges: row ${i + 1} of "${column}" is empty; expected a name of one letter or more.`);
    }
    let code = codes.get(values[i]);
    if (code === undefined) {
      code = codes.size;
      codes.set(values[i], code);
    }
    encoded[i] = code;
  }
  return encoded;
}
