/**
 * Reads and writes the tables of a run: vectors, layers, relations, parameters, and the state of a snapshot. Tables are read whole
 * or in slices of rows; a slice needs no copy of a large table.
 */

import { type Embedding, roomFor, rowSlices, type VectorRows, vectorRows } from "../core/embedding.js";
import { InputError } from "../core/errors.js";
import { Rng } from "../core/rng.js";
import type { Executable } from "../engine/engine.js";
import type { Tensor } from "../engine/program.js";
import { type OriginalNodes, placesIn, rowsInOriginalOrder } from "../graph/order/reorder-nodes.js";
import { type Snapshot, type SnapshotTensor, type StoredSnapshot, type TableRows, tablesOf } from "./snapshot.js";
import { BASIS_SEGMENT, relationSegment, stateTensors, type TrainingTensors } from "./training-program.js";

/** Vectors that score the pairs of one relation. */
export interface RelationEmbeddings {
  readonly source: Embedding;
  readonly target?: Embedding;
}

/** The same vectors, read in slices. */
export interface RelationRows {
  readonly source: VectorRows;
  readonly target?: VectorRows;
}

export class RunTables {
  readonly #training: TrainingTensors;
  readonly #executable: Executable;
  readonly #nodes: OriginalNodes;
  /** The row of each node, if the nodes are computed in another order. */
  #places: Uint32Array | undefined;
  /** The last replayed segment: only its results can be read. */
  #segment: string | undefined;
  /** Whether the rows that all relations share belong to the current parameters: only segments of relations have run since then. */
  #hasBasis = false;

  constructor(training: TrainingTensors, executable: Executable, nodes: OriginalNodes) {
    this.#training = training;
    this.#executable = executable;
    this.#nodes = nodes;
  }

  /** Fills all parameters with their initial values. */
  initialize(seed: number): void {
    for (const { name, tensor, initializer } of this.#training.parameters) {
      const stream = { seed, purpose: `init/${name}` };
      if (initializer.bound !== undefined) {
        this.#executable.fillSymmetric(tensor, stream, initializer.bound);
        continue;
      }
      this.#executable.write(tensor, (data) => {
        if (!(data instanceof Uint32Array)) initializer(data, new Rng(stream.seed, stream.purpose));
      });
    }
  }

  /** Takes a step of the optimiser. */
  step(): void {
    this.#run("step");
  }

  #run(segment: string): void {
    this.#segment = segment;
    this.#hasBasis = false;
    this.#executable.run(segment);
  }

  /** Replays a segment, unless its results can still be read. */
  #require(segment: string): void {
    if (this.#segment !== segment) this.#run(segment);
  }

  async embedding(): Promise<Embedding> {
    this.#require("embed");
    return this.#wholeRows(this.#training.embedding);
  }

  async vectors(): Promise<VectorRows> {
    return this.#rows(this.#training.embedding, () => this.#require("embed"));
  }

  async layers(): Promise<{ readonly name: string; readonly embedding: Embedding }[]> {
    const layers: { readonly name: string; readonly embedding: Embedding }[] = [];
    for (const { name, tensor } of this.#training.layers) {
      this.#require("layers");
      layers.push({ name, embedding: await this.#wholeRows(tensor) });
    }
    return layers;
  }

  async relation(relation: number): Promise<RelationEmbeddings> {
    const { source, target } = this.#training.relations[relation];
    const read = (tensor: Tensor) => {
      this.#requireRelation(relation);
      return this.#wholeRows(tensor);
    };
    const sourceRows = await read(source);
    return { source: sourceRows, ...(target === undefined ? {} : { target: await read(target) }) };
  }

  async relationRows(relation: number): Promise<RelationRows> {
    const { source, target } = this.#training.relations[relation];
    const rows = (tensor: Tensor) => this.#rows(tensor, () => this.#requireRelation(relation));
    const sourceRows = await rows(source);
    return { source: sourceRows, ...(target === undefined ? {} : { target: await rows(target) }) };
  }

  #requireRelation(relation: number): void {
    const segment = relationSegment(relation);
    if (this.#segment === segment) return;
    if (!this.#hasBasis) this.#run(BASIS_SEGMENT);
    this.#run(segment);
    this.#hasBasis = true;
  }

  /** One row per node, under the caller's ids and in the caller's order. */
  async #wholeRows(tensor: Tensor): Promise<Embedding> {
    const data = await this.#executable.read(tensor);
    const isFinal = this.#nodes.order === undefined && data instanceof Float32Array;
    const vectors = isFinal ? data : rowsInOriginalOrder(data, tensor.cols, this.#nodes);
    return { ids: this.#nodes.ids, dim: tensor.cols, vectors };
  }

  /**
   * The same, read in slices; `compute` is called before each of them. An engine whose memory the host cannot read directly sends
   * all rows at once.
   */
  async #rows(tensor: Tensor, compute: () => void): Promise<VectorRows> {
    const executable = this.#executable;
    if (executable.readRowsNow === undefined) {
      compute();
      return vectorRows(await this.#wholeRows(tensor));
    }
    const read = (rows: Uint32Array, into: Float32Array) => {
      compute();
      const data = executable.readRowsNow?.(tensor, rows, into);
      if (data !== undefined && data.buffer !== into.buffer) into.set(data);
    };
    const { cols } = tensor;
    const all = (numRows: number, into: Float32Array | undefined, rowsOf: (a: number, b: number) => Uint32Array) => {
      const room = roomFor(numRows * cols, into);
      for (const { first, end } of rowSlices(numRows, cols)) read(rowsOf(first, end), room.subarray(first * cols));
      return room;
    };
    return {
      ids: this.#nodes.ids,
      dim: cols,
      at: (nodes, into) => all(nodes.length, into, (a, b) => this.#rowsOf(nodes.subarray(a, b))),
      range: (first, end, into) => all(end - first, into, (a, b) => this.#rowsBetween(first + a, first + b)),
    };
  }

  /** The parameters kept so far; parameters with a row for each node are in the caller's order. */
  async parameters(): Promise<SnapshotTensor[]> {
    const found: SnapshotTensor[] = [];
    for (const { name, kept } of this.#training.parameters) {
      const { rows, cols } = kept;
      const data = await this.#executable.read(kept);
      found.push({ name, rows, cols, data: this.#isMoved(kept) ? rowsInOriginalOrder(data, cols, this.#nodes) : data });
    }
    return found;
  }

  parameterTables(): TableRows[] {
    return this.#training.parameters.map(({ name, kept }) => {
      return this.#table(name, kept, this.#isMoved(kept) ? (first, end) => this.#rowsBetween(first, end) : ascending);
    });
  }

  #isMoved({ rows }: Tensor): boolean {
    return this.#nodes.order !== undefined && rows === this.#nodes.ids.length;
  }

  async state(): Promise<SnapshotTensor[]> {
    const found: SnapshotTensor[] = [];
    for (const [name, tensor] of stateTensors(this.#training)) {
      found.push({ name, rows: tensor.rows, cols: tensor.cols, data: await this.#executable.read(tensor) });
    }
    return found;
  }

  stateTables(): TableRows[] {
    return stateTensors(this.#training).map(([name, tensor]) => this.#table(name, tensor, ascending));
  }

  #table(name: string, tensor: Tensor, rowsOf: (first: number, end: number) => Uint32Array): TableRows {
    const { rows, cols } = tensor;
    const range: TableRows["range"] = (first, end, into) => {
      return this.#executable.readRows(tensor, rowsOf(first, end), into);
    };
    return { name, rows, cols, range };
  }

  restore(snapshot: Snapshot | StoredSnapshot): void {
    this.#hasBasis = false;
    this.#segment = undefined;
    const stored = tablesOf(snapshot);
    for (const [name, tensor] of stateTensors(this.#training)) {
      const found = stored.get(name);
      if (found?.rows !== tensor.rows || found.cols !== tensor.cols) {
        throw new InputError(`checkpoint: ${name} is missing or has another shape; start again without it.`);
      }
      for (const { first, end } of rowSlices(tensor.rows, tensor.cols)) {
        this.#executable.writeRows(tensor, first, end, found.range?.(first, end));
      }
    }
  }

  #rowsBetween(first: number, end: number): Uint32Array {
    return this.#findPlaces()?.subarray(first, end) ?? ascending(first, end);
  }

  #rowsOf(nodes: Uint32Array): Uint32Array {
    const places = this.#findPlaces();
    return places === undefined ? nodes : nodes.map((node) => places[node]);
  }

  #findPlaces(): Uint32Array | undefined {
    const { order } = this.#nodes;
    if (order !== undefined) this.#places ??= placesIn(order);
    return this.#places;
  }
}

function ascending(first: number, end: number): Uint32Array {
  const numbers = new Uint32Array(end - first);
  for (let i = 0; i < numbers.length; i++) numbers[i] = first + i;
  return numbers;
}
