/** The loss of one step of the models that draw edges, against plain loops over what was drawn. */

import { expect, test } from "vitest";
import { type OptionSchema, resolveOptions } from "../../src/core/options.js";
import { Rng } from "../../src/core/rng.js";
import type { HostTensor } from "../../src/engine/program.js";
import { referenceEngine } from "../../src/engine/reference.js";
import type { Multiplex } from "../../src/graph/multiplex.js";
import { multiplexFromEdges } from "../../src/graph/multiplex-from-edges.js";
import { crossmna } from "../../src/models/index.js";
import type { Model } from "../../src/nn/model.js";
import { traceTraining } from "../../src/train/training-program.js";
import { fillRandomInputs, watchDraws } from "./draws.js";

/** Two weighted relations, one dense enough that pairs are rejected, and one without edges. */
function someGraph(directed: boolean): Multiplex {
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

interface Step {
  readonly loss: number;
  /** Row i of a parameter, as it was before the step. */
  row(parameter: string, i: number): number[];
  /** Outputs of the op's uses, in order. */
  drawn(op: string): number[][];
}

/** One step on the reference engine. */
async function runStep<S extends OptionSchema, P, G>(
  model: Model<S, P, G>,
  graph: Multiplex,
  given: Record<string, unknown>,
): Promise<Step> {
  const options = resolveOptions(model.options, model.name, given);
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
      if (!(data instanceof Uint32Array)) initializer(data, new Rng(7, name));
    });
    tables.set(name, { cols: tensor.cols, data: executable.read(tensor) });
  }
  fillRandomInputs(program, executable, 5, 1);
  executable.run("step");
  return {
    loss: executable.read(loss)[0],
    row(parameter, i) {
      const table = tables.get(parameter);
      if (table === undefined) throw new Error(`no ${parameter} among ${[...tables.keys()].join(", ")}`);
      return [...table.data.slice(i * table.cols, (i + 1) * table.cols)];
    },
    drawn: (op) => found.filter((draw) => draw.op === op).map(({ data }) => data),
  };
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, k) => sum + x * b[k], 0);
/** −log σ(x). */
const surprise = (x: number) => Math.log(1 + Math.exp(-x));

test.each([false, true])("crossmna, directed: %s", async (directed) => {
  const graph = someGraph(directed);
  const [batch, negatives] = [40, 2];
  const { loss, row, drawn } = await runStep(crossmna, graph, { dim: 6, intraDim: 4, batch, negatives });
  const [sources, targets, relations] = drawn("sampleEntries");
  const [others] = drawn("sampleByGroup");
  const short = (x: readonly number[]) => x.map((value) => value / Math.max(1, Math.sqrt(dot(x, x))));
  const intra = (i: number, k: number) => {
    const r = short(row("relations", k));
    short(row("inter", i)).forEach((u, a) => {
      short(row("weight", a)).forEach((w, c) => {
        r[c] += u * w;
      });
    });
    return r;
  };
  let expected = 0;
  for (let b = 0; b < batch; b++) {
    const [i, k] = [sources[b], relations[b]];
    const { rowStart, columns } = graph.relations[k];
    expect([...columns.subarray(rowStart[i], rowStart[i + 1])]).toContain(targets[b]);
    expected += surprise(dot(intra(i, k), intra(targets[b], k)));
    for (const n of others.slice(b * negatives, (b + 1) * negatives)) {
      expect(columns.includes(n) || rowStart[n + 1] > rowStart[n]).toBe(true);
      expected += surprise(-dot(intra(i, k), intra(n, k)));
    }
  }
  // float64 both, summed in another order
  expect(Math.abs(loss / expected - 1)).toBeLessThan(1e-12);
});
