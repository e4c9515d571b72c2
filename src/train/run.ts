/// <reference lib="esnext.disposable" preserve="true" />
/**
 * One training with one seed, as an async iterator over epochs.
 *
 * The vectors can be read at any moment (`readEmbedding`); they are computed from the parameters kept so far. Early stopping
 * watches the loss of an epoch, the mean over its steps. The run keeps the parameters with the smallest loss, or the last ones if
 * the model asks for them. Stopping is never an error: an aborted run holds its result so far.
 */

import type { Embedding, VectorRows } from "../core/embedding.js";
import { InputError } from "../core/errors.js";
import { turnsEvery } from "../core/event-loop.js";
import type { Executable } from "../engine/engine.js";
import type { Tensor } from "../engine/program.js";
import type { OriginalNodes } from "../graph/order/reorder-nodes.js";
import type { RelationWeights, VectorView } from "../nn/model.js";
import { withParameters } from "./parameter-reader.js";
import type { EpochReport, RunSettings, StopReason } from "./run-settings.js";
import { type RelationEmbeddings, type RelationRows, RunTables } from "./run-tables.js";
import {
  type RunIdentity,
  type RunProgress,
  requireSameRun,
  type Snapshot,
  type SnapshotTensor,
  type StoredSnapshot,
} from "./snapshot.js";
import type { TrainingTensors } from "./training-program.js";
import { StepQueue } from "./training-steps.js";

export type { EpochReport, StopReason };

/** Longest time between two turns of the event loop, so that timers, signals and pages keep working; not tuned. */
const YIELD_MILLISECONDS = 20;
/** One training, epoch by epoch: iterate it, read its vectors at any moment, dispose of it. */
export class Run implements AsyncIterable<EpochReport> {
  readonly identity: RunIdentity;
  /** The model's options, complete. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Loss of each epoch so far. */
  readonly losses: number[] = [];
  /** The epoch whose parameters are kept; 0 before the first. */
  bestEpoch = 0;
  /** Undefined during training, and after a loop that was left by `break`. */
  stopReason: StopReason | undefined;
  /** Seconds spent in epochs. */
  seconds = 0;
  readonly #training: TrainingTensors;
  readonly #executable: Executable;
  readonly #tables: RunTables;
  readonly #queue: StepQueue;
  readonly #settings: RunSettings;
  readonly #explain: (read: (name: string, initial: boolean) => ArrayLike<number>) => RelationWeights[];
  #sinceBest = 0;
  #smallest = Number.POSITIVE_INFINITY;
  #disposed = false;
  #iterated = false;
  #insideEpoch = false;
  #cached: { readonly epoch: number; readonly embedding: Embedding } | undefined;

  constructor(
    identity: RunIdentity,
    options: Readonly<Record<string, unknown>>,
    nodes: OriginalNodes,
    training: TrainingTensors,
    executable: Executable,
    settings: RunSettings,
    explain: (read: (name: string, initial: boolean) => ArrayLike<number>) => RelationWeights[],
  ) {
    this.identity = identity;
    this.options = options;
    this.#training = training;
    this.#executable = executable;
    this.#tables = new RunTables(training, executable, nodes);
    this.#queue = new StepQueue(training, executable, this.#tables, settings);
    this.#settings = settings;
    this.#explain = explain;
    this.#tables.initialize(settings.seed);
  }

  get numEpochs(): number {
    return this.losses.length;
  }

  /** Loss of the epoch whose parameters are kept; NaN before the first. */
  get bestLoss(): number {
    return this.bestEpoch === 0 ? Number.NaN : this.losses[this.bestEpoch - 1];
  }

  /** Largest memory of the engine, in the preparation or in training. */
  get memoryBytes(): number {
    return Math.max(this.#settings.preparation.peakBytes, this.#executable.memoryBytes);
  }

  /** Seconds of the preparation, everything before the first epoch. */
  get preparationSeconds(): number {
    return this.#settings.preparation.seconds;
  }

  /** Groups of columns of the vectors, first to last, if the model names them. */
  get views(): readonly VectorView[] {
    return this.#settings.views;
  }

  /** Facts about the graph that the preparation found, a clause each. */
  get findings(): readonly string[] {
    return this.#settings.findings;
  }

  /** Trains until patience, epochs or the signal end it; yields after every epoch. */
  async *[Symbol.asyncIterator](): AsyncGenerator<EpochReport> {
    if (this.#iterated) throw new InputError("run: another loop is iterating it; expected one loop at a time.");
    this.#iterated = true;
    try {
      yield* this.#epochs();
    } finally {
      this.#iterated = false;
    }
  }

  async *#epochs(): AsyncGenerator<EpochReport> {
    const letOthersIn = turnsEvery(YIELD_MILLISECONDS);
    for (;;) {
      this.stopReason = this.#reasonToStop();
      if (this.stopReason !== undefined) return;
      for (const report of await this.#takeEpochs(letOthersIn)) {
        await this.#settings.onEpoch?.(report);
        yield report;
      }
      await letOthersIn();
    }
  }

  /** Trains the next epochs; on an engine that queues work, the run is at the last of them when the first is reported. */
  async #takeEpochs(letOthersIn: () => Promise<void>): Promise<EpochReport[]> {
    const begin = performance.now();
    const { steps } = this.#training;
    const numEpochs = this.#queue.numEpochs(this.numEpochs);
    this.#insideEpoch = true;
    const requireMemory = () => this.#requireMemory();
    const taken = this.#queue.take(this.numEpochs * steps + 1, numEpochs * steps, requireMemory, letOthersIn);
    const results = await taken.finally(() => (this.#insideEpoch = false));
    const seconds = (performance.now() - begin) / 1000 / numEpochs;
    this.#queue.epochSeconds = seconds;
    const reports: EpochReport[] = [];
    for (let e = 0; e < numEpochs; e++) {
      // when patience has run out, the device changes nothing any more
      if (e > 0 && this.#sinceBest >= this.#settings.patience) break;
      const ofEpoch = results.slice(e * steps, (e + 1) * steps);
      const loss = ofEpoch.reduce((sum, result) => sum + result.loss, 0) / steps;
      reports.push(this.#endEpoch(loss, ofEpoch[steps - 1].improved, seconds));
    }
    return reports;
  }

  #requireMemory(): void {
    if (this.#disposed)
      throw new InputError("run: it was disposed of; train, and read layers and relations, before dispose().");
  }

  #reasonToStop(): StopReason | undefined {
    const { signal, epochs, patience } = this.#settings;
    if (signal?.aborted) return "aborted";
    if (this.numEpochs >= epochs) return "epochs";
    return this.#sinceBest >= patience ? "patience" : undefined;
  }

  /** `kept`: whether the engine kept the parameters of the last step. */
  #endEpoch(loss: number, kept: boolean, seconds: number): EpochReport {
    const improved = this.#training.keep === "best" ? kept : !(loss >= this.#smallest);
    if (improved) this.#smallest = loss;
    this.losses.push(loss);
    this.#sinceBest = improved ? 0 : this.#sinceBest + 1;
    if (improved || this.#training.keep === "last") this.bestEpoch = this.numEpochs;
    this.seconds += seconds;
    return { epoch: this.numEpochs, loss, bestLoss: this.bestLoss, bestEpoch: this.bestEpoch, seconds };
  }

  /** The vectors of a run that was disposed of, such as the result of `train`. Before that, await `readEmbedding()`. */
  get embedding(): Embedding {
    this.#requireVectors();
    if (this.#cached?.epoch === this.bestEpoch) return this.#cached.embedding;
    throw new InputError(
      "run: its vectors are in the memory of the engine; use await run.readEmbedding(), or run.embedding after dispose().",
    );
  }

  /** Vectors of the best parameters so far, under the original ids; within an epoch of several steps, of the last step. */
  async readEmbedding(): Promise<Embedding> {
    this.#requireVectors();
    const epoch = this.bestEpoch;
    if (this.#cached?.epoch === epoch) return this.#cached.embedding;
    const isFinal = !this.#insideEpoch;
    const embedding = await this.#tables.embedding();
    if (isFinal) this.#cached = { epoch, embedding };
    return embedding;
  }

  /** The same, read in slices when they are asked for: before the next epoch and before the run is disposed of. Only rank 0 gets them. */
  async vectors(): Promise<VectorRows> {
    this.#requireVectors();
    return this.#tables.vectors();
  }

  #requireVectors(): void {
    if (this.bestEpoch > 0) return;
    throw new InputError("run: it has no vectors yet; expected at least one trained epoch.");
  }

  /** Vectors after each layer, from the parameters kept so far. Needs a run that was started `withLayers` and not disposed of. */
  async layers(): Promise<{ readonly name: string; readonly embedding: Embedding }[]> {
    if (this.#training.layers.length === 0) return [];
    this.#requireMemory();
    return this.#tables.layers();
  }

  /** Vectors that score the pairs of one relation. Needs a run that was started `withRelations` and not disposed of. */
  async relationVectors(relation: number): Promise<RelationEmbeddings | undefined> {
    return this.#hasRelation(relation) ? this.#tables.relation(relation) : undefined;
  }

  /** The same, read in slices; see `vectors`. */
  async relationRows(relation: number): Promise<RelationRows | undefined> {
    return this.#hasRelation(relation) ? this.#tables.relationRows(relation) : undefined;
  }

  #hasRelation(relation: number): boolean {
    if (this.#training.relations[relation] === undefined) return false;
    this.#requireMemory();
    return true;
  }

  /** The parameters kept so far; parameters with a row for each node are in the caller's order. */
  async parameters(): Promise<SnapshotTensor[]> {
    return this.#tables.parameters();
  }

  /** The same, read in slices; see `vectors`. */
  parameterTables() {
    return this.#tables.parameterTables();
  }

  /** Weights of the relations, for models that learn them. */
  async relationWeights(): Promise<RelationWeights[]> {
    const read = (tensor: Tensor) => this.#executable.read(tensor);
    return withParameters(this.#training.parameters, this.#settings.seed, read, this.#explain);
  }

  /** Everything that `restore` needs. Throws inside an epoch, because such a snapshot could not be resumed. */
  async snapshot(): Promise<Snapshot> {
    return { identity: this.identity, progress: this.#progress(), tensors: await this.#tables.state() };
  }

  /** The same, read in slices; see `vectors`. */
  snapshotTables() {
    return { identity: this.identity, progress: this.#progress(), tables: this.#tables.stateTables() };
  }

  #progress(): RunProgress {
    if (this.#insideEpoch) {
      throw new InputError("run: an epoch is under way; take snapshots between epochs, in the loop or in onEpoch.");
    }
    const { losses, bestEpoch, seconds } = this;
    return { epoch: losses.length, losses: [...losses], bestEpoch, sinceBest: this.#sinceBest, seconds };
  }

  /** Continues from a snapshot of the same run, bit for bit as if the run had never stopped, unless it is of another engine. */
  restore(snapshot: Snapshot | StoredSnapshot): void {
    this.#requireMemory();
    requireSameRun(snapshot, this.identity, { anyEngine: this.#settings.allowOtherEngine });
    this.#tables.restore(snapshot);
    // not push(...losses): a long run has more losses than a call may have arguments
    this.losses.length = 0;
    for (const loss of snapshot.progress.losses) this.losses.push(loss);
    this.bestEpoch = snapshot.progress.bestEpoch;
    this.#sinceBest = snapshot.progress.sinceBest;
    this.seconds = snapshot.progress.seconds;
    this.#smallest = this.losses.slice(-1 - this.#sinceBest).reduce((a, b) => Math.min(a, b), Infinity);
  }

  /** Stops the threads. `embedding` and parameters can still be read; training, layers and relations need a new run. */
  async dispose(): Promise<void> {
    if (!this.#disposed && this.bestEpoch > 0) {
      this.#cached = { epoch: this.bestEpoch, embedding: await this.readEmbedding() };
    }
    await this.discard();
  }

  /** Stops the threads and does not keep the vectors. */
  async discard(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    await this.#executable.dispose();
  }

  /** `await using run = await startRun(…)` disposes of it at the end of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }
}
