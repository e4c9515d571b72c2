/** One graph of `compare --regret`: trains all methods, scores the baselines, and names the methods that are left out. */

import { isUserError } from "../../core/errors.js";
import { once } from "../../core/once.js";
import type { Engine } from "../../engine/engine.js";
import { type CellRunner, TooSlow } from "../../experiments/cells/cell-runner.js";
import type { GraphCase } from "../../experiments/graphs/graph-case.js";
import { readCase } from "../../experiments/graphs/read-case.js";
import type { LoadedGraph } from "../../io/graph/load-graph.js";
import { readSourceOptions } from "../options/source-options.js";
import { graphNotes, loadSource } from "../run/load-source.js";
import type { Output } from "../terminal/output.js";
import { forecast } from "./compare-forecast.js";
import { type CompareArguments, labelNotes, linkProtocol, probeProtocol } from "./compare-protocol.js";
import { TASK_NAMES, type TaskName, type TaskResult } from "./compare-table.js";
import { countBaselines, runClassification, runLinkPrediction, type TaskRequest } from "./compare-tasks.js";
import type { RegretMethod } from "./regret-methods.js";
import type { LeftOut } from "./regret-table.js";

export interface RegretSource {
  readonly name: string;
  readonly path: string;
}

export interface RegretRequest {
  readonly args: CompareArguments;
  readonly runner: CellRunner;
  readonly methods: readonly RegretMethod[];
  readonly engine: Engine;
  readonly output: Output;
}

export interface RegretGraph {
  readonly name: string;
  /** Facts about the graph; the graph itself is not kept. */
  readonly case: Pick<GraphCase, "key" | "summary">;
  readonly files: readonly string[];
  readonly results: readonly TaskResult[];
  readonly leftOut: readonly LeftOut[];
}

/** Computes or reads the results of one graph. */
export async function runGraph({ name, path }: RegretSource, request: RegretRequest): Promise<RegretGraph> {
  const { args, runner, methods, output } = request;
  const { values } = args;
  const graph = await loadSource(readSourceOptions({ ...args, words: [path] }), output.quiet);
  const graphCase = await readCase(name, graph);
  const data = graphCase.load();
  const asked = values.tasks ?? TASK_NAMES;
  const tasks = asked.filter((task) => task !== "classify" || data.labels !== undefined);
  const leftOut: LeftOut[] =
    tasks.length < asked.length ? [{ graph: name, tasks: ["classify"], reason: "the graph has no labels" }] : [];
  const labelRemarks =
    data.labels !== undefined && tasks.includes("classify") ? labelNotes(graph, data.labels, values) : [];
  for (const note of [...graphNotes(graph), ...labelRemarks]) output.note(`note: ${name}: ${note}`);

  const withBaselines = values.fill !== "models";
  const numTrainings = methods.reduce((sum, { seeds }) => sum + tasks.length * seeds.length, 0);
  runner.announce(numTrainings + (withBaselines ? countBaselines(tasks, values.ownSeeds.length, graph) : 0));
  const results: TaskResult[] = [];
  const runTask = (task: TaskName, part: Pick<TaskRequest, "variants" | "seeds" | "baselines">) =>
    task === "classify"
      ? runClassification({ runner, graphCase, ...part }, probeProtocol(values, data))
      : runLinkPrediction({ runner, graphCase, ...part }, linkProtocol(values));
  for (const method of methods) {
    const { variant, seeds } = method;
    const rules = { limitSeconds: method.limitSeconds, check: memoryCheck(graph, method, request) };
    for (const [i, task] of tasks.entries()) {
      try {
        const found = await runner.withRules(rules, () =>
          runTask(task, { variants: [variant], seeds, baselines: false }),
        );
        results.push(...found);
      } catch (error) {
        // every task trains on almost the same graph: a method that is too slow for one is too slow for the others
        const isSlow = error instanceof TooSlow;
        if (!isSlow && !isUserError(error)) throw error;
        const lost = isSlow ? tasks.slice(i) : [task];
        leftOut.push({ graph: name, method: variant.label, tasks: lost, reason: error.message });
        if (isSlow) break;
      }
    }
  }
  if (withBaselines) {
    for (const task of tasks) results.push(...(await runTask(task, { variants: [], seeds: values.ownSeeds })));
  }
  const { key, summary } = graphCase;
  return { name, case: { key, summary }, files: graph.files, results, leftOut };
}

/** Throws, before the first training, if the model does not fit into memory. */
function memoryCheck(graph: LoadedGraph, { variant }: RegretMethod, { args, engine }: RegretRequest) {
  return once(async () => {
    await forecast(graph, [variant], { trainings: 1, engine, force: args.values.force });
  });
}
