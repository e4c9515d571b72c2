/** One small training, the same in Node, on a page and in its worker. */

import { createEngine, type Engine, generateSbm, hmge, multiview, train } from "../../dist/index.js";

export interface Trained {
  readonly kernels: string;
  readonly dataHash: string;
  /** SHA-256 of the bytes of the vectors. */
  readonly vectors: string;
  /** Number of workers that this thread started during the training. */
  readonly workers: number;
}

let workers = 0;
if (typeof Worker !== "undefined") {
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      workers++;
    }
  };
}

export async function trainSmall(settings: { engine?: Engine; threads?: number }): Promise<Trained> {
  const { graph } = generateSbm({ nodes: 200, relations: 3, pIn: 0.1, pOut: 0.02, seed: 1 });
  workers = 0;
  const { identity, embedding } = await train(graph, multiview, { dim: 16, epochs: 5, seed: 1, ...settings });
  return { kernels: identity.kernels, dataHash: identity.graph, vectors: await hashOf(embedding.vectors), workers };
}

export interface TrainedOnGpu extends Pick<Trained, "vectors"> {
  /** Engine in use, and why it was chosen. */
  readonly engine: string;
  readonly choice: string | undefined;
  readonly losses: readonly number[];
}

/** A small training on the engine that `auto` chooses. */
export async function trainOnAuto(): Promise<TrainedOnGpu> {
  return trainWith(await createEngine("auto"));
}

/** Two trainings on a device of the page, one after the other, and the name of an engine on an adapter of the page. */
export async function trainOnDevice() {
  const adapter = await requestAdapter();
  const engine = await createEngine("webgpu", { adapter, device: await adapter.requestDevice() });
  const trained = await trainWith(engine);
  const again = await trainWith(engine);
  const { description } = await createEngine("webgpu", { adapter: await requestAdapter() });
  return { trained, again, onAdapter: description };
}

async function requestAdapter(): Promise<GPUAdapter> {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error("this page has no adapter");
  return adapter;
}

export async function trainWith(engine: Engine): Promise<TrainedOnGpu> {
  const { graph } = generateSbm({ nodes: 100, relations: 2, pIn: 0.2, pOut: 0.04, seed: 1 });
  const { losses, embedding } = await train(graph, hmge, { dim: 8, epochs: 3, learningRate: 0.05, seed: 1, engine });
  const { description, choice } = engine;
  return { engine: description, choice, losses: [...losses], vectors: await hashOf(embedding.vectors) };
}

async function hashOf(vectors: Float32Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Float32Array(vectors));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The result, or the error as the user would read it. */
export async function tryTraining(threads: number | undefined): Promise<Trained | string> {
  try {
    return await trainSmall({ threads });
  } catch (error) {
    return String(error);
  }
}
