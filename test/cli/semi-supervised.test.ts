/** Models that learn from labels see those of training nodes only, and tables mark them. */

import { describe, expect, test } from "vitest";
import { compareRows, compareTable } from "../../src/cli/compare/compare-table.js";
import { runClassification, runLinkPrediction } from "../../src/cli/compare/compare-tasks.js";
import { Rng } from "../../src/core/rng.js";
import { referenceEngine } from "../../src/engine/reference.js";
import { type CellMonitor, CellRunner } from "../../src/experiments/cells/cell-runner.js";
import { type CaseData, loadedCase } from "../../src/experiments/graphs/graph-case.js";
import { generateSbm } from "../../src/graph/synthetic/sbm.js";
import { hmge } from "../../src/models/index.js";
import type { LabelInput, Model } from "../../src/nn/model.js";
import { matchLabels } from "../../src/tasks/labels/labelled-nodes.js";
import { trainingLabels } from "../../src/tasks/labels/training-labels.js";
import { train } from "../../src/train/train.js";
import { temporaryFolder } from "./program.js";

const folder = temporaryFolder();
const { graph } = generateSbm({ nodes: 50, relations: 2, pIn: 0.3, pOut: 0.05, seed: 3 });

/** A model that records the labels it receives. */
function spy(): { model: Model; seen: (LabelInput | undefined)[] } {
  const seen: (LabelInput | undefined)[] = [];
  const own = hmge as Model;
  const model: Model = {
    ...own,
    name: "spy",
    uses: ["features", "labels"],
    prepare(input, ...rest) {
      seen.push(input.labels);
      return own.prepare(input, ...rest);
    },
  };
  return { model, seen };
}

const silent: CellMonitor = {
  signal: new AbortController().signal,
  show: () => ({ epoch: () => {}, end: () => {} }),
  note: () => {},
};

let runners = 0;
function request(model: Model, data: CaseData, seeds: readonly number[]) {
  const runner = new CellRunner(`${folder}/runner${runners++}`, referenceEngine, silent);
  const variant = { label: model.name, model, settings: { epochs: "2", dim: "4", tableWidth: "4" } };
  return { runner, graphCase: loadedCase("case", "", data), variants: [variant], seeds };
}

/** Three random classes: nothing in the graph predicts them. */
function randomLabels(seed: number): Map<string, string[]> {
  const rng = new Rng(seed, "labels");
  return new Map(graph.ids.map((id) => [id, [`class ${rng.below(3)}`]]));
}
const names = ["class 0", "class 1", "class 2"];

/** Rows of the nodes that have a label. */
const labelled = ({ rowStart }: LabelInput) => graph.ids.flatMap((_, i) => (rowStart[i + 1] > rowStart[i] ? [i] : []));

describe("a model that learns from labels", () => {
  test("receives the labels of the training nodes of the split, and no others", async () => {
    const byNode = randomLabels(1);
    const parts = ["train", "val", "test", "test"];
    const split = new Map(graph.ids.map((id, i) => [id, parts[i % 4]]));
    const { model, seen } = spy();
    await runClassification(request(model, { graph, labels: { byNode, names }, split }, [1, 2]), {
      shares: ["given"],
      repeats: 3,
    });
    expect(seen.length).toBe(2);
    for (const labels of seen) {
      if (labels === undefined) throw new Error("no labels");
      expect(labelled(labels)).toEqual(graph.ids.flatMap((_, i) => (i % 4 === 0 ? [i] : [])));
      expect(labels.columns.length).toBe(labelled(labels).length);
      labelled(labels).forEach((row, e) => {
        expect(names[labels.columns[e]]).toBe(byNode.get(graph.ids[row])?.[0]);
      });
    }
  });

  test("with random splits receives the labels of one split per seed, and none of the nodes it is scored on", async () => {
    const byNode = randomLabels(2);
    const { model, seen } = spy();
    const protocol = { shares: [0.2, 0.5], repeats: 4 };
    const results = await runClassification(request(model, { graph, labels: { byNode, names } }, [1, 2]), protocol);
    // two seeds, two shares
    expect(seen.map((labels) => labelled(labels as LabelInput).length)).toEqual([10, 25, 10, 25]);
    expect(labelled(seen[0] as LabelInput)).not.toEqual(labelled(seen[2] as LabelInput));
    expect(results[0].supervision).toBe("semi-supervised");

    // if all labels but those of the training nodes change, the model receives the same, and only its scores change
    const known = new Set(labelled(seen[0] as LabelInput).map((row) => graph.ids[row]));
    const changed = new Map(
      [...byNode].map(([id, own]) => [id, known.has(id) ? own : [names[names.indexOf(own[0]) - 1] ?? names[2]]]),
    );
    const again = spy();
    const other = await runClassification(request(again.model, { graph, labels: { byNode: changed, names } }, [1]), {
      shares: [0.2],
      repeats: 4,
    });
    expect(again.seen).toEqual([seen[0]]);
    expect(other[0].results[0].training?.bestLoss).toBe(results[0].results[0].training?.bestLoss);
    expect(other[0].results[0].scores).not.toEqual(results[0].results[0].scores);
  });

  test("receives no label of the training nodes that C is chosen by", async () => {
    const byNode = randomLabels(4);
    const { model, seen } = spy();
    const protocol = { shares: [0.5], repeats: 4, strength: "validate" as const };
    const results = await runClassification(request(model, { graph, labels: { byNode, names } }, [1]), protocol);
    const all = spy();
    await runClassification(request(all.model, { graph, labels: { byNode, names } }, [1]), {
      shares: [0.5],
      repeats: 4,
    });
    const [learnt, training] = [seen[0], all.seen[0]].map((labels) => labelled(labels as LabelInput));
    expect([learnt.length, training.length]).toEqual([19, 25]); // a fifth of every class, rounded
    expect(training).toEqual(expect.arrayContaining(learnt));

    // other labels of those nodes do not change the model
    const spared = new Set(training.filter((row) => !learnt.includes(row)).map((row) => graph.ids[row]));
    const next = (own: string) => [names[(names.indexOf(own) + 1) % 3]];
    const changed = new Map([...byNode].map(([id, own]) => [id, spared.has(id) ? next(own[0]) : own]));
    const split = new Map(
      graph.ids.map((id, i) => [id, learnt.includes(i) ? "train" : spared.has(id) ? "val" : "test"]),
    );
    const given = spy();
    const other = await runClassification(
      request(given.model, { graph, labels: { byNode: changed, names }, split }, [1]),
      {
        ...protocol,
        shares: ["given"],
      },
    );
    expect(given.seen).toEqual(seen);
    expect(other[0].results[0].training?.bestLoss).toBe(results[0].results[0].training?.bestLoss);
  });

  test("receives no labels in link prediction, and models that use none never receive any", async () => {
    const data = { graph, labels: { byNode: randomLabels(3), names } };
    const { model, seen } = spy();
    const links = await runLinkPrediction(request(model, data, [1]), { holdout: 0.1, strict: false });
    const other = spy();
    await runClassification(request({ ...other.model, uses: [] }, data, [1]), { shares: [0.2], repeats: 2 });
    // also when a program passes labels
    const nodes = matchLabels(graph.ids, data.labels);
    const { input } = trainingLabels(graph.numNodes, nodes, [0, 1, 2]);
    await train({ ...graph, labels: input }, { ...other.model, uses: [] }, { epochs: 1, dim: 4, engine: "reference" });
    expect([...seen, ...other.seen]).toEqual([undefined, undefined, undefined]);
    expect(links[0].supervision).toBe("without labels");
  });

  test("is marked in every table", () => {
    const result = (task: string, supervision: "semi-supervised" | "without labels") => {
      return {
        task,
        name: "spy",
        baseline: false,
        supervision,
        results: [{ seed: 1, scores: { auc: 1, macroF1: 1 } }],
      };
    };
    const rows = compareRows([result("classify", "semi-supervised"), result("links", "without labels")]);
    const name = (tasks: ("classify" | "links")[]) => compareTable(rows, tasks).rows[0][0];
    expect(name(["classify", "links"])).toBe("spy, semi-supervised");
    expect(name(["classify"])).toBe("spy, semi-supervised");
    expect(name(["links"])).toBe("spy, without labels");
  });
});
