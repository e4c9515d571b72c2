/** Two runs of one graph: whose vectors the panels show, and how far the runs agree on nearest nodes. */

import { button, type Component, element, fill } from "../dom.js";
import { centeredVectors } from "../questions/nearest.js";
import { countText, percentText, shownText } from "../questions/node-facts.js";
import { nodeName } from "../questions/node-names.js";
import {
  MAX_SAMPLE,
  type MeanAgreement,
  meanAgreement,
  type NodeAgreement,
  nodeAgreement,
} from "../questions/run-agreement.js";
import type { Scene } from "../scene/scene.js";
import { errorLine, Latest, missingLine, nodeButton, sameNumbers, uniqueId } from "./marks.js";

export interface RunComparisonState {
  /** Which run's vectors the other panels show: 0 or 1. */
  readonly run: number;
  readonly node?: number | undefined;
  readonly selected: readonly number[];
}

export interface RunComparisonOptions extends RunComparisonState {
  /** Two runs with the nodes in the same order. */
  readonly runs: readonly [Scene, Scene];
  /** Ids and names of the nodes. */
  readonly scene: Scene;
  readonly onRun: (run: number) => void;
  readonly onFocus: (node: number) => void;
}

export interface RunComparison extends Component {
  update(changes: Partial<RunComparisonState>): void;
}

export function createRunComparison(host: HTMLElement, options: RunComparisonOptions): RunComparison {
  const { runs, scene, onRun, onFocus } = options;
  let state: RunComparisonState = options;
  const latestNode = new Latest();
  const latestMean = new Latest();

  const id = uniqueId("run-comparison");
  const titles = runs.map(({ header }, place) => `${place + 1}: ${shownText(header.title)}`);
  const chooser = element(
    "select",
    { id },
    ...titles.map((title, place) => element("option", { value: place }, title)),
  );
  chooser.addEventListener("change", () => onRun(Number(chooser.value)));
  const ofNode = element("div", { class: "run-comparison-node" });
  const ofMany = element("p", { role: "status" });
  const compare = button("", () => void showMean(), {
    title: "Compare the ten nearest nodes of each node in both runs",
  });
  fill(
    host,
    element("p", {}, element("label", { for: id }, "Neighbours, facets and predictions of run "), chooser),
    ofNode,
    element("div", { class: "run-comparison-mean" }, compare, ofMany),
  );
  const vectors = () => Promise.all([centeredVectors(runs[0]), centeredVectors(runs[1])]);

  const showNode = async (node: number) => {
    const wanted = latestNode.begin();
    try {
      const agreement = await nodeAgreement(...(await vectors()), node);
      if (wanted()) fill(ofNode, ...nodeText(agreement, node));
    } catch (error) {
      if (wanted()) fill(ofNode, errorLine(error));
    }
  };
  const nodeText = (agreement: NodeAgreement | undefined, node: number): HTMLElement[] => {
    const name = shownText(nodeName(scene, node));
    if (agreement === undefined) return [missingLine(`${name} has no nearest nodes in one of the runs.`)];
    const { common, compared, chance } = agreement;
    const share = percentText(common.length / compared);
    const items = common.map((near) => element("li", {}, nodeButton(scene, near, onFocus)));
    return [
      element(
        "p",
        {},
        `The runs agree on ${common.length} of the ${compared} nearest nodes of `,
        element("bdi", {}, name),
        `: ${share}; chance gives ${percentText(chance)}.`,
      ),
      element("ul", { class: "run-comparison-common", "aria-label": "Nearest in both runs" }, ...items),
    ];
  };

  const showMean = async () => {
    const wanted = latestMean.begin();
    const isSelection = state.selected.length > 0;
    const nodes = isSelection ? state.selected : scene.ids.map((_, node) => node);
    ofMany.textContent = "Comparing vectors …";
    try {
      const agreement = await meanAgreement(...(await vectors()), nodes, { wanted });
      if (agreement !== undefined && wanted()) ofMany.textContent = meanText(agreement, isSelection);
    } catch (error) {
      if (wanted()) fill(ofMany, errorLine(error));
    }
  };

  const show = () => {
    chooser.value = String(state.run);
    latestMean.begin();
    ofMany.textContent = "";
    compare.textContent = state.selected.length > 0 ? "Compare the selection" : "Compare all nodes";
  };
  const showFocus = () => {
    latestNode.begin();
    if (state.node === undefined) fill(ofNode, missingLine("Choose a node to compare its nearest nodes in both runs."));
    else void showNode(state.node);
  };
  show();
  showFocus();

  return {
    update(changes) {
      const before = state;
      state = { ...state, ...changes };
      if (state.run !== before.run || !sameNumbers(state.selected, before.selected)) show();
      if (state.node !== before.node) showFocus();
    },
    dispose() {
      latestNode.begin();
      latestMean.begin();
      fill(host);
    },
  };
}

function meanText({ mean, chance, numNodes, sampled }: MeanAgreement, isSelection: boolean): string {
  if (numNodes === 0) return "None of these nodes has nearest nodes in both runs.";
  const of = isSelection ? "the selection" : "all nodes";
  const nodes = sampled ? `a sample of ${countText(MAX_SAMPLE, "node")} of ${of}` : countText(numNodes, "node");
  return `Mean over ${nodes}: the runs share ${percentText(mean)} of the ten nearest nodes; chance gives ${percentText(chance)}.`;
}
