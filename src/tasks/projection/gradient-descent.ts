/** The second part of t-SNE: gradient descent on KL(P ‖ Q) with early exaggeration (van der Maaten, Hinton 2008; see tsne.ts). */

import { InternalError } from "../../core/errors.js";
import { nextTurn } from "../../core/event-loop.js";
import type { StopSignal } from "../../core/validation.js";
import { gradients } from "../../engine/autograd.js";
import type { Engine } from "../../engine/engine.js";
import { tsneLoss, tsneUpdate } from "../../engine/ops/index.js";
import { ProgramBuilder } from "../../engine/program.js";
import type { SparseOperator } from "../../engine/sparse.js";
import { EXAGGERATED_ITERATIONS } from "./tsne-options.js";

/** Barnes–Hut criterion: a cell is summarised if its width is below this times its distance (2014 paper). */
const THETA = 0.5;
/** Factor of the affinities during early exaggeration (2014 paper). */
const EXAGGERATION = 12;
/** Momentum during and after exaggeration (2014 paper). */
const EARLY_MOMENTUM = 0.5;
const MOMENTUM = 0.8;
/** Minimum learning rate for a gradient without its factor 4, as in the papers. */
const MIN_RATE = 200;
/** Constant factor of the gradient of KL(P ‖ Q), which the learning rates of the papers leave out. */
const GRADIENT_FACTOR = 4;
/** Iterations between two computations of the divergence, which takes as long as an iteration. */
const REPORT_EVERY = 50;
/** Maximum time, in milliseconds, before the loop yields to the event loop. */
const YIELD_MILLISECONDS = 50;
/** Work, in milliseconds, that is queued on an engine that queues: long next to the wait for a result, about 1 ms, and short for a user. */
const QUEUED_MILLISECONDS = 100;

/** How a descent went. */
export interface Descent {
  /** Number of iterations. 0 if there are fewer than four nodes or the signal was aborted before the first; the map is then the initial map. */
  readonly iterations: number;
  readonly stopReason: "iterations" | "aborted";
  /** KL(P ‖ Q) of the initial and of the final map; NaN without iterations. */
  readonly startDivergence: number;
  readonly divergence: number;
}

interface Hooks {
  readonly iterations: number;
  readonly signal?: StopSignal;
  /** Called after each iteration; a promise it returns is awaited. `divergence`: KL(P ‖ Q), in every fiftieth iteration. */
  readonly onIteration?: (done: number, divergence: number | undefined) => void | Promise<void>;
}

/** Moves the points of an initial map downhill. */
export async function descend(
  start: Float32Array,
  affinities: SparseOperator,
  engine: Engine,
  { iterations, signal, onIteration }: Hooks,
): Promise<{ vectors: Float32Array; outcome: Descent }> {
  const n = affinities.numRows;
  const builder = new ProgramBuilder();
  const y = builder.parameter("y", n, 2);
  const velocity = builder.state("velocity", n, 2);
  const gains = builder.state("gains", n, 2);
  const exaggeration = builder.input("exaggeration", 1, 1);
  const schedule = builder.input("schedule", 1, 2);
  const attributes = { affinities, theta: THETA };
  builder.segment("step", () => {
    const [gradient] = gradients(tsneLoss(y, exaggeration, attributes), [y]);
    if (gradient === undefined) throw new InternalError("tsne: the loss has no gradient");
    tsneUpdate({ y, velocity, gains }, gradient, schedule);
    return [];
  });
  let loss!: typeof y;
  builder.segment("divergence", () => {
    loss = tsneLoss(y, exaggeration, attributes);
    return [loss];
  });
  const executable = await engine.compile(builder.finish());
  try {
    executable.write(y, (data) => data.set(start));
    executable.write(gains, (data) => data.fill(1));
    const computeDivergence = async (iteration: number): Promise<number> => {
      executable.write(exaggeration, (data) => data.fill(1));
      executable.run("divergence");
      const [value] = await executable.read(loss);
      if (!Number.isFinite(value))
        throw new InternalError(`tsne: the divergence is ${value} at iteration ${iteration}`);
      return value;
    };
    const startDivergence = await computeDivergence(0);
    const numExaggerated = Math.min(EXAGGERATED_ITERATIONS, Math.floor(iterations / 4));
    const rate = Math.max(MIN_RATE, n / EXAGGERATION) / GRADIENT_FACTOR;
    let done = 0;
    let lastYield = performance.now();
    let [lastWait, doneAtWait, numQueued] = [lastYield, 0, 1];
    while (done < iterations && !signal?.aborted) {
      const early = done < numExaggerated;
      executable.write(exaggeration, (data) => data.fill(early ? EXAGGERATION : 1));
      executable.write(schedule, (data) => data.set([early ? EARLY_MOMENTUM : MOMENTUM, rate]));
      executable.run("step");
      done++;
      const divergence = done % REPORT_EVERY === 0 && done < iterations ? await computeDivergence(done) : undefined;
      if (executable.isQueued && done - doneAtWait >= numQueued) {
        // the input changes nothing; it can be read when the iterations are done
        await executable.read(schedule);
        const now = performance.now();
        const perIteration = (now - lastWait) / (done - doneAtWait);
        numQueued = Math.max(1, Math.min(REPORT_EVERY, Math.floor(QUEUED_MILLISECONDS / perIteration)));
        [lastWait, doneAtWait] = [now, done];
      }
      await onIteration?.(done, divergence);
      if (performance.now() - lastYield > YIELD_MILLISECONDS) {
        await nextTurn();
        lastYield = performance.now();
      }
    }
    const divergence = await computeDivergence(done);
    const vectors = Float32Array.from(await executable.read(y));
    const stopReason = done < iterations ? "aborted" : "iterations";
    return { vectors, outcome: { iterations: done, stopReason, startDivergence, divergence } };
  } finally {
    await executable.dispose();
  }
}
