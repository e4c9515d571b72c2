/** One small training, the same in Node, on a page and in its worker. */

import { type Engine, generateSbm, multiview, train } from "../../dist/index.js";

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
  const digest = await crypto.subtle.digest("SHA-256", new Float32Array(embedding.vectors));
  const vectors = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { kernels: identity.kernels, dataHash: identity.graph, vectors, workers };
}

/** The result, or the error as the user would read it. */
export async function tryTraining(threads: number | undefined): Promise<Trained | string> {
  try {
    return await trainSmall({ threads });
  } catch (error) {
    return String(error);
  }
}
