/** One step of a model on the reference engine, for tests that compute its loss independently. */

import { type OptionSchema, resolveOptions } from "../../src/core/options.js";
import { Rng } from "../../src/core/rng.js";
import type { HostTensor } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import type { Multiplex } from "../../src/graph/multiplex.js";
import { multiplexFromEdges } from "../../src/graph/multiplex-from-edges.js";
import { normal } from "../../src/nn/init.js";
import type { Model } from "../../src/nn/model.js";
import { BETA1 } from "../../src/train/optimizer.js";
import type { TrainableGraph } from "../../src/train/trainable.js";
import { traceTraining } from "../../src/train/training-program.js";
import { fillRandomInputs, watchDraws } from "./draws.js";

/** Two weighted relations, one dense enough that pairs are rejected, and one without edges. */
export function someGraph(directed: boolean): Multiplex {
  const rng = new Rng(3, "edges");
  const edges = Array.from({ length: 90 }, (_, k) => {
    const [relation, bound] = k % 3 === 0 ? ["b", 20] : ["a", 9];
    return { source: `v${rng.below(bound)}`, target: `v${rng.below(bound)}`, relation, weight: 0.5 + rng.uniform() };
  });
  edges.push({ source: "v1", target: "v1", relation: "none", weight: 1 });
  return multiplexFromEdges(
    {
      source: edges.map(({ source }) => source),
      target: edges.map(({ target }) => target),
      relation: edges.map(({ relation }) => relation),
      weight: edges.map(({ weight }) => weight),
    },
    { directed },
  );
}

export interface Step {
  readonly loss: number;
  /** Row i of a parameter before the step. */
  row(parameter: string, i: number): number[];
  /** The gradient of that row, computed from Adam's first moment. */
  gradient(parameter: string, i: number): number[];
  /** All outputs of the calls of an op, in order. */
  drawn(op: string): number[][];
}

/** One step on the reference engine; with `random`, all parameters start at normal values instead of the model's own. */
export async function runStep<S extends OptionSchema, P, G>(
  model: Model<S, P, G>,
  graph: TrainableGraph,
  values: Record<string, unknown>,
  { random = false }: { random?: boolean } = {},
): Promise<Step> {
  const options = resolveOptions(model.options, model.name, values);
  const { program, parameters, loss } = traceTraining(model, graph, options, { weightDecay: 0 });
  const found: { op: string; data: number[] }[] = [];
  const copy = (op: string) => (output: HostTensor) => found.push({ op, data: [...output.data] });
  const executable = await referenceEngine.compile(
    watchDraws(program, ({ op, outputs }) => {
      outputs.forEach(copy(op));
    }),
  );
  const tables = new Map<string, { cols: number; data: Float64Array | Float32Array }>();
  for (const { name, tensor, initializer } of parameters) {
    executable.write(tensor, (data) => {
      if (!(data instanceof Uint32Array)) (random ? normal(0.5) : initializer)(data, new Rng(7, name));
    });
    tables.set(name, { cols: tensor.cols, data: await executable.read(tensor) });
  }
  fillRandomInputs(program, executable, 5, 1);
  executable.run("step");
  const moments = new Map<string, Float32Array | Float64Array>();
  for (const { name, slots } of parameters) {
    if (slots.length > 0) moments.set(name, await executable.read(slots[0].tensor));
  }
  return {
    loss: (await executable.read(loss))[0],
    gradient(parameter, i) {
      const cols = tables.get(parameter)?.cols ?? 0;
      return [...(moments.get(parameter) ?? []).slice(i * cols, (i + 1) * cols)].map((moment) => moment / (1 - BETA1));
    },
    row(parameter, i) {
      const table = tables.get(parameter);
      if (table === undefined) throw new Error(`no ${parameter} among ${[...tables.keys()].join(", ")}`);
      return [...table.data.slice(i * table.cols, (i + 1) * table.cols)];
    },
    drawn: (op) => found.filter((draw) => draw.op === op).map(({ data }) => data),
  };
}

export const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, k) => sum + x * b[k], 0);
/** −log σ(x). */
export const logisticLoss = (x: number) => Math.log(1 + Math.exp(-x));
