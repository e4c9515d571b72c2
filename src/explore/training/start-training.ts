/** Starts a training in a worker, and controls it. */

import type {
  FromWorker,
  MapSnapshot,
  PreparationStage,
  ToWorker,
  TrainingProgress,
  TrainingRequest,
  TrainingResult,
} from "./messages.js";
import TrainingWorker from "./training-worker.ts?worker&inline";

/** The worker that trains; part of the page's script, so it starts from any web server and from a file. */
export function createTrainingWorker(): Worker {
  return new TrainingWorker({ name: "hmge training" });
}

export interface TrainingListeners {
  readonly onStage?: (stage: PreparationStage) => void;
  readonly onProgress?: (progress: TrainingProgress) => void;
  /** About once a second, in graphs of up to 100,000 nodes. */
  readonly onSnapshot?: (snapshot: MapSnapshot) => void;
  readonly onTrained: (result: TrainingResult) => void;
  /** Called with one line that says what failed, or that training was stopped before its first epoch. */
  readonly onFailed: (message: string) => void;
}

export interface Training {
  /** Waits after the current epoch. */
  pause(): void;
  continue(): void;
  /** Ends after the current epoch; the result has the vectors of that moment. */
  stop(): void;
  /** Ends at once, without a result. */
  dispose(): void;
}

/** Trains with these edges and settings; the arrays of the edges stay with the caller. */
export function startTraining(
  request: TrainingRequest,
  listeners: TrainingListeners,
  worker = createTrainingWorker(),
): Training {
  const send = (message: ToWorker) => worker.postMessage(message);
  const end = () => worker.terminate();
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === "stage") listeners.onStage?.(data);
    else if (data.type === "progress") listeners.onProgress?.(data);
    else if (data.type === "snapshot") listeners.onSnapshot?.(data);
    else {
      end();
      if (data.type === "trained") listeners.onTrained(data.result);
      else
        listeners.onFailed(
          data.type === "failed" ? data.message : "Stopped before the first epoch; there are no vectors.",
        );
    }
  });
  worker.addEventListener("error", ({ message }) => {
    end();
    listeners.onFailed(
      `Training: the worker failed: ${message || "it could not be started"}. Reload the page and try again.`,
    );
  });
  send({ type: "train", request });
  return {
    pause: () => send({ type: "pause" }),
    continue: () => send({ type: "continue" }),
    stop: () => send({ type: "stop" }),
    dispose: end,
  };
}
