/** Trains in a worker of the page, and sends progress, maps and the result. */

import {
  createEngine,
  type Embedding,
  type Engine,
  type EngineName,
  type Model,
  models,
  multiplexFromEdges,
  pca,
  type Run,
  startRun,
  tsne,
} from "../../index.js";
import type { NodeMap } from "../scene/scene.js";
import { toEdgeList } from "./coded-edges.js";
import type { FromWorker, ToWorker, TrainingRequest, TrainingResult } from "./messages.js";

/** Minimum milliseconds between two maps. */
const SNAPSHOT_MILLISECONDS = 1000;
/** A map may take at most this share of the time; not tuned. */
const MAX_SNAPSHOT_SHARE = 0.1;
/** Larger graphs send no maps before the end: principal components of 100,000 vectors of 64 columns take about a second. */
const MAX_SNAPSHOT_NODES = 100_000;
/** Maximum size of the vectors of all relations together, in bytes; a page has about 4 GB. Not tuned. */
const MAX_DECODER_BYTES = 2 ** 28;

/** Larger graphs get no t-SNE map, as on the command line: it would take minutes. */
const MAX_TSNE_NODES = 20_000;

const abort = new AbortController();
/** Set while training is paused; continues it. */
let resume: (() => void) | undefined;
let paused: Promise<void> | undefined;

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "train") void trainAndReport(data.request);
  else if (data.type === "pause") paused ??= new Promise((resolve) => (resume = resolve));
  else {
    if (data.type === "stop") abort.abort();
    resume?.();
    paused = resume = undefined;
  }
});

function send(message: FromWorker, transfer: Transferable[] = []): void {
  postMessage(message, { transfer });
}

async function trainAndReport(request: TrainingRequest): Promise<void> {
  try {
    const result = await train(request);
    if (result === undefined) return send({ type: "stopped" });
    // The vectors of a relation may share one array.
    const decoded = result.decoder?.relations.flatMap(({ source, target }) => [source.buffer, target.buffer]) ?? [];
    const transfer = new Set([result.vectors.buffer, ...decoded].filter((buffer) => buffer instanceof ArrayBuffer));
    send({ type: "trained", result }, [...transfer]);
  } catch (error) {
    send({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

/** The result; undefined if training was stopped before its first epoch. */
async function train(request: TrainingRequest): Promise<TrainingResult | undefined> {
  const { title, directed, threads } = request;
  const { engine: engineName, ...settings } = request.settings;
  const engine = await createEngine(engineName as EngineName | undefined, { threads });
  const all: Readonly<Record<string, Model>> = models;
  const model = all[request.model];
  const graph = multiplexFromEdges(toEdgeList(request.edges), { directed });
  const onStep = (stage: string, _done: number, _steps: number, share: number) => reportStage(stage, share);
  const onPart = (part: string, _report: unknown, _epochs: number, share: number) => reportStage(part, share);
  const options = { ...settings, engine, signal: abort.signal, withRelations: true, onStep, onPart };
  const run = await startRun(graph, model, options).catch((error: unknown) => {
    if (abort.signal.aborted) return undefined;
    throw error;
  });
  if (run === undefined) return undefined;
  let result: Omit<TrainingResult, "maps">;
  try {
    await trainEpochs(run, maxEpochs(model, settings), graph.numNodes <= MAX_SNAPSHOT_NODES);
    if (run.bestEpoch === 0) return undefined;
    const embedding = await run.readEmbedding();
    const decoder = await readDecoder(run, model, graph.relations.length);
    result = {
      title,
      model: model.name,
      seed: Number(run.identity.seed),
      graph,
      dim: embedding.dim,
      vectors: new Float32Array(embedding.vectors),
      losses: [...run.losses],
      facets: run.views.map(({ name, width }) => ({ name, width, doc: model.viewDocs?.[name] })),
      findings: [...run.findings],
      ...decoder,
      notes: [...(engine.choice === undefined ? [] : [`Computed on ${engine.choice}.`]), ...decoder.notes],
      options: { ...run.options },
      stopped: run.stopReason === "aborted",
      kernels: run.identity.kernels,
      preparationSeconds: run.preparationSeconds,
      epochSeconds: run.seconds,
    };
  } finally {
    await run.dispose();
  }
  const { maps, note } = await mapsOf({ ids: graph.ids, dim: result.dim, vectors: result.vectors }, engine);
  return { ...result, maps, notes: [...result.notes, ...(note === undefined ? [] : [note])] };
}

/** t-SNE, unless the graph is large, the visitor stops it or it fails, and principal components. */
async function mapsOf(embedding: Embedding, engine: Engine): Promise<{ maps: NodeMap[]; note?: string }> {
  const components = { name: "principal components", positions: pca(embedding).vectors };
  if (embedding.ids.length > MAX_TSNE_NODES || abort.signal.aborted) return { maps: [components] };
  try {
    const map = await tsne(embedding, {
      engine,
      signal: abort.signal,
      onProgress: ({ stage, done, total }) =>
        reportStage(stage === "map" ? "t-SNE map" : "neighbours for the map", done / total),
    });
    if (map.stopReason === "aborted") return { maps: [components] };
    return { maps: [{ name: "t-SNE", positions: map.vectors }, components] };
  } catch (error) {
    // the training is not lost with its map, for example if the graphics card is
    const message = error instanceof Error ? error.message : String(error);
    return { maps: [components], note: `There is no t-SNE map: ${message}` };
  }
}

/** Milliseconds between two reports of the same stage; not tuned. */
const STAGE_MILLISECONDS = 50;
let reported = { stage: "", at: 0 };

/** Sends the stage, and lets messages such as stop in. */
async function reportStage(stage: string, share: number): Promise<void> {
  const at = performance.now();
  if (stage === reported.stage && at - reported.at < STAGE_MILLISECONDS) return;
  reported = { stage, at };
  send({ type: "stage", stage, share });
  await letMessagesIn();
}

const turns = new MessageChannel();

/** Waits for messages that have arrived, and for the end of a pause. */
async function letMessagesIn(): Promise<void> {
  // Browsers make nested timers wait 4 ms; a message to oneself arrives after those of the page, without a wait.
  await new Promise((resolve) => {
    turns.port2.onmessage = resolve;
    turns.port1.postMessage(0);
  });
  if (!abort.signal.aborted) await paused;
}

/** Maximum number of epochs with these settings, which the training has checked. */
function maxEpochs({ training, presets }: Model, { epochs, preset }: TrainingRequest["settings"]): number {
  const chosen = presets[typeof preset === "string" ? preset : Object.keys(presets)[0]];
  return epochs === undefined ? (chosen.training?.epochs ?? training.epochs) : Number(epochs);
}

async function trainEpochs(run: Run, epochs: number, withMaps: boolean): Promise<void> {
  const map = new MovingMap();
  let mapped = performance.now();
  let pause = 0;
  for await (const { epoch, loss } of run) {
    const secondsLeft = (run.seconds / epoch) * (epochs - epoch);
    send({ type: "progress", epoch, epochs, loss, secondsLeft });
    const now = performance.now();
    if (withMaps && (epoch === 1 || now - mapped >= Math.max(SNAPSHOT_MILLISECONDS, pause))) {
      const positions = map.project(await run.readEmbedding());
      send({ type: "snapshot", epoch, positions }, [positions.buffer]);
      mapped = performance.now();
      pause = (mapped - now) / MAX_SNAPSHOT_SHARE;
    }
    await letMessagesIn();
  }
}

/** Projects vectors to the plane; keeps the signs of the axes from map to map, so that the nodes move and are not mirrored. */
class MovingMap {
  #last: Float32Array | undefined;

  project(embedding: Embedding): Float32Array<ArrayBuffer> {
    const positions = new Float32Array(pca(embedding).vectors);
    const last = this.#last;
    for (let axis = 0; axis < 2 && last !== undefined; axis++) {
      let agreement = 0;
      for (let i = axis; i < positions.length; i += 2) agreement += positions[i] * last[i];
      if (agreement < 0) for (let i = axis; i < positions.length; i += 2) positions[i] = -positions[i];
    }
    this.#last = positions.slice();
    return positions;
  }
}

async function readDecoder(
  run: Run,
  model: Model,
  numRelations: number,
): Promise<Pick<TrainingResult, "decoder" | "notes">> {
  const relations: NonNullable<TrainingResult["decoder"]>["relations"][number][] = [];
  let bytes = 0;
  for (let r = 0; r < numRelations; r++) {
    const found = await run.relationVectors(r);
    if (found === undefined) return { notes: [] };
    const source = new Float32Array(found.source.vectors);
    const target = found.target === undefined ? source : new Float32Array(found.target.vectors);
    relations.push({ width: found.source.dim, source, target });
    bytes += source.byteLength + (found.target === undefined ? 0 : target.byteLength);
    if (bytes <= MAX_DECODER_BYTES) continue;
    const limit = `${MAX_DECODER_BYTES / 2 ** 20} MiB`;
    return {
      notes: [`The vectors of ${numRelations} relations take more than ${limit}; links are not predicted here.`],
    };
  }
  return { decoder: { score: model.relationScore ?? "dot", relations }, notes: [] };
}
